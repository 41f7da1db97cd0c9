//! Who is let in: with the key, to our own name, from our own page, in the right form.

use crate::stage::{KEY, Stage};

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("none")
}

#[tokio::test]
async fn without_the_key_there_is_no_data_anywhere() {
    let stage = Stage::open().await;
    let host = stage.address;
    let wrong = "f".repeat(64);
    let keys = [
        String::new(),
        format!("X-API-Key: {wrong}\r\n"),
        format!("Authorization: Bearer {wrong}\r\n"),
        format!("Authorization: Basic {KEY}\r\n"),
        format!("X-API-Key: {KEY}\r\nAuthorization: Bearer {wrong}\r\n"),
        format!("Cookie: key={KEY}\r\n"),
    ];
    let paths = ["/mcp", "/api/v1/activity", "/nowhere", &format!("/api/v1/activity?key={KEY}")];
    for key in keys {
        for path in paths {
            let answer = stage
                .raw(
                    format!(
                        "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{key}\r\n"
                    )
                    .as_bytes(),
                )
                .await;
            assert_eq!(status(&answer), "401", "{path} {key}: {answer}");
            assert!(answer.contains("www-authenticate: Bearer"), "{answer}");
            assert!(!answer.contains("activities") && !answer.contains(KEY), "{answer}");
        }
    }
}

#[tokio::test]
async fn the_key_is_taken_from_either_header_and_never_from_the_url() {
    let stage = Stage::open().await;
    let host = stage.address;
    for key in [format!("x-api-key: {KEY}"), format!("authorization: bearer {KEY}")] {
        let answer = stage
            .raw(format!("GET /api/v1/activity HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{key}\r\n\r\n").as_bytes())
            .await;
        assert_eq!(status(&answer), "200", "{answer}");
    }
    for name in ["key", "apikey", "api_key", "token"] {
        let head = stage.head(&format!("GET /api/v1/activity?{name}={KEY}"), "");
        let answer = stage.raw(head.as_bytes()).await;
        assert_eq!(status(&answer), "400", "{answer}");
        assert!(answer.contains("unknown parameter") && !answer.contains(KEY), "{answer}");
    }
}

#[tokio::test]
async fn a_request_to_another_name_is_refused_even_with_the_key() {
    let stage = Stage::open().await;
    let port = stage.address.port();
    let hosts = [
        "Host: evil.example\r\n".to_owned(),
        format!("Host: evil.example:{port}\r\n"),
        format!("Host: 127.0.0.1.evil:{port}\r\n"),
        "Host: 127.0.0.1:1\r\n".to_owned(),
        String::new(),
        format!("Host: 127.0.0.1:{port}\r\nHost: evil.example\r\n"),
    ];
    for host in hosts {
        let request = format!(
            "GET /api/v1/activity HTTP/1.1\r\n{host}X-API-Key: {KEY}\r\nConnection: close\r\n\r\n"
        );
        assert_eq!(status(&stage.raw(request.as_bytes()).await), "403", "{host}");
    }
    let full = stage.head("GET http://evil.example/api/v1/activity", "");
    assert_eq!(status(&stage.raw(full.as_bytes()).await), "403");
    let old = format!("GET /api/v1/activity HTTP/1.0\r\nX-API-Key: {KEY}\r\n\r\n");
    assert_eq!(status(&stage.raw(old.as_bytes()).await), "403");
}

#[tokio::test]
async fn a_foreign_page_is_refused_and_never_told_that_it_may() {
    let stage = Stage::open().await;
    let port = stage.address.port();
    let origins = [
        ("https://evil.example".to_owned(), "403"),
        ("null".to_owned(), "403"),
        (format!("http://127.0.0.1:{}", port.wrapping_add(1)), "403"),
        (format!("http://localhost:{port}"), "403"),
        (format!("http://127.0.0.1:{port}"), "200"),
    ];
    for (origin, expected) in origins {
        let head = stage.head("GET /api/v1/activity", &format!("Origin: {origin}\r\n"));
        let answer = stage.raw(head.as_bytes()).await;
        assert_eq!(status(&answer), expected, "{origin}");
        assert!(!answer.to_ascii_lowercase().contains("access-control-"), "{answer}");
    }
    let asks = format!(
        "OPTIONS /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nAccess-Control-Request-Method: POST\r\nConnection: close\r\n\r\n"
    );
    let answer = stage.raw(asks.as_bytes()).await;
    assert_eq!(status(&answer), "401");
    assert!(!answer.to_ascii_lowercase().contains("access-control-"), "{answer}");
}

#[tokio::test]
async fn a_form_is_refused() {
    let stage = Stage::open().await;
    for kind in [
        "",
        "Content-Type: text/plain\r\n",
        "Content-Type: application/x-www-form-urlencoded\r\n",
        "Content-Type: application/json\r\nContent-Encoding: gzip\r\n",
    ] {
        let head = stage.head("POST /api/v1/tools/call", &format!("{kind}Content-Length: 2\r\n"));
        let answer = stage.raw(format!("{head}{{}}").as_bytes()).await;
        assert_eq!(status(&answer), "415", "{kind}: {answer}");
    }
}

#[tokio::test]
async fn what_is_not_there_is_not_there_and_says_so_in_one_form() {
    let stage = Stage::open().await;
    let paths = [
        "/api",
        "/api/v1",
        "/api/v1/activity/..%2f..%2fetc",
        "/api/v1/%2e%2e/%2e%2e/key",
        "/mcp/",
        "//mcp",
    ];
    for path in paths {
        let answer = stage.raw(stage.head(&format!("GET {path}"), "").as_bytes()).await;
        assert_eq!(status(&answer), "404", "{path}: {answer}");
        assert!(answer.contains("application/problem+json"), "{answer}");
    }
    for line in ["PUT /mcp", "DELETE /api/v1/activity", "GET /api/v1/tools/call", "OPTIONS /mcp"] {
        let answer = stage.raw(stage.head(line, "").as_bytes()).await;
        assert_eq!(status(&answer), "405", "{line}: {answer}");
        assert!(answer.contains(r#""code":"METHOD_NOT_ALLOWED""#), "{answer}");
    }
}
