//! The same bytes give the same lines, however they are cut.

use std::{collections::VecDeque, future::poll_fn};

use proptest::prelude::*;
use tokio::io::ReadBuf;

use super::*;

/// A reader that gives one chunk per read.
struct Chunks(VecDeque<Vec<u8>>);

impl AsyncRead for Chunks {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(chunk) = self.0.pop_front() {
            buffer.put_slice(&chunk);
        }
        Poll::Ready(Ok(()))
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Seen {
    Whole(Vec<u8>),
    TooLong(Vec<u8>),
}

fn lines_of(chunks: impl IntoIterator<Item = Vec<u8>>, limit: usize) -> Vec<Seen> {
    let mut reader = Chunks(chunks.into_iter().filter(|chunk| !chunk.is_empty()).collect());
    let mut lines = LineBuffer::new(limit);
    let mut seen = Vec::new();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        loop {
            let count = poll_fn(|cx| lines.poll_fill(cx, &mut reader)).await.unwrap();
            while let Some(line) = lines.next_line() {
                seen.push(match line {
                    Line::Whole(line) => Seen::Whole(line.to_vec()),
                    Line::TooLong(head) => Seen::TooLong(head),
                });
            }
            if count == 0 {
                return;
            }
        }
    });
    seen
}

fn whole(line: &str) -> Seen {
    Seen::Whole(line.into())
}

fn too_long(head: &str) -> Seen {
    Seen::TooLong(head.into())
}

#[test]
fn cuts_at_newlines_and_trims() {
    let rows: [(&str, Vec<Seen>); 8] = [
        ("", vec![]),
        ("\n\r\n \t\n", vec![]),
        ("a\nb\r\n", vec![whole("a"), whole("b")]),
        ("a\nb", vec![whole("a"), whole("b")]),
        ("\u{feff} a\n\u{feff}\nb\n", vec![whole("a"), whole("b")]),
        ("12345678\n123456789\nb\n", vec![whole("12345678"), too_long("123456789"), whole("b")]),
        ("123456789", vec![too_long("123456789")]),
        ("        1\n", vec![too_long("        1")]),
    ];
    for (text, expected) in rows {
        assert_eq!(lines_of([text.into()], 8), expected, "{text:?}");
    }
}

#[test]
fn an_endless_line_is_reported_once_and_costs_no_more_than_the_limit() {
    let mut reader = Chunks((0..1000).map(|_| vec![b'A'; CHUNK]).collect());
    let mut lines = LineBuffer::new(1 << 20);
    let mut reports = 0;
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        while poll_fn(|cx| lines.poll_fill(cx, &mut reader)).await.unwrap() > 0 {
            reports += usize::from(lines.next_line().is_some());
            assert!(lines.bytes.capacity() <= (1 << 21) + CHUNK);
        }
    });
    assert_eq!(reports, 1);
    assert!(lines.next_line().is_none(), "the skipped end is no line");
}

#[test]
fn a_long_line_does_not_leave_its_buffer_behind() {
    let chunks = (0..100).map(|_| vec![b'A'; CHUNK]).chain([b"\nb".to_vec(), b"c".to_vec()]);
    let mut reader = Chunks(chunks.collect());
    let mut lines = LineBuffer::new(MAX_LINE);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        while poll_fn(|cx| lines.poll_fill(cx, &mut reader)).await.unwrap() > 0 {
            while lines.next_line().is_some() {}
        }
    });
    assert!(lines.bytes.capacity() <= KEEP, "{}", lines.bytes.capacity());
}

proptest! {
    #[test]
    fn chunking_changes_nothing(
        bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b' '), any::<u8>()], 0..200),
        cuts in proptest::collection::vec(1_usize..20, 1..40),
        limit in 1_usize..40,
    ) {
        let mut chunks = Vec::new();
        let mut rest = bytes.as_slice();
        for cut in cuts.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (chunk, tail) = rest.split_at((*cut).min(rest.len()));
            chunks.push(chunk.to_vec());
            rest = tail;
        }
        let lengths = |seen: Vec<Seen>| -> Vec<Seen> {
            // How much of a long line is kept depends on where it was cut; what it begins with does not.
            seen.into_iter().map(|seen| match seen {
                Seen::TooLong(head) => Seen::TooLong(head[..limit].to_vec()),
                Seen::Whole(line) => Seen::Whole(line),
            }).collect()
        };
        prop_assert_eq!(lengths(lines_of(chunks, limit)), lengths(lines_of([bytes], limit)));
    }
}
