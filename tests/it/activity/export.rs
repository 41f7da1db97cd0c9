//! `awf activity export`: everything, in both formats, to stdout and into files.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    os::unix::fs::PermissionsExt as _,
    process::Stdio,
};

use serde_json::{Value, json};

use crate::{
    activity::{kinds, stderr, stdout, told},
    world::World,
};

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn json_has_a_record_per_line_and_every_record_of_the_list() {
    let world = told();
    let output = world.awf(["activity", "export"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(lines(&stdout(&output)), world.activity());
    let output = world.awf(["activity", "export", "--format", "json", "--status", "denied"]);
    assert_eq!(kinds(&lines(&stdout(&output))), ["Bash denied"]);
    let output = world.awf(["activity", "export", "--since", "2999-01-01T00:00:00Z"]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), String::new()));
}

/// Reads RFC 4180 as a spreadsheet does.
fn csv(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => cell.extend(chars.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\r' if !quoted => assert_eq!(chars.peek(), Some(&'\n')),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            c => cell.push(c),
        }
    }
    assert!(row.is_empty() && cell.is_empty() && !quoted, "the last row is not ended");
    rows
}

#[test]
fn csv_has_the_intent_and_no_cell_is_a_formula() {
    let world = World::new();
    let reasons = ["=HYPERLINK(\"http://x\",\"a\")", "+1", "-1", "@SUM(A1)", "\t=1", "a, \"b\"\nc"];
    for reason in reasons {
        let reason = format!("--reason={reason}");
        world.awf([
            "call",
            "tool-read",
            "Glob",
            "--args",
            r#"{"pattern":"*"}"#,
            &reason,
            "--sensitivity",
            "private",
        ]);
    }
    let output = world.awf(["activity", "export", "--format", "csv"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let rows = csv(&stdout(&output));
    let column = |name: &str| rows[0].iter().position(|cell| cell == name).unwrap();
    let intent =
        ["intent_operation_type", "intent_data_sensitivity", "intent_origin", "tool_variant"];
    let mut found = Vec::new();
    for row in &rows[1..] {
        assert_eq!(row.len(), rows[0].len());
        assert_eq!(
            intent.map(|name| row[column(name)].as_str()),
            ["read", "private", "nested", "call_tool_read"]
        );
        for cell in row {
            assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "{cell}");
        }
        found.push(row[column("intent_reason")].trim_start_matches('\'').to_owned());
    }
    found.sort_unstable();
    let mut expected = reasons;
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn a_file_is_there_whole_or_not_at_all() {
    let world = told();
    let path = world.root().join("out.csv");
    let export = |format: &str, path: &str| {
        world.awf(["activity", "export", "--format", format, "--output", path])
    };
    let output = export("csv", "out.csv");
    assert_eq!(
        (output.status.code(), stdout(&output)),
        (Some(0), String::new()),
        "{}",
        stderr(&output)
    );
    assert_eq!(csv(&fs::read_to_string(&path).unwrap()).len(), 7);
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let output = export("json", "out.csv");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(lines(&fs::read_to_string(&path).unwrap()).len(), 6);
    for place in ["no/such/folder/out", "."] {
        let output = export("json", place);
        assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
        assert!(
            stderr(&output).contains(&format!("cannot write `{place}`")),
            "{}",
            stderr(&output)
        );
    }
    let output = export("json", "/dev/null");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let left: Vec<_> =
        fs::read_dir(world.root()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "{left:?}");
    let output = export("xml", "out");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("must be json or csv"), "{}", stderr(&output));
}

/// Whoever reads goes away in the middle; there is more than a pipe holds.
#[test]
fn a_reader_that_leaves_ends_it_quietly() {
    let world = World::new();
    world.file("long.txt", "x".repeat(60_000));
    let mut server = world.serve();
    for _ in 0..40 {
        server.call("Read", &json!({"file_path": "long.txt"}));
    }
    server.close();
    let mut command = world.command(["activity", "export"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    reader.read_line(&mut first).unwrap();
    drop(reader);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    assert_eq!(lines(&first)[0]["tool_name"], "Read");
}

#[test]
fn a_dash_is_stdout() {
    let world = told();
    let output = world.awf(["activity", "export", "--output", "-"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(lines(&stdout(&output)), world.activity());
    assert!(!world.root().join("-").exists());
}
