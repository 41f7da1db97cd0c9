//! Calls: who answers them, in which order, and what happens when one goes wrong.

use std::sync::Arc;

use awf_mcp::{
    Ended, Limits, ProgressUpdate, RpcError, Server, ToolHandler, ToolReply, handler_fn,
};
use serde_json::{Value, json, value::to_raw_value};
use tokio::{
    sync::{Notify, mpsc},
    time::Duration,
};

use crate::peer::Peer;

fn server(name: &str, handler: Arc<dyn ToolHandler>) -> Server {
    let mut server = Server::new("test", "1");
    let schema = to_raw_value(&json!({"type": "object"})).unwrap();
    server.register_tool(name, "A tool", &schema, handler).unwrap();
    server
}

fn call(id: u32, tool: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}"}}}}"#)
}

/// A tool that runs until cancelled, and tells when it begins and when it has cleaned up.
fn stubborn() -> (Server, mpsc::UnboundedReceiver<&'static str>) {
    let (tell, told) = mpsc::unbounded_channel();
    let handler = handler_fn(move |context, _arguments| {
        let tell = tell.clone();
        async move {
            tell.send("begun").unwrap();
            context.cancellation.cancelled().await;
            tell.send("cleaned").unwrap();
            Ok(ToolReply::text("too late"))
        }
    });
    (server("slow", handler), told)
}

#[tokio::test]
async fn a_slow_call_delays_no_other() {
    let gate = Arc::new(Notify::new());
    let open = gate.clone();
    let handler = handler_fn(move |_context, _arguments| {
        let gate = gate.clone();
        async move {
            gate.notified().await;
            Ok(ToolReply::text("done"))
        }
    });
    let mut peer = Peer::legacy(server("slow", handler)).await;
    peer.send(&call(1, "slow")).await;
    peer.ping().await;
    open.notify_one();
    let answer = peer.answer().await;
    assert_eq!(
        (&answer["id"], &answer["result"]["content"][0]["text"]),
        (&json!(1), &json!("done"))
    );
}

#[tokio::test]
async fn a_panic_costs_its_call_only() {
    let mut server = server("ok", handler_fn(|_, _| async { Ok(ToolReply::text("fine")) }));
    let schema = to_raw_value(&json!({"type": "object"})).unwrap();
    server
        .register_tool("boom", "Panics", &schema, handler_fn(|_, _| async { panic!("boom") }))
        .unwrap();
    let mut peer = Peer::legacy(server).await;
    peer.send(&call(1, "boom")).await;
    assert_eq!(peer.answer().await["error"]["code"], -32603);
    peer.send(&call(2, "ok")).await;
    assert_eq!(peer.answer().await["result"]["content"][0]["text"], "fine");
}

#[tokio::test]
async fn the_handler_sees_all_of_the_request() {
    let (tell, mut told) = mpsc::unbounded_channel();
    let handler = handler_fn(move |context, arguments| {
        tell.send(format!("{context:?} {arguments}")).unwrap();
        async { Ok(ToolReply::text("")) }
    });
    let mut peer = Peer::legacy(server("t", handler)).await;
    peer.send(r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","_meta":{"traceparent":"00-1"}}}"#).await;
    peer.answer().await;
    let seen = told.recv().await.unwrap();
    for part in [
        r#"RequestId("7")"#,
        r#"tool: "t""#,
        "00-1",
        r#"name: "peer""#,
        r#"version: "7""#,
        "Legacy",
        "Progress(None)",
    ] {
        assert!(seen.contains(part), "{part} in {seen}");
    }
    assert!(seen.ends_with(" {}"), "absent arguments are an empty object: {seen}");
}

#[tokio::test]
async fn unknown_tools_reach_the_fallback() {
    let (tell, mut told) = mpsc::unbounded_channel();
    let mut server = server("t", handler_fn(|_, _| async { Ok(ToolReply::text("")) }));
    server.set_fallback(handler_fn(move |context, _| {
        tell.send(context.tool.clone()).unwrap();
        async move { Err(RpcError::unknown_tool(&context.tool)) }
    }));
    let mut peer = Peer::legacy(server).await;
    peer.send(&call(1, "nope")).await;
    let answer = peer.answer().await;
    assert_eq!(answer["error"], json!({"code": -32602, "message": "Unknown tool: nope"}));
    assert_eq!(told.recv().await.unwrap(), "nope");
}

#[tokio::test]
async fn progress_goes_out_only_when_asked_and_before_the_answer() {
    let handler = handler_fn(|context, _arguments| async move {
        for step in [0.0, 50.0, 100.0] {
            context.progress.report(ProgressUpdate::at(step).of(100.0).saying("on it"));
            tokio::task::yield_now().await;
        }
        Ok(ToolReply::text("done"))
    });
    let mut peer = Peer::legacy(server("t", handler)).await;
    peer.send(&call(1, "t")).await;
    assert_eq!(peer.answer().await["id"], 1);
    for token in ["\"p\"", "12345678901234567890"] {
        peer.send(&format!(
            r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{"name":"t","_meta":{{"progressToken":{token}}}}}}}"#
        ))
        .await;
        for step in [0, 50, 100] {
            let line = peer.line().await.unwrap();
            let params = format!(
                r#"{{"progressToken":{token},"progress":{step},"total":100,"message":"on it"}}"#
            );
            assert_eq!(
                line,
                format!(
                    r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{params}}}"#
                )
            );
        }
        assert_eq!(peer.answer().await["id"], 2);
    }
}

