//! `awf activity list`: a filter for every column, and what is no filter.

use serde_json::Value;

use crate::{
    activity::{kinds, stderr, stdout, told},
    world::World,
};

#[test]
fn every_filter_finds_its_calls_and_no_others() {
    let world = told();
    let found = |flags: &[&str]| {
        let words = ["activity", "list", "-o", "json"].iter().chain(flags);
        kinds(world.awf_json(words)["activities"].as_array().unwrap())
    };
    let all = found(&[]);
    let one = world.awf_json(["activity", "list", "-o", "json", "--status", "error"]);
    let request = one["activities"][0]["request_id"].as_str().unwrap();
    let future = "2999-01-01T00:00:00Z";
    let reads = ["Bash denied", "Read error", "Read success", "Read success"];
    let over_cli = ["Bash denied", "Bash success", "Read success", "Write success"];
    let rows: [(&[&str], &[&str]); 15] = [
        (&["--intent-type", "read"], &reads),
        (&["--intent-type", "write"], &["Write success"]),
        (&["--intent-type", "destructive"], &["Bash success"]),
        (&["--status", "denied"], &["Bash denied"]),
        (&["--status", "error"], &["Read error"]),
        (&["--status", "interrupted"], &[]),
        (&["--tool", "Bash", "--status", "success"], &["Bash success"]),
        (&["--server", "other"], &[]),
        (&["--source", "mcp"], &["Read error", "Read success"]),
        (&["--surface", "cli"], &over_cli),
        (&["--run", "none"], &[]),
        (&["--step", "none"], &[]),
        (&["--since", future], &[]),
        (&["--until", "1h"], &[]),
        (&["--request-id", request], &["Read error"]),
    ];
    for (flags, expected) in rows {
        assert_eq!(found(flags), expected, "{flags:?}");
    }
    assert_eq!(all.len(), 6);
    assert_eq!(found(&["--server", "builtin", "--since", "1h", "--until", future]), all);
}

#[test]
fn what_is_no_filter_is_refused_with_what_there_is() {
    let world = told();
    for (flag, value, expected) in [
        ("--intent-type", "delete", "must be read, write or destructive"),
        ("--status", "ok", "must be started, success, error, denied, interrupted or bypassed"),
        ("--source", "web", "must be mcp, cli, api or workflow"),
        ("--since", "yesterday", "2026-11-16T09:30:00Z, or how long ago: 90s, 15m, 2h, 7d"),
        ("--until", "", "2026-11-16T09:30:00Z, or how long ago: 90s, 15m, 2h, 7d"),
        ("--limit", "101", "must be a number from 1 to 100"),
        ("--cursor", "x", "must be the id of a record"),
        ("--output", "csv", "[possible values: table, json, yaml]"),
    ] {
        let output = world.awf(["activity", "list", flag, value]);
        assert_eq!((output.status.code(), stdout(&output)), (Some(1), String::new()), "{flag}");
        assert!(stderr(&output).contains(expected), "{flag}: {}", stderr(&output));
    }
}

#[test]
fn the_table_has_the_columns_of_a_record_and_the_same_calls_as_json() {
    let world = told();
    let table = stdout(&world.awf(["activity", "list", "--no-icons"]));
    let mut lines = table.lines();
    let columns: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
    assert_eq!(columns, ["ID", "TIME", "SERVER", "TOOL", "INTENT", "STATUS", "DURATION"]);
    let records: Vec<Value> = world.activity();
    for (line, record) in lines.zip(&records) {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let word = |pointer: &str| record.pointer(pointer).unwrap().as_str().unwrap();
        let intent = word("/metadata/intent/operation_type").replace("destructive", "destr");
        let duration = format!("{}ms", record["duration_ms"]);
        let expected = [
            word("/id"),
            word("/timestamp"),
            word("/server_name"),
            word("/tool_name"),
            &intent,
            word("/status"),
            &duration,
        ];
        assert_eq!(cells, expected, "{table}");
    }
    assert_eq!(table.lines().count(), 1 + records.len());
}

#[test]
fn nothing_to_list_is_said_with_what_to_do() {
    let world = World::new();
    for (words, expected) in [
        (&["activity", "list"][..], "no calls yet: `awf demo` makes a few"),
        (&["activity", "list", "-o", "json"], "no calls yet: `awf demo` makes a few"),
        (&["activity", "list", "--status", "denied"], "no call matches"),
    ] {
        let output = world.awf(words);
        assert_eq!(output.status.code(), Some(0));
        assert!(stderr(&output).contains(expected), "{words:?}: {}", stderr(&output));
    }
    let full = told();
    assert_eq!(stderr(&full.awf(["activity", "list"])), "");
}
