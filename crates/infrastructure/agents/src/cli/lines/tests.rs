//! Lines of streams in pieces of any length.

use super::Lines;

fn read(longest: usize, pieces: &[&[u8]]) -> Vec<String> {
    let (mut lines, mut heard) = (Lines::up_to(longest), Vec::new());
    let mut hear = |line: &[u8]| heard.push(String::from_utf8_lossy(line).into_owned());
    for piece in pieces {
        lines.push(piece, &mut hear);
    }
    lines.finish(&mut hear);
    heard
}

#[test]
fn pieces_of_any_length_give_the_same_lines() {
    let text = b"one\n\ntwo\nthree";
    for size in 1..=text.len() {
        let pieces: Vec<&[u8]> = text.chunks(size).collect();
        assert_eq!(read(10, &pieces), ["one", "", "two", "three"], "{size}");
    }
}

#[test]
fn a_line_that_is_too_long_is_skipped_and_the_next_is_read() {
    let text = b"12345\n123456\n1234567890123\nabc\n123456";
    for size in 1..=text.len() {
        let pieces: Vec<&[u8]> = text.chunks(size).collect();
        assert_eq!(read(5, &pieces), ["12345", "abc"], "{size}");
    }
}
