//! Peers that ask faster than they listen, and peers that talk nonsense.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use awf_mcp::{Limits, Server, ToolReply, handler_fn};
use proptest::prelude::*;
use serde_json::{json, value::to_raw_value};
use tokio::io::AsyncWriteExt;
use tokio_util::sync::CancellationToken;

use crate::peer::Peer;

fn big_server(calls: Arc<AtomicUsize>) -> Server {
    let mut server = Server::new("test", "1");
    let schema = to_raw_value(&json!({"type": "object"})).unwrap();
    let handler = handler_fn(move |_context, _arguments| {
        calls.fetch_add(1, Ordering::SeqCst);
        async { Ok(ToolReply::text(&"x".repeat(1000))) }
    });
    server.register_tool("big", "Says much", &schema, handler).unwrap();
    server
}

#[tokio::test]
async fn ten_thousand_pipelined_requests_are_each_answered_once() {
    let mut peer = Peer::legacy(big_server(Arc::default())).await;
    let mut input = peer.input.take().unwrap();
    let writing = tokio::spawn(async move {
        for id in 0..10_000 {
            let method =
                if id % 2 == 0 { r#""ping""# } else { r#""tools/call","params":{"name":"big"}"# };
            input
                .write_all(
                    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":{method}}}\n").as_bytes(),
                )
                .await
                .unwrap();
        }
        input
    });
    let mut ids = BTreeSet::new();
    for _ in 0..10_000 {
        assert!(ids.insert(peer.answer().await["id"].as_u64().unwrap()));
    }
    assert_eq!((ids.len(), ids.first(), ids.last()), (10_000, Some(&0), Some(&9_999)));
    peer.input = Some(writing.await.unwrap());
    peer.ping().await;
}

#[tokio::test]
async fn a_peer_that_does_not_read_stalls_itself_and_loses_nothing() {
    let calls = Arc::new(AtomicUsize::new(0));
    let mut server = big_server(calls.clone());
    server.set_limits(Limits { in_flight: 4, queued: 8, outgoing: 10_000, ..Limits::default() });
    let mut peer = Peer::with_pipe(server, 4096);
    peer.greet().await;
    let mut input = peer.input.take().unwrap();
    let writing = tokio::spawn(async move {
        for id in 0..2_000 {
            let line = format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"big\"}}}}\n"
            );
            input.write_all(line.as_bytes()).await.unwrap();
        }
        input
    });
    let before = at_rest(&calls).await;
    // What the pipe holds, the outbox, and one round of calls; far from two thousand.
    assert!((1..40).contains(&before), "{before} calls ran for a peer that reads nothing");
    assert!(!writing.is_finished());
    for id in 0..2_000 {
        assert_eq!(peer.answer().await["id"], id);
    }
    peer.input = Some(writing.await.unwrap());
    peer.ping().await;
}

/// What a counter says once nothing moves any more: on this runtime only yielding lets the other tasks run.
async fn at_rest(counter: &AtomicUsize) -> usize {
    let mut before = usize::MAX;
    while counter.load(Ordering::SeqCst) != before {
        before = counter.load(Ordering::SeqCst);
        for _ in 0..1_000 {
            tokio::task::yield_now().await;
        }
    }
    before
}

