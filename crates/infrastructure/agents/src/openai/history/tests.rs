//! Conversations that are kept and gone on with.

use std::{fs, os::unix::fs::PermissionsExt as _, time::Duration};

use awf_core::{AgentMode, AgentRequest, OutputFormat};
use serde_json::json;
use tempfile::TempDir;

use super::{History, KEPT_FOR, LONGEST};
use crate::openai::delta::Answer;

fn request(system: Option<&str>, prompt: &str, session: Option<String>) -> AgentRequest {
    AgentRequest {
        run: "01RUN".into(),
        step: "ask".into(),
        prompt: prompt.into(),
        system_prompt: system.map(str::to_owned),
        mode: AgentMode::Single,
        output_format: OutputFormat::Raw,
        session,
        options: serde_json::Map::new(),
        dir: "/".into(),
        env: Vec::new(),
        trace: None,
    }
}

#[test]
fn a_kept_conversation_is_gone_on_with_and_stays_as_it_was() {
    let dir = TempDir::new().unwrap();
    let sessions = dir.path().join("agents/openai");
    let mut history = History::begin(&sessions, &request(Some("be brief"), "one", None)).unwrap();
    let mut answer = Answer::default();
    answer.text.push_str("two");
    history.answered(&answer).unwrap();
    let session = history.keep(&sessions).unwrap();
    let mode = |path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(sessions.clone()), 0o700);
    assert_eq!(mode(sessions.join(format!("{session}.json"))), 0o600);

    let user = |text| json!({"role": "user", "content": text});
    let answer = json!({"role": "assistant", "content": "two"});
    let system = |text| json!({"role": "system", "content": text});
    let again = History::begin(&sessions, &request(None, "three", Some(session.clone()))).unwrap();
    let expected = [system("be brief"), user("one"), answer.clone(), user("three")];
    assert_eq!(again.messages(), expected);
    assert_ne!(again.keep(&sessions).unwrap(), session);
    let other = request(Some("be long"), "four", Some(session));
    let other = History::begin(&sessions, &other).unwrap();
    assert_eq!(other.messages(), [system("be long"), user("one"), answer, user("four")]);
}

#[test]
fn a_session_of_another_is_refused_and_no_file_is_looked_for() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("secret.json"), "[]").unwrap();
    let sessions = dir.path().join("sessions");
    for session in ["b3f1", "openai-../secret", "openai-", "scripted-01RUN-ask"] {
        let failure =
            History::begin(&sessions, &request(None, "x", Some(session.into()))).unwrap_err();
        let expected = format!("cannot go on with session `{session}`: it is not of this provider");
        assert_eq!(failure.to_string(), expected);
    }
    let gone = "openai-01ARZ3NDEKTSV4RRFFQ69G5FAV";
    let failure = History::begin(&sessions, &request(None, "x", Some(gone.into()))).unwrap_err();
    assert!(failure.to_string().contains("No such file"), "{failure}");
}

#[test]
fn what_nobody_went_on_with_for_long_is_forgotten() {
    let dir = TempDir::new().unwrap();
    let history = History::begin(dir.path(), &request(None, "x", None)).unwrap();
    let file = |session: &str| dir.path().join(format!("{session}.json"));
    let (old, young) = (history.keep(dir.path()).unwrap(), history.keep(dir.path()).unwrap());
    for (session, age) in [(&old, KEPT_FOR + Duration::from_hours(1)), (&young, KEPT_FOR / 2)] {
        let opened = fs::File::options().write(true).open(file(session)).unwrap();
        let modified = opened.metadata().unwrap().modified().unwrap();
        opened.set_modified(modified - age).unwrap();
    }
    let new = history.keep(dir.path()).unwrap();
    assert!(!file(&old).exists() && file(&young).exists() && file(&new).exists());
}

#[test]
fn a_conversation_has_a_bound() {
    let mut history = History::begin("/".as_ref(), &request(None, "x", None)).unwrap();
    let long = "x".repeat(1024 * 1024);
    let added = (0..100).find(|_| history.result("id", &long).is_err()).unwrap();
    assert_eq!(added, LONGEST / long.len() - 1);
}
