//! What passes through comes out as it went in: unknown fields, big numbers, the order and spelling of keys.

use awf_mcp::{Server, ToolReply, handler_fn};
use serde_json::value::RawValue;

use crate::peer::{MODERN, Peer};

const TOOL: &str = r#"{"zeta":{"b":1.10,"a":1180591620717411303424},"name":"t","inputSchema":{"type":"object","x-\u00e9":[1e400]},"annotations":{"vendor/hint":null,"readOnlyHint":true},"execution":{"taskSupport":"optional"}}"#;
const ARGUMENTS: &str =
    r#"{"z":1180591620717411303424,"a":1.10,"nested":{"k\u0065y":[-0,1E5]},"z2":"\ud83d\ude00"}"#;
const RESULT: &str = r#"{"zzz":1180591620717411303424,"content":[{"type":"hologram","x":1.10}],"_meta":{"b":1,"a":2},"structuredContent":[null]}"#;

fn server() -> Server {
    let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
    let mut server = Server::new("test", "1");
    let handler = handler_fn(|_context, arguments| async move {
        assert_eq!(arguments.get(), ARGUMENTS);
        Ok(ToolReply::Complete(RawValue::from_string(RESULT.to_owned()).unwrap()))
    });
    server.register_raw(raw(TOOL), handler).unwrap();
    let pretty = handler_fn(|_, _| async {
        Ok(ToolReply::Complete(RawValue::from_string("{\r\n  \"a\": 1\n}".into()).unwrap()))
    });
    server.register_raw(raw("{\n  \"name\": \"u\",\n  \"inputSchema\": {}\n}"), pretty).unwrap();
    server
}

#[tokio::test]
async fn tools_arguments_and_results_pass_byte_for_byte() {
    let mut peer = Peer::legacy(server()).await;
    peer.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).await;
    let listed = peer.line().await.unwrap();
    assert!(listed.contains(TOOL), "{listed}");
    peer.send(&format!(
        r#"{{"params":{{"arguments":{ARGUMENTS},"name":"t"}},"method":"tools/call","id":2,"jsonrpc":"2.0"}}"#
    ))
    .await;
    assert_eq!(
        peer.line().await.unwrap(),
        format!(r#"{{"jsonrpc":"2.0","id":2,"result":{RESULT}}}"#)
    );
    peer.send(&format!(
        r#"{{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{{"name":"t","arguments":{ARGUMENTS},{MODERN}}}}}"#
    ))
    .await;
    let body = &RESULT[1..];
    assert_eq!(
        peer.line().await.unwrap(),
        format!(r#"{{"jsonrpc":"2.0","id":3,"result":{{"resultType":"complete",{body}}}"#)
    );
}

#[tokio::test]
async fn line_breaks_in_raw_json_do_not_break_the_wire() {
    let mut peer = Peer::legacy(server()).await;
    peer.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).await;
    assert!(peer.line().await.unwrap().ends_with(r#"{   "name": "u",   "inputSchema": {} }]}}"#));
    peer.send(r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"u"}}"#).await;
    assert_eq!(peer.line().await.unwrap(), r#"{"jsonrpc":"2.0","id":2,"result":{    "a": 1 }}"#);
}
