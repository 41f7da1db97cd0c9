//! What is kept of an answer.

use awf_core::Redactor;

use super::head;

#[test]
fn the_head_is_short_and_without_secrets_also_across_its_end() {
    let redactor = Redactor::new(["hunter2-hunter2"]);
    let rows = [
        ("  done.\n".to_owned(), "done.".to_owned()),
        (String::new(), String::new()),
        ("it is hunter2-hunter2!".to_owned(), "it is [redacted]!".to_owned()),
        ("ä".repeat(300), "ä".repeat(200) + "…"),
        (format!("{}hunter2-hunter2", "x".repeat(195)), format!("{}[reda…", "x".repeat(195))),
    ];
    for (said, kept) in rows {
        assert_eq!(head(&redactor, &said), kept);
    }
    assert!(head(&redactor, &"word ".repeat(1 << 20)).len() < 300);
}
