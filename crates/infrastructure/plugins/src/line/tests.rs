//! How streams become lines.

use tokio::io::AsyncWriteExt as _;

use super::*;

#[test]
fn lines_are_cut_where_they_end_and_where_they_are_too_long() {
    let mut lines = Lines::new("db", Redactor::default());
    assert_eq!(lines.cut(b"one\ntw"), ["one"]);
    assert_eq!(lines.cut(b"o\r\n\n\nthree"), ["two"]);
    let long = lines.cut(&[b'x'; 3 * LOG_LINE]);
    assert!(long.len() >= 2 && long.iter().all(|line| line.len() < 2 * LOG_LINE), "{long:?}");
    assert!(lines.open.len() < LOG_LINE);
}

async fn first_of(pieces: &[&[u8]]) -> First {
    let (read, write) = std::io::pipe().unwrap();
    let read = Receiver::from_owned_fd(read.into()).unwrap();
    let mut write = tokio::net::unix::pipe::Sender::from_owned_fd(write.into()).unwrap();
    let (sender, first) = oneshot::channel();
    let reader = tokio::spawn(output(read, Ear::new("db", &Said::default()), sender));
    for piece in pieces {
        write.write_all(piece).await.unwrap();
    }
    drop(write);
    reader.await.unwrap();
    first.await.unwrap()
}

#[tokio::test]
async fn the_first_line_is_handed_over_once_it_is_whole() {
    assert_eq!(first_of(&[b"1|1|", b"unix\nmore"]).await, First::Line("1|1|unix".into()));
    assert_eq!(first_of(&[b"\nmore"]).await, First::Line(String::new()));
    assert_eq!(first_of(&[b"half"]).await, First::Ended("half".into()));
    assert_eq!(first_of(&[]).await, First::Ended(String::new()));
    let endless = vec![b'x'; 3 * FIRST_LINE];
    assert_eq!(first_of(&[&endless]).await, First::Line("x".repeat(FIRST_LINE)));
}
