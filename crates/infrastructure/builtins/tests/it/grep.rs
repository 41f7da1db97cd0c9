//! Grep: what is found in files, and how it is shown.

use std::{fs::File, time::Instant};

use awf_core::{RawJson, ToolFailure};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::stage::{Stage, put};

async fn grep(stage: &Stage, arguments: Value) -> String {
    stage.good("Grep", arguments).await
}

#[tokio::test]
async fn the_three_modes_show_files_lines_and_counts() {
    let stage = Stage::new();
    stage.file("b.txt", "foo\nbar\nfoo bar\n");
    stage.file("a/x.rs", "Foo\nfoo");
    stage.file("c", "nothing\n");
    let rows = [
        (json!({"pattern": "foo"}), "a/x.rs\nb.txt\n"),
        (json!({"pattern": "foo", "output_mode": "files_with_matches"}), "a/x.rs\nb.txt\n"),
        (json!({"pattern": "foo", "output_mode": "count"}), "a/x.rs:1\nb.txt:2\n"),
        (
            json!({"pattern": "foo", "output_mode": "content"}),
            "a/x.rs:2:foo\nb.txt:1:foo\nb.txt:3:foo bar\n",
        ),
        (
            json!({"pattern": "foo", "output_mode": "content", "-n": false, "path": "a"}),
            "a/x.rs:foo\n",
        ),
        (json!({"pattern": "foo", "-i": true, "output_mode": "count"}), "a/x.rs:2\nb.txt:2\n"),
        (json!({"pattern": "^foo$", "output_mode": "content"}), "a/x.rs:2:foo\nb.txt:1:foo\n"),
        (json!({"pattern": "foo", "glob": "*.rs"}), "a/x.rs\n"),
        (json!({"pattern": "foo", "glob": "!*.rs"}), "b.txt\n"),
        (json!({"pattern": "foo", "glob": "a/*"}), "a/x.rs\n"),
        (json!({"pattern": "foo", "type": "rust"}), "a/x.rs\n"),
        (
            json!({"pattern": "foo", "path": "b.txt", "output_mode": "content"}),
            "b.txt:1:foo\nb.txt:3:foo bar\n",
        ),
        (json!({"pattern": "foo", "path": "b.txt", "output_mode": "count"}), "b.txt:2\n"),
        (json!({"pattern": "absent"}), "no matches"),
        (json!({"pattern": "foo", "type": "py"}), "no matches"),
    ];
    for (arguments, expected) in rows {
        assert_eq!(grep(&stage, arguments.clone()).await, expected, "{arguments}");
    }
    assert!(stage.bad("Grep", json!({"pattern": "a", "path": "gone"})).await.contains("not exist"));
}

#[tokio::test]
async fn context_is_shown_and_separated() {
    let stage = Stage::new();
    stage.file("a", "1\n2\nx\n4\n5\n6\nx\n8\n");
    stage.file("b", "x\n");
    let rows = [
        (json!({"-A": 1}), "a:3:x\na-4-4\n--\na:7:x\na-8-8\n--\nb:1:x\n"),
        (json!({"-B": 1}), "a-2-2\na:3:x\n--\na-6-6\na:7:x\n--\nb:1:x\n"),
        (json!({"-C": 2}), "a-1-1\na-2-2\na:3:x\na-4-4\na-5-5\na-6-6\na:7:x\na-8-8\n--\nb:1:x\n"),
        (json!({"-C": 1, "-A": 0}), "a-2-2\na:3:x\n--\na-6-6\na:7:x\n--\nb:1:x\n"),
        (json!({"-A": 1, "-n": false}), "a:x\na-4\n--\na:x\na-8\n--\nb:x\n"),
    ];
    for (mut arguments, expected) in rows {
        arguments["pattern"] = "x".into();
        arguments["output_mode"] = "content".into();
        assert_eq!(grep(&stage, arguments.clone()).await, expected, "{arguments}");
    }
    let counted = json!({"pattern": "x", "-C": 3, "output_mode": "count"});
    assert_eq!(grep(&stage, counted).await, "a:2\nb:1\n");
}

