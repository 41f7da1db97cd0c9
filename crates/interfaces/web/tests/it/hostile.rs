//! Clients that mean ill: none of them keeps the others waiting.

use std::time::{Duration, Instant};

use awf_web::WebLimits;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::stage::{Stage, told};

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("none")
}

#[tokio::test]
async fn a_length_that_can_be_read_in_two_ways_is_refused() {
    let stage = Stage::open().await;
    let json = "Content-Type: application/json\r\n";
    let smuggled = "0\r\n\r\nGET /api/v1/activity HTTP/1.1\r\n\r\n";
    for (lengths, expected) in [
        ("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", "411"),
        ("Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", "411"),
        ("Transfer-Encoding: chunked\r\n", "411"),
        ("Transfer-Encoding: identity\r\nContent-Length: 4\r\n", "400"),
        ("Content-Length: 4\r\nContent-Length: 5\r\n", "400"),
        ("Content-Length: +4\r\n", "400"),
    ] {
        let head = stage.head("POST /api/v1/tools/call", &format!("{json}{lengths}"));
        let answer = stage.raw(format!("{head}{smuggled}").as_bytes()).await;
        assert_eq!(status(&answer), expected, "{lengths}: {answer}");
        assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{answer}");
    }
}

#[tokio::test]
async fn a_head_of_a_megabyte_is_refused() {
    let stage = Stage::open().await;
    let long = format!("X-Long: {}\r\n", "a".repeat(1 << 20));
    let answer = stage.raw(stage.head("GET /api/v1/activity", &long).as_bytes()).await;
    assert!(matches!(status(&answer), "431" | "none"), "{answer}");
    let many = "X: y\r\n".repeat(2000);
    let answer = stage.raw(stage.head("GET /api/v1/activity", &many).as_bytes()).await;
    assert!(matches!(status(&answer), "431" | "none"), "{answer}");
    assert_eq!(told(stage.get("/api/v1/activity")).await.0, 200);
}

#[tokio::test]
async fn a_body_that_is_too_long_is_refused_unread() {
    let stage = Stage::open().await;
    let length = "Content-Type: application/json\r\nContent-Length: 100000000\r\n";
    for path in ["/mcp", "/api/v1/tools/call"] {
        let answer = stage.raw(stage.head(&format!("POST {path}"), length).as_bytes()).await;
        assert_eq!(status(&answer), "413", "{answer}");
    }
}

#[tokio::test]
async fn heads_that_never_end_keep_nobody_waiting_and_are_hung_up_on() {
    let limits = WebLimits { head_time: Duration::from_secs(2), ..WebLimits::default() };
    let stage = Stage::with(limits).await;
    let mut open = Vec::new();
    for _ in 0..200 {
        let mut stream = TcpStream::connect(stage.address).await.unwrap();
        stream.write_all(b"GET /mcp HTTP/1.1\r\nHost: x\r\n").await.unwrap();
        open.push(stream);
    }
    let begun = Instant::now();
    assert_eq!(told(stage.get("/api/v1/activity")).await.0, 200);
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    for mut stream in open {
        let mut rest = Vec::new();
        // Closed or reset: either way it ends.
        stream.read_to_end(&mut rest).await.ok();
    }
}

#[tokio::test]
async fn a_body_that_never_comes_is_not_waited_for() {
    let limits = WebLimits { body_time: Duration::from_millis(200), ..WebLimits::default() };
    let stage = Stage::with(limits).await;
    let length = "Content-Type: application/json\r\nContent-Length: 10\r\n";
    let answer = stage.raw(stage.head("POST /api/v1/tools/call", length).as_bytes()).await;
    assert_eq!(status(&answer), "408", "{answer}");
}

#[tokio::test]
async fn no_more_connections_are_served_than_there_is_room_for_and_the_next_is_when_one_leaves() {
    let limits = WebLimits { connections: 1, ..WebLimits::default() };
    let stage = Stage::with(limits).await;
    let first = TcpStream::connect(stage.address).await.unwrap();
    let second = tokio::spawn(stage.get("/api/v1/activity").send());
    first.writable().await.unwrap();
    assert!(!second.is_finished());
    drop(first);
    assert_eq!(second.await.unwrap().unwrap().status(), 200);
}

#[tokio::test]
async fn a_caller_that_vanishes_cancels_its_call() {
    let stage = Stage::open().await;
    let body = json!({"tool_name": "up_stuck", "arguments": {}});
    let calling = tokio::spawn(stage.post("/api/v1/tools/call", &body).send());
    stage.tools.begun.subscribe().wait_for(|count| *count == 1).await.unwrap();
    calling.abort();
    stage.tools.cancelled.subscribe().wait_for(|count| *count == 1).await.unwrap();
}

#[tokio::test]
async fn serving_ends_although_a_call_is_stuck() {
    let stage = Stage::open().await;
    let body = json!({"tool_name": "up_stuck", "arguments": {}});
    let calling = tokio::spawn(stage.post("/api/v1/tools/call", &body).send());
    stage.tools.begun.subscribe().wait_for(|count| *count == 1).await.unwrap();
    let tools = stage.tools.clone();
    stage.close().await;
    assert_eq!(*tools.cancelled.borrow(), 1);
    assert_eq!(calling.await.unwrap().unwrap().status(), 503);
}
