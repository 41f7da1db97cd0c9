//! Replies, taken apart.

use super::*;

#[test]
fn a_body_with_a_length_is_read() {
    let text = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nMcp-Session-Id: s\r\n\r\n{}more";
    let reply = read(text.as_bytes()).unwrap();
    assert_eq!((reply.status, reply.body.as_str()), (200, "{}"));
    assert_eq!(reply.session.as_deref(), Some("s"));
    assert_eq!(reply.messages(), ["{}"]);
}

#[test]
fn chunks_are_put_together_and_events_taken_apart() {
    let text = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n\
        9\r\ndata: \n\nd\r\n8\r\nata: {}\n\r\n2\r\n\n\n\r\n0\r\n\r\n";
    assert_eq!(read(text.as_bytes()).unwrap().messages(), ["{}"]);
}

#[test]
fn a_reply_that_ends_early_is_no_reply() {
    assert!(read("HTTP/1.1 200 OK\r\n".as_bytes()).is_err());
    assert!(read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".as_bytes()).is_err());
}
