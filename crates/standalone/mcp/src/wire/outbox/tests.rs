//! Writes are coalesced, and a slow peer loses nothing.

use std::future::poll_fn;

use tokio::io::AsyncReadExt;

use super::*;

#[tokio::test]
async fn everything_arrives_in_order_through_a_narrow_pipe() {
    let (mut ours, mut theirs) = tokio::io::duplex(3);
    let mut outbox = Outbox::default();
    outbox.bytes().extend_from_slice(b"hello ");
    outbox.bytes().extend_from_slice(b"world");
    let reading = tokio::spawn(async move {
        let mut text = String::new();
        theirs.read_to_string(&mut text).await.unwrap();
        text
    });
    poll_fn(|cx| {
        while outbox.poll_write(cx, &mut ours).unwrap() == Flow::Moved {}
        if outbox.is_empty() { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    drop(ours);
    assert_eq!(reading.await.unwrap(), "hello world");
}

#[tokio::test]
async fn a_stuck_peer_is_idle_and_a_gone_one_is_an_error() {
    let (mut ours, theirs) = tokio::io::duplex(4);
    let mut outbox = Outbox::default();
    outbox.bytes().extend_from_slice(b"123456");
    poll_fn(|cx| {
        assert_eq!(outbox.poll_write(cx, &mut ours).unwrap(), Flow::Moved);
        assert_eq!(outbox.poll_write(cx, &mut ours).unwrap(), Flow::Idle);
        Poll::Ready(())
    })
    .await;
    assert_eq!(outbox.waiting(), 2);
    drop(theirs);
    let outcome = poll_fn(|cx| Poll::Ready(outbox.poll_write(cx, &mut ours))).await;
    assert_eq!(outcome.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
}

#[tokio::test]
async fn a_peer_that_always_leaves_something_costs_no_more_than_that() {
    let (mut ours, mut theirs) = tokio::io::duplex(1000);
    let mut outbox = Outbox::default();
    outbox.bytes().extend_from_slice(&[b'x'; 3000]);
    for _ in 0..1000 {
        // A fresh turn, or tokio would hold the stream back for having been busy too long.
        tokio::task::yield_now().await;
        poll_fn(|cx| Poll::Ready(outbox.poll_write(cx, &mut ours))).await.unwrap();
        theirs.read_exact(&mut [0; 1000]).await.unwrap();
        outbox.bytes().extend_from_slice(&[b'x'; 1000]);
        assert!(outbox.waiting() >= 1000, "never empty");
    }
    assert!(outbox.bytes.capacity() <= 16_000, "{}", outbox.bytes.capacity());
}
