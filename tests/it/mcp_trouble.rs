//! What a person is told of servers that cannot be used: the code, and what to do next.

use std::{fs, net::TcpListener, process::Output};

use serde_json::{Value, json};

use crate::world::World;

pub(crate) fn awf(world: &World, args: &[&str]) -> Output {
    let mut command = world.command(args);
    command.env("AWF_CONFIG_HOME", world.beside("user")).env("HOME", world.beside("person"));
    command.env_remove("NOT_SET").output().unwrap()
}

pub(crate) fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A world whose user has these servers, one on each line.
fn with_servers(servers: &[(&str, Value)]) -> World {
    let world = World::new();
    let lines = servers.iter().map(|(name, server)| format!("  {name}: {server}\n"));
    let text = format!("mcpServers:\n{}", lines.collect::<String>());
    fs::create_dir_all(world.beside("user")).unwrap();
    fs::write(world.beside("user/config.yaml"), text).unwrap();
    world
}

/// A port that nobody listens on.
fn closed_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn a_server_that_cannot_be_used_is_told_the_same_way_by_call_and_by_test() {
    let url = format!("http://127.0.0.1:{}/mcp", closed_port());
    let world = with_servers(&[
        ("gone", json!({"command": "no-such-program"})),
        ("unset", json!({"command": "cat", "env": {"A": "${NOT_SET}"}})),
        ("kept", json!({"command": "cat", "env": {"A": "${OPENAI_API_KEY}"}})),
        ("shut", json!({"url": url})),
        ("dies", json!({"command": "sh", "args": ["-c", "echo went wrong >&2; exit 3"]})),
        ("talks", json!({"command": "sh", "args": ["-c", "printf 'Usage: x\\033[2J\\n'"]})),
    ]);
    let file = world.beside("user/config.yaml");
    let rows = [
        (
            "gone",
            "cannot start `no-such-program`",
            "install `no-such-program`, or change `command`",
        ),
        (
            "unset",
            "wants the variable `NOT_SET`, which is not set",
            "set `NOT_SET`, or change `env`",
        ),
        ("kept", "which awf gives to no server", "set it under another name, and change `env`"),
        ("shut", "Connection refused", "check its `url`"),
        ("dies", "it said: went wrong", "check its `command`"),
        ("talks", r"it wrote `Usage: x\u{1b}[2J`", "check its `command`"),
    ];
    for (line, (name, reason, hint)) in (2..).zip(rows) {
        let tool = format!("{name}:any");
        for args in [&["mcp", "test", name][..], &["call", "tool-read", &tool]] {
            let output = awf(&world, args);
            let said = err(&output);
            assert_eq!(output.status.code(), Some(3), "{args:?}: {said}");
            assert!(said.contains("error[EXECUTION.SERVER.UNAVAILABLE]: "), "{said}");
            assert!(said.contains(reason), "{said}");
            let hint = format!("  hint: {hint} at {}:{line}\n", file.display());
            assert!(said.ends_with(&hint), "{said}");
            assert!(!said.contains('\u{1b}') && !said.contains("-32603"), "{said}");
        }
    }
}

