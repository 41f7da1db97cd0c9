//! Lines come whole, however the bytes are cut.

use std::io::{self, Read};

use super::{FIRST_CAPACITY, Lines};

/// Gives at most `step` bytes a read, as a pipe may.
struct Dribble<'a> {
    text: &'a [u8],
    step: u64,
}

impl Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut now = self.text.take(self.step);
        let read = now.read(buffer)?;
        self.text = now.into_inner();
        Ok(read)
    }
}

fn all(text: &[u8], step: u64) -> Vec<Vec<u8>> {
    let mut lines = Lines::new(Dribble { text, step });
    let mut found = Vec::new();
    while let Some(line) = lines.next_line().unwrap() {
        found.push(line.to_vec());
    }
    found
}

#[test]
fn lines_are_whole_at_any_cut() {
    for step in 1..8 {
        assert_eq!(
            all(b"one\n\nthree\nopen", step),
            [b"one".to_vec(), b"".to_vec(), b"three".to_vec()]
        );
    }
}

#[test]
fn a_line_may_outgrow_the_buffer() {
    let mut text = vec![b'x'; FIRST_CAPACITY * 3];
    text.extend(b"\nshort\n");
    let found = all(&text, 100_000);
    assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [FIRST_CAPACITY * 3, 5]);
}

#[test]
fn a_buffered_line_is_known() {
    let mut lines = Lines::new(&b"one\ntwo\nopen"[..]);
    assert!(!lines.has_line());
    assert_eq!(lines.next_line().unwrap(), Some(&b"one"[..]));
    assert!(lines.has_line());
    lines.next_line().unwrap();
    assert!(!lines.has_line());
}
