//! Who is let in at `awf serve`, and where it listens.

use std::{fs, net::TcpListener, os::unix::fs::PermissionsExt as _, process::Output};

use serde_json::{Value, json};

use crate::{intent::web::Web, world::World};

const ACTIVITY: &str = "GET /api/v1/activity";
const CALL: &str = "POST /api/v1/tools/call";
const MCP: &str = "POST /mcp";

fn web() -> (World, Web) {
    let world = World::new();
    let web = Web::start(&world, &world.config(json!({})));
    (world, web)
}

/// What a client sends that has nothing to hide.
fn headers<'h>(web: &'h Web, further: &[(&'h str, &'h str)]) -> Vec<(&'h str, &'h str)> {
    let mut headers = vec![
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
    ];
    if !further.iter().any(|(name, _)| *name == "Host") {
        headers.push(("Host", web.address()));
    }
    headers.extend(further);
    headers
}

fn status(web: &Web, line: &str, further: &[(&str, &str)]) -> (u16, Value) {
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"it","version":"1"}}}"#;
    let call = r#"{"tool_name":"call_tool_destructive","arguments":{"name":"builtin:Bash","args":{"command":"touch ran"},"intent":{"operation_type":"destructive"}}}"#;
    let body = match line.split(['?', ' ']).nth(1).unwrap() {
        "/mcp" => hello,
        "/api/v1/tools/call" => call,
        _ => "",
    };
    let reply = web.raw(line, &headers(web, further), body);
    assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    (reply.status, serde_json::from_str(&reply.body).unwrap_or_default())
}

#[test]
fn nothing_is_given_without_the_key() {
    let (world, web) = web();
    let key = web.key();
    assert_eq!(key.len(), 64);
    let mode = fs::metadata(world.home().join("api-key")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let wrong = key.chars().rev().collect::<String>();
    let bearer_wrong = format!("Bearer {wrong}");
    let unmarked = format!("Basic {key}");
    for line in [ACTIVITY, CALL, MCP, "GET /mcp", "DELETE /mcp", "GET /nothing"] {
        let rows: [&[(&str, &str)]; 7] = [
            &[],
            &[("X-API-Key", "")],
            &[("X-API-Key", &wrong)],
            &[("X-API-Key", &key[..63])],
            &[("Authorization", &bearer_wrong)],
            &[("Authorization", &unmarked)],
            &[("X-API-Key", key), ("Authorization", &bearer_wrong)],
        ];
        for further in rows {
            let (status, problem) = status(&web, line, further);
            assert_eq!(status, 401, "{line} {further:?}: {problem}");
            assert_eq!(problem["code"], "UNAUTHORIZED", "{problem}");
        }
    }
    assert!(!world.root().join("ran").exists(), "a call ran without the key");
    assert_eq!(world.activity(), Vec::<Value>::new());
}

#[test]
fn the_key_is_not_taken_from_the_address() {
    let (world, web) = web();
    let key = web.key();
    for name in ["key", "apikey", "api_key", "X-API-Key", "access_token", "token"] {
        for line in [ACTIVITY, CALL, MCP] {
            let (status, problem) = status(&web, &format!("{line}?{name}={key}"), &[]);
            assert_eq!(status, 401, "{line} {name}: {problem}");
        }
    }
    assert!(!world.root().join("ran").exists());
}

#[test]
fn either_header_lets_in() {
    let (world, web) = web();
    let (key, bearer) = (web.key(), format!("bearer {}", web.key()));
    for further in [("X-API-Key", key), ("authorization", &bearer)] {
        assert_eq!(status(&web, ACTIVITY, &[further]).0, 200);
        assert_eq!(status(&web, MCP, &[further]).0, 200);
        let (status, answer) = status(&web, CALL, &[further]);
        assert_eq!((status, &answer["isError"] == true), (200, false), "{answer}");
    }
    assert!(world.root().join("ran").exists());
}

#[test]
fn a_page_of_somebody_else_is_not_let_in() {
    let (world, web) = web();
    let (key, address) = (("X-API-Key", web.key()), web.address());
    let port = address.rsplit(':').next().unwrap();
    let rebound = format!("rebound.example:{port}");
    let other = format!("http://rebound.example:{port}");
    let encrypted = format!("https://{address}");
    for line in [ACTIVITY, CALL, MCP] {
        for host in ["rebound.example", &rebound, "127.0.0.1:1", ""] {
            let (status, problem) = status(&web, line, &[key, ("Host", host)]);
            assert_eq!(status, 403, "{line} {host}: {problem}");
            assert_eq!(problem["code"], "FOREIGN_HOST", "{problem}");
        }
        for origin in ["https://rebound.example", &other, &encrypted, "null"] {
            let (status, problem) = status(&web, line, &[key, ("Origin", origin)]);
            assert_eq!(status, 403, "{line} {origin}: {problem}");
            assert_eq!(problem["code"], "FOREIGN_ORIGIN", "{problem}");
        }
    }
    assert!(!world.root().join("ran").exists(), "a call of a foreign page ran");
    let named = format!("localhost:{port}");
    let (own, own_named) = (format!("http://{address}"), format!("http://{named}"));
    assert_eq!(status(&web, MCP, &[key, ("Origin", &own)]).0, 200);
    assert_eq!(status(&web, MCP, &[key, ("Host", &named), ("Origin", &own_named)]).0, 200);
}

#[test]
fn a_form_of_a_page_is_no_call() {
    let (world, web) = web();
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        let headers = [("Host", web.address()), ("X-API-Key", web.key()), ("Content-Type", kind)];
        for line in [CALL, MCP] {
            assert_eq!(web.raw(line, &headers, "{}").status, 415, "{line} {kind}");
        }
    }
    assert!(!world.root().join("ran").exists());
}

fn serve(world: &World, listen: &str) -> Output {
    let config = world.config(json!({}));
    world.awf(["serve", "--listen", listen, "--config", config.to_str().unwrap()])
}

#[test]
fn a_port_that_is_taken_is_told() {
    let world = World::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = serve(&world, &address);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("SYSTEM.SERVE.LISTEN_FAILED") && said.contains(&address), "{said}");
    assert!(output.stdout.is_empty());
}

#[test]
fn other_machines_are_let_in_only_by_a_word() {
    let world = World::new();
    for listen in ["0.0.0.0:0", "[::]:0", "192.0.2.1:8080"] {
        let output = serve(&world, listen);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("--allow-remote"), "{said}");
    }
    assert!(!world.home().join("api-key").exists(), "a key was made for nothing");
}
