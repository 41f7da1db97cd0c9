//! What counts as newer, and what as damaged.

use std::fs;

use awf_core::ActivityError;

use super::refuse_newer;
use crate::chain::{Hash, Link, write_line};

fn lines(count: usize) -> Vec<String> {
    let (mut link, mut lines) = (Link::START, Vec::new());
    for _ in 0..count {
        let mut line = Vec::new();
        link = write_line(&mut line, link, "event", &"x").unwrap();
        lines.push(String::from_utf8(line).unwrap());
    }
    lines
}

/// The line in format 2, with its hash.
fn raised(line: &str) -> String {
    let body = line.split(",\"hash\"").next().unwrap().replace("\"v\":1", "\"v\":2");
    format!("{body},\"hash\":\"{}\"}}\n", Hash::of(body.as_bytes()).as_str())
}

fn found(text: &str) -> Option<u32> {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), text).unwrap();
    match refuse_newer(file.path()) {
        Ok(()) => None,
        Err(ActivityError::Newer { place, found, known: 1 }) => {
            assert_eq!(place, file.path().to_str().unwrap());
            Some(found)
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_file_of_our_own_or_none_is_not_newer() {
    for text in ["", "torn", "garbage\n", "{\"v\":0}\n", &lines(1).concat(), &lines(9).concat()] {
        assert_eq!(found(text), None, "{text}");
    }
    refuse_newer(std::path::Path::new("/nowhere/at/all")).unwrap();
}

#[test]
fn a_file_that_goes_on_in_a_newer_format_is_newer() {
    let old = lines(3);
    let raised: Vec<_> = old.iter().map(|line| raised(line)).collect();
    assert_eq!(found(&raised.concat()), Some(2));
    assert_eq!(found(&raised[0]), Some(2));
    assert_eq!(found(&format!("{}{}", old.concat(), raised[2])), Some(2));
    // With another place for the hash, or none.
    assert_eq!(found("{\"v\":7,\"seal\":\"x\"}\n"), Some(7));
    // Every line says so, whatever its hash.
    assert_eq!(found(&old.concat().replace("\"v\":1", "\"v\":3")), Some(3));
}

#[test]
fn one_flipped_digit_is_a_damage() {
    for at in 0..3 {
        let mut lines = lines(3);
        lines[at] = lines[at].replace("\"v\":1", "\"v\":9");
        assert_eq!(found(&lines.concat()), None, "line {at}");
    }
}