#[tokio::test]
async fn large_calls_stall_the_reader_whether_they_wait_or_run_and_none_is_lost() {
    const CALLS: usize = 100;
    let filler = "x".repeat(10_000);
    let meta = format!(r#""name":"slow","_meta":{{"filler":"{filler}"}}"#);
    let arguments = format!(r#""name":"slow","arguments":{{"filler":"{filler}"}}"#);
    for (params, in_flight) in [(&meta, 2), (&meta, CALLS), (&arguments, CALLS)] {
        let released = CancellationToken::new();
        let mut server = slow_server(released.clone());
        server.set_limits(Limits { in_flight, queued: CALLS, held: 500_000, ..Limits::default() });
        let mut peer = Peer::with_pipe(server, 4096);
        peer.greet().await;
        let mut input = peer.input.take().unwrap();
        let sent = Arc::new(AtomicUsize::new(0));
        let (counter, params) = (sent.clone(), params.clone());
        let writing = tokio::spawn(async move {
            for id in 0..CALLS {
                let line = format!(
                    "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{{params}}}}}\n"
                );
                input.write_all(line.as_bytes()).await.unwrap();
                counter.fetch_add(1, Ordering::SeqCst);
            }
            input
        });
        let taken = at_rest(&sent).await;
        // Fifty are held; the reader may have one more at hand.
        assert!((50..=52).contains(&taken), "{taken} calls of 10 kB were taken in");
        released.cancel();
        let mut ids = BTreeSet::new();
        for _ in 0..CALLS {
            assert!(ids.insert(peer.answer().await["id"].as_u64().unwrap()));
        }
        peer.input = Some(writing.await.unwrap());
        peer.ping().await;
    }
}

/// One tool whose calls all end at a sign.
fn slow_server(released: CancellationToken) -> Server {
    let mut server = Server::new("test", "1");
    let schema = to_raw_value(&json!({"type": "object"})).unwrap();
    let handler = handler_fn(move |_context, _arguments| {
        let released = released.clone();
        async move {
            released.cancelled().await;
            Ok(ToolReply::text("done"))
        }
    });
    server.register_tool("slow", "Takes its time", &schema, handler).unwrap();
    server
}

const SEEDS: [&str; 6] = [
    r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}"#,
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"big","arguments":{"a":"b"},"_meta":{"progressToken":1}}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}"#,
    r#"{"jsonrpc":"2.0","id":1,"result":{"x":[1,2,{"a":null}]}}"#,
];

const TOKENS: [&[u8]; 14] = [
    b"null",
    b"1e999",
    b"[]",
    b"{}",
    b"\"\\ud800\"",
    b"[[[[",
    b"}}}",
    b"\xff\xfe",
    b"\"id\"",
    b"\"params\"",
    b"\0",
    b"\\",
    b"\"",
    b"\xc2",
];

/// One change to a line: replace, insert or delete at a place given as a fraction of its length.
fn mutation() -> impl Strategy<Value = (u8, f64, Vec<u8>)> {
    let bytes = prop_oneof![
        proptest::sample::select(TOKENS.to_vec()).prop_map(<[u8]>::to_vec),
        proptest::collection::vec(any::<u8>(), 1..4),
    ];
    (0_u8..3, 0.0..1.0_f64, bytes)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a place in a short line"
)]
fn mutate(line: &mut Vec<u8>, (kind, place, bytes): &(u8, f64, Vec<u8>)) {
    let at = (place * line.len() as f64) as usize;
    let end = line.len().min(at + bytes.len());
    match kind {
        0 => drop(line.splice(at..end, bytes.iter().copied())),
        1 => drop(line.splice(at..at, bytes.iter().copied())),
        _ => drop(line.drain(at..end)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn nonsense_never_ends_the_session(
        lines in proptest::collection::vec((0..SEEDS.len(), proptest::collection::vec(mutation(), 0..6)), 1..20),
        noise in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut peer = Peer::legacy(big_server(Arc::default())).await;
            for (seed, mutations) in &lines {
                let mut line = SEEDS[*seed].as_bytes().to_vec();
                for mutation in mutations {
                    mutate(&mut line, mutation);
                }
                peer.send_bytes(&line).await;
                peer.send_bytes(b"\n").await;
            }
            peer.send_bytes(&noise).await;
            peer.send("").await;
            peer.send(r#"{"jsonrpc":"2.0","id":"the end","method":"ping"}"#).await;
            // Every line that comes back is JSON-RPC, and the last question is answered.
            loop {
                let answer = peer.answer().await;
                assert_eq!(answer["jsonrpc"], "2.0");
                if answer["id"] == "the end" {
                    break;
                }
            }
        });
    }
}
