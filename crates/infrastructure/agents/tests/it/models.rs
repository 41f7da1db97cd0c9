//! The scripted model server over real connections.

use std::time::Duration;

use awf_agents::{ModelAnswer, ModelCall, ModelProtocol, ModelServer, ModelTurn, Scenario};
use serde_json::{Value, json};

fn scenario(turns: Vec<ModelTurn>) -> Scenario {
    Scenario { turns, last: "last words".to_owned() }
}

async fn post(server: &ModelServer, path: &str, body: &Value) -> reqwest::Response {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    client.post(server.url() + path).body(body.to_string()).send().await.unwrap()
}

#[tokio::test]
async fn each_path_is_answered_in_its_protocol_and_remembered() {
    let server = ModelServer::start(scenario(vec![ModelTurn::say("Hello")])).await.unwrap();
    let rows = [
        ("/v1/messages?beta=true", ModelProtocol::Anthropic, "/content/0/text"),
        (
            "/v1beta/models/m:generateContent",
            ModelProtocol::Gemini,
            "/candidates/0/content/parts/0/text",
        ),
        ("/v1/responses", ModelProtocol::Responses, "/output/0/content/0/text"),
        ("/v1/chat/completions", ModelProtocol::Chat, "/choices/0/message/content"),
    ];
    for (path, _, place) in rows {
        let text = post(&server, path, &json!({"model": "m"})).await.text().await.unwrap();
        let answer: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(answer.pointer(place), Some(&json!("Hello")), "{path}: {answer}");
    }
    let asked: Vec<_> =
        server.requests().into_iter().map(|asked| (asked.protocol, asked.model)).collect();
    assert_eq!(asked, rows.map(|(_, protocol, _)| (protocol, "m".to_owned())));
    server.stop().await;
}

#[tokio::test]
async fn a_stream_is_a_stream_of_events() {
    let call = ModelCall::offered("Read", json!({"file_path": "x"}));
    let server = ModelServer::start(scenario(vec![ModelTurn::call(call)])).await.unwrap();
    let tools = json!([{"type": "function", "function": {"name": "awf-proxy_Read"}}]);
    let body = json!({"model": "m", "stream": true, "tools": tools});
    let response = post(&server, "/v1/chat/completions", &body).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let text = response.text().await.unwrap();
    assert!(text.starts_with("data: {") && text.ends_with("data: [DONE]\n\n"), "{text}");
    let wanted =
        ModelAnswer::Said { text: String::new(), calls: vec!["awf-proxy_Read".to_owned()] };
    assert_eq!(server.requests()[0].answer, wanted);
    server.stop().await;
}

#[tokio::test]
async fn what_cannot_be_answered_is_refused() {
    let turn = ModelTurn { http_error: Some(529), ..ModelTurn::default() };
    let server = ModelServer::start(scenario(vec![turn])).await.unwrap();
    assert_eq!(post(&server, "/v1/messages", &json!({})).await.status(), 529);
    assert_eq!(post(&server, "/v1/nothing", &json!({})).await.status(), 404);
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let path = server.url() + "/v1/messages";
    assert_eq!(client.post(&path).body("{").send().await.unwrap().status(), 400);
    let packed = client.post(&path).header("content-encoding", "gzip").body("x").send().await;
    assert_eq!(packed.unwrap().status(), 415);
    assert_eq!(client.head(server.url()).send().await.unwrap().status(), 200);
    assert_eq!(client.get(server.url() + "/v1/models").send().await.unwrap().status(), 200);
    server.stop().await;
}

#[tokio::test]
async fn a_silent_turn_ends_with_the_server() {
    let turn = ModelTurn { hang: true, ..ModelTurn::default() };
    let (heard, mut hears) = tokio::sync::mpsc::unbounded_channel();
    let watcher = std::sync::Arc::new(move |_: &awf_agents::ModelRequest| heard.send(()).unwrap());
    let server = ModelServer::watched(scenario(vec![turn]), watcher).await.unwrap();
    let client =
        reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(10)).build().unwrap();
    let asked = tokio::spawn(client.post(server.url() + "/v1/messages").body("{}").send());
    hears.recv().await.unwrap();
    assert_eq!(server.requests()[0].answer, ModelAnswer::Silent);
    server.stop().await;
    let error = asked.await.unwrap().unwrap_err();
    assert!(!error.is_timeout(), "{error}");
}
