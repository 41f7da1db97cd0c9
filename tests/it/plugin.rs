//! Plugins as real processes: steps and tools, what they are told, and what becomes of them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use crate::{
    server::{failed, text},
    world::{World, program},
};

mod commands;
mod faults;
mod lifecycle;
mod names;
mod validators;

/// A plugin's program. It is built with the workspace; where only this package was built, it is built now.
pub(crate) fn binary(name: &str) -> PathBuf {
    let awf = Path::new(env!("CARGO_BIN_EXE_awf"));
    let binary = awf.with_file_name(name);
    if !binary.exists() {
        let mut build = program(env!("CARGO"));
        build.args(["build", "--quiet", "--package", "awf-plugin-example"]);
        let folder = awf.parent().and_then(Path::parent).unwrap();
        build.arg("--target-dir").arg(folder).current_dir(env!("CARGO_MANIFEST_DIR"));
        assert!(build.status().unwrap().success(), "the plugin cannot be built");
    }
    binary
}

impl World {
    /// Declares plugins: name, words of the command behind the program, further keys.
    pub(crate) fn declare(&self, plugins: &[Value]) {
        self.file(".awf/plugins.yaml", json!({ "plugins": plugins }).to_string());
    }

    /// With the example plugin.
    pub(crate) fn with_example() -> Self {
        let world = Self::new();
        world.declare(&[json!({"name": "example", "path": binary("awf-plugin-example")})]);
        world
    }
}

/// A plugin that misbehaves in one way.
pub(crate) fn hostile(name: &str, mode: &str) -> Value {
    json!({"name": name, "command": [binary("awf-plugin-hostile"), mode]})
}

/// A step that uses an operation.
pub(crate) fn operation(operation: &str, inputs: &Value) -> String {
    format!(
        "name: w\nstates:\n  initial: use\n  use: {{type: operation, operation: {operation}, inputs: {inputs}}}\n"
    )
}

#[test]
fn an_operation_is_a_step() {
    let world = World::with_example();
    let text = "name: w\ninputs: [{name: who, type: string, default: you}]\nstates:\n  initial: greet\n  greet:\n    type: operation\n    operation: example.greet\n    inputs: {name: '{{.inputs.who}}', language: fr}\n    on_success: add\n  add:\n    type: operation\n    operation: example.add\n    inputs: {a: 2, b: 40}\n    on_success: tell\n  tell:\n    type: step\n    command: echo '{{.states.greet.Output}} {{.states.add.Response.sum}}'\n";
    let ran = world.run(text, &[]);
    assert_eq!(ran.code, 0, "{} {:?}", ran.stderr, ran.end());
    assert_eq!(ran.printed("tell").trim(), "Bonjour, you. 42");
    assert_eq!(ran.printed("greet").trim(), "Bonjour, you.");
}

#[test]
fn what_a_template_gives_an_operation_is_checked_before_it_is_sent() {
    let world = World::with_example();
    let text = "name: w\ninputs: [{name: l, default: fr}, {name: n, default: '40'}]\nstates:\n  initial: greet\n  greet:\n    type: operation\n    operation: example.greet\n    inputs: {name: you, language: '{{.inputs.l}}'}\n    on_success: add\n  add: {type: operation, operation: example.add, inputs: {a: 2, b: '{{.inputs.n}}'}}\n";
    let ran = world.run(text, &[]);
    assert_eq!(ran.code, 0, "{} {:?}", ran.stderr, ran.end());
    for (input, place) in
        [("l=xx", "`example.greet`: at `/language`: "), ("n=many", "`example.add`: at `/b`: ")]
    {
        let ran = world.run(text, &["--input", input]);
        let error = ran.end()["error"].clone();
        assert_eq!((ran.code, &error["code"]), (3, &json!("EXECUTION.OPERATION.FAILED")));
        assert!(error["message"].as_str().unwrap().contains(place), "{error}");
    }
    let ran = world.run(&text.replace("example.add", "example.ad"), &[]);
    let error = ran.end()["error"].clone();
    assert_eq!(error["code"], "EXECUTION.OPERATION.UNKNOWN", "{error}");
    assert!(error["message"].as_str().unwrap().ends_with("did you mean `add`?"), "{error}");
}

#[test]
fn what_an_operation_says_went_wrong_fails_its_step() {
    let world = World::with_example();
    let ran = world.run(&operation("example.add", &json!({"a": "two", "b": 1})), &[]);
    assert_eq!(ran.code, 3);
    assert_eq!(ran.end()["error"]["code"], "EXECUTION.OPERATION.FAILED");
}

#[test]
fn what_a_plugin_prints_is_logged_without_its_secrets() {
    let world = World::new();
    let config = json!({"token": "s3cr3t-token", "login": {"password": "n3sted-word"}});
    world.declare(&[
        json!({"name": "example", "path": binary("awf-plugin-example"), "config": config}),
    ]);
    let name = "Ada with s3cr3t-token and n3sted-word";
    world.workflow("w", &operation("example.greet", &json!({ "name": name })));
    let ran = world.awf(["run", "w", "--log-level", "debug"]);
    let told = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{told}");
    assert!(told.contains("greeting Ada with [redacted] and [redacted]"), "{told}");
}

