//! Finished and unfinished lines, found from either end.

use std::io::Write as _;

use super::{LastLine, Lines, WINDOW, last_line};

fn file_with(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    file
}

#[test]
fn the_last_finished_line_is_found_whatever_its_length() {
    let long = "x".repeat(usize::try_from(WINDOW).unwrap() * 9);
    let rows: [(String, &str, u64); 7] = [
        (String::new(), "", 0),
        ("torn".to_owned(), "", 4),
        ("one\n".to_owned(), "one", 0),
        ("one\ntwo\n".to_owned(), "two", 0),
        ("one\ntwo\nto".to_owned(), "two", 2),
        (format!("one\n{long}\n"), &long, 0),
        (format!("one\n{long}"), "one", long.len() as u64),
    ];
    for (text, line, unfinished) in rows {
        let end = text.len() as u64 - unfinished;
        let expected = LastLine { line: line.as_bytes().to_vec(), end, unfinished };
        assert_eq!(last_line(file_with(text.as_bytes()).as_file()).unwrap(), expected);
    }
}

#[test]
fn walking_stops_before_an_unfinished_line() {
    let file = file_with(b"one\ntwo\nto");
    let mut lines = Lines::open(file.path(), 4).unwrap();
    assert_eq!(lines.next_line().unwrap(), Some((4, &b"two"[..])));
    assert_eq!(lines.next_line().unwrap(), None);
    assert_eq!((lines.offset(), lines.unfinished()), (8, 2));
}

#[test]
fn walking_ends_where_the_file_ended_when_it_was_opened() {
    let mut file = file_with(b"one\n");
    let mut lines = Lines::open(file.path(), 0).unwrap();
    file.write_all(b"two\n").unwrap();
    assert_eq!(lines.next_line().unwrap(), Some((0, &b"one"[..])));
    assert_eq!(lines.next_line().unwrap(), None);
}
