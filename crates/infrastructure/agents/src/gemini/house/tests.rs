//! What is found in a home, and that nothing of it is changed.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use awf_core::{AgentFailure, AgentRequest, Reach};
use serde_json::{Value, json};

use super::{House, uncommented};
use crate::cli::{errand::Errand, sample};

fn look(home: &Path, env: &[(&str, &Path)]) -> Result<House, AgentFailure> {
    let env = env.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    let request = AgentRequest { env, ..sample::request() };
    let server = sample::server(Reach::Exclusive);
    House::look(&Errand { request: &request, server: Some(&server), home: Some(home) })
}

#[test]
fn comments_are_taken_out_and_strings_left_alone() {
    let text = "{ // one\n \"a\": \"x // \\\" /* y\", /* two\n */ \"b\\\\\": 1 / 1 }";
    assert_eq!(uncommented(text), "{ \n \"a\": \"x // \\\" /* y\",  \"b\\\\\": 1 / 1 }");
    for text in ["\"", "\"\\", "/", "//", "/*", "ü\"ü\\\"ü"] {
        assert!(uncommented(text).len() <= text.len());
    }
}

#[test]
fn the_users_things_are_listed_and_the_places_of_sessions_made() {
    let home = tempfile::tempdir().unwrap();
    let gemini = home.path().join(".gemini");
    let empty = look(home.path(), &[]).unwrap();
    assert_eq!((empty.entries, empty.settings.len()), (vec!["history".into(), "tmp".into()], 0));
    assert_eq!(fs::metadata(gemini.join("tmp")).unwrap().permissions().mode() & 0o777, 0o700);
    fs::write(gemini.join("settings.json"), "{\"a\": 1} // mine").unwrap();
    fs::write(gemini.join("oauth_creds.json"), "x").unwrap();
    fs::write(gemini.join("projects.json"), "x").unwrap();
    let other = tempfile::tempdir().unwrap();
    for env in [[("HOME", home.path())], [("GEMINI_CLI_HOME", home.path())]] {
        let house = look(other.path(), &env).unwrap();
        assert_eq!(house.path, gemini);
        assert_eq!(house.entries, ["history", "oauth_creds.json", "tmp"]);
        assert_eq!(Value::Object(house.settings), json!({"a": 1}));
    }
    fs::write(gemini.join("settings.json"), "{").unwrap();
    let failed = look(home.path(), &[]).unwrap_err().to_string();
    assert!(failed.contains("`settings.json` is not valid"), "{failed}");
}
