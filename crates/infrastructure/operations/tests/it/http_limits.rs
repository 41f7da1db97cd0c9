//! Answers that are too long, too late, or never come; and what is said of them.

use awf_core::{OperationFailure, OperationProvider as _};
use serde_json::json;
use tokio::net::TcpListener;

use crate::{
    server::{Reply, Server, reply},
    stage::{call, included, request, trouble, value},
};

const LIMIT: usize = 1 << 20;

#[tokio::test]
async fn a_body_is_kept_up_to_its_limit() {
    for (length, truncated) in [(LIMIT, false), (LIMIT + 1, true), (5 * LIMIT, true)] {
        let server = Server::new(vec![reply("200 OK", "", "x".repeat(length))]).await;
        let result = request(&json!({"url": server.url("/")})).await;
        assert!(result.success);
        assert_eq!(result.output.len(), LIMIT);
        assert_eq!(value(&result, "truncated"), json!(truncated));
    }
}

#[tokio::test]
async fn a_body_without_end_is_not_waited_for() {
    let server = Server::new(vec![Reply::Endless]).await;
    let result = request(&json!({"url": server.url("/")})).await;
    assert_eq!((result.output.len(), value(&result, "truncated")), (LIMIT, json!(true)));
}

#[tokio::test]
async fn a_cut_through_a_character_or_through_json_spoils_nothing() {
    // An odd beginning puts the limit in the middle of a character.
    let server = Server::new(vec![reply("200 OK", "", format!("[{}", "é".repeat(LIMIT)))]).await;
    let result = request(&json!({"url": server.url("/")})).await;
    assert_eq!(result.output.len(), LIMIT - 1);
    assert_eq!(value(&result, "binary"), json!(false));
    assert_eq!((value(&result, "truncated"), result.data.get("json")), (json!(true), None));
}

#[tokio::test]
async fn a_server_that_does_not_answer_in_time_is_named() {
    let server = Server::new(vec![Reply::SILENCE]).await;
    let told = trouble(&json!({"url": server.url("/?key=s3cret"), "timeout": "1"})).await;
    assert_eq!(told, format!("`http://127.0.0.1:{}` did not answer within 1 s", server.port));
}

#[tokio::test]
async fn an_answer_that_stops_in_the_middle_is_none() {
    let begun = || b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc".to_vec();
    let server = Server::new(vec![Reply::Begun(begun()), Reply::Bytes(begun())]).await;
    let place = server.url("");
    let inputs = json!({"url": server.url("/?key=s3cret"), "timeout": 1});
    assert_eq!(trouble(&inputs).await, format!("`{place}` did not answer within 1 s"));
    let told = trouble(&inputs).await;
    assert!(told.starts_with(&format!("the answer of `{place}` broke off: ")), "{told}");
}

#[tokio::test]
async fn a_cancelled_request_ends() {
    let server = Server::new(vec![Reply::SILENCE]).await;
    let included = included(&[], None);
    let call = call("http.request", &json!({"url": server.url("/")}).to_string());
    let cancel = call.cancel.clone();
    let (outcome, ()) = tokio::join!(included.execute(call), async {
        server.reached.notified().await;
        cancel.cancel();
    });
    assert_eq!(outcome.unwrap_err(), OperationFailure::Cancelled);
}

#[tokio::test]
async fn a_place_that_cannot_be_reached_is_named_without_what_is_secret_in_its_url() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let url = format!("http://user:s3cret@127.0.0.1:{port}/s3cret?key=s3cret");
    let told = trouble(&json!({"url": url, "headers": {"x-key": "s3cret"}})).await;
    let reason = "the connection was refused; does anything listen there?";
    assert_eq!(told, format!("cannot reach `http://127.0.0.1:{port}`: {reason}"));
    let told = trouble(&json!({"url": "http://user:s3cret@no-such-host.invalid/s3cret"})).await;
    let reason = "the name of the host cannot be resolved";
    assert_eq!(told, format!("cannot reach `http://no-such-host.invalid`: {reason}"));
}

#[tokio::test]
async fn a_server_that_speaks_no_tls_or_no_http_is_told_of() {
    let server = Server::new(vec![Reply::Bytes(b"what?\r\n\r\n".to_vec())]).await;
    let told = trouble(&json!({"url": server.url("/")})).await;
    assert!(
        told.starts_with(&format!("cannot reach `http://127.0.0.1:{}`: ", server.port)),
        "{told}"
    );
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let url = format!("https://user:s3cret@127.0.0.1:{port}/");
    let (told, ()) = tokio::join!(async { trouble(&json!({"url": url})).await }, async {
        use tokio::io::AsyncWriteExt as _;
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
    });
    assert!(told.starts_with(&format!("cannot reach `https://127.0.0.1:{port}`: ")), "{told}");
    assert!(!told.contains("s3cret"), "{told}");
}

#[tokio::test]
async fn proxies_are_for_other_machines() {
    let proxy = Server::saying("200 OK", "", "by proxy").await;
    let server = Server::saying("200 OK", "", "direct").await;
    let address = proxy.url("");
    let included = included(&[("http_proxy", &address), ("NO_PROXY", "near.invalid")], None);
    for (url, output) in
        [(server.url("/"), "direct"), ("http://far.invalid/x".to_owned(), "by proxy")]
    {
        let call = call("http.request", &json!({ "url": url }).to_string());
        assert_eq!(included.execute(call).await.unwrap().output, output);
    }
    assert_eq!(proxy.asked()[0].line(), "GET http://far.invalid/x");
    let call = call("http.request", &json!({"url": "http://near.invalid/"}).to_string());
    assert!(!included.execute(call).await.unwrap().success);
}
