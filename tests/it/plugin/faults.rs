//! Plugins that do not behave: each fault has its own words, costs one call, and leaves the others alone.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{
    plugin::{binary, hostile, operation},
    processes::memory_kib,
    server::{Server, failed, text},
    world::World,
};

/// What a run says when its only step uses this plugin.
fn said(plugin: Value) -> (String, String) {
    let world = World::new();
    world.declare(&[plugin]);
    let ran = world.run(&operation("bad.ok", &json!({})), &[]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    let error = &ran.end()["error"];
    let text = |key: &str| error[key].as_str().unwrap_or_default().to_owned();
    (text("code"), text("message"))
}

#[test]
fn what_is_wrong_at_the_start_is_named() {
    let rows = [
        ("stray-line", "HANDSHAKE_FAILED", "first line is no handshake"),
        ("wrong-core", "HANDSHAKE_FAILED", "version `2` of the handshake"),
        ("wrong-app", "HANDSHAKE_FAILED", "version `7` of the plugin protocol"),
        ("wrong-cert", "HANDSHAKE_FAILED", "certificate on its socket is not the one"),
        ("no-cert", "HANDSHAKE_FAILED", "no certificate"),
        ("wrong-cookie", "HANDSHAKE_FAILED", "cookie"),
        ("dies-at-start", "START_FAILED", "exited with code 3"),
    ];
    for (mode, code, words) in rows {
        let (given, message) = said(hostile("bad", mode));
        assert_eq!(given, format!("EXECUTION.PLUGIN.{code}"), "{mode}: {message}");
        assert!(message.contains("plugin `bad`") && message.contains(words), "{mode}: {message}");
    }
}

#[test]
fn a_plugin_that_says_nothing_is_not_waited_for_without_end() {
    let began = Instant::now();
    let (code, message) = said(hostile("bad", "silent"));
    assert_eq!(code, "EXECUTION.PLUGIN.HANDSHAKE_FAILED");
    assert!(message.contains("within 15 s"), "{message}");
    assert!(began.elapsed() < Duration::from_secs(25), "{:?}", began.elapsed());
}

#[test]
fn a_program_that_is_not_there_or_not_the_one_vouched_for_is_not_started() {
    let (code, message) = said(json!({"name": "bad", "path": "bin/nothing"}));
    assert_eq!(code, "EXECUTION.PLUGIN.START_FAILED", "{message}");
    let other = format!("sha256:{}", "0".repeat(64));
    let path = binary("awf-plugin-hostile");
    let (code, message) =
        said(json!({"name": "bad", "command": [path, "stray-line"], "checksum": other}));
    assert_eq!(code, "EXECUTION.PLUGIN.CHECKSUM_MISMATCH", "{message}");
    assert!(message.contains(&other), "{message}");
}

/// A server with a plugin that misbehaves in one operation and has a sound one beside it.
fn served(world: &World, mode: &str, timeout: &str) -> Server {
    let mut plugin = hostile("bad", mode);
    plugin["timeout"] = json!(timeout);
    world.declare(&[plugin, json!({"name": "example", "path": binary("awf-plugin-example")})]);
    let tools = json!([{"plugin": "bad", "expose": [mode_operation(mode), "ok"]}, {"plugin": "example", "expose": ["echo"]}]);
    world.serve_with(json!({"intercept_builtins": false, "plugin_tools": tools}))
}

fn mode_operation(mode: &str) -> &str {
    if mode == "noisy" { "noise" } else { mode }
}

/// Whether the others still answer.
fn others_answer(server: &mut Server) {
    let echoed = server.call("example_echo", &json!({"value": 7}));
    assert_eq!(echoed["structuredContent"]["value"], 7);
    let sound = server.call("bad_ok", &json!({}));
    assert!(!failed(&sound), "{sound}");
}

/// What came of a call that cannot go well: the words of a result, or of an error.
fn failure(server: &mut Server, tool: &str, arguments: &Value) -> String {
    let id = server.send_call(tool, arguments);
    let answer = server.answer(id);
    match answer.get("result") {
        Some(result) => {
            assert!(failed(result), "{result}");
            text(result).to_owned()
        }
        None => answer["error"]["message"].as_str().unwrap().to_owned(),
    }
}

#[test]
fn a_fault_in_a_call_costs_that_call_and_is_recorded() {
    let rows = [
        ("crash", "died in", json!({})),
        ("hang", "within 2 s", json!({})),
        ("big", "MiB", json!({})),
        ("garbage", "answer", json!({})),
    ];
    for (mode, words, arguments) in rows {
        let world = World::new();
        let mut server = served(&world, mode, "2s");
        // Under way while the other fails.
        let beside = server.send_call("example_echo", &json!({"value": 1}));
        let began = Instant::now();
        let told = failure(&mut server, &format!("bad_{mode}"), &arguments);
        assert!(began.elapsed() < Duration::from_secs(12), "{mode}: {:?}", began.elapsed());
        assert!(told.contains("plugin `bad`") && told.contains(words), "{mode}: {told}");
        assert_eq!(server.answer(beside)["result"]["structuredContent"]["value"], 1);
        others_answer(&mut server);
        server.close();
        let records = world.activity();
        let record = records.iter().find(|record| record["tool_name"] == mode).unwrap();
        assert_eq!(record["status"], "error", "{mode}: {record}");
        let kept = record["error_message"].as_str().unwrap();
        assert!(kept.contains(words), "{mode}: {kept}");
    }
}

#[test]
fn a_gigabyte_of_complaints_is_read_and_not_kept() {
    let world = World::new();
    let mut server = served(&world, "noisy", "2m");
    let before = memory_kib(server.pid(), "VmRSS");
    let told = server.call("bad_noise", &json!({"bytes": 1_000_000_000}));
    assert!(!failed(&told), "{told}");
    let grown = memory_kib(server.pid(), "VmHWM").saturating_sub(before);
    assert!(grown < 32 * 1024, "grew by {grown} KiB");
    others_answer(&mut server);
}
