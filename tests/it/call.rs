//! `awf call`, `awf tools`, `awf activity`, `awf completion`: a person at the terminal.

use std::{fs, os::unix::fs::PermissionsExt as _};

use serde_json::json;

use crate::{
    intent::stage::{Upstream, settings},
    world::World,
};

fn stdout(output: &std::process::Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &std::process::Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn a_read_prints_the_text_and_leaves_a_record() {
    let world = World::new();
    world.file("hello.txt", "hello there\n");
    let args = ["call", "tool-read", "builtin:Read", "--args", r#"{"file_path":"hello.txt"}"#];
    let output =
        world.awf(args.into_iter().chain(["--reason", "look at it", "--sensitivity", "public"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("hello there"));
    let record = &world.activity()[0];
    assert_eq!(record["type"], "tool_call");
    assert_eq!(
        (&record["source"], &record["server_name"], &record["tool_name"]),
        (&json!("cli"), &json!("builtin"), &json!("Read"))
    );
    assert_eq!(
        record["metadata"],
        json!({
            "intent": {"operation_type": "read", "data_sensitivity": "public", "reason": "look at it", "origin": "nested"},
            "tool_variant": "call_tool_read",
            "decision": {"outcome": "allow"},
            "warnings": [],
        })
    );
}

#[test]
fn the_seed_s_spelling_of_the_flags_works_too() {
    let world = World::new();
    world.file("a.txt", "x");
    let output = world.awf([
        "call",
        "tool-read",
        "--tool-name=builtin:Glob",
        "--json_args",
        r#"{"pattern":"*.txt"}"#,
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("a.txt"));
}

#[test]
fn what_is_no_text_is_not_passed_over() {
    let world = World::new();
    let script = r#"{"stages":[{"tools":[{"name":"draw","inputSchema":{"type":"object"}}]}],
        "behaviours":{"draw":{"result":{"content":[{"type":"text","text":"a dot"},{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"},{"type":"text","text":"done"}]}}}}"#;
    let artist = Upstream::new(&world, "artist", script);
    let config = world.config(settings(&[&artist], &json!({})));
    let args = ["call", "tool-read", "artist:draw", "--config", config.to_str().unwrap()];
    let output = world.awf(args);
    let expected = "a dot\n[image/png, 8 bytes; -o json shows it]\ndone\n";
    assert_eq!(stdout(&output), expected, "{}", stderr(&output));
}

#[test]
fn a_destructive_tool_behind_a_milder_variant_is_refused_and_not_run() {
    let world = World::new();
    let command = r#"{"command":"touch ran"}"#;
    for (variant, name) in [("tool-read", "call_tool_read"), ("tool-write", "call_tool_write")] {
        let output = world.awf(["call", variant, "builtin:Bash", "--args", command]);
        assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
        assert!(stderr(&output).contains(
            "Tool 'builtin:Bash' is marked destructive by server, use call_tool_destructive"
        ));
        assert!(stderr(&output).contains(&format!("Use call_tool_destructive instead of {name}.")));
        let record = &world.activity()[0];
        assert_eq!(
            (&record["status"], &record["metadata"]["tool_variant"]),
            (&json!("denied"), &json!(name))
        );
        assert_eq!(
            record["metadata"]["decision"],
            json!({"outcome": "deny", "code": "SERVER_MISMATCH"})
        );
        assert_eq!(record["arguments"], json!({"command": "touch ran"}));
    }
    assert!(!world.root().join("ran").exists(), "a refused command ran");
    let output = world.awf(["call", "tool-destructive", "builtin:Bash", "--args", command]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(world.root().join("ran").exists());
}

#[test]
fn a_permissive_configuration_warns_and_goes_ahead() {
    let world = World::new();
    let config = world.config(json!({"intent_declaration": {"strict_server_validation": false}}));
    let config = config.to_str().unwrap();
    let output = world.awf([
        "call",
        "tool-read",
        "builtin:Bash",
        "--args",
        r#"{"command":"echo hi"}"#,
        "--config",
        config,
        "-o",
        "json",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["_meta"]["awf/warnings"][0]["code"], "SERVER_MISMATCH", "{result}");
    let record = &world.activity()[0];
    assert_eq!(result["_meta"]["awf/request_id"], record["request_id"]);
    assert_eq!(record["metadata"]["warnings"][0]["code"], "SERVER_MISMATCH");
    assert_eq!(record["metadata"]["decision"], json!({"outcome": "warn"}));
}

#[test]
fn each_kind_of_failure_has_its_exit_code() {
    let world = World::new();
    let rows: [(&[&str], i32, &str); 11] = [
        (&["call", "tool-read", "builtin:Read", "--args", r#"{"file_path":"absent"}"#], 3, ""),
        (&["call", "tool-destructive", "builtin:Bash", "--args", r#"{"command":"exit 9"}"#], 3, ""),
        (&["call", "tool-read", "builtin:Reed"], 1, "UNKNOWN_TOOL"),
        (&["call", "tool-read", "github:list"], 1, "UNKNOWN_SERVER"),
        (&["call", "tool-read", "nothing"], 1, "INVALID_NAME"),
        (&["call", "tool-read", "nothing", "--sensitivity", "secret"], 1, "INVALID_NAME"),
        (&["call", "tool-read", ""], 1, "name is required for call_tool_read"),
        (&["call", "tool-read", "builtin:Read", "--args", "[1]"], 1, "USER.INPUT.INVALID_JSON"),
        (&["call", "tool-read", "builtin:Read", "--args", "{nope"], 1, "USER.INPUT.INVALID_JSON"),
        (
            &["call", "tool-read", "builtin:Read", "--sensitivity", "secret"],
            5,
            "INVALID_SENSITIVITY",
        ),
        (&["frobnicate"], 1, "unrecognized subcommand"),
    ];
    for (args, code, words) in rows {
        let output = world.awf(args);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn tools_are_listed_with_the_variant_to_call_them_with() {
    let world = World::new();
    let table = stdout(&world.awf(["tools", "list"]));
    for (tool, variant) in [
        ("builtin:Read", "call_tool_read"),
        ("builtin:Edit", "call_tool_write"),
        ("builtin:Bash", "call_tool_destructive"),
    ] {
        let line = table
            .lines()
            .find(|line| line.starts_with(tool))
            .unwrap_or_else(|| panic!("no {tool} in\n{table}"));
        assert!(line.contains(variant), "{line}");
    }
    // With the operations that are part of awf.
    assert_eq!(world.awf_json(["tools", "list", "-o", "json"]).as_array().unwrap().len(), 8);
}

#[test]
fn records_are_listed_filtered_paged_and_shown() {
    let world = World::new();
    world.file("a.txt", "x\n");
    for _ in 0..3 {
        world.awf(["call", "tool-read", "builtin:Read", "--args", r#"{"file_path":"a.txt"}"#]);
    }
    world.awf(["call", "tool-destructive", "builtin:Bash", "--args", r#"{"command":"true"}"#]);
    let table = stdout(&world.awf(["activity", "list", "--no-icons"]));
    let header: Vec<&str> = table.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(header, ["ID", "TIME", "SERVER", "TOOL", "INTENT", "STATUS", "DURATION"]);
    assert!(table.lines().nth(1).unwrap().contains("destr"), "{table}");
    assert!(stdout(&world.awf(["activity", "list"])).contains("📖"));
    let count = |args: &[&str]| {
        world.awf_json([&["activity", "list", "-o", "json"], args].concat())["activities"]
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!(count(&["--intent-type", "destructive"]), 1);
    assert_eq!(
        count(&[
            "--intent-type",
            "read",
            "--tool",
            "Read",
            "--server",
            "builtin",
            "--status",
            "success"
        ]),
        3
    );
    assert_eq!(count(&["--status", "denied"]), 0);
    assert_eq!(count(&["--since", "1h"]), 4);
    assert_eq!(count(&["--until", "1h"]), 0);
    let page = world.awf_json(["activity", "list", "-o", "json", "-n", "3"]);
    let cursor = page["next_cursor"].as_str().unwrap();
    assert_eq!(count(&["--cursor", cursor]), 1);
    let id = page["activities"][0]["id"].as_str().unwrap();
    let shown = stdout(&world.awf(["activity", "show", id]));
    for part in [id, "Intent:", "destructive", "Decision:", "allow", "Arguments:"] {
        assert!(shown.contains(part), "no `{part}` in {shown}");
    }
    assert_eq!(world.awf_json(["activity", "show", id, "-o", "json"])["id"], id);
    assert_eq!(
        world.awf(["activity", "show", "01ARZ3NDEKTSV4RRFFQ69G5FAV"]).status.code(),
        Some(1)
    );
}

#[test]
fn bad_filters_name_the_valid_ones() {
    let world = World::new();
    for (flag, value, words) in [
        ("--intent-type", "delete", "read, write or destructive"),
        ("--status", "ok", "started, success, error, denied, interrupted or bypassed"),
        ("--limit", "0", "1 to 100"),
        ("--limit", "101", "1 to 100"),
        ("--since", "yesterday", "90s, 15m, 2h, 7d"),
        ("--cursor", "nope", "id of a record"),
    ] {
        let output = world.awf(["activity", "list", flag, value]);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains(words), "{flag} {value}: {}", stderr(&output));
    }
}

#[test]
fn an_empty_log_is_an_empty_list_and_verifies() {
    let world = World::new();
    assert_eq!(
        world.awf_json(["activity", "list", "-o", "json"]),
        json!({"activities": [], "next_cursor": null})
    );
    assert_eq!(world.awf(["activity", "verify"]).status.code(), Some(0));
}

#[test]
fn the_head_of_the_log_is_a_hash_that_moves() {
    let world = World::new();
    assert_eq!(stdout(&world.awf(["activity", "head"])), "");
    let mut heads = Vec::new();
    for _ in 0..2 {
        world.awf(["call", "tool-read", "builtin:Glob", "--args", r#"{"pattern":"*"}"#]);
        heads.push(stdout(&world.awf(["activity", "head"])));
    }
    assert!(heads[0] != heads[1] && heads[0].split(' ').next().unwrap().len() == 64, "{heads:?}");
}

#[test]
fn a_secret_in_a_reason_or_in_place_of_a_tool_name_is_not_kept() {
    let world = World::new();
    let secrets = [
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789".to_owned(),
        "long-known-value-".repeat(6),
        "hunter2".to_owned(),
    ];
    let run = |args: &[&str]| {
        let mut command = world.command(args);
        command.env("MY_LONG_TOKEN", &secrets[1]).env("PGPASSWORD", &secrets[2]).output().unwrap()
    };
    let mut sinks = Vec::new();
    for secret in &secrets {
        let named = run(&[
            "call",
            "tool-read",
            "builtin:Glob",
            "--args",
            r#"{"pattern":"*"}"#,
            "--reason",
            secret,
        ]);
        let unknown = run(&["call", "tool-read", &format!("builtin:{secret}")]);
        for output in [named, unknown] {
            let lines: String =
                stderr(&output).lines().filter(|line| line.contains("tool call")).collect();
            assert!(!lines.is_empty(), "no log line");
            sinks.push(lines);
        }
    }
    sinks.push(serde_json::to_string(&world.activity()).unwrap());
    for (sink, secret) in
        sinks.iter().flat_map(|sink| secrets.iter().map(move |secret| (sink, secret)))
    {
        let start: String = secret.chars().take(40).collect();
        assert!(!sink.contains(&start), "{start} in {sink}");
    }
}

#[test]
fn the_working_directory_is_no_secret() {
    let world = World::new();
    let mut command = world.command([
        "call",
        "tool-destructive",
        "builtin:Bash",
        "--args",
        r#"{"command":"echo here=$PWD; exit 2"}"#,
    ]);
    command.env("PWD", world.root()).output().unwrap();
    let record = &world.activity()[0];
    assert!(record["response"].to_string().contains(world.root().to_str().unwrap()), "{record}");
    assert_eq!(record["error_message"], "[exit code 2]");
}

#[test]
fn a_log_that_cannot_be_read_is_not_an_empty_log() {
    let world = World::new();
    fs::write(world.home(), "a file where the directory should be").unwrap();
    for command in ["list", "verify"] {
        let output = world.awf(["activity", command]);
        assert_eq!(output.status.code(), Some(4), "{command}: {}", stderr(&output));
    }
}

#[test]
fn everything_awf_keeps_is_private() {
    let world = World::new();
    world.awf(["call", "tool-destructive", "builtin:Bash", "--args", r#"{"command":"true"}"#]);
    world.activity();
    let mut places = vec![world.home()];
    while let Some(place) = places.pop() {
        let metadata = fs::metadata(&place).unwrap();
        let expected = if metadata.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(metadata.permissions().mode() & 0o777, expected, "{}", place.display());
        if metadata.is_dir() {
            places.extend(fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
}

#[test]
fn version_help_and_completions_are_data() {
    let world = World::new();
    assert!(stdout(&world.awf(["--version"])).starts_with("awf 0."));
    let help = stdout(&world.awf(["--help"]));
    assert!(help.contains("activity") && !help.contains("mcp-serve"), "{help}");
    for shell in ["bash", "zsh", "fish"] {
        assert!(stdout(&world.awf(["completion", shell])).contains("awf"));
    }
}

#[test]
fn the_log_can_be_switched_off() {
    let world = World::new();
    let config = world.config(json!({"activity": {"enabled": false}}));
    world.awf([
        "call",
        "tool-destructive",
        "builtin:Bash",
        "--args",
        r#"{"command":"true"}"#,
        "--config",
        config.to_str().unwrap(),
    ]);
    assert_eq!(world.activity(), Vec::<serde_json::Value>::new());
}
