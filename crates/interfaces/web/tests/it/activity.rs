//! `GET /api/v1/activity`: every filter, and what is no filter.

use std::time::{Duration, SystemTime};

use awf_core::{ActivityFilter, ActivityId, CallSurface, Cursor, Operation, Status};
use serde_json::json;

use crate::stage::{Stage, told};

#[tokio::test]
async fn every_filter_reaches_the_log() {
    let stage = Stage::open().await;
    let id = ActivityId::generate();
    let query = format!(
        "since=1970-01-01T00:00:10Z&until=1970-01-01T00:00:20Z&run=r&step=s&server=up&tool=look&intent_type=write&status=denied&request_id=q&source=api&limit=7&cursor={id}"
    );
    let (status, body) = told(stage.get(&format!("/api/v1/activity?{query}"))).await;
    assert_eq!((status, body), (200, json!({"activities": [], "next_cursor": null})));
    let at = |seconds| Some(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
    let text = |text: &str| Some(text.to_owned());
    let expected = ActivityFilter {
        id: None,
        since: at(10),
        until: at(20),
        run: text("r"),
        step: text("s"),
        surface: Some(CallSurface::Api),
        server: text("up"),
        tool: text("look"),
        operation: Some(Operation::Write),
        status: Some(Status::Denied),
        request_id: text("q"),
        limit: 7,
        cursor: Some(Cursor(id)),
    };
    assert_eq!(*stage.log.asked.lock().unwrap(), [expected]);
    told(stage.get("/api/v1/activity")).await;
    assert_eq!(stage.log.asked.lock().unwrap().last(), Some(&ActivityFilter::default()));
}

#[tokio::test]
async fn what_is_no_filter_is_refused_with_what_there_is() {
    let stage = Stage::open().await;
    let rows = [
        ("intent=read", "unknown parameter `intent`: there are `since`"),
        ("intent_type=delete", "`intent_type` must be read, write or destructive"),
        ("intent_type=READ", "`intent_type` must be read, write or destructive"),
        ("status=ok", "`status` must be started, success, error, denied, interrupted or bypassed"),
        ("source=web", "`source` must be mcp, cli, api or workflow"),
        ("limit=0", "`limit` must be a number from 1 to 100"),
        ("limit=-1", "`limit` must be a number from 1 to 100"),
        ("limit=101", "`limit` must be a number from 1 to 100"),
        ("limit=1e9", "`limit` must be a number from 1 to 100"),
        ("limit=", "`limit` must be a number from 1 to 100"),
        ("since=yesterday", "`since` must be a time like 2026-11-16T09:30:00Z"),
        ("until=99999999999999999999d", "`until` must be a time like"),
        ("cursor=../../etc/passwd", "`cursor` must be the `next_cursor` of the page before"),
        ("limit=1&limit=2", "parameter `limit` is given twice"),
    ];
    for (query, expected) in rows {
        let response = stage.get(&format!("/api/v1/activity?{query}")).send().await.unwrap();
        assert_eq!(response.status(), 400, "{query}");
        assert_eq!(response.headers()["content-type"], "application/problem+json");
        let body: serde_json::Value =
            serde_json::from_str(&response.text().await.unwrap()).unwrap();
        assert!(body["detail"].as_str().unwrap().starts_with(expected), "{body}");
        assert_eq!((&body["status"], &body["title"]), (&json!(400), &json!("Bad Request")));
    }
    assert!(stage.log.asked.lock().unwrap().is_empty());
}

#[tokio::test]
async fn what_means_something_to_a_database_is_text_here() {
    let stage = Stage::open().await;
    for (written, meant) in
        [("%27%20OR%201%3D1%20--", "' OR 1=1 --"), ("a%00b", "a\0b"), ("%25", "%")]
    {
        assert_eq!(told(stage.get(&format!("/api/v1/activity?tool={written}"))).await.0, 200);
        let asked = stage.log.asked.lock().unwrap().last().unwrap().tool.clone();
        assert_eq!(asked.as_deref(), Some(meant));
    }
}

#[tokio::test]
async fn a_call_shows_up_with_its_record() {
    let stage = Stage::open().await;
    let call = json!({"tool_name": "up_look", "arguments": {"a": 1}});
    let response =
        stage.post("/api/v1/tools/call", &call).header("User-Agent", "curl/8.5.0 x").send();
    let response = response.await.unwrap();
    let id = response.headers()["x-request-id"].to_str().unwrap().to_owned();
    let (_, body) = told(stage.get("/api/v1/activity")).await;
    let record = &body["activities"][0];
    assert_eq!(record["request_id"], json!(id));
    assert_eq!(record["source"], "api");
    assert_eq!(record["client"], json!({"name": "curl", "version": "8.5.0"}));
    assert_eq!((&record["server_name"], &record["tool_name"]), (&json!("up"), &json!("look")));
    assert_eq!(record["metadata"]["intent"]["operation_type"], "read");
}

/// The same filters on every path, and nothing else.
#[tokio::test]
async fn summary_and_export_take_the_filters_and_no_page() {
    let stage = Stage::open().await;
    let query = "tool=look&status=denied&intent_type=write&server=up&source=api";
    let text = |text: &str| Some(text.to_owned());
    let expected = ActivityFilter {
        tool: text("look"),
        server: text("up"),
        status: Some(Status::Denied),
        operation: Some(Operation::Write),
        surface: Some(CallSurface::Api),
        ..ActivityFilter::default()
    };
    let (status, body) = told(stage.get(&format!("/api/v1/activity/summary?{query}"))).await;
    assert_eq!((status, &body["total"]), (200, &json!(0)), "{body}");
    assert_eq!(stage.log.asked.lock().unwrap().last(), Some(&expected));
    let response = stage.get(&format!("/api/v1/activity/export?format=csv&{query}")).send().await;
    let response = response.unwrap();
    assert_eq!(response.headers()["content-type"], "text/csv; charset=utf-8");
    assert!(response.text().await.unwrap().starts_with("id,type,source,"));
    let paged = ActivityFilter { limit: awf_core::EXPORT_PAGE, ..expected };
    assert_eq!(stage.log.asked.lock().unwrap().last(), Some(&paged));
    for (path, detail) in [
        ("summary?limit=1", "unknown parameter `limit`: there are `since`"),
        ("summary?status=ok", "`status` must be started, success"),
        ("export?cursor=1", "unknown parameter `cursor`: there are `format`, `since`"),
        ("export?format=xml", "`format` must be json or csv"),
        ("export?intent_type=all", "`intent_type` must be read, write or destructive"),
        ("01ARZ3NDEKTSV4RRFFQ69G5FAV?x=1", "unknown parameter `x`: there are none"),
    ] {
        let (status, body) = told(stage.get(&format!("/api/v1/activity/{path}"))).await;
        assert_eq!((status, &body["code"]), (400, &json!("INVALID_REQUEST")), "{path}: {body}");
        assert!(body["detail"].as_str().unwrap().starts_with(detail), "{path}: {body}");
    }
}

#[tokio::test]
async fn one_record_is_found_by_its_id_and_a_wrong_id_is_not() {
    let stage = Stage::open().await;
    told(stage.post("/api/v1/tools/call", &json!({"tool_name": "up_look"}))).await;
    let (_, page) = told(stage.get("/api/v1/activity")).await;
    let record = &page["activities"][0];
    let (status, shown) =
        told(stage.get(&format!("/api/v1/activity/{}", record["id"].as_str().unwrap()))).await;
    assert_eq!((status, &shown), (200, record));
    for wrong in ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "x", "..%2F..%2Fetc%2Fpasswd", "%00"] {
        let response = stage.get(&format!("/api/v1/activity/{wrong}")).send().await.unwrap();
        assert_eq!(response.headers()["content-type"], "application/problem+json");
        assert_eq!(response.status(), 404, "{wrong}");
        assert!(response.text().await.unwrap().contains("ACTIVITY_NOT_FOUND"), "{wrong}");
    }
}

