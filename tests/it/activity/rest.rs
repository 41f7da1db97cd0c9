//! The log over REST: the same as at the terminal, word for word.

use serde_json::{Value, json};

use crate::{
    activity::{stdout, told},
    intent::Web,
};

#[test]
fn rest_gives_what_the_terminal_gives() {
    let world = told();
    let mut web = Web::start(&world, &world.config(json!({})));
    let mut get = |path: &str| {
        let reply = web.get(&format!("/api/v1/activity{path}"));
        assert_eq!(reply.status, 200, "{path}: {}", reply.body);
        reply.body
    };
    let json = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let record = world.activity().remove(2);
    assert_eq!(json(&get(&format!("/{}", record["id"].as_str().unwrap()))), record);
    for (query, flags) in [
        ("", &[][..]),
        ("intent_type=read&status=denied", &["--intent-type", "read", "--status", "denied"]),
        ("tool=Bash&since=1h&source=cli", &["--tool", "Bash", "--since", "1h", "--source", "cli"]),
        ("until=1h", &["--until", "1h"]),
    ] {
        let awf = |words: &[&str]| stdout(&world.awf([words, flags].concat()));
        assert_eq!(
            json(&get(&format!("/summary?{query}"))),
            json(&awf(&["activity", "summary", "-o", "json"])),
            "{query}"
        );
        assert_eq!(
            json(&get(&format!("?{query}"))),
            json(&awf(&["activity", "list", "-o", "json"])),
            "{query}"
        );
        for format in ["json", "csv"] {
            let over_rest = get(&format!("/export?format={format}&{query}"));
            assert_eq!(over_rest, awf(&["activity", "export", "--format", format]), "{query}");
        }
    }
}

#[test]
fn what_is_not_there_or_cannot_be_asked_is_a_problem() {
    let world = told();
    let mut web = Web::start(&world, &world.config(json!({})));
    for (path, status, code, detail) in [
        ("/01ARZ3NDEKTSV4RRFFQ69G5FAV", 404, "ACTIVITY_NOT_FOUND", "no activity record `01ARZ3N"),
        ("/nothing", 404, "ACTIVITY_NOT_FOUND", "no activity record `nothing`"),
        ("/export?format=xml", 400, "INVALID_REQUEST", "`format` must be json or csv"),
        ("/summary?status=ok", 400, "INVALID_REQUEST", "`status` must be started, success, error"),
        ("/summary?period=1h", 400, "INVALID_REQUEST", "unknown parameter `period`: there are"),
    ] {
        let reply = web.get(&format!("/api/v1/activity{path}"));
        assert_eq!(reply.status, status, "{path}: {}", reply.body);
        assert_eq!(reply.header("content-type"), Some("application/problem+json"));
        let problem: Value = serde_json::from_str(&reply.body).unwrap();
        assert_eq!(problem["code"], code, "{problem}");
        assert!(problem["detail"].as_str().unwrap().starts_with(detail), "{problem}");
    }
}
