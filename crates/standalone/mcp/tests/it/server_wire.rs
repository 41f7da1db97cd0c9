//! What every kind of line is answered with. After each, the session must still answer a ping.

use awf_mcp::{Server, ToolReply, handler_fn};
use serde_json::{Value, json, value::to_raw_value};

use crate::peer::Peer;

fn echo_server() -> Server {
    let mut server = Server::new("test", "1");
    let schema = to_raw_value(&json!({"type": "object"})).unwrap();
    let echo =
        handler_fn(|_context, arguments| async move { Ok(ToolReply::text(arguments.get())) });
    server.register_tool("echo", "Echoes", &schema, echo).unwrap();
    server
}

/// The code and id a line must be refused with.
async fn check_refusals(rows: &[(&str, i64, Value)]) {
    let mut peer = Peer::legacy(echo_server()).await;
    for (line, code, id) in rows {
        peer.send(line).await;
        let answer = peer.answer().await;
        let got = (answer["error"]["code"].as_i64(), &answer["id"]);
        assert_eq!(got, (Some(*code), id), "for {line}: {answer}");
        assert!(answer.get("result").is_none(), "for {line}");
        peer.ping().await;
    }
}

#[tokio::test]
async fn refuses_what_is_not_a_message() {
    check_refusals(&[
        ("{nope", -32700, Value::Null),
        ("}{", -32700, Value::Null),
        (r#"{"jsonrpc":"2.0","id":1,"#, -32700, Value::Null),
        ("\u{0}\u{1}", -32700, Value::Null),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping"} x"#, -32700, Value::Null),
        ("[]", -32600, Value::Null),
        (r#"[{"jsonrpc":"2.0","id":5,"method":"ping"}]"#, -32600, Value::Null),
        ("[1,", -32700, Value::Null),
        ("1", -32600, Value::Null),
        ("null", -32600, Value::Null),
        (r#""x""#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0"}"#, -32600, Value::Null),
        (r#"{"id":1,"method":"ping"}"#, -32600, json!(1)),
        (r#"{"jsonrpc":"1.0","id":2,"method":"ping"}"#, -32600, json!(2)),
        (r#"{"jsonrpc":2.0,"id":3,"method":"ping"}"#, -32600, json!(3)),
        (r#"{"jsonrpc":"2.0","id":4,"method":7}"#, -32600, json!(4)),
        (r#"{"jsonrpc":"2.0","id":5,"method":"ping","result":{}}"#, -32600, json!(5)),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":1e3,"method":"ping"}"#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":161,"id":162,"method":"ping"}"#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}"#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","\u006dethod":"ping"}"#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","ID":1,"Method":"ping"}"#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":"\ud800","method":"ping"}"#, -32700, Value::Null),
        (r#"{"jsonrpc":"2.0","id":6,"method":"\udc00\ud800"}"#, -32700, json!(6)),
    ])
    .await;
}

#[tokio::test]
async fn refuses_methods_and_parameters_it_does_not_know() {
    check_refusals(&[
        (r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#, -32601, json!(1)),
        (r#"{"jsonrpc":"2.0","id":1,"method":"__proto__"}"#, -32601, json!(1)),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":"x"}"#, -32602, json!(2)),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":[1]}"#, -32602, json!(2)),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":true}"#, -32602, json!(2)),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/call"}"#, -32602, json!(2)),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{}}"#, -32602, json!(2)),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":{"a":1}}}"#, -32602, json!(2)),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"Name":"echo"}}"#, -32602, json!(2)),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":[1]}}"#, -32602, json!(2)),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":"{}"}}"#, -32602, json!(2)),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","name":"x"}}"#, -32602, json!(2)),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","_meta":3}}"#, -32602, json!(2)),
        (r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","_meta":{"progressToken":{}}}}"#, -32602, json!(2)),
        (r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"nope"}}"#, -32602, json!(3)),
        (r#"{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"cursor":"x"}}"#, -32602, json!(4)),
        (r#"{"jsonrpc":"2.0","id":5,"method":"initialize","params":{}}"#, -32602, json!(5)),
    ])
    .await;
}

#[tokio::test]
async fn says_nothing_to_what_asks_nothing() {
    let mut peer = Peer::legacy(echo_server()).await;
    for line in [
        "",
        "   \t",
        "\r",
        r#"{"jsonrpc":"2.0","method":"notifications/nothing_known","params":{"a":1}}"#,
        r#"{"jsonrpc":"2.0","method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":991,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":992,"error":{"code":1,"message":"x"}}"#,
        r#"{"jsonrpc":"2.0","id":993,"result":{},"error":{}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":424242}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":null}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{"a":1}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":"x"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
    ] {
        peer.send_silent(line).await;
    }
}

#[tokio::test]
async fn echoes_ids_exactly() {
    let mut peer = Peer::new(echo_server());
    for id in [
        "1",
        r#""1""#,
        "9007199254740993",
        "-7",
        "1180591620717411303424",
        r#""é\u202e𝕏""#,
        r#""\"\\""#,
    ] {
        peer.send(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)).await;
        assert_eq!(
            peer.line().await.unwrap(),
            format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
        );
    }
}

#[tokio::test]
async fn invalid_utf8_is_refused_and_never_repeated() {
    let mut peer = Peer::legacy(echo_server()).await;
    peer.send_bytes(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\xfe\"}\n").await;
    let answer = peer.answer().await;
    assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32700), &Value::Null));
    peer.ping().await;
}

#[tokio::test]
async fn tolerates_crlf_a_byte_order_mark_and_single_bytes() {
    let mut peer = Peer::new(echo_server());
    peer.send_bytes(b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n").await;
    assert_eq!(peer.answer().await["id"], 1);
    for byte in "{\"jsonrpc\":\"2.0\",\"id\":\"drip-é𝕏\",\"method\":\"ping\"}\n".bytes() {
        peer.send_bytes(&[byte]).await;
        tokio::task::yield_now().await;
    }
    assert_eq!(peer.answer().await["id"], "drip-é𝕏");
}

#[tokio::test]
async fn deep_nesting_is_refused_by_id_up_to_any_depth() {
    let mut peer = Peer::legacy(echo_server()).await;
    // The message, `params` and `arguments` are three levels of their own.
    for (depth, refused) in
        [(100, false), (125, false), (126, true), (1_000, true), (200_000, true)]
    {
        for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
            let value = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            peer.send(&format!(
                r#"{{"jsonrpc":"2.0","id":{depth},"method":"tools/call","params":{{"name":"echo","arguments":{{"x":{value}}}}}}}"#
            ))
            .await;
            let answer = peer.answer().await;
            assert_eq!(answer["id"], depth);
            assert_eq!(answer["error"]["code"] == -32600, refused, "depth {depth}: {answer}");
        }
    }
    // Brackets inside a string nest nothing.
    peer.send(&format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"echo","arguments":{{"x":"\"{}"}}}}}}"#,
        "[".repeat(500)
    ))
    .await;
    assert!(peer.answer().await.get("result").is_some());
}

#[tokio::test]
async fn a_line_over_the_limit_is_refused_and_skipped() {
    let mut peer = Peer::legacy(echo_server()).await;
    let long = "A".repeat(awf_mcp::MAX_LINE);
    for (head, id) in [
        (r#"{"jsonrpc":"2.0","id":"big","method":"tools/call","params":{"name":""#, json!("big")),
        (r#"{"jsonrpc":"2.0","method":""#, Value::Null),
        ("", Value::Null),
    ] {
        peer.send_bytes(head.as_bytes()).await;
        peer.send(&long).await;
        if head.is_empty() {
            // Exactly the limit is still a line, though not a message.
            assert_eq!(peer.answer().await["error"]["code"], -32700);
        } else {
            let answer = peer.answer().await;
            assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32600), &id));
        }
        peer.ping().await;
    }
}

#[tokio::test]
async fn hostile_names_are_cut_in_the_answer() {
    let mut peer = Peer::legacy(echo_server()).await;
    let name = "é".repeat(500_000);
    peer.send(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{name}"}}"#)).await;
    assert!(peer.line().await.unwrap().len() < 400);
    peer.send(&format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{name}"}}}}"#
    ))
    .await;
    let line = peer.line().await.unwrap();
    assert!(line.len() < 400 && line.contains("Unknown tool: éé"), "{line}");
}
