//! What can be looked at after everything was done: by commands, and on the page.

use serde_json::{Value, json};

use crate::{
    intent::Web,
    secrets::{CANARIES, Stage, Stdout, canary},
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
        "activity summary -o json",
        "activity summary -o yaml",
        "activity export",
        "activity export --format csv",
        "activity verify",
        "activity verify -o json",
        "activity verify -o yaml",
        "activity head",
        "history",
        "history -o json",
        "history --stats",
        "resume --list",
        "status",
        "tools list",
        "list",
        "diagram outer",
    ]
    .map(|words| words.split(' ').map(str::to_owned).collect())
    .into();
    for (noun, verb, format) in
        [("activity", "show", "table"), ("activity", "show", "json"), ("activity", "show", "yaml")]
    {
        looks.extend(
            ids.iter().map(|id| {
                [noun, verb, id.as_str().unwrap(), "-o", format].map(str::to_owned).into()
            }),
        );
    }
    let runs = stage.world.awf_json(["history", "-o", "json"]);
    for run in runs["runs"].as_array().unwrap() {
        let id = run["id"].as_str().unwrap();
        looks.extend(
            ["text", "json"].map(|format| ["status", id, "-o", format].map(str::to_owned).into()),
        );
    }
    for words in looks {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let command = stage.world.by_user(&words);
        stage.run(command, Stdout::Full);
    }
}

/// What a doctor says who is given secrets, and tries agents with them.
pub(super) fn doctor(stage: &mut Stage) {
    for words in [&["doctor"][..], &["doctor", "--json", "--fresh"]] {
        let mut command = stage.awf(words);
        command.env("PATH", "/usr/bin:/bin").env("HOME", stage.world.beside("user"));
        command.env("ENV_PLAIN_TOKEN", canary("env plain"));
        command.env("OPENAI_API_KEY", canary("endpoint key"));
        stage.run(command, Stdout::Full);
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
        stage.sink(&format!("GET {path}"), reply.body);
    }
}
