//! Requests as they are sent, and answers as they are given.

use awf_core::{OperationFailure, OperationProvider as _, RawJson};
use awf_operations::catalog;
use serde_json::json;

use crate::{
    server::{Server, reply},
    stage::{call, included, request, run, trouble, value},
};

#[tokio::test]
async fn every_method_is_sent_and_get_is_meant_when_none_is_given() {
    for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "delete"] {
        let server = Server::saying("200 OK", "", "").await;
        request(&json!({"url": server.url("/a?b=c"), "method": method})).await;
        assert_eq!(server.asked()[0].line(), format!("{} /a?b=c", method.to_uppercase()));
    }
    let server = Server::saying("200 OK", "x-one: 1\r\nx-two: a\r\nX-Two: b\r\n", "hello é").await;
    let result = request(&json!({"url": server.url("/"), "method": null})).await;
    assert_eq!(server.asked()[0].line(), "GET /");
    assert!(server.asked()[0].header("user-agent").unwrap().starts_with("awf/"));
    assert!(result.success && result.error.is_none());
    assert_eq!(result.output, "hello é");
    assert_eq!((value(&result, "status"), value(&result, "body")), (json!(200), json!("hello é")));
    assert_eq!(value(&result, "headers")["x-one"], "1");
    assert_eq!(value(&result, "headers")["x-two"], "a, b");
    assert_eq!(
        (value(&result, "truncated"), value(&result, "binary")),
        (json!(false), json!(false))
    );
    assert_eq!(result.data.get("json"), None);
}

#[tokio::test]
async fn headers_are_sent_as_given() {
    let server = Server::saying("200 OK", "", "").await;
    let headers = json!({"Authorization": "Bearer s3cret", "X-Empty": "", "user-agent": "mine"});
    request(&json!({"url": server.url("/"), "headers": headers})).await;
    let asked = &server.asked()[0];
    assert_eq!(asked.header("authorization"), Some("Bearer s3cret"));
    assert_eq!(asked.header("x-empty"), Some(""));
    assert_eq!(asked.header("user-agent"), Some("mine"));
}

