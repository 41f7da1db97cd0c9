//! Tools of other MCP servers: named by the user, started when a step wants them, offered beside or without the built-ins.

use std::{fs, process::Command};

use serde_json::{Value, json};

use crate::{
    processes::MARK,
    workflow::{Ran, interrupted},
    world::World,
};

/// A world whose user has a server `fixture`: the six tools of another awf, beneath a directory of its own.
pub(crate) fn world(turns: &str) -> World {
    let world = World::new();
    world.file("turns.yaml", turns);
    let shelf = world.beside("shelf");
    fs::create_dir_all(&shelf).unwrap();
    fs::write(shelf.join("book.txt"), "once upon a time\n").unwrap();
    let config = world.beside("fixture.json");
    fs::write(&config, json!({"root": shelf, "activity": {"enabled": false}}).to_string()).unwrap();
    let server = json!({
        "command": env!("CARGO_BIN_EXE_awf"),
        "args": ["mcp-serve", "--config", "${FIXTURE}"],
        "env": {"AWF_HOME": world.beside("fixture-home"), "SHOWN": "yes"},
    });
    fs::create_dir_all(world.beside("user")).unwrap();
    let settings = json!({"mcpServers": {"fixture": server}}).to_string();
    fs::write(world.beside("user/config.yaml"), settings).unwrap();
    world
}

fn run(world: &World, keys: &str) -> Ran {
    let text = format!(
        "name: w\nstates:\n  initial: ask\n  ask:\n    type: agent\n    provider: scripted:turns.yaml\n    prompt: x\n{keys}"
    );
    world.workflow("w", &text);
    let mut command = world.command(["run", "w", "--format", "json"]);
    of_user(&mut command, world).env("HIDDEN", "not for servers");
    Ran::of(&command.output().unwrap())
}

/// With the user's configuration.
pub(crate) fn of_user<'c>(command: &'c mut Command, world: &World) -> &'c mut Command {
    command.env("AWF_CONFIG_HOME", world.beside("user"));
    command.env("FIXTURE", world.beside("fixture.json"))
}

const ADDITIVE: &str =
    "    mcp_proxy: {enable: true, intercept_builtins: false}\n    tools: {servers: [fixture]}\n";

#[test]
fn tools_of_a_server_are_called_and_recorded() {
    let world = world(
        "turns:\n  - {call: fixture_Read, arguments: {file_path: book.txt}, expect: {contains: once upon}}\n  - {call: fixture_Bash, arguments: {command: 'echo \"$SHOWN-$HIDDEN-\"'}, expect: {contains: yes--}}\n  - {call: Read, arguments: {file_path: book.txt}, expect: {refused: true}}\n  - {say: ok}\n",
    );
    let ran = run(&world, ADDITIVE);
    assert_eq!(ran.code, 0, "{} {:?}", ran.stderr, ran.end());
    let records = world.activity();
    let told: Vec<_> =
        records.iter().map(|record| (&record["server_name"], &record["tool_name"])).collect();
    let (fixture, none) = (json!("fixture"), json!(""));
    let [bash, read]: [Value; 2] = [json!("Bash"), json!("Read")];
    assert_eq!(told, [(&none, &read), (&fixture, &bash), (&fixture, &read)]);
    assert!(ran.stderr.contains("mcp:fixture"), "{}", ran.stderr);
}

#[test]
fn two_steps_share_a_server_and_the_built_ins_stand_beside_it() {
    let world = world(
        "turns:\n  - {call: fixture_Bash, arguments: {command: 'echo $PPID >> pids'}}\n  - {call: Glob, arguments: {pattern: '*.yaml'}}\n  - {say: ok}\n",
    );
    let keys = "    mcp_proxy: {enable: true}\n    tools: {servers: [fixture]}\n    on_success: again\n  again:\n    type: agent\n    provider: scripted:turns.yaml\n    prompt: x\n    mcp_proxy: {enable: true}\n    tools: {servers: [fixture]}\n";
    let ran = run(&world, keys);
    assert_eq!(ran.code, 0, "{} {:?}", ran.stderr, ran.end());
    let pids = fs::read_to_string(world.beside("shelf/pids")).unwrap();
    let mut pids: Vec<&str> = pids.lines().collect();
    assert_eq!(pids.len(), 2);
    pids.dedup();
    assert_eq!(pids.len(), 1, "one server served both steps");
}

