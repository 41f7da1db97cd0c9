//! Edit: exact text, every other byte kept.

use std::sync::Arc;

use serde_json::json;

use crate::stage::{Stage, pieces};

#[tokio::test]
async fn one_match_is_replaced_and_every_other_byte_kept() {
    let rows: [(&[u8], &str, &str, &[u8]); 9] = [
        (b"one two three", "two", "2", b"one 2 three"),
        (b"a\r\nb\r\nc", "b\r\nc", "B\r\nC", b"a\r\nB\r\nC"),
        (b"a\r\nb\r\n", "b", "x", b"a\r\nx\r\n"),
        (b"no final newline", "final", "last", b"no last newline"),
        (b"\xef\xbb\xbfbom\n", "bom", "BOM", b"\xef\xbb\xbfBOM\n"),
        (b"\xff\xfe caf\xe9 x", "x", "y", b"\xff\xfe caf\xe9 y"),
        (b"nul\0byte", "byte", "BYTE", b"nul\0BYTE"),
        (b"drop me", " me", "", b"drop"),
        ("grüße".as_bytes(), "ü", "ue", "grueße".as_bytes()),
    ];
    let stage = Stage::new();
    for (before, old, new, after) in rows {
        stage.file("f", before);
        let edit = json!({"file_path": "f", "old_string": old, "new_string": new});
        let answer = stage.good("Edit", edit).await;
        assert!(answer.starts_with("edited `f`: 1 replacement (lines "), "{answer}");
        assert_eq!(stage.content("f"), after, "{old:?}");
    }
}

#[tokio::test]
async fn no_match_or_several_change_nothing_and_say_how_many() {
    let rows = [
        ("abc", "x", "(0 matches); it must match exactly"),
        ("abc", "abcd", "(0 matches)"),
        ("a\nb\na\n", "a", "was found 2 times in `f` (lines 1, 3)"),
        ("aaa", "aa", "was found 2 times"),
        ("abababa", "aba", "was found 2 times"),
        ("a\r\nb\r\n", "a\nb", "it would match with CRLF line endings"),
        ("a\nb\n", "a\r\nb", "it would match with LF line endings"),
        ("  a", "\ta", "it would match without the white space around it"),
    ];
    let stage = Stage::new();
    for (content, old, expected) in rows {
        stage.file("f", content);
        let edit = json!({"file_path": "f", "old_string": old, "new_string": "y"});
        let answer = stage.bad("Edit", edit).await;
        assert!(answer.contains(expected), "{content:?} {old:?}: {answer}");
        assert_eq!(stage.content("f"), content.as_bytes());
    }
    let answer =
        stage.bad("Edit", json!({"file_path": "gone", "old_string": "a", "new_string": "b"})).await;
    assert_eq!(answer, "`gone` does not exist");
    assert!(!stage.path("gone").exists());
}

#[tokio::test]
async fn replace_all_replaces_each() {
    let stage = Stage::new();
    stage.file("f", "a b a\nb a\n");
    let edit =
        json!({"file_path": "f", "old_string": "a", "new_string": "aa", "replace_all": true});
    assert_eq!(stage.good("Edit", edit).await, "edited `f`: 3 replacements (lines 1, 1, 2)");
    assert_eq!(stage.content("f"), b"aa b aa\nb aa\n");
    let none = json!({"file_path": "f", "old_string": "z", "new_string": "y", "replace_all": true});
    assert!(stage.bad("Edit", none).await.contains("(0 matches)"));
}

#[tokio::test(flavor = "multi_thread")]
async fn edits_of_one_file_at_once_all_count() {
    let stage = Arc::new(Stage::new());
    let lines = pieces(0..40, |n| format!("<{n}>\n"));
    stage.file("f", lines);
    let edits: Vec<_> = (0..40)
        .map(|n| {
            let stage = stage.clone();
            tokio::spawn(async move {
                let edit = json!({
                    "file_path": "f", "old_string": format!("<{n}>"), "new_string": format!("[{n}]"),
                });
                stage.good("Edit", edit).await;
            })
        })
        .collect();
    for edit in edits {
        edit.await.unwrap();
    }
    let expected = pieces(0..40, |n| format!("[{n}]\n"));
    assert_eq!(stage.content("f"), expected.as_bytes());
}
