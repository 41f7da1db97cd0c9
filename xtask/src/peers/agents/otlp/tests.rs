//! Spans out of bytes.

use super::{Span, spans};

/// A field with a length, nested by hand.
fn part(number: u8, content: &[u8]) -> Vec<u8> {
    let length = u8::try_from(content.len()).unwrap();
    assert!(length < 128, "one byte of length");
    [&[number << 3 | 2, length], content].concat()
}

fn request() -> Vec<u8> {
    let value = part(1, b"first");
    let pair = [part(1, b"awf.step.name"), part(2, &value)].concat();
    let start = [7 << 3 | 1, 1, 2, 3, 4, 5, 6, 7, 8];
    let kind = [6 << 3, 0x96, 1];
    let span = [
        part(1, &[9; 16]),
        part(2, &[1; 8]),
        part(4, &[2; 8]),
        part(5, b"tool.call.Read"),
        kind.to_vec(),
        start.to_vec(),
        part(9, &pair),
    ]
    .concat();
    part(1, &[part(1, b""), part(2, &part(2, &span))].concat())
}

#[test]
fn a_span_is_found_among_what_is_skipped() {
    let wanted = Span {
        name: "tool.call.Read".to_owned(),
        id: vec![1; 8],
        parent: vec![2; 8],
        attributes: [("awf.step.name".to_owned(), "first".to_owned())].into(),
    };
    assert_eq!(spans(&request()), Some(vec![wanted]));
}

#[test]
fn a_cut_request_is_refused() {
    let request = request();
    for length in 1..request.len() {
        assert_eq!(spans(&request[..length]), None, "{length}");
    }
}