#[tokio::test]
async fn a_match_may_span_lines_when_asked() {
    let stage = Stage::new();
    stage.file("f", "fn a() {\n  1\n}\nfn b() {}\n");
    let content = json!({"pattern": r"a\(\).*?\}", "multiline": true, "output_mode": "content"});
    assert_eq!(grep(&stage, content).await, "f:1:fn a() {\nf:2:  1\nf:3:}\n");
    let count = json!({"pattern": r"fn \w", "multiline": true, "output_mode": "count"});
    assert_eq!(grep(&stage, count).await, "f:2\n");
    assert_eq!(grep(&stage, json!({"pattern": r"\{.*1"})).await, "no matches");
}

#[tokio::test]
async fn a_head_limit_takes_the_first_and_says_what_there_is() {
    let stage = Stage::new();
    for name in ["a", "b", "c"] {
        stage.file(name, "x\nx\n");
    }
    let content = json!({"pattern": "x", "output_mode": "content", "head_limit": 3});
    assert_eq!(
        grep(&stage, content).await,
        "a:1:x\na:2:x\nb:1:x\n\n[cut after 3 lines, 6 matches in 3 files in all; narrow the search or raise head_limit]"
    );
    let files = json!({"pattern": "x", "head_limit": 1});
    assert_eq!(
        grep(&stage, files).await,
        "a\n\n[cut after 1 line, 3 files in all; narrow the search or raise head_limit]"
    );
    let enough = json!({"pattern": "x", "output_mode": "content", "head_limit": 6});
    assert!(!grep(&stage, enough).await.contains("cut"));
}

#[tokio::test]
async fn an_answer_is_bounded_and_the_first_in_order_whatever_the_threads_do() {
    let stage = Stage::new();
    for n in 0..300 {
        stage.file(&format!("f{n:03}"), "some text to be found\n".repeat(50));
    }
    let arguments = json!({"pattern": "found", "output_mode": "content"});
    let first = grep(&stage, arguments.clone()).await;
    assert!(first.len() < 100_200 && first.starts_with("f000:1:some text"));
    assert!(first.contains("15000 matches in 300 files in all"), "{}", &first[first.len() - 200..]);
    for _ in 0..5 {
        assert!(grep(&stage, arguments.clone()).await == first);
    }
    let more = json!({"pattern": "found", "output_mode": "content", "head_limit": 100_000});
    assert!(grep(&stage, more).await.ends_with("f299:50:some text to be found\n"));
}

#[tokio::test]
async fn control_bytes_are_never_shown_raw_and_long_lines_are_cut() {
    let stage = Stage::new();
    stage.file("esc", b"red \x1b[31mx\x07 \x7f\ttab caf\xe9\r\n");
    stage.file("new\nline", "x");
    stage.file("long", format!("x{}", "ö".repeat(5000)));
    let found = grep(&stage, json!({"pattern": "x", "output_mode": "content"})).await;
    let expected = format!(
        "esc:1:red \\x1b[31mx\\x07 \\x7f\ttab caf\u{FFFD}\nlong:1:x{} […line cut]\nnew\\nline:1:x\n",
        "ö".repeat(1999)
    );
    assert_eq!(found, expected);
}

#[tokio::test]
async fn a_pathological_pattern_takes_linear_time() {
    let stage = Stage::new();
    stage.file("f", "a".repeat(20_000_000) + "\n");
    let started = Instant::now();
    let pattern = r"(a+)+(a|a)*(a|aa)*$b";
    assert_eq!(grep(&stage, json!({"pattern": pattern})).await, "no matches");
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_sparse_file_is_answered_at_once() {
    let stage = Stage::new();
    File::create(stage.path("zeros")).unwrap().set_len(10 << 30).unwrap();
    let started = Instant::now();
    for arguments in [json!({"pattern": "x"}), json!({"pattern": "x", "path": "zeros"})] {
        assert_eq!(grep(&stage, arguments).await, "no matches");
    }
    let multiline = json!({"pattern": "x\\n", "multiline": true});
    assert!(grep(&stage, multiline).await.starts_with("no matches"));
    assert!(started.elapsed().as_secs() < 2, "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_cancelled_search_ends() {
    let stage = Stage::new();
    File::create(put(&stage.path("f"), "x\n")).unwrap();
    let cancel = CancellationToken::new();
    cancel.cancel();
    let raw = RawJson::parse(r#"{"pattern": "x"}"#).unwrap();
    assert_eq!(stage.call_with("Grep", raw, cancel).await, Err(ToolFailure::Cancelled));
}