#[test]
fn the_list_says_which_servers_cannot_start() {
    let world = with_servers(&[
        ("gone", json!({"command": "no-such-program"})),
        ("far", json!({"command": "./no/such"})),
        ("unset", json!({"command": "cat", "args": ["${NOT_SET}"]})),
        ("fine", json!({"command": "cat", "env": {"A": "${NOT_SET:-else}"}})),
        ("web", json!({"url": "https://host.invalid/mcp"})),
    ]);
    world.file(".mcp.json", r#"{"mcpServers": {"awf": {"command": "/opt/awf"}}}"#);
    let listed = awf(&world, &["mcp", "list", "-o", "json"]);
    let rows: Vec<Value> = serde_json::from_slice(&listed.stdout).unwrap();
    let states: Vec<(&str, &str)> = rows
        .iter()
        .map(|row| (row["name"].as_str().unwrap(), row["state"].as_str().unwrap()))
        .collect();
    assert_eq!(
        states,
        [
            ("gone", "cannot start"),
            ("far", "cannot start"),
            ("unset", "cannot start"),
            ("fine", "ready to start"),
            ("web", "ready to start"),
            ("awf", "not used"),
        ]
    );
    assert_eq!(rows[0]["problems"], json!(["the program `no-such-program` is not found"]));
    let said = err(&listed);
    assert!(said.contains("config.yaml:2: the program `no-such-program` is not found"), "{said}");
    assert!(
        said.contains("`NOT_SET`, which is not set (set `NOT_SET`, or change `args`)"),
        "{said}"
    );
    assert!(said.contains(".mcp.json:1: it is awf itself, and is not used\n"), "{said}");
}

#[test]
fn whoever_approves_sees_which_variables_are_given_away() {
    let world = World::new();
    let servers = json!({"web": {"url": "http://127.0.0.1:9/mcp", "headers": {
        "Authorization": "Bearer ${AWS_SECRET_ACCESS_KEY}",
        "X-Api-Key": "a-literal-key",
        "X-Auth-Token": "lit-${OTHER}",
    }}});
    world.file(".mcp.json", json!({"mcpServers": servers}).to_string());
    let said = err(&awf(&world, &["mcp", "approve", "web"]));
    for shown in [
        "Authorization=Bearer ${AWS_SECRET_ACCESS_KEY}\n",
        "X-Api-Key=***\n",
        "X-Auth-Token=***${OTHER}\n",
    ] {
        assert!(said.contains(shown), "{said}");
    }
    assert!(!said.contains("a-literal-key") && !said.contains("lit-"), "{said}");
}

#[test]
fn a_server_that_changed_after_it_was_approved_is_told_as_that() {
    let world = World::new();
    let file = |args: &str| {
        let servers = json!({"a": {"command": "cat", "args": [args]}, "b": {"command": "cat"}});
        world.file(".mcp.json", json!({"mcpServers": servers}).to_string());
    };
    file("one");
    let listed = err(&awf(&world, &["mcp", "list"]));
    let both = "look at them and approve them: awf mcp approve a, awf mcp approve b\n";
    assert!(listed.ends_with(both), "{listed}");
    assert!(err(&awf(&world, &["mcp", "test", "a"])).contains("`a` is named by the project only"));
    // It is approved, and then it is no server.
    awf(&world, &["mcp", "approve", "a", "--yes"]);
    let listed = err(&awf(&world, &["mcp", "list"]));
    assert!(listed.ends_with("look at it and approve it: awf mcp approve b\n"), "{listed}");
    file("two");
    for args in [&["mcp", "list"][..], &["mcp", "test", "a"], &["call", "tool-read", "a:x"]] {
        let said = err(&awf(&world, args));
        assert!(said.contains("server `a` changed since it was approved"), "{said}");
    }
}

#[test]
fn secrets_that_are_imported_are_named() {
    let world = World::new();
    let servers = json!({
        "git": {"command": "git-mcp", "env": {"GIT_TOKEN": "s3cr3t", "MODE": "fast"}},
        "web": {"url": "http://h", "headers": {"Authorization": "Bearer ${T}"}},
    });
    world.file("theirs.json", json!({"mcpServers": servers}).to_string());
    let said = err(&awf(&world, &["mcp", "import", "theirs.json", "--write"]));
    assert!(
        said.contains("written out as they were there: `GIT_TOKEN` of `git`; `${NAME}`"),
        "{said}"
    );
    assert!(!said.contains("s3cr3t"), "{said}");
}

#[test]
fn a_run_names_every_server_that_waits_for_approval() {
    let world = World::new();
    let servers = json!({"a": {"command": "cat"}, "b": {"command": "cat"}});
    world.file(".mcp.json", json!({"mcpServers": servers}).to_string());
    world.file("turns.yaml", "turns: [{say: done}]\n");
    world.workflow(
        "w",
        "states:\n  x: {type: agent, provider: 'scripted:turns.yaml', prompt: x, mcp_proxy: {enable: true}, tools: {servers: [a, b]}}\n",
    );
    let output = awf(&world, &["run", "w"]);
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
    for name in ["a", "b"] {
        let told = format!("server `{name}` is named by the project only");
        assert!(err(&output).contains(&told), "{}", err(&output));
    }
}