#[tokio::test]
async fn a_text_is_sent_as_it_is_and_everything_else_as_the_json_it_was_written_as() {
    let rows = [
        (r#""a\n$(b) \"c\" é""#, "a\n$(b) \"c\" é", None),
        (r#""""#, "", None),
        (
            r#"{"n":9007199254740993, "f":1.10}"#,
            r#"{"n":9007199254740993, "f":1.10}"#,
            Some("application/json"),
        ),
        ("[1, 2]", "[1, 2]", Some("application/json")),
        ("12345678901234567890123", "12345678901234567890123", Some("application/json")),
        ("null", "", None),
    ];
    for (body, sent, kind) in rows {
        let server = Server::saying("200 OK", "", "").await;
        let url = server.url("/");
        let inputs = format!(r#"{{"url":"{url}","method":"POST","body":{body}}}"#);
        let result = included(&[], None).execute(call("http.request", &inputs)).await.unwrap();
        assert!(result.success, "{result:?}");
        let asked = &server.asked()[0];
        assert_eq!((asked.body.as_str(), asked.header("content-type")), (sent, kind));
    }
    let server = Server::saying("200 OK", "", "").await;
    let headers = json!({"content-type": "application/vnd.x+json"});
    let inputs =
        json!({"url": server.url("/"), "method": "PUT", "body": {"a": 1}, "headers": headers});
    request(&inputs).await;
    assert_eq!(server.asked()[0].header("content-type"), Some("application/vnd.x+json"));
}

#[tokio::test]
async fn a_long_text_arrives_whole() {
    let body = "line\n".repeat(400_000);
    let server = Server::saying("200 OK", "", "").await;
    request(&json!({"url": server.url("/"), "method": "POST", "body": body})).await;
    assert!(server.asked()[0].body == body);
}

#[tokio::test]
async fn a_body_that_is_json_is_given_as_it_was_written() {
    let text = r#"{"n": 9007199254740993, "f":1.10}"#;
    let rows = [
        ("content-type: application/json; charset=utf-8\r\n", text, Some(text)),
        ("", text, Some(text)),
        ("content-type: Application/Problem+JSON\r\n", " 5 ", Some("5")),
        ("content-type: text/plain\r\n", "5", None),
        ("content-type: application/json\r\n", "{oops", None),
        ("", "hello", None),
    ];
    for (headers, body, json) in rows {
        let server = Server::saying("200 OK", headers, body).await;
        let result = request(&json!({"url": server.url("/")})).await;
        assert_eq!(result.data.get("json").map(RawJson::get), json, "{body}");
        assert_eq!(result.output, body);
    }
}

#[tokio::test]
async fn a_status_of_400_and_above_is_a_failure_with_all_there_is_to_know() {
    for (status, success) in [
        ("204 No Content", true),
        ("304 Not Modified", true),
        ("400 Bad Request", false),
        ("404 Not Found", false),
        ("503 Service Unavailable", false),
    ] {
        let body = if success { "" } else { r#"{"why":"no"}"# };
        let server = Server::saying(status, "x-id: 7\r\n", body).await;
        let result = request(&json!({"url": server.url("/")})).await;
        assert_eq!((result.success, result.output.as_str()), (success, body));
        let error = (!success).then(|| format!("the server answered {status}"));
        assert_eq!(result.error, error);
        assert_eq!(value(&result, "status").to_string(), status[..3]);
        assert_eq!(value(&result, "headers")["x-id"], "7");
        assert_eq!(result.data.get("json").is_some(), !success);
    }
}

#[tokio::test]
async fn a_body_that_is_no_text_is_said_to_be_none() {
    let server = Server::new(vec![reply("200 OK", "", b"a\xff\xfeb")]).await;
    let result = request(&json!({"url": server.url("/")})).await;
    assert_eq!(result.output, "a\u{fffd}\u{fffd}b");
    assert_eq!(value(&result, "binary"), json!(true));
}

#[tokio::test]
async fn inputs_that_do_not_fit_are_named_and_their_values_are_not_repeated() {
    let url = "http://127.0.0.1:1/";
    let rows = [
        (json!({}), "input `url` is missing"),
        (json!({"url": ""}), "input `url` is missing"),
        (json!({"url": 5}), "input `url` must be a string"),
        (json!({"url": "s3cret"}), "input `url` is no URL: relative URL without a base"),
        (json!({"url": "file:///s3cret"}), "input `url` must begin with `https://` or `http://`"),
        (json!({"url": "ftp://s3cret/"}), "input `url` must begin with `https://` or `http://`"),
        (
            json!({"url": url, "method": "BREW"}),
            "input `method`: `BREW` is none of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
        ),
        (json!({"url": url, "headers": "s3cret"}), "input `headers` must be an object of strings"),
        (
            json!({"url": url, "headers": {"x-key": ["s3cret"]}}),
            "input `headers`: header `x-key` must be a string",
        ),
        (
            json!({"url": url, "headers": {"x-key": "s3cret\r\nx: y"}}),
            "input `headers`: header `x-key` has a value with a line break or control character",
        ),
        (
            json!({"url": url, "headers": {"x key": "s3cret"}}),
            "input `headers`: header `x key` has a name that no header can have",
        ),
        (
            json!({"url": url, "headers": {"Content-Length": "5"}}),
            "input `headers`: header `Content-Length` follows from the body; leave it out",
        ),
        (json!({"url": url, "timeout": 0}), "input `timeout` must be 1 to 300 seconds"),
        (json!({"url": url, "timeout": 301}), "input `timeout` must be 1 to 300 seconds"),
        (json!({"url": url, "timeout": "soon"}), "input `timeout` must be a whole number"),
        (json!({"url": url, "timeout": -1}), "input `timeout` must be a whole number"),
        (json!({"url": url, "header": {}}), "no input `header`; did you mean `headers`?"),
        (
            json!({"url": url, "zzz": "s3cret"}),
            "no input `zzz`; there are url, method, headers, body, timeout",
        ),
    ];
    for (inputs, message) in rows {
        assert_eq!(trouble(&inputs).await, message);
    }
}

#[tokio::test]
async fn what_is_not_there_is_not_known() {
    for operation in ["http.get", "mail.send"] {
        let failure = run(operation, &json!({})).await.unwrap_err();
        assert_eq!(failure, OperationFailure::Unknown(operation.into()));
    }
    let included = included(&[], None);
    let failure = included.operations("mail").await.unwrap_err();
    assert_eq!(failure, OperationFailure::Unknown("mail".into()));
    for entry in catalog() {
        let operations = included.operations(&entry.name).await.unwrap();
        assert_eq!(Some(operations), entry.operations);
        assert!(entry.enabled && entry.version.is_some());
    }
}
