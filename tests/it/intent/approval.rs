//! Servers that only a project names: nothing of them runs before a person has said so, and nothing but what was shown.

use std::{
    fs,
    process::{Command, Output},
};

use serde_json::{Value, json};

use crate::{
    intent::{
        stage::{Upstream, code, tool},
        web::Web,
    },
    server::{Server, failed, text},
    workflow::Ran,
    world::World,
};

const READ: &str = r#"{"readOnlyHint":true}"#;

/// A project whose `.mcp.json` names the server `fake`, and a user who has none.
fn project() -> (World, Upstream) {
    let world = World::new();
    let fake = Upstream::of_tools(&world, "fake", &[&tool("look", READ)]);
    name(&world, &fake.noting_entry());
    world.write_user(&json!({}));
    (world, fake)
}

/// Writes the project's `.mcp.json`.
fn name(world: &World, entry: &Value) {
    world.file(".mcp.json", json!({"mcpServers": {"fake": entry}}).to_string());
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn look(world: &World) -> Command {
    world.by_user(&["call", "tool-read", "fake:look", "--args", r#"{"at":1}"#, "-o", "json"])
}

fn approve(world: &World) {
    let approved = world.by_user(&["mcp", "approve", "fake", "--yes"]).output().unwrap();
    assert_eq!(approved.status.code(), Some(0), "{}", stderr(&approved));
}

/// It is refused, in words that lead on, and nothing was started.
fn refused(world: &World, fake: &Upstream, starts: usize) {
    let called = look(world).output().unwrap();
    assert_eq!(called.status.code(), Some(5), "{}", stderr(&called));
    assert!(stderr(&called).contains("awf mcp approve fake"), "{}", stderr(&called));
    let result: Value = serde_json::from_slice(&called.stdout).unwrap();
    assert_eq!(code(&result), "TOOL_NOT_APPROVED", "{result}");
    assert_eq!(fake.starts(), starts);
}

#[test]
fn a_server_of_a_project_is_not_started_by_a_call() {
    let (world, fake) = project();
    refused(&world, &fake, 0);
    let mut gateway = Server::start(world.by_user(&["mcp", "serve"]));
    gateway.handshake();
    let called = gateway.through("call_tool_read", "fake:look", &json!({}));
    assert_eq!(code(&called), "TOOL_NOT_APPROVED", "{called}");
    assert!(text(&called).contains("awf mcp approve fake"), "{called}");
    let found = gateway.call("retrieve_tools", &json!({"query": "look"}));
    let missing = &found["structuredContent"]["unavailable"][0];
    assert_eq!(missing["server"], "fake", "{found}");
    assert!(missing["reason"].as_str().unwrap().contains("awf mcp approve fake"), "{found}");
    gateway.close();
    let serve = world.by_user(&["serve", "--listen", "127.0.0.1:0"]);
    let mut web = Web::started(&world, serve);
    let arguments = json!({"name": "fake:look", "intent": {"operation_type": "read"}});
    let body = json!({"tool_name": "call_tool_read", "arguments": arguments}).to_string();
    let reply = web.post("/api/v1/tools/call", &body);
    assert_eq!(reply.status, 403, "{}", reply.body);
    let problem: Value = serde_json::from_str(&reply.body).unwrap();
    assert_eq!(problem["code"], "TOOL_NOT_APPROVED", "{problem}");
    assert_eq!((fake.starts(), fake.calls()), (0, vec![]));
    let records = world.activity();
    let calls = records.iter().filter(|record| record["tool_name"] == "look");
    let calls: Vec<_> = calls.map(|call| &call["metadata"]["decision"]["code"]).collect();
    assert_eq!(calls, [&json!("TOOL_NOT_APPROVED"); 3], "{records:?}");
}

#[test]
fn looking_at_it_starts_nothing_either() {
    let (world, fake) = project();
    let listed = world.by_user(&["mcp", "list"]).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    assert!(listed.contains("fake") && listed.contains("approv"), "{listed}");
    let tested = world.by_user(&["mcp", "test", "fake"]).output().unwrap();
    assert_eq!(tested.status.code(), Some(1), "{}", stderr(&tested));
    assert!(stderr(&tested).contains("awf mcp approve fake"), "{}", stderr(&tested));
    world.by_user(&["tools", "list"]).output().unwrap();
    world.by_user(&["tools", "search", "look"]).output().unwrap();
    assert_eq!(fake.starts(), 0);
}

#[test]
fn without_a_terminal_only_yes_approves_and_it_shows_what_is_approved() {
    let (world, fake) = project();
    let asked = world.by_user(&["mcp", "approve", "fake"]).output().unwrap();
    assert_eq!(asked.status.code(), Some(1), "{}", stderr(&asked));
    for part in [".mcp.json", "script.json", "USER.SERVER.NOT_APPROVED", "approve fake --yes"] {
        assert!(stderr(&asked).contains(part), "no `{part}` in {}", stderr(&asked));
    }
    refused(&world, &fake, 0);
    approve(&world);
    let started = fake.starts();
    let called = look(&world).output().unwrap();
    assert_eq!(called.status.code(), Some(0), "{}", stderr(&called));
    let result: Value = serde_json::from_slice(&called.stdout).unwrap();
    assert_eq!(result["structuredContent"], json!({"echo": {"at": 1}}), "{result}");
    assert_eq!((fake.starts(), fake.calls().len()), (started + 1, 1));
    let mut gateway = Server::start(world.by_user(&["mcp", "serve"]));
    gateway.handshake();
    assert!(!failed(&gateway.through("call_tool_read", "fake:look", &json!({}))));
}

/// A letter that looks like another, and one that nobody sees, are shown as what they are.
#[test]
fn what_is_approved_is_shown_letter_by_letter() {
    let (world, _) = project();
    name(&world, &json!({"command": "n\u{43e}de", "args": ["a\u{3164}"], "cwd": "\u{456}n"}));
    let asked = world.by_user(&["mcp", "approve", "fake"]).output().unwrap();
    for part in ["n\\u{43e}de", "a\\u{3164}", "\\u{456}n"] {
        assert!(stderr(&asked).contains(part), "no `{part}` in {}", stderr(&asked));
    }
    assert!(stderr(&asked).is_ascii());
}

#[test]
fn another_definition_is_another_server() {
    let (world, fake) = project();
    approve(&world);
    let entry = fake.noting_entry();
    let mut with_env = entry.clone();
    with_env["env"] = json!({"LD_PRELOAD": "evil.so"});
    let mut with_args = entry.clone();
    with_args["args"].as_array_mut().unwrap().push(json!("--more"));
    let mut elsewhere = entry.clone();
    elsewhere["cwd"] = json!("/");
    for changed in [with_env, with_args, elsewhere] {
        name(&world, &changed);
        refused(&world, &fake, fake.starts());
    }
    name(&world, &entry);
    let called = look(&world).output().unwrap();
    assert_eq!(called.status.code(), Some(0), "{}", stderr(&called));
}

#[test]
fn an_approval_is_for_one_project() {
    let (world, fake) = project();
    approve(&world);
    let started = fake.starts();
    let copy = world.beside("copy");
    fs::create_dir_all(&copy).unwrap();
    fs::copy(world.root().join(".mcp.json"), copy.join(".mcp.json")).unwrap();
    let called = look(&world).current_dir(copy).output().unwrap();
    assert_eq!(called.status.code(), Some(5), "{}", stderr(&called));
    assert_eq!(fake.starts(), started);
}

#[test]
fn a_run_that_wants_it_does_not_begin() {
    let (world, fake) = project();
    world.file("turns.yaml", "turns: [{say: ok}]\n");
    let text = "name: w\nstates:\n  initial: first\n  first: {type: step, command: touch begun, on_success: ask}\n  ask:\n    type: agent\n    provider: scripted:turns.yaml\n    prompt: x\n    mcp_proxy: {enable: true}\n    tools: {servers: [fake]}\n";
    world.workflow("w", text);
    let output = world.by_user(&["run", "w", "--format", "json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("USER.SERVER.NOT_APPROVED"), "{}", stderr(&output));
    assert!(stderr(&output).contains("awf mcp approve fake"), "{}", stderr(&output));
    assert!(!world.root().join("begun").exists(), "its first step ran");
    assert_eq!((fake.starts(), output.stdout.len()), (0, 0));
    approve(&world);
    let started = fake.starts();
    let ran = Ran::of(&world.by_user(&["run", "w", "--format", "json"]).output().unwrap());
    assert_eq!(ran.code, 0, "{} {:?}", ran.stderr, ran.end());
    assert!(world.root().join("begun").exists());
    assert_eq!(fake.starts(), started + 1);
}

#[test]
fn a_test_shows_what_is_offered_and_what_is_held_back() {
    let world = World::new();
    let hiding =
        r#"{"name":"hiding","description":"harmless\u200b","inputSchema":{"type":"object"}}"#;
    let quoting = r#"{"name":"quoting","description":"Reads ripgrep's \"own\" files.","inputSchema":{"type":"object"}}"#;
    let tools = [
        quoting,
        &tool("look", READ),
        &tool("wipe", r#"{"destructiveHint":true}"#),
        hiding,
        &tool("call_tool_read", READ),
    ];
    let fake = Upstream::of_tools(&world, "fake", &tools);
    world.write_user(&json!({"mcpServers": {"fake": fake.entry()}}));
    let tested = world.by_user(&["mcp", "test", "fake"]).output().unwrap();
    assert_eq!(tested.status.code(), Some(0), "{}", stderr(&tested));
    let table = String::from_utf8(tested.stdout.clone()).unwrap();
    let row = |name: &str| {
        let row = table.lines().find(|line| line.starts_with(name));
        row.unwrap_or_else(|| panic!("no {name} in {table}")).to_owned()
    };
    let look = row("fake:look");
    assert!(look.contains("call_tool_read") && look.contains("ready"), "{look}");
    assert!(row("fake:wipe").contains("call_tool_destructive"), "{table}");
    assert!(row("fake:quoting").ends_with(r#"Reads ripgrep's "own" files."#), "{table}");
    let hiding = row("fake:hiding");
    assert!(hiding.contains("needs approval") && !hiding.contains("harmless"), "{hiding}");
    assert!(!table.contains("fake:call_tool_read"), "{table}");
    let said = stderr(&tested);
    assert!(said.contains("withheld: `call_tool_read`"), "{said}");
    assert!(said.contains("awf mcp approve fake"), "{said}");
}
