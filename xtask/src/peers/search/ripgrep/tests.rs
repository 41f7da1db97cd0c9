//! Samples of what ripgrep prints, and what awf says to the same.

use std::path::Path;

use serde_json::json;

use super::{content, counts, flags, paths};

fn said_of(rg: &[u8]) -> String {
    content(rg, Path::new("")).unwrap()
}

#[test]
fn files_come_in_the_order_of_their_paths() {
    let said = b"./b.rs\x002:two\n./a/z.rs\x001:one\n./a.rs\x003:three\n";
    assert_eq!(said_of(said), "a/z.rs:1:one\na.rs:3:three\nb.rs:2:two\n");
}

#[test]
fn a_gap_within_a_file_and_one_between_files() {
    let said = b"a\x001-x\na\x002:hit\n--\na\x009:hit\n--\nb\x001:hit\n";
    assert_eq!(said_of(said), "a-1-x\na:2:hit\n--\na:9:hit\n--\nb:1:hit\n");
}

#[test]
fn text_is_shown_as_awf_shows_it() {
    let said = b"n\xffm\x001:tab\tbell\x07 caf\xe9\r\n";
    assert_eq!(said_of(said), "n\\xffm:1:tab\tbell\\x07 caf\u{fffd}\n");
    let long = format!("a\0{}:{}\n", 1, "x".repeat(2001));
    assert_eq!(said_of(long.as_bytes()), format!("a:1:{} […line cut]\n", "x".repeat(2000)));
}

#[test]
fn a_search_that_stopped_at_binary_data() {
    let said = b"a 5.rs\x001:hit\na 5.rs: WARNING: stopped searching binary file after match (found \"\\0\" byte around offset 77)\n";
    let words = "a 5.rs:1:hit\na 5.rs: [search stopped at binary data, NUL byte near offset 77]\n";
    assert_eq!(said_of(said), words);
}

#[test]
fn counts_and_names() {
    assert_eq!(counts(b"./b\x002\n./a\x0010\n", Path::new("in")).unwrap(), "in/a:10\nin/b:2\n");
    assert_eq!(
        paths(b"./a\nb\0c\0", Path::new("in")).collect::<Vec<_>>(),
        ["in/a\nb", "in/c"].map(Path::new)
    );
}

#[test]
fn arguments_become_flags() {
    let arguments = json!({"pattern": "-x", "-i": true, "type": "rust", "output_mode": "count", "path": "docs"});
    let mut found = flags(&arguments).unwrap();
    found.sort_unstable();
    assert_eq!(found, ["--count", "--ignore-case", "--regexp=-x", "--type=rust"]);
    assert!(flags(&json!({"pattern": "x", "head_limit": 3})).is_err());
}
