//! Streams as servers write them, cut anywhere.

use super::{Events, TooLong};

fn read(text: &str, piece: usize) -> Vec<String> {
    let mut events = Events::default();
    let pieces = text.as_bytes().chunks(piece);
    let taken = pieces.flat_map(|piece| events.take(piece).unwrap());
    taken.map(|data| String::from_utf8(data).unwrap()).collect()
}

#[test]
fn data_is_the_same_wherever_the_stream_is_cut() {
    let rows: [(&str, &[&str]); 9] = [
        ("data: a\n\n", &["a"]),
        ("data:a\r\n\r\n", &["a"]),
        ("data: a\r\rdata: b\r\r", &["a", "b"]),
        ("event: message\nid: 1\ndata: {\"a\":1}\nretry: 5\n\n", &["{\"a\":1}"]),
        (": alive\n\ndata: a\n\n", &["a"]),
        ("data: a\ndata: b\n\n", &["a\nb"]),
        ("\u{feff}data: a\n\n", &["a"]),
        ("database: x\ndata\n\n", &[]),
        ("data: a\n\ndata: cut off", &["a"]),
    ];
    for (text, expected) in rows {
        for piece in [1, 2, 3, 7, 1000] {
            assert_eq!(read(text, piece), expected, "{text:?} in pieces of {piece}");
        }
    }
}

#[test]
fn an_event_that_does_not_end_is_refused() {
    let piece = vec![b'a'; 1 << 20];
    let mut events = Events::default();
    events.take(b"data: ").unwrap();
    let refused = (0..17).find_map(|_| events.take(&piece).err());
    assert_eq!(refused, Some(TooLong));
    let mut lines = Events::default();
    let line = [b"data: ".as_slice(), &piece, b"\n"].concat();
    assert_eq!((0..17).find_map(|_| lines.take(&line).err()), Some(TooLong));
}