#[tokio::test]
async fn an_export_has_every_record_once_over_many_pages() {
    let stage = Stage::open().await;
    let calls = awf_core::EXPORT_PAGE * 2 + 3;
    for _ in 0..calls {
        told(stage.post("/api/v1/tools/call", &json!({"tool_name": "up_look"}))).await;
    }
    let response = stage.get("/api/v1/activity/export").send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/x-ndjson");
    let text = response.text().await.unwrap();
    let ids: std::collections::HashSet<String> = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].to_string())
        .collect();
    assert_eq!((ids.len(), text.lines().count()), (calls, calls));
    let response = stage.get("/api/v1/activity/export?format=csv").send().await.unwrap();
    assert_eq!(response.text().await.unwrap().lines().count(), 1 + calls);
}

/// Pages are read as they are taken: who reads nothing makes the log read little more than a page.
#[tokio::test]
async fn a_client_that_does_not_read_makes_nobody_read_ahead() {
    let stage = Stage::open().await;
    let long = "x".repeat(60_000);
    let calls = awf_core::EXPORT_PAGE * 8;
    for _ in 0..calls {
        let call = json!({"tool_name": "up_look", "arguments": {"long": long}});
        told(stage.post("/api/v1/tools/call", &call)).await;
    }
    let before = stage.log.asked.lock().unwrap().len();
    let mut response = stage.get("/api/v1/activity/export").send().await.unwrap();
    assert!(response.chunk().await.unwrap().is_some());
    // Another client is served meanwhile, and nothing is held.
    let (status, _) = told(stage.get("/api/v1/activity?limit=1")).await;
    assert_eq!(status, 200);
    let asked = stage.log.asked.lock().unwrap().len() - before - 1;
    assert!(asked < 8, "all {asked} pages were read ahead");
    let mut bytes = 0;
    while let Some(chunk) = response.chunk().await.unwrap() {
        bytes += chunk.len();
    }
    assert!(bytes > (calls - 2) * 60_000, "{bytes}");
}
