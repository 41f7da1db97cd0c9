//! Names that are ours, and names that only look like it.

use axum::{body::Body, extract::Request};

use super::Place;

fn passes(host: Option<&str>, origin: Option<&str>) -> bool {
    let hosts = ["box.example".to_owned(), "10.0.0.5:9000".to_owned()];
    let mut request = Request::builder().uri("/mcp");
    for (name, value) in [("host", host), ("origin", origin)] {
        if let Some(value) = value {
            request = request.header(name, value);
        }
    }
    let request = request.body(Body::empty()).unwrap();
    Place { port: 8080, hosts: &hosts }.check(&request).is_ok()
}

#[test]
fn only_our_own_names_pass() {
    let ours = [
        "127.0.0.1:8080",
        "localhost:8080",
        "LocalHost:8080",
        "[::1]:8080",
        "127.0.0.2:8080",
        "box.example",
        "box.example:8080",
        "10.0.0.5:9000",
    ];
    for host in ours {
        assert!(passes(Some(host), None), "{host}");
    }
    let foreign = [
        "",
        "evil.example",
        "evil.example:8080",
        "127.0.0.1.evil:8080",
        "127.0.0.1",
        "127.0.0.1:80",
        "localhost:8081",
        "localhost.:8080",
        "x@127.0.0.1:8080",
        "127.0.0.1:8080:8080",
        "[::2]:8080",
        "0.0.0.0:8080",
        "box.example:1",
        "10.0.0.5",
    ];
    for host in foreign {
        assert!(!passes(Some(host), None), "{host}");
    }
    assert!(!passes(None, None));
}

#[test]
fn only_our_own_pages_pass() {
    let rows = [
        ("localhost:8080", "http://localhost:8080", true),
        ("box.example", "https://box.example", true),
        ("localhost:8080", "https://localhost:8080", false),
        ("localhost:8080", "http://127.0.0.1:8080", false),
        ("localhost:8080", "http://localhost:8081", false),
        ("localhost:8080", "http://localhost", false),
        ("localhost:8080", "null", false),
        ("localhost:8080", "", false),
        ("localhost:8080", "https://evil.example", false),
        ("localhost:8080", "http://localhost:8080.evil.example", false),
    ];
    for (host, origin, expected) in rows {
        assert_eq!(passes(Some(host), Some(origin)), expected, "{host} {origin}");
    }
}
