//! `GET /api/v1/runs`: which are found, in which order, and what is said of those that cannot be read.

use std::time::{Duration, SystemTime};

use awf_core::{Effect, Loss, Outline, RunBegan, RunEvent, RunId, RunStatus, RunSummary, TaskId};
use serde_json::{Value, json};

use crate::stage::{Stage, told};

fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

fn id(number: u64) -> RunId {
    RunId::parse(&format!("{number:026}")).unwrap()
}

fn summary(number: u64, workflow: &str, status: RunStatus) -> RunSummary {
    let workflow = workflow.to_owned();
    let began = at(number);
    RunSummary { id: id(number), workflow, status, began, ended: None, exit_code: None }
}

fn outline(number: u64) -> Outline {
    let began = RunEvent::Began(Box::new(RunBegan {
        id: id(number),
        at: at(number),
        workflow: "lint".to_owned(),
        sources: Vec::new(),
        inputs: Vec::new(),
        dir: "/project".into(),
        provider: None,
        presets: Vec::new(),
        only: None,
        version: "0.1.0".to_owned(),
    }));
    let task = RunEvent::TaskBegan {
        task: TaskId(1),
        step: "build".to_owned(),
        attempt: 1,
        effect: Effect::Step,
        at: at(number),
    };
    Outline { events: vec![began, task], loss: None }
}

/// Five runs, newest first: one under way, a damaged one, one that is damaged from its first line, two old ones.
async fn stage() -> Stage {
    let stage = Stage::open().await;
    let loss = Some(Loss::Damaged { line: 3, message: "of a newer awf".to_owned() });
    *stage.runs.0.lock().unwrap() = vec![
        (summary(50, "lint", RunStatus::Running), Ok(outline(50))),
        (summary(40, "lint", RunStatus::Interrupted), Ok(Outline { loss, ..outline(40) })),
        (summary(30, "?", RunStatus::Interrupted), Err(1)),
        (summary(20, "build", RunStatus::Success), Ok(outline(20))),
        (summary(10, "lint", RunStatus::Failed), Ok(outline(10))),
    ];
    stage
}

async fn ids(stage: &Stage, query: &str) -> (Vec<u64>, Value) {
    let (status, body) = told(stage.get(&format!("/api/v1/runs?{query}"))).await;
    assert_eq!(status, 200, "{query}: {body}");
    let runs = body["runs"].as_array().unwrap().iter();
    let ids = runs.map(|run| run["id"].as_str().unwrap().parse().unwrap()).collect();
    (ids, body["next_cursor"].clone())
}

#[tokio::test]
async fn every_filter_finds_what_it_says() {
    let stage = stage().await;
    for (query, wanted) in [
        ("", &[50, 40, 30, 20, 10][..]),
        ("workflow=lint", &[50, 40, 10]),
        ("workflow=Lint", &[]),
        ("status=interrupted", &[40, 30]),
        ("since=1970-01-01T00:00:20Z", &[50, 40, 30, 20]),
        ("until=1970-01-01T00:00:20Z", &[10]),
        ("workflow=lint&status=failed&until=1h", &[10]),
    ] {
        assert_eq!(ids(&stage, query).await, (wanted.to_vec(), Value::Null), "{query}");
    }
}

#[tokio::test]
async fn pages_follow_each_other_also_when_runs_begin_meanwhile() {
    let stage = stage().await;
    let (first, cursor) = ids(&stage, "limit=2").await;
    assert_eq!(first, [50, 40]);
    let new = (summary(60, "lint", RunStatus::Running), Ok(outline(60)));
    stage.runs.0.lock().unwrap().insert(0, new);
    let (second, cursor) =
        ids(&stage, &format!("limit=2&cursor={}", cursor.as_str().unwrap())).await;
    assert_eq!(second, [30, 20]);
    let last = ids(&stage, &format!("limit=2&cursor={}", cursor.as_str().unwrap())).await;
    assert_eq!(last, (vec![10], Value::Null));
}

#[tokio::test]
async fn a_damaged_run_is_told_and_spoils_no_list() {
    let stage = stage().await;
    let (_, body) = told(stage.get("/api/v1/runs")).await;
    let told_of = |index: usize| {
        let run = &body["runs"][index];
        json!([run["workflow"], run["steps"], run["tool_calls"], run["loss"]])
    };
    let none = json!({"made": 0, "denied": 0, "bypassed": 0});
    assert_eq!(told_of(0), json!(["lint", 1, none, null]));
    let lost = json!({"damaged": {"line": 3, "message": "of a newer awf"}});
    assert_eq!(told_of(1), json!(["lint", 1, none, lost]));
    let lost = json!({"damaged": {"line": 1, "message": "not an event"}});
    assert_eq!(told_of(2), json!(["?", null, null, lost]));
    let (status, shown) = told(stage.get(&format!("/api/v1/runs/{}", id(40)))).await;
    assert_eq!((status, &shown["loss"]["damaged"]["line"]), (200, &json!(3)));
    assert_eq!(shown["steps"][0]["name"], "build");
    let (status, problem) = told(stage.get(&format!("/api/v1/runs/{}", id(30)))).await;
    assert_eq!((status, &problem["code"]), (500, &json!("RUN_DAMAGED")));
}

#[tokio::test]
async fn what_is_no_run_and_no_parameter_is_a_problem() {
    let stage = stage().await;
    let rows = [
        ("?step=x", 400, "unknown parameter `step`: there are `workflow`, `status`, `since`"),
        ("?status=ok", 400, "`status` must be running, success, failed, cancelled or interrupted"),
        ("?limit=0", 400, "`limit` must be a number from 1 to 100"),
        ("?limit=101", 400, "`limit` must be a number from 1 to 100"),
        ("?cursor=x", 400, "`cursor` must be the `next_cursor` of the page before"),
        ("?since=soon", 400, "`since` must be a time like"),
        ("?status=failed&status=failed", 400, "parameter `status` is given twice"),
        ("/nothing", 404, "no run `nothing`"),
        ("/01ARZ3NDEKTSV4RRFFQ69G5FAV", 404, "no run `01ARZ3NDEKTSV4RRFFQ69G5FAV`"),
        ("/%2e%2e%2fapi-key", 404, "no run `../api-key`"),
        ("/01ARZ3NDEKTSV4RRFFQ69G5FAV?x=1", 400, "unknown parameter `x`: there are none"),
    ];
    for (path, status, detail) in rows {
        let (found, problem) = told(stage.get(&format!("/api/v1/runs{path}"))).await;
        assert_eq!(found, status, "{path}: {problem}");
        assert!(problem["detail"].as_str().unwrap().starts_with(detail), "{problem}");
    }
}
