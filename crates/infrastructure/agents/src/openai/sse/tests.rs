//! Streams in every portion.

use super::{Events, LONGEST_EVENT, Sign, TooLong};

/// What `stream` gives in portions of `size`, and what is left at its end.
fn read(stream: &[u8], size: usize) -> (Vec<Sign>, Option<String>) {
    let mut events = Events::default();
    let mut signs = Vec::new();
    for portion in stream.chunks(size) {
        signs.extend(events.feed(portion).unwrap());
    }
    (signs, events.finish())
}

#[test]
fn every_portion_gives_the_same_events() {
    let data = |text: &str| Sign::Data(text.into());
    let rows: [(&str, Vec<Sign>, Option<&str>); 9] = [
        ("data: a\n\ndata: b\n\n", vec![data("a"), data("b")], None),
        ("data: a\r\n\r\ndata: b\r\n\r\n", vec![data("a"), data("b")], None),
        ("data: a\r\rdata:b\r\r", vec![data("a"), data("b")], None),
        ("data: {\ndata: \"é\"}\n\n", vec![data("{\n\"é\"}")], None),
        (
            ": ping\n\n\n:\nevent: x\nid: 1\nretry: 5\nnonsense\n\n",
            vec![Sign::Comment, Sign::Comment],
            None,
        ),
        ("\u{feff}data: a\n\n\u{feff}data: b\n\n", vec![data("a")], None),
        ("data:  two\ndata\n\n", vec![data(" two\n")], None),
        ("data: a\n\ndata: [DONE]", vec![data("a")], Some("[DONE]")),
        ("data: a\n\ndata: [DONE]\n", vec![data("a")], Some("[DONE]")),
    ];
    for (stream, signs, left) in rows {
        for size in 1..=stream.len() {
            let read = read(stream.as_bytes(), size);
            assert_eq!(read, (signs.clone(), left.map(str::to_owned)), "{stream:?} by {size}");
        }
    }
}

#[test]
fn what_is_no_text_is_marked() {
    assert_eq!(read(b"data: \xff\n\n", 3).0, [Sign::Data("\u{fffd}".into())]);
}

#[test]
fn an_endless_line_and_an_endless_event_are_refused_within_bounds() {
    let mut events = Events::default();
    let portion = vec![b'x'; 64 * 1024];
    let fed = (0..LONGEST_EVENT).find(|_| events.feed(&portion) == Err(TooLong)).unwrap();
    assert_eq!(fed, LONGEST_EVENT / portion.len());
    assert!(events.line.capacity() <= 2 * LONGEST_EVENT);

    let mut events = Events::default();
    let line = [b"data: ", &[b'x'; 1000][..], b"\n"].concat();
    let fed = (0..LONGEST_EVENT).find(|_| events.feed(&line) == Err(TooLong)).unwrap();
    assert!(fed <= LONGEST_EVENT / 1000, "{fed}");
}
