//! Lists that depend on who asks and when, and peers that are told of changes.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use awf_mcp::{Implementation, RpcError, Server, ToolLister, ToolReply, handler_fn};
use serde_json::{json, value::RawValue};
use tokio::sync::{Notify, watch};

use crate::peer::{INITIALIZE, MODERN, Peer};

/// One tool, called after whoever asks. Waits for a sign first, if it was given one.
struct ByClient(Option<Arc<Notify>>);

#[async_trait]
impl ToolLister for ByClient {
    async fn list(&self, client: Option<&Implementation>) -> Result<Vec<Box<RawValue>>, RpcError> {
        if let Some(sign) = &self.0 {
            sign.notified().await;
        }
        let name = client.map_or("nobody", |client| client.name.as_str());
        if name == "broken" {
            return Err(RpcError::internal("Internal error: no list"));
        }
        let tool = format!(r#"{{"name":"{name}", "inputSchema":{{}}}}"#);
        Ok(vec![RawValue::from_string(tool).unwrap()])
    }
}

fn server(lister: ByClient) -> Server {
    let mut server = Server::new("test", "1");
    server.set_lister(Arc::new(lister));
    server.set_fallback(handler_fn(|context, _| async move { Ok(ToolReply::text(&context.tool)) }));
    server
}

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

#[tokio::test]
async fn a_list_depends_on_who_asks_in_both_eras() {
    let listed = Arc::new(AtomicUsize::new(0));
    let mut server = server(ByClient(None));
    let heard = listed.clone();
    server.on_listed(Arc::new(move || {
        heard.fetch_add(1, Ordering::SeqCst);
    }));
    let mut peer = Peer::legacy(server).await;
    peer.send(LIST).await;
    assert_eq!(
        peer.line().await.unwrap(),
        r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"peer", "inputSchema":{}}]}}"#
    );
    peer.send(&format!(
        r#"{{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{{{MODERN}}}}}"#
    ))
    .await;
    let answer = peer.answer().await;
    assert_eq!(answer["result"]["tools"][0]["name"], "nobody");
    assert_eq!(
        (&answer["result"]["resultType"], &answer["result"]["ttlMs"]),
        (&json!("complete"), &json!(0))
    );
    assert_eq!(listed.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_list_that_takes_its_time_holds_nothing_up_and_may_be_cancelled() {
    let sign = Arc::new(Notify::new());
    let mut peer = Peer::legacy(server(ByClient(Some(sign.clone())))).await;
    peer.send(LIST).await;
    peer.ping().await;
    peer.send(r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"a"}}"#).await;
    assert_eq!(peer.answer().await["result"]["content"][0]["text"], "a");
    peer.send_silent(
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
    )
    .await;
    peer.send(&LIST.replace("\"id\":1", "\"id\":2")).await;
    peer.ping().await;
    sign.notify_waiters();
    assert_eq!(peer.answer().await["id"], 2);
}

#[tokio::test]
async fn a_list_that_cannot_be_had_is_an_error() {
    let mut peer = Peer::new(server(ByClient(None)));
    peer.send(&INITIALIZE.replace("\"peer\"", "\"broken\"")).await;
    peer.answer().await;
    peer.send(LIST).await;
    assert_eq!(peer.answer().await["error"]["code"], -32603);
}

#[tokio::test]
async fn a_peer_that_has_shaken_hands_is_told_of_changes_once_each() {
    let (change, changes) = watch::channel(0);
    let mut server = server(ByClient(None));
    server.set_changes(changes);
    let mut peer = Peer::new(server);
    peer.send(INITIALIZE).await;
    assert_eq!(
        peer.answer().await["result"]["capabilities"],
        json!({"tools": {"listChanged": true}})
    );
    change.send(1).unwrap();
    peer.ping().await;
    peer.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    let told = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{}}"#;
    assert_eq!(peer.line().await.unwrap(), told);
    peer.ping().await;
    change.send(2).unwrap();
    assert_eq!(peer.line().await.unwrap(), told);
    drop(change);
    peer.ping().await;
}
