//! Problems of the REST API: each has its status, its code and one form; nothing is told as something else.

use std::fs;

use serde_json::{Value, json};

use crate::{intent::Web, world::World};

fn segment(world: &World) -> std::path::PathBuf {
    let folder = world.home().join("activity/segments");
    let mut segments = fs::read_dir(folder).unwrap();
    segments.next().unwrap().unwrap().path()
}

fn glob(world: &World) {
    assert!(
        world.awf(["call", "tool-read", "Glob", "--args", r#"{"pattern":"*"}"#]).status.success()
    );
}

#[test]
fn a_log_of_a_newer_awf_has_a_code_of_its_own() {
    let world = World::new();
    glob(&world);
    let path = segment(&world);
    let newer = fs::read_to_string(&path).unwrap().replace("\"v\":1", "\"v\":2");
    fs::write(&path, newer).unwrap();
    fs::remove_file(world.home().join("activity/index.sqlite")).ok();
    let mut web = Web::start(&world, &world.config(json!({})));
    for path in ["activity", "activity/summary", "activity/export", "events"] {
        let reply = web.get(&format!("/api/v1/{path}"));
        let problem: Value = serde_json::from_str(&reply.body).unwrap();
        assert_eq!((reply.status, &problem["code"]), (500, &json!("JOURNAL_NEWER")), "{problem}");
        assert!(problem["detail"].as_str().unwrap().contains("newer awf"), "{problem}");
    }
}

#[test]
fn damage_is_told_beside_what_is_left() {
    let world = World::new();
    glob(&world);
    glob(&world);
    let mut web = Web::start(&world, &world.config(json!({})));
    let whole = web.get("/api/v1/activity");
    assert_eq!((whole.status, whole.header("x-activity-damage")), (200, None));
    let path = segment(&world);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("Glob", "Blob", 1)).unwrap();
    for path in ["activity", "activity/export"] {
        let reply = web.get(&format!("/api/v1/{path}"));
        assert_eq!((reply.status, reply.header("x-activity-damage")), (200, Some("1")), "{path}");
    }
    let page: Value = serde_json::from_str(&web.get("/api/v1/activity").body).unwrap();
    assert_eq!(page["activities"].as_array().unwrap().len(), 1, "{page}");
}

/// Other paths and methods: one form, with what would be allowed, and never a word that lets a foreign page in.
#[test]
fn what_is_not_there_is_a_problem_for_every_method() {
    let world = World::new();
    let web = Web::start(&world, &world.config(json!({})));
    let ask = |line: &str| {
        let sent = [
            ("Host", web.address()),
            ("X-API-Key", web.key()),
            ("Content-Type", "application/json"),
            ("Origin", &format!("http://{}", web.address())),
            ("Access-Control-Request-Method", "POST"),
        ];
        let reply = web.raw(line, &sent, "");
        let granted = |(name, _): &(String, String)| name.starts_with("access-control-");
        assert!(!reply.headers.iter().any(granted), "{line}: {:?}", reply.headers);
        reply
    };
    for (line, status, code, allow) in [
        ("GET /api/v1", 404, "NOT_FOUND", None),
        ("POST /api/v1/nothing", 404, "NOT_FOUND", None),
        ("OPTIONS /api/v1/nothing", 404, "NOT_FOUND", None),
        ("DELETE /api/v1/activity", 405, "METHOD_NOT_ALLOWED", Some("GET,HEAD")),
        ("OPTIONS /api/v1/activity", 405, "METHOD_NOT_ALLOWED", Some("GET,HEAD")),
        ("TRACE /api/v1/tools", 405, "METHOD_NOT_ALLOWED", Some("GET,HEAD")),
        ("PATCH /api/v1/events", 405, "METHOD_NOT_ALLOWED", Some("GET,HEAD")),
        ("GET /api/v1/tools/call", 405, "METHOD_NOT_ALLOWED", Some("POST")),
    ] {
        let reply = ask(line);
        let problem: Value = serde_json::from_str(&reply.body).unwrap();
        assert_eq!((reply.status, &problem["code"]), (status, &json!(code)), "{line}: {problem}");
        assert_eq!(reply.header("content-type"), Some("application/problem+json"), "{line}");
        assert_eq!(reply.header("allow"), allow, "{line}");
    }
}

/// `HEAD` says what `GET` says, without a body.
#[test]
fn head_is_get_without_a_body() {
    let world = World::new();
    glob(&world);
    let web = Web::start(&world, &world.config(json!({})));
    let sent = [("Host", web.address()), ("X-API-Key", web.key()), ("Connection", "close")];
    for path in ["activity", "activity/summary", "tools", "activity/nothing", "activity?limit=0"] {
        let (head, get) = (
            web.head(&format!("/api/v1/{path}"), &sent),
            web.raw(&format!("GET /api/v1/{path}"), &sent, ""),
        );
        assert_eq!((head.status, head.body.as_str()), (get.status, ""), "{path}");
        assert_eq!(head.header("content-type"), get.header("content-type"), "{path}");
    }
}
