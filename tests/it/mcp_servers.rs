//! `awf mcp list|add|remove|import`: which servers there are, and the files they are written to.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Output,
};

use serde_json::{Value, json};

use crate::world::World;

impl World {
    /// Runs awf with a user's configuration and a home of its own.
    fn mcp(&self, args: &[&str]) -> Output {
        let mut command = self.command([&["mcp"], args].concat());
        command.env("AWF_CONFIG_HOME", self.beside("user")).env("HOME", self.beside("person"));
        command.output().unwrap()
    }

    fn user_config(&self) -> PathBuf {
        self.beside("user/config.yaml")
    }

    /// A file beside the root, with the directories above it.
    fn put(&self, name: &str, text: &str) -> PathBuf {
        let path = self.beside(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    fn listed(&self) -> Vec<Value> {
        let output = self.mcp(&["list", "-o", "json"]);
        assert!(output.status.success(), "{}", err(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn without_servers_the_list_says_how_to_add_one() {
    let world = World::new();
    let listed = world.mcp(&["list"]);
    assert!(listed.status.success());
    assert_eq!(out(&listed), "");
    assert!(err(&listed).contains("awf mcp add <name>"), "{}", err(&listed));
}

#[test]
fn a_server_is_added_listed_and_removed() {
    let world = World::new();
    let mine = "# mine\ntools:\n  allow: read # for now\n";
    world.put("user/config.yaml", mine);
    let added = world.mcp(&[
        "add",
        "git",
        "--env",
        "GIT_TOKEN=s3cr3t-value",
        "--",
        "git-mcp",
        "--repo",
        "${HOME}/r",
    ]);
    assert!(added.status.success(), "{}", err(&added));
    assert!(err(&added).contains("`git` is on line 5 of"), "{}", err(&added));
    assert!(err(&added).ends_with("see what it offers: awf mcp test git\n"), "{}", err(&added));
    let text = fs::read_to_string(world.user_config()).unwrap();
    assert_eq!(
        text,
        format!(
            "{mine}mcpServers:\n  git:\n    command: git-mcp\n    args: [\"--repo\", \"${{HOME}}/r\"]\n    env: {{GIT_TOKEN: \"s3cr3t-value\"}}\n"
        )
    );
    let added = world.mcp(&[
        "add",
        "web",
        "--url",
        "https://h/mcp",
        "--header",
        "Authorization: Bearer ${T}",
    ]);
    assert!(added.status.success(), "{}", err(&added));

    let listed = world.mcp(&["list"]);
    let table = out(&listed);
    let lines: Vec<Vec<&str>> =
        table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[1][..4], ["git", "stdio", "cannot", "start"]);
    assert!(table.contains("git-mcp --repo ${HOME}/r"), "{table}");
    assert!(table.contains("https://h/mcp"), "{table}");
    let documents = world.listed();
    assert_eq!(documents[0]["given"], json!(["GIT_TOKEN=***"]));
    assert!(!json!(documents).to_string().contains("s3cr3t"), "{documents:?}");

    let again = world.mcp(&["add", "GIT", "--url", "http://h"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(err(&again).contains("USER.INPUT.ALREADY_EXISTS"), "{}", err(&again));

    for name in ["git", "web"] {
        let removed = world.mcp(&["remove", name]);
        assert!(removed.status.success(), "{}", err(&removed));
    }
    let text = fs::read_to_string(world.user_config()).unwrap();
    assert_eq!(text, format!("{mine}mcpServers:\n"));
    let gone = world.mcp(&["remove", "git"]);
    assert_eq!(gone.status.code(), Some(1));
    assert!(err(&gone).contains("USER.SERVER.UNKNOWN"), "{}", err(&gone));
}

#[test]
fn what_is_typed_wrong_is_told_and_nothing_is_written() {
    let world = World::new();
    let rows: [&[&str]; 7] = [
        &["add", "git"],
        &["add", "two words", "--url", "http://h"],
        &["add", "builtin", "--", "x"],
        &["add", "a", "--url", "ftp://h"],
        &["add", "a", "--url", "http://h", "--", "x"],
        &["add", "a", "--header", "A: b", "--", "x"],
        &["add", "a", "--env", "A", "--", "x"],
    ];
    for row in rows {
        let output = world.mcp(row);
        assert_eq!(output.status.code(), Some(1), "{row:?}: {}", err(&output));
        assert!(!world.user_config().exists(), "{row:?}");
    }
}

#[test]
fn every_file_is_listed_with_what_becomes_of_its_servers() {
    let world = World::new();
    world.put(
        "user/config.yaml",
        "mcpServers: {a: {command: sh}, off: {command: x, enabled: false}}",
    );
    world.file(
        ".mcp.json",
        r#"{"mcpServers": {"A": {"command": "y"}, "b": {"command": "x", "args": ["\u001b[2J"]}, "old": {"type": "sse", "url": "http://h"}}, "theirs": 1}"#,
    );
    let states: Vec<(Value, Value)> =
        world.listed().into_iter().map(|row| (row["name"].clone(), row["state"].clone())).collect();
    let row = |name: &str, state: &str| (json!(name), json!(state));
    assert_eq!(
        states,
        [
            row("a", "ready to start"),
            row("off", "off"),
            row("b", "needs approval"),
            row("A", "shadowed"),
            row("old", "unsupported"),
        ]
    );
    let listed = world.mcp(&["list"]);
    assert!(!out(&listed).contains('\u{1b}'), "{}", out(&listed));
    let said = err(&listed);
    assert!(said.contains("`sse` is not supported by awf"), "{said}");
    assert!(said.contains("awf does not read `theirs` of this file"), "{said}");
    assert!(said.ends_with("look at it and approve it: awf mcp approve b\n"), "{said}");
    // Where it stands is told to whoever looks in the wrong file.
    let elsewhere = world.mcp(&["remove", "b", "--project"]);
    assert!(err(&elsewhere).contains(".mcp.json"), "{}", err(&elsewhere));
}

#[test]
fn a_project_has_servers_of_its_own() {
    let world = World::new();
    let added = world.mcp(&["add", "git", "--project", "--cwd", "sub", "--", "./git-mcp"]);
    assert!(added.status.success(), "{}", err(&added));
    assert!(err(&added).ends_with("look at it and approve it: awf mcp approve git\n"));
    let text = fs::read_to_string(world.root().join(".awf/config.yaml")).unwrap();
    assert_eq!(text, "mcpServers:\n  git:\n    command: \"./git-mcp\"\n    cwd: sub\n");
    assert!(!world.user_config().exists());
    assert_eq!(world.listed()[0]["state"], "needs approval");
    let removed = world.mcp(&["rm", "git", "--project"]);
    assert!(removed.status.success(), "{}", err(&removed));
    assert_eq!(world.listed(), Vec::<Value>::new());
}

const CLAUDE: &str = r#"{"numStartups": 9, "mcpServers": {
    "git": {"type": "stdio", "command": "git-mcp", "env": {"GIT_TOKEN": "s3cr3t-value", "MODE": "fast"}},
    "old": {"type": "sse", "url": "https://h/sse"},
    "awf": {"command": "/opt/bin/awf", "args": ["mcp", "serve"]}},
  "projects": {"/elsewhere": {"mcpServers": {"far": {"command": "x"}}}}}"#;

#[test]
fn servers_are_shown_before_they_are_imported() {
    let world = World::new();
    world.put("person/.claude.json", CLAUDE);
    let shown = world.mcp(&["import", "claude"]);
    assert!(shown.status.success(), "{}", err(&shown));
    let table = out(&shown);
    let rows: Vec<String> =
        table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        rows,
        [
            "NAME WHAT DETAIL",
            "awf skip it is awf itself",
            "git add git-mcp with GIT_TOKEN=*** MODE=fast",
            "old skip `type`: `sse` is not supported by awf",
            "far skip it is for /elsewhere",
        ]
    );
    assert!(!(out(&shown) + &err(&shown)).contains("s3cr3t"));
    assert!(err(&shown).contains("nothing was written"), "{}", err(&shown));
    assert!(!world.user_config().exists());

    let written = world.mcp(&["import", "claude", "--write", "--server", "git"]);
    assert!(written.status.success(), "{}", err(&written));
    assert_eq!(world.listed()[0]["name"], "git");
    let text = fs::read_to_string(world.user_config()).unwrap();
    assert!(text.contains("GIT_TOKEN: \"s3cr3t-value\""), "{text}");
    let again = world.mcp(&["import", "claude", "--write"]);
    assert!(out(&again).contains("already"), "{}", out(&again));
    assert!(err(&again).ends_with("nothing is left to import\n"), "{}", err(&again));
    assert_eq!(fs::read_to_string(world.user_config()).unwrap(), text);
}

#[test]
fn files_of_every_program_are_found() {
    let world = World::new();
    let json = |key: &str| format!("{{\"{key}\": {{\"one\": {{\"command\": \"x\"}}}}}}");
    world.put("person/.codex/config.toml", "[mcp_servers.one]\ncommand = 'x'\n");
    world.put("person/.gemini/settings.json", &json("mcpServers"));
    world.put("person/.cursor/mcp.json", &json("mcpServers"));
    world.put("person/.config/Claude/claude_desktop_config.json", &json("mcpServers"));
    world.put("person/.config/opencode/opencode.json", &json("mcp"));
    world.file("sub/.mcp.json", json("mcpServers"));
    world.file("mcp.json", json("servers"));
    for from in ["codex", "gemini", "cursor", "claude-desktop", "opencode", "sub", "mcp.json"] {
        let shown = world.mcp(&["import", from]);
        assert!(out(&shown).contains("one   add   x"), "{from}: {}{}", out(&shown), err(&shown));
    }
    for from in ["claude", "nowhere.json"] {
        let missing = world.mcp(&["import", from]);
        assert_eq!(missing.status.code(), Some(1));
        assert!(err(&missing).contains("USER.INPUT.MISSING_FILE"), "{}", err(&missing));
    }
    let unknown = world.mcp(&["import", "codex", "--server", "on"]);
    assert!(err(&unknown).contains("did you mean `one`?"), "{}", err(&unknown));
}

/// What `awf mcp add` was given may be a token.
#[test]
fn a_file_that_is_made_for_a_server_is_the_user_s_alone() {
    let world = World::new();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let words = ["add", "web", "--url", "http://h", "--header", "Authorization: Bearer s3cr3t"];
    let added = world.mcp(&words);
    assert!(added.status.success(), "{}", err(&added));
    assert_eq!(mode(&world.user_config()), 0o600);
    // Whoever opened their file to others knows why.
    fs::set_permissions(world.user_config(), fs::Permissions::from_mode(0o640)).unwrap();
    assert!(world.mcp(&["add", "more", "--", "x"]).status.success());
    assert_eq!(mode(&world.user_config()), 0o640);
}

#[test]
fn a_server_that_was_removed_is_not_approved_any_more() {
    let world = World::new();
    let add = || {
        let added = world.mcp(&["add", "b", "--project", "--", "false"]);
        assert!(added.status.success(), "{}", err(&added));
    };
    let state = || world.listed()[0]["state"].clone();
    add();
    assert_eq!(state(), "needs approval");
    // It cannot be started, and is approved all the same.
    world.mcp(&["approve", "b", "--yes"]);
    assert_eq!(state(), "ready to start");
    let removed = world.mcp(&["remove", "b", "--project"]);
    assert!(removed.status.success(), "{}", err(&removed));
    assert!(err(&removed).contains("no longer approved"), "{}", err(&removed));
    add();
    assert_eq!(state(), "needs approval");
    let removed = world.mcp(&["remove", "b", "--project"]);
    assert!(!err(&removed).contains("approved"), "{}", err(&removed));
}