#[test]
fn an_operation_is_a_tool_of_a_server() {
    let world = World::with_example();
    let tools = json!([{"plugin": "example", "expose": ["echo", "greet", "delete"]}]);
    let mut server = world.serve_with(json!({"intercept_builtins": false, "plugin_tools": tools}));
    let listed = server.request("tools/list", &json!({}));
    let listed = listed["result"]["tools"].as_array().unwrap().clone();
    let names: Vec<_> = listed.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["example_delete", "example_echo", "example_greet"]);
    let greet = &listed[2];
    assert_eq!(greet["annotations"]["readOnlyHint"], true);
    assert_eq!(greet["inputSchema"]["properties"]["language"]["default"], "en");
    assert_eq!(listed[0]["annotations"]["destructiveHint"], true);
    let greeted = server.call("example_greet", &json!({"name": "Ada"}));
    assert_eq!(text(&greeted), "Good day, Ada.");
    let refused = server.call("example_greet", &json!({"name": 3}));
    assert!(failed(&refused), "{refused}");
    assert_eq!(refused["structuredContent"]["code"], "INVALID_ARGUMENTS");
    assert_eq!(refused["structuredContent"]["details"]["path"], "/name");
    server.close();
    let records = world.activity();
    let seen: Vec<_> = records
        .iter()
        .map(|record| (&record["server_name"], &record["tool_name"], &record["status"]))
        .collect();
    let (example, greet) = (json!("example"), json!("greet"));
    let (denied, success) = (json!("denied"), json!("success"));
    assert_eq!(seen, [(&example, &greet, &denied), (&example, &greet, &success)]);
    assert_eq!(records[0]["metadata"]["intent"]["operation_type"], "read");
}

#[test]
fn arguments_arrive_byte_for_byte() {
    let world = World::with_example();
    let tools = json!([{"plugin": "example", "expose": ["echo"]}]);
    let mut server = world.serve_with(json!({"intercept_builtins": false, "plugin_tools": tools}));
    let long = "x".repeat(1_000_000);
    let raw = [
        r#""$(touch ran) `id` ; | & > < * ? ' \" \\ %s {{.x}}""#,
        r#""line one\nline two\r\n\ttab \u0000 \u001b[31m \ud83d\ude00 é""#,
        "9007199254740993",
        "123456789012345678901234567890",
        "-9223372036854775809",
        "0.1000000000000000055511151231257827",
        r#"{"b":1, "a":[1 ,2]}"#,
    ];
    let long = format!("\"{long}\"");
    for (id, value) in raw.into_iter().chain([long.as_str()]).enumerate() {
        let id = id + 1000;
        server.line(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"example_echo","arguments":{{"value":{value}}}}}}}"#
        ));
        let answer = server.raw_answer(id);
        let expected = format!(r#""structuredContent":{{"value":{value}}}"#);
        assert!(answer.contains(&expected), "{}", answer.chars().take(300).collect::<String>());
    }
    assert!(!world.root().join("ran").exists());
}

#[test]
fn an_operation_is_a_tool_of_an_agent() {
    let world = World::with_example();
    world.file(
        "turns.yaml",
        "turns:\n  - {call: example_greet, arguments: {name: Eve}, expect: {contains: 'Good day, Eve.'}}\n  - {call: Read, arguments: {file_path: x}, expect: {refused: true}}\n  - {say: ok}\n",
    );
    let text = "name: w\nstates:\n  initial: ask\n  ask:\n    type: agent\n    provider: scripted:turns.yaml\n    prompt: x\n    mcp_proxy: {enable: true, intercept_builtins: false, plugin_tools: [{plugin: example, expose: [greet]}]}\n";
    let ran = world.run(text, &[]);
    assert_eq!(ran.code, 0, "{} {:?}", ran.stderr, ran.end());
    assert!(ran.stderr.contains("plugin:example"), "{}", ran.stderr);
    let record = &world.activity()[1];
    assert_eq!((&record["server_name"], &record["step"]), (&json!("example"), &json!("ask")));
}

#[test]
fn steps_and_agents_share_one_process() {
    let world = World::with_example();
    world.file(
        "turns.yaml",
        "turns:\n  - {call: example_echo, arguments: {value: 1}}\n  - {say: ok}\n",
    );
    let text = "name: w\nstates:\n  initial: one\n  one: {type: operation, operation: example.echo, inputs: {value: 1}, on_success: ask}\n  ask:\n    type: agent\n    provider: scripted:turns.yaml\n    prompt: x\n    mcp_proxy: {enable: true, intercept_builtins: false, plugin_tools: [{plugin: example, expose: [echo]}]}\n    on_success: two\n  two: {type: operation, operation: example.echo, inputs: {value: 2}}\n";
    world.workflow("w", text);
    let ran = world.awf(["run", "w", "--log-level", "debug"]);
    let told = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{told}");
    assert_eq!(told.matches("plugin started").count(), 1, "{told}");
    assert!(!told.contains("frame="), "{told}");
}

