//! What can be looked at after everything was done: by commands, and on the page.

use serde_json::{Value, json};

use crate::{
    intent::Web,
    secrets::{CANARIES, Stage, Stdout},
};

/// Everything that can be looked at afterwards.
pub(super) fn commands(stage: &mut Stage) {
    let ids: Vec<Value> =
        stage.world.activity().iter().map(|record| record["id"].clone()).collect();
    assert!(ids.len() > CANARIES.len() / 2, "{}", ids.len());
    let mut looks: Vec<Vec<String>> = [
        "activity list",
        "activity list -o json -n 100",
        "activity list -o yaml",
        "activity summary",
        "activity export",
        "activity export --format csv",
        "history",
        "status",
        "tools list",
    ]
    .map(|words| words.split(' ').map(str::to_owned).collect())
    .into();
    looks.extend(
        ids.iter()
            .map(|id| vec!["activity".to_owned(), "show".into(), id.as_str().unwrap().into()]),
    );
    for words in looks {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let command = stage.world.by_user(&words);
        stage.run(command, Stdout::Sink);
    }
}

/// The page, and what the API says of itself and of runs.
pub(super) fn pages(stage: &mut Stage) {
    let config = stage.world.config(json!({}));
    let mut web = Web::start(&stage.world, &config);
    let runs: Value = serde_json::from_str(&web.get("/api/v1/runs?limit=100").body).unwrap();
    let runs = runs["runs"].as_array().unwrap();
    assert!(runs.len() > 3, "{runs:?}");
    let fixed = ["/activity?limit=100", "/runs", "/doctor", "/docs", "/openapi.json"];
    let mut paths: Vec<String> = fixed.map(str::to_owned).into();
    for run in runs {
        let id = run["id"].as_str().unwrap();
        paths.extend([format!("/runs/{id}"), format!("/api/v1/runs/{id}")]);
    }
    for record in stage.world.activity() {
        paths.push(format!("/activity/{}", record["id"].as_str().unwrap()));
    }
    for path in paths {
        let reply = web.get(&path);
        assert_eq!(reply.status, 200, "{path}: {}", reply.body);
        stage.sinks.push((format!("GET {path}"), reply.body));
    }
}
