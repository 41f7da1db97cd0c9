//! `awf activity summary`: the numbers are those of the records.

use serde_json::{Value, json};

use crate::{
    activity::{stderr, stdout, told},
    world::World,
};

#[test]
fn it_counts_what_the_list_shows() {
    let world = told();
    let summary = world.awf_json(["activity", "summary", "-o", "json"]);
    let records = world.activity();
    let times: Vec<&str> =
        records.iter().map(|record| record["timestamp"].as_str().unwrap()).collect();
    let mut expected = json!({
        "total": 6,
        "first_timestamp": times.iter().min().unwrap(),
        "last_timestamp": times.iter().max().unwrap(),
        "by_status": {"started": 0, "success": 4, "error": 1, "denied": 1, "interrupted": 0, "bypassed": 0},
        "by_intent_type": {"read": 4, "write": 1, "destructive": 1, "none": 0},
        "top_servers": [{"server_name": "builtin", "count": 6}],
        "top_tools": [
            {"server_name": "builtin", "tool_name": "Read", "count": 3},
            {"server_name": "builtin", "tool_name": "Bash", "count": 2},
            {"server_name": "builtin", "tool_name": "Write", "count": 1},
        ],
    });
    let mut took: Vec<u64> =
        records.iter().map(|record| record["duration_ms"].as_u64().unwrap()).collect();
    took.sort_unstable();
    let told = [&summary["duration_ms"]["p50"], &summary["duration_ms"]["p95"]]
        .map(|ms| ms.as_u64().unwrap());
    for (told, real) in told.into_iter().zip([took[2], took[5]]) {
        assert!(told.abs_diff(real) * 16 <= real, "{told} for {real}");
    }
    expected["duration_ms"] = summary["duration_ms"].clone();
    assert_eq!(summary, expected);
}

#[test]
fn filters_narrow_it() {
    let world = told();
    let total = |flags: &[&str]| {
        let words = ["activity", "summary", "-o", "json"].iter().chain(flags);
        let summary: Value = world.awf_json(words);
        summary["total"].as_u64().unwrap()
    };
    for (flags, expected) in [
        (&["--status", "denied"][..], 1),
        (&["--intent-type", "read", "--source", "mcp"], 2),
        (&["--tool", "Read", "--since", "1h"], 3),
        (&["--server", "other"], 0),
        (&["--until", "2d"], 0),
        (&["--since", "2d", "--until", "2999-01-01T00:00:00Z"], 6),
        (&["--run", "none"], 0),
    ] {
        assert_eq!(total(flags), expected, "{flags:?}");
    }
    let output = world.awf(["activity", "summary", "--status", "ok"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("must be started, success"), "{}", stderr(&output));
}

#[test]
fn a_person_reads_tables() {
    let world = told();
    let said = stdout(&world.awf(["activity", "summary"]));
    assert!(said.starts_with("6 calls from 20"), "{said}");
    for row in ["success  4", "denied   1", "destructive  1", "builtin  6", "Bash   builtin  2"] {
        assert!(said.contains(row), "no `{row}` in {said}");
    }
    assert!(!said.contains("interrupted"), "{said}");
    let yaml = stdout(&world.awf(["activity", "summary", "-o", "yaml"]));
    assert!(yaml.contains("by_intent_type:\n  read: 4\n"), "{yaml}");
    let empty = World::new();
    assert_eq!(stdout(&empty.awf(["activity", "summary"])), "0 calls\n");
}