#[test]
fn what_a_plugin_says_is_logged_for_whoever_asks() {
    let world = World::with_example();
    world.workflow("w", &operation("example.greet", &json!({"name": "Ada"})));
    let told = |level: &str| {
        let output = world.awf(["run", "w", "--log-level", level]);
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let lines = told("debug");
    assert!(lines.contains("greeting Ada plugin=\"example\""), "{lines}");
    assert!(!told("info").contains("greeting Ada"));
}

#[test]
fn tools_are_listed_by_the_names_that_calls_take() {
    let world = World::with_example();
    let config =
        world.config(json!({"plugin_tools": [{"plugin": "example", "expose": ["greet"]}]}));
    let config = config.to_str().unwrap();
    let output = world.awf(["tools", "list", "--config", config]);
    let table = String::from_utf8(output.stdout).unwrap();
    let name =
        table.lines().find_map(|line| line.split(' ').find(|word| word.starts_with("example:")));
    let name = name.unwrap_or_else(|| panic!("{table}"));
    assert!(!table.contains("\\u{"), "{table}");
    let args = ["call", "tool-read", name, "--args", r#"{"name": "Ada"}"#, "--config", config];
    let output = world.awf(args);
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "Good day, Ada.");
}

#[test]
fn a_step_type_of_a_plugin_is_a_step() {
    let world = World::with_example();
    let text = "name: w\ninputs: [{name: limit, type: integer, default: 7}]\nstates:\n  initial: ask\n  ask:\n    type: example.query\n    config: {sql: 'select {{.inputs.limit}}'}\n    on_success: tell\n  tell:\n    type: step\n    command: echo '{{.states.ask.Output}} {{.states.ask.Response.sql}}'\n";
    let ran = world.run(text, &[]);
    assert_eq!(ran.code, 0, "{} {:?}", ran.stderr, ran.end());
    assert_eq!(ran.printed("tell").trim(), "2 rows for step `ask` select 7");
    let ran = world.run(&text.replace("select {{.inputs.limit}}", "nothing"), &[]);
    assert_eq!((ran.code, &ran.end()["error"]["code"]), (3, &json!("EXECUTION.OPERATION.FAILED")));
    let message = ran.end()["error"]["message"].clone();
    let said = ran.printed("ask");
    assert!(
        !said.trim().is_empty() && message.as_str().unwrap().ends_with(said.trim()),
        "{message}"
    );
}

#[test]
fn an_unreferenced_plugin_is_not_started() {
    let world = World::new();
    let mark = world.beside("started");
    world.declare(&[
        json!({"name": "example", "path": binary("awf-plugin-example")}),
        json!({"name": "other", "command": ["sh", "-c", format!("touch {}", mark.display())]}),
    ]);
    let ran = world.run(&operation("example.echo", &json!({"value": 1})), &[]);
    assert_eq!(ran.code, 0, "{} {:?}", ran.stderr, ran.end());
    assert!(!mark.exists());
}

#[test]
fn operations_of_awf_itself_are_steps_and_tools() {
    let world = World::new();
    let fake = world.beside("bin/notify-send");
    fs::create_dir_all(fake.parent().unwrap()).unwrap();
    let told = world.beside("told");
    let script = format!("#!/bin/sh\nprintf '%s\\n' \"$@\" > {}\n", told.display());
    fs::write(&fake, script).unwrap();
    fs::set_permissions(&fake, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    world.workflow("w", &operation("notify.send", &json!({"message": "done", "title": "awf"})));
    let path = format!("{}:/usr/bin:/bin", fake.parent().unwrap().display());
    let output = world.command(["run", "w"]).env("PATH", path).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told = fs::read_to_string(told).unwrap();
    assert!(told.contains("done") && told.contains("awf"), "{told}");
    let headers = json!({"message": "done", "headers": {"X-Key": "1"}});
    let ran = world.run(&operation("notify.send", &headers), &[]);
    let message = ran.end()["error"]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("the desktop takes no `headers`"), "{message}");
    let tools = json!([{"plugin": "http", "expose": ["request"]}]);
    let mut server = world.serve_with(json!({"intercept_builtins": false, "plugin_tools": tools}));
    let refused = server.call("http_request", &json!({"url": "http://127.0.0.1:1/"}));
    assert!(failed(&refused), "{refused}");
}

#[test]
fn a_long_home_does_not_keep_a_plugin_from_its_socket() {
    let world = World::with_example();
    world.workflow("w", &operation("example.echo", &json!({"value": 1})));
    let long = world.beside(&"long/".repeat(30));
    let mut command = world.command(["run", "w"]);
    let output = command.env("AWF_HOME", &long).env("XDG_RUNTIME_DIR", long.join("run")).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