#[tokio::test]
async fn a_cancelled_call_cleans_up_and_is_never_answered() {
    let (server, mut told) = stubborn();
    let mut peer = Peer::legacy(server).await;
    peer.send(&call(1, "slow")).await;
    assert_eq!(told.recv().await, Some("begun"));
    peer.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#)
        .await;
    assert_eq!(told.recv().await, Some("cleaned"));
    peer.ping().await;
    assert_eq!(peer.finish().await.0, Vec::<String>::new());
}

#[tokio::test]
async fn an_escaped_id_cancels_the_call_it_names() {
    let (server, mut told) = stubborn();
    let mut peer = Peer::legacy(server).await;
    peer.send(&call(1, "slow").replace("\"id\":1", r#""id":"a/b""#)).await;
    assert_eq!(told.recv().await, Some("begun"));
    peer.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"\u0061\/b"}}"#).await;
    assert_eq!(told.recv().await, Some("cleaned"));
}

#[tokio::test(start_paused = true)]
async fn a_handler_deaf_to_cancellation_is_dropped_after_the_grace() {
    let (begun, dropped) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (tell_begun, tell_dropped) = (begun.clone(), dropped.clone());
    let handler = handler_fn(move |_context, _arguments| {
        let guard = TellOnDrop(tell_dropped.clone());
        tell_begun.notify_one();
        async move {
            std::future::pending::<()>().await;
            drop(guard);
            Ok(ToolReply::text(""))
        }
    });
    let mut peer = Peer::legacy(server("deaf", handler)).await;
    peer.send(&call(1, "deaf")).await;
    begun.notified().await;
    peer.send_silent(
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
    )
    .await;
    let begun = tokio::time::Instant::now();
    dropped.notified().await;
    assert_eq!(begun.elapsed().as_secs(), 2);
    peer.ping().await;
}

struct TellOnDrop(Arc<Notify>);

impl Drop for TellOnDrop {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

#[tokio::test]
async fn cancellation_passes_a_full_house() {
    let (mut server, mut told) = stubborn();
    server.set_limits(Limits { in_flight: 4, queued: 8, ..Limits::default() });
    let mut peer = Peer::legacy(server).await;
    for id in 0..8 {
        peer.send(&call(id, "slow")).await;
    }
    for _ in 0..4 {
        assert_eq!(told.recv().await, Some("begun"));
    }
    peer.ping().await;
    assert!(told.try_recv().is_err(), "no more than four run at once");
    // One that waits is forgotten without ever having begun, one that runs makes room for the next.
    for id in [5, 0] {
        peer.send(&format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#)).await;
    }
    assert_eq!((told.recv().await, told.recv().await), (Some("cleaned"), Some("begun")));
    peer.ping().await;
    assert!(told.try_recv().is_err());
}

#[tokio::test(start_paused = true)]
async fn calls_in_flight_may_finish_after_eof() {
    let handler = handler_fn(|_context, _arguments| async {
        tokio::time::sleep(Duration::from_millis(1500)).await;
        Ok(ToolReply::text("made it"))
    });
    let mut peer = Peer::legacy(server("t", handler)).await;
    peer.send(&call(1, "t")).await;
    let (rest, ended) = peer.finish().await;
    assert_eq!(ended.unwrap(), Ended::Eof);
    assert!(rest.len() == 1 && rest[0].contains("made it"), "{rest:?}");
}

#[tokio::test(start_paused = true)]
async fn calls_that_outlast_the_grace_are_cancelled() {
    let (server, mut told) = stubborn();
    let mut peer = Peer::legacy(server).await;
    peer.send(&call(1, "slow")).await;
    assert_eq!(told.recv().await, Some("begun"));
    let begun = tokio::time::Instant::now();
    let (_, ended) = peer.finish().await;
    assert_eq!((ended.unwrap(), begun.elapsed().as_secs()), (Ended::Eof, 2));
    assert_eq!(told.recv().await, Some("cleaned"));
}

#[tokio::test]
async fn shutdown_cancels_at_once() {
    let (server, mut told) = stubborn();
    let mut peer = Peer::legacy(server).await;
    peer.send(&call(1, "slow")).await;
    assert_eq!(told.recv().await, Some("begun"));
    peer.shutdown.cancel();
    assert_eq!(told.recv().await, Some("cleaned"));
    assert_eq!(peer.ended().await.unwrap(), Ended::Shutdown);
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_hangs_up_ends_the_session() {
    let (server, mut told) = stubborn();
    let mut peer = Peer::legacy(server).await;
    peer.send(&call(1, "slow")).await;
    assert_eq!(told.recv().await, Some("begun"));
    let ended = peer.hang_up().await;
    assert!(matches!(ended, Ok(Ended::PeerGone | Ended::Eof)), "{ended:?}");
    assert_eq!(told.recv().await, Some("cleaned"));
}

#[tokio::test]
async fn the_tail_without_a_newline_is_a_line_too() {
    let mut peer = Peer::new(server("t", handler_fn(|_, _| async { Ok(ToolReply::text("")) })));
    peer.send_bytes(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).await;
    let (rest, _) = peer.finish().await;
    assert_eq!(rest, [r#"{"jsonrpc":"2.0","id":1,"result":{}}"#]);
}

#[tokio::test]
async fn a_result_that_is_no_object_is_the_hosts_fault() {
    let handler =
        handler_fn(|_, _| async { Ok(ToolReply::Complete(to_raw_value(&Value::Null).unwrap())) });
    let mut peer = Peer::legacy(server("t", handler)).await;
    peer.send(&call(1, "t")).await;
    assert_eq!(peer.answer().await["error"]["code"], -32603);
}
