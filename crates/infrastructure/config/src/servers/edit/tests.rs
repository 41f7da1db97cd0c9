//! Layouts that people write, before and after.

use std::fs;

use tempfile::TempDir;

use super::{NewServer, add_server, remove_server};
use crate::{ServerTransport, SettingsFiles, load_settings};

fn git() -> NewServer {
    let transport = ServerTransport::Stdio {
        command: "npx".to_owned(),
        args: vec!["-y".to_owned(), "a \"b\"".to_owned()],
        env: vec![("TOKEN".to_owned(), "${T}".to_owned())],
        cwd: None,
    };
    NewServer { name: "git".to_owned(), transport }
}

const BLOCK: &str =
    "git:\n    command: npx\n    args: [\"-y\", \"a \\\"b\\\"\"]\n    env: {TOKEN: \"${T}\"}\n";
const FLOW: &str =
    "\"git\": {\"command\": npx, \"args\": [\"-y\", \"a \\\"b\\\"\"], \"env\": {TOKEN: \"${T}\"}}";

/// What becomes of a file; what cannot be done changes nothing.
fn edited(
    text: Option<&str>,
    edit: impl Fn(&std::path::Path) -> Result<super::Edit, Vec<awf_core::Diagnostic>>,
) -> Result<String, String> {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("deep/config.yaml");
    if let Some(text) = text {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
    }
    match edit(&file) {
        Ok(_) => {
            let files = SettingsFiles { user: Some(file.clone()), ..SettingsFiles::default() };
            load_settings(&files).unwrap();
            Ok(fs::read_to_string(file).unwrap())
        }
        Err(found) => {
            assert_eq!(fs::read_to_string(&file).ok().as_deref(), text, "nothing is written");
            let name = file.display().to_string();
            Err(format!("{} {}", found[0].code, found[0].message.replace(&name, "FILE")))
        }
    }
}

#[test]
fn a_server_is_added_to_any_layout() {
    let rows = [
        (None, format!("mcpServers:\n  {BLOCK}")),
        (Some("# mine\n"), format!("# mine\nmcpServers:\n  {BLOCK}")),
        (Some("tools: {allow: read}"), format!("tools: {{allow: read}}\nmcpServers:\n  {BLOCK}")),
        (Some("mcpServers:\n"), format!("mcpServers:\n  {BLOCK}")),
        (
            Some("mcpServers:\n  a: # one\n    command: x\n\n# of tools\ntools: {allow: read}\n"),
            format!(
                "mcpServers:\n  a: # one\n    command: x\n  {BLOCK}\n# of tools\ntools: {{allow: read}}\n"
            ),
        ),
        (Some("mcpServers: {}\n"), format!("mcpServers: {{{FLOW}}}\n")),
        (
            Some("mcpServers: {a: {command: x}}\n"),
            format!("mcpServers: {{{FLOW}, a: {{command: x}}}}\n"),
        ),
        (
            Some("{\"tools\": {\"allow\": \"read\"}}\n"),
            format!("{{\"mcpServers\": {{{FLOW}}}, \"tools\": {{\"allow\": \"read\"}}}}\n"),
        ),
        (
            Some("mcpServers:\n- name: a\n  command: x\nactivity: {}\n"),
            format!(
                "mcpServers:\n- name: a\n  command: x\n- {{\"name\": \"git\", {}}}\nactivity: {{}}\n",
                &FLOW[8..FLOW.len() - 1]
            ),
        ),
        (
            Some("mcpServers: [{name: a, command: x}]\n"),
            format!(
                "mcpServers: [{{\"name\": \"git\", {}}}, {{name: a, command: x}}]\n",
                &FLOW[8..FLOW.len() - 1]
            ),
        ),
    ];
    for (before, after) in rows {
        assert_eq!(edited(before, |file| add_server(file, &git())), Ok(after), "{before:?}");
    }
}

#[test]
fn names_and_values_stay_what_they_are() {
    for name in ["true", "1.5", "null", "-", "a.b-c_d"] {
        let url = "https://h/mcp?a=b#c".to_owned();
        let headers = vec![("X-Key".to_owned(), "a: {b} # 'c' \u{e9}".to_owned())];
        let transport = ServerTransport::Http { url, headers };
        let server = NewServer { name: name.to_owned(), transport };
        let done = edited(Some("tools:\r\n  allow: read\r\n"), |file| {
            add_server(file, &server)?;
            remove_server(file, name)?;
            add_server(file, &server)
        });
        if name == "-" {
            assert!(done.unwrap_err().starts_with("USER.CONFIG.INVALID"), "{name}");
        } else {
            assert!(
                done.unwrap().starts_with("tools:\r\n  allow: read\r\nmcpServers:\r\n"),
                "{name}"
            );
        }
    }
}

#[test]
fn a_server_is_removed_from_any_layout() {
    let rows = [
        (
            "mcpServers:\n  a:\n    command: x\n  # of b\n  git:\n    command: x\n    args:\n      - y\n\n  # of c\n  c: {command: x}\n",
            "mcpServers:\n  a:\n    command: x\n  # of b\n\n  # of c\n  c: {command: x}\n",
        ),
        ("mcpServers:\n  git:\n    command: x\ntools: {}\n", "mcpServers:\ntools: {}\n"),
        ("mcpServers: {a: {command: x}, git: {command: '}'}}\n", "mcpServers: {a: {command: x}}\n"),
        (
            "mcpServers: {git: {command: \"\\\"}\"}, a: {command: x}}\n",
            "mcpServers: {a: {command: x}}\n",
        ),
        ("{\"mcpServers\": {\"git\": {\"command\": \"x\"}}}", "{\"mcpServers\": {}}"),
        (
            "mcpServers:\n- {name: a, command: x}\n- name: git\n  command: x\n",
            "mcpServers:\n- {name: a, command: x}\n",
        ),
        ("mcpServers: [{name: git, command: x}]\n", "mcpServers: []\n"),
    ];
    for (before, after) in rows {
        let done = edited(Some(before), |file| remove_server(file, "git"));
        assert_eq!(done, Ok(after.to_owned()), "{before}");
    }
}

#[test]
fn what_cannot_be_done_is_told_and_changes_nothing() {
    let add = |text: &str| edited(Some(text), |file| add_server(file, &git())).unwrap_err();
    assert_eq!(
        add("mcpServers: {GIT: {command: x}}\n"),
        "USER.INPUT.ALREADY_EXISTS there is a server `GIT` on line 1 of `FILE`"
    );
    assert_eq!(add("mcpServers: ~\n").split(' ').next(), Some("USER.CONFIG.INVALID"));
    assert_eq!(add("tols: x\n"), "USER.CONFIG.UNKNOWN_KEY unknown key `tols`");
    let remove = |text: &str| edited(Some(text), |file| remove_server(file, "git")).unwrap_err();
    assert_eq!(remove("tools: {}\n"), "USER.SERVER.UNKNOWN no server `git` in `FILE`");
    let merged = "mcpServers:\n  a: &a {command: x}\n  git: {<<: *a}\n  b: *a\n";
    assert!(edited(Some(merged), |file| remove_server(file, "git")).is_ok());
    assert!(edited(Some(merged), |file| remove_server(file, "a")).is_err());
}
