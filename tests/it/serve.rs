//! `awf mcp-serve` as a server: what it lists, what it answers to strange requests, and what it leaves on stderr.

use serde_json::{Value, json};

use crate::{
    server::{Server, failed, text},
    world::World,
};

#[test]
fn lists_the_six_tools_with_all_their_hints() {
    let world = World::new();
    let mut server = world.serve();
    let listed = server.request("tools/list", &json!({}));
    let hints = |tool: &Value| {
        let hints = &tool["annotations"];
        let set = |key: &str| {
            hints[key].as_bool().unwrap_or_else(|| panic!("{key} of {tool} is not set"))
        };
        (set("readOnlyHint"), set("destructiveHint"), set("openWorldHint"), set("idempotentHint"))
    };
    let tools = listed["result"]["tools"].as_array().unwrap();
    let seen: Vec<_> =
        tools.iter().map(|tool| (tool["name"].as_str().unwrap(), hints(tool))).collect();
    let expected = [
        // read-only, destructive, open-world, idempotent
        ("Bash", (false, true, true, false)),
        ("Edit", (false, false, false, false)),
        ("Glob", (true, false, false, true)),
        ("Grep", (true, false, false, true)),
        ("Read", (true, false, false, true)),
        ("Write", (false, false, false, true)),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn the_ceiling_hides_tools_and_refuses_their_calls() {
    let world = World::new();
    world.file("f.txt", "x\n");
    let mut server = world.serve_with(json!({"tools": {"allow": "read"}}));
    let listed = server.request("tools/list", &json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Glob", "Grep", "Read"]);
    assert!(!failed(&server.call("Read", &json!({"file_path": "f.txt"}))));
    let id = server.send_call("Bash", &json!({"command": "touch ran"}));
    assert_eq!(server.answer(id)["error"]["code"], -32602);
    server.close();
    assert!(!world.root().join("ran").exists());
    let record = &world.activity()[0];
    assert_eq!(
        (&record["status"], &record["metadata"]["decision"]["code"]),
        (&json!("denied"), &json!("ABOVE_CEILING"))
    );
    let what = (&record["server_name"], &record["tool_name"]);
    assert_eq!(what, (&json!("builtin"), &json!("Bash")));
    assert_eq!(record["metadata"]["intent"]["operation_type"], "destructive");
}

#[test]
fn an_unknown_tool_is_a_protocol_error_and_is_recorded() {
    let world = World::new();
    let mut server = world.serve();
    let id = server.send_call("Reed", &json!({"file_path": "x"}));
    let answer = server.answer(id);
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    assert!(
        answer["error"]["message"].as_str().unwrap().contains("Unknown tool: Reed"),
        "{answer}"
    );
    let (_, stderr) = server.close();
    let record = &world.activity()[0];
    assert_eq!(record["tool_name"], "Reed");
    assert_eq!(record["status"], "denied");
    assert_eq!(record["metadata"]["decision"]["code"], "UNKNOWN_TOOL");
    assert_eq!(record["arguments"], json!({"file_path": "x"}));
    assert_eq!(stderr.matches("tool call").count(), 1, "{stderr}");
}

#[test]
fn every_call_is_one_log_line_and_stdout_is_protocol_only() {
    let world = World::new();
    world.file("f.txt", "x\n");
    let mut command = world.serve_command(&world.config(json!({})));
    command.args(["--log-format", "json"]);
    let mut server = Server::start(command);
    server.handshake();
    server.call("Read", &json!({"file_path": "f.txt"}));
    server.call("Read", &json!({"file_path": "absent.txt"}));
    server.call("Bash", &json!({"command": "exit 1"}));
    let (status, stderr) = server.close();
    assert!(status.success());
    let lines: Vec<Value> =
        stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let calls: Vec<&Value> = lines.iter().filter(|line| line["message"] == "tool call").collect();
    assert_eq!(calls.len(), 3, "{stderr}");
    for (call, (tool, fails)) in calls.iter().zip([("Read", false), ("Read", true), ("Bash", true)])
    {
        assert_eq!((&call["tool"], &call["source"]), (&json!(tool), &json!("builtin")));
        assert!(call["duration_ms"].is_u64(), "{call}");
        assert_eq!(call["error"].is_string(), fails, "{call}");
    }
}

/// A client that pipes stderr and never reads it must not stop the server.
#[test]
fn a_full_stderr_does_not_stop_the_server() {
    let world = World::new();
    let mut command = world.serve_command(&world.config(json!({})));
    let (reader, writer) = std::io::pipe().unwrap();
    command.stderr(writer);
    let mut server = Server::start_with_own_stderr(command);
    server.handshake();
    for _ in 0..2_000 {
        server.call("Glob", &json!({"pattern": "*"}));
    }
    server.close();
    drop(reader);
    assert_eq!(world.activity().len(), 2_000);
}

#[test]
fn a_config_that_cannot_be_honoured_is_refused_at_its_place() {
    let world = World::new();
    let config = world.beside("bad.yaml");
    std::fs::write(&config, "root: .\nintercept_builtin: true\n").unwrap();
    let output = world.serve_command(&config).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let stderr = String::from_utf8(output.stderr).unwrap();
    for part in ["bad.yaml:2:1", "USER.CONFIG.UNKNOWN_KEY", "did you mean `intercept_builtins`?"] {
        assert!(stderr.contains(part), "no `{part}` in {stderr}");
    }
}

#[test]
fn a_missing_root_is_named() {
    let world = World::new();
    let config = world.config(json!({"root": world.beside("nowhere")}));
    let output = world.serve_command(&config).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("nowhere"));
}

#[test]
fn both_eras_are_served_on_one_process() {
    let world = World::new();
    world.file("f.txt", "hello\n");
    let mut server = world.serve();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let discovered = server.request("server/discover", &json!({"_meta": meta}));
    assert!(
        discovered["result"]["supportedVersions"]
            .as_array()
            .unwrap()
            .contains(&json!("2026-07-28")),
        "{discovered}"
    );
    let call = json!({"name": "Read", "arguments": {"file_path": "f.txt"}, "_meta": meta});
    let modern = server.request("tools/call", &call);
    assert_eq!(modern["result"]["resultType"], "complete", "{modern}");
    let legacy = server.call("Read", &json!({"file_path": "f.txt"}));
    assert!(legacy.get("resultType").is_none() && text(&legacy).contains("hello"), "{legacy}");
}

#[test]
fn a_protected_secret_reaches_neither_shell_nor_record() {
    let world = World::new();
    let mut command = world.serve_command(&world.config(json!({})));
    command
        .env("ANTHROPIC_API_KEY", "canary-key-1234567890")
        .env("MY_SERVICE_TOKEN", "canary-token-0987654321");
    let mut server = Server::start(command);
    server.handshake();
    let environment = server.call("Bash", &json!({"command": "env"}));
    assert!(!text(&environment).contains("canary-key-1234567890"), "the shell got the key");
    let (_, stderr) = server.close();
    let journal = world.awf(["activity", "list", "-o", "json"]).stdout;
    for sink in [stderr, String::from_utf8(journal).unwrap()] {
        assert!(!sink.contains("canary-"), "a secret was kept: {sink}");
    }
}