#[test]
fn what_a_server_is_given_in_secret_is_in_no_record() {
    let turns = "turns:\n  - {call: fixture_Bash, arguments: {command: 'echo got-$DEPLOY_TOKEN-$OTHER_TOKEN'}, expect: {contains: got-written-out-1}}\n  - {say: ok}\n";
    let world = world(turns);
    let path = world.beside("user/config.yaml");
    let mut settings: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let env = settings["mcpServers"]["fixture"]["env"].as_object_mut().unwrap();
    env.insert("DEPLOY_TOKEN".into(), json!("written-out-1"));
    env.insert("OTHER_TOKEN".into(), json!("${HIDDEN}"));
    fs::write(&path, settings.to_string()).unwrap();
    let ran = run(&world, ADDITIVE);
    assert_eq!(ran.code, 0, "{} {:?}", ran.stderr, ran.end());
    let kept = format!("{:?}", world.activity());
    assert!(kept.contains("got-"), "{kept}");
    assert!(!kept.contains("written-out-1") && !kept.contains("not for servers"), "{kept}");
}

#[test]
fn a_server_that_cannot_be_had_is_named() {
    let world = world("turns: [{say: ok}]\n");
    let ran = run(&world, &ADDITIVE.replace("[fixture]", "[fixtrue]"));
    assert_eq!(ran.code, 3);
    let error = ran.end()["error"]["message"].as_str().unwrap();
    assert!(
        error.contains("server `fixtrue`") && error.contains("did you mean `fixture`?"),
        "{error}"
    );
    fs::write(
        world.beside("user/config.yaml"),
        r#"{"mcpServers": {"fixture": {"command": "sh", "args": ["-c", "echo no licence >&2; exit 3"]}}}"#,
    )
    .unwrap();
    let ran = run(&world, ADDITIVE);
    assert_eq!(
        (ran.code, &ran.end()["error"]["code"]),
        (3, &json!("EXECUTION.SERVER.UNAVAILABLE"))
    );
    let error = ran.end()["error"]["message"].as_str().unwrap();
    assert!(error.ends_with("; it said: no licence"), "{error}");
    fs::write(
        world.beside("user/config.yaml"),
        r#"{"mcpServers": {"fixture": {"command": "x", "args": ["${NOT_SET}"]}}}"#,
    )
    .unwrap();
    let ran = run(&world, ADDITIVE);
    assert!(ran.end()["error"]["message"].as_str().unwrap().contains("`NOT_SET`"));
}

#[test]
fn a_server_that_does_not_come_up_is_not_waited_for() {
    let world = world("turns: [{say: ok}]\n");
    let begun = world.beside("begun");
    let script = format!("touch {}; exec sleep 300", begun.display());
    let server =
        json!({"command": "sh", "args": ["-c", script], "env": {MARK: format!("${{{MARK}}}")}});
    let settings = json!({"mcpServers": {"fixture": server}}).to_string();
    fs::write(world.beside("user/config.yaml"), settings).unwrap();
    let step = "  ask: {type: agent, provider: 'scripted:turns.yaml', prompt: x, mcp_proxy: {enable: true}, tools: {servers: [fixture]}}\n";
    world.workflow("w", &format!("name: w\nstates:\n  initial: ask\n{step}"));
    let mut command = world.command(["run", "w", "--format", "quiet"]);
    command.env("AWF_CONFIG_HOME", world.beside("user"));
    interrupted(command, "upstream", &begun);
}

#[test]
fn a_server_that_died_is_started_again_by_the_next_call() {
    let world = world(
        "steps:\n  ask:\n    - {call: fixture_Bash, arguments: {command: 'kill -9 $(grep PPid /proc/$PPID/status | tr -dc 0-9)'}, expect: {error: true}}\n    - {call: fixture_Read, arguments: {file_path: book.txt}, expect: {contains: once upon}}\n    - {say: died}\n  again:\n    - {call: fixture_Read, arguments: {file_path: book.txt}, expect: {contains: once upon}}\n    - {say: ok}\n",
    );
    let again = format!(
        "    on_success: again\n  again:\n    type: agent\n    provider: scripted:turns.yaml\n    prompt: x\n{ADDITIVE}"
    );
    let ran = run(&world, &format!("{ADDITIVE}{again}"));
    assert_eq!(ran.code, 0, "{} {:?}", ran.stderr, ran.end());
}
