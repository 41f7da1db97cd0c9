//! Many clients at one address, each with its own session, name and answers.

use std::{collections::HashSet, sync::Arc};

use awf_web::WebLimits;
use serde_json::json;
use tokio::task::JoinSet;

use crate::{
    mcp_sessions::{call, hello, opened},
    stage::{Stage, told},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_clients_at_once_get_their_own_answers() {
    let stage = Arc::new(Stage::open().await);
    let mut clients = JoinSet::new();
    for number in 0..100 {
        let stage = stage.clone();
        clients.spawn(async move {
            let id = opened(&stage, "/mcp", &format!("client-{number}")).await;
            for turn in 0..3 {
                let mut asked = call(&json!(turn), "up_look");
                asked["params"]["arguments"] = json!({"client": number, "turn": turn});
                let sent = stage.post("/mcp", &asked).header("Mcp-Session-Id", &id);
                let (_, body) = told(sent).await;
                let expected = format!("look got {{\"client\":{number},\"turn\":{turn}}}");
                assert_eq!(body["result"]["content"][0]["text"], expected);
            }
            id
        });
    }
    let ids: HashSet<String> = clients.join_all().await.into_iter().collect();
    assert_eq!(ids.len(), 100);
    let started = stage.log.started();
    assert_eq!(started.len(), 300);
    let sessions: HashSet<_> = started.iter().map(|call| call.session.clone()).collect();
    let names: HashSet<_> = started.iter().map(|call| call.client.clone().unwrap().name).collect();
    assert_eq!((sessions.len(), names.len()), (100, 100));
}

#[tokio::test]
async fn when_there_is_no_room_the_session_unused_for_longest_goes() {
    let stage = Stage::with(WebLimits { sessions: 2, ..WebLimits::default() }).await;
    let first = opened(&stage, "/mcp", "a").await;
    let second = opened(&stage, "/mcp", "b").await;
    let ask = |id: &str, tool: &str| {
        stage.post("/mcp", &call(&json!(1), tool)).header("Mcp-Session-Id", id)
    };
    assert_eq!(told(ask(&first, "up_look")).await.0, 200);
    let third = opened(&stage, "/mcp", "c").await;
    assert_eq!(told(ask(&second, "up_look")).await.0, 404);
    let busy = [&first, &third].map(|id| tokio::spawn(ask(id, "up_stuck").send()));
    stage.tools.begun.subscribe().wait_for(|count| *count == 3).await.unwrap();
    let (status, body) = told(stage.post("/mcp", &hello("d"))).await;
    assert_eq!((status, &body["code"]), (503, &json!("TOO_MANY_SESSIONS")));
    for calling in busy {
        calling.abort();
    }
}
