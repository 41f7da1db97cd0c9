//! Secrets in workflows: inputs, variables, what called workflows are given, keys of endpoints.

use std::fs;

use serde_json::{Value, json};

use crate::{
    openai::{Model, calls, says, workflow},
    plugin::binary,
    secrets::{Stage, Stdout, canary},
    world::program,
};

/// A workflow with secret inputs and variables, one that it calls, a plugin that says aloud what it overhears, and an
/// agent that prints what it is given.
pub(super) fn run(stage: &mut Stage) {
    let (told, said) = (stage.world.beside("told"), stage.world.beside("said"));
    let tell = format!("tee -a {}", told.display());
    assert!(program("mkfifo").arg(&said).status().unwrap().success());
    // What reaches a plugin's standard error is logged.
    let aloud = "while read -r line; do echo \"overheard $line\" >&2; done < \"$1\" & exec \"$0\"";
    let command = json!(["sh", "-c", aloud, binary("awf-plugin-example"), said]);
    stage.world.declare(&[json!({"name": "example", "command": command})]);
    let turns = json!({"turns": [
        {"call": "Bash", "arguments": {"command": format!("echo $STATE_TOKEN $PLACE | {tell}")}}, {"say": "done"},
    ]});
    stage.world.file("turns.yaml", turns.to_string());
    let step = |command: String, env: Value, next: &str| json!({"type": "step", "command": command, "env": env, "on_success": next});
    let secret = |name: &str| json!({"name": name, "secret": true, "required": true});
    let inner =
        format!("echo \"$DEEP $FLAT\" | {tell} > {}; {}", said.display(), stage.census("called"));
    let env = json!({"DEEP": "{{.inputs.deep}}", "FLAT": "{{.inputs.flat}}"});
    stage.world.workflow("inner", &json!({
        "name": "inner", "inputs": [secret("deep"), secret("flat")],
        "states": {"initial": "say", "say": step(inner, env, "done"), "done": {"type": "terminal"}},
    }).to_string());
    let say = format!(
        "echo \"$A\" | {tell}; printf %s \"$B\" | base64 -w0 | {tell}; {}",
        stage.census("step")
    );
    let state = json!({"STATE_TOKEN": canary("state env"), "PLACE": canary("state env key")});
    let mut fail = step(
        format!("echo \"$C is wrong\" | {tell} >&2; exit 4"),
        json!({"C": "{{.inputs.third}}"}),
        "greet",
    );
    fail["continue_on_error"] = json!(true);
    stage.world.workflow("outer", &json!({
        "name": "outer", "inputs": (["first", "second", "third", "fourth"].map(secret)),
        "states": {
            "initial": "say",
            "say": step(say, json!({"A": "{{.inputs.first}}", "B": "{{.inputs.second}}"}), "fail"),
            "fail": fail,
            "greet": {"type": "operation", "operation": "example.greet", "inputs": {"name": "you"}, "on_success": "call"},
            "call": {
                "type": "call_workflow", "workflow": "inner", "on_success": "ask",
                "inputs": {"deep": "{{.inputs.fourth}}", "flat": "{{.env.NEUTRAL}}"},
            },
            "ask": {"type": "agent", "provider": "scripted:turns.yaml", "prompt": "x", "mcp_proxy": {"enable": true}, "env": state},
        },
    }).to_string());
    stage.world.write_user(&json!({}));
    let given = [
        ("first", "input secret"),
        ("second", "input base64"),
        ("third", "input failing"),
        ("fourth", "input called"),
    ];
    let given = given.map(|(name, way)| format!("{name}={}", canary(way)));
    for format in ["json", "text", "quiet", "dry"] {
        let mut command = stage.awf(&["run", "outer"]);
        command.args(given.iter().flat_map(|input| ["--input", input]));
        command.env("NEUTRAL", canary("input neutral"));
        if format == "dry" {
            command.arg("--dry-run");
            assert_eq!(stage.run(command, Stdout::Full), Some(0));
            continue;
        }
        let html = stage.world.beside("run.html");
        command.args(["--format", format, "--html"]).arg(&html);
        let code = stage.run(command, Stdout::Sink);
        assert_eq!(code, Some(0), "{:?}", stage.sinks.iter().rev().take(2).collect::<Vec<_>>());
        let (_, said) = stage.sinks.last().unwrap();
        assert!(said.contains("overheard [redacted]"), "{said}");
        stage.sink("the file of a run", fs::read_to_string(&html).unwrap());
    }
    fs::remove_file(stage.world.root().join(".awf/plugins.yaml")).unwrap();
    stage.arrived_in("told");
}

/// A run that failed and goes on: its secret is given again.
pub(super) fn gone_on_with(stage: &mut Stage) {
    let noted = stage.world.beside("resumed");
    let again = format!("echo $key; test -e go && echo $key > {}", noted.display());
    stage.world.workflow(
        "again",
        &json!({
            "name": "again", "inputs": [{"name": "key", "secret": true, "required": true}],
            "states": {"initial": "one", "one": {"type": "step", "command": again}},
        })
        .to_string(),
    );
    let key = format!("key={}", canary("input resumed"));
    let command = stage.awf(&["run", "again", "--input", &key]);
    assert_eq!(stage.run(command, Stdout::Full), Some(3));
    let runs = stage.world.awf_json(["history", "-o", "json"]);
    let id = runs["runs"][0]["id"].as_str().unwrap();
    let resume = ["resume", id, "--from", "one"];
    for (further, code) in
        [(&[][..], 1), (&["--input", &key], 3), (&["--input", &key, "--format", "json"], 3)]
    {
        let command = stage.awf(&[&resume[..], further].concat());
        assert_eq!(stage.run(command, Stdout::Sink), Some(code));
    }
    stage.world.file("go", "");
    let command = stage.awf(&[&resume[..], &["--input", &key]].concat());
    assert_eq!(stage.run(command, Stdout::Full), Some(0));
    stage.arrived_in("resumed");
}

/// A model behind an endpoint that asks for a tool with a secret among its arguments.
pub(super) fn endpoints(stage: &mut Stage) {
    stage.world.workflow("asked", &workflow(""));
    for (variable, way) in [("OPENAI_API_KEY", "endpoint key"), ("WHATEVER", "endpoint grant")] {
        let arguments =
            json!({"command": format!("echo password={}", canary("endpoint arguments"))});
        let model = Model::new(vec![calls("Bash", &arguments), says("ok")]);
        let mut command = stage.awf(&["run", "asked", "--format", "json"]);
        command
            .env(variable, canary(way))
            .env("OPENAI_MODEL", "m")
            .env("OPENAI_BASE_URL", &model.base_url);
        let origin = model.base_url.trim_end_matches("/v1");
        match way {
            "endpoint grant" => stage
                .world
                .write_user(&json!({"agents": {"keys": [{"origin": origin, "env": variable}]}})),
            _ => stage.world.write_user(&json!({})),
        }
        stage.run(command, Stdout::Sink);
        stage.arrived.push(format!("{:?}", model.asked()));
    }
}
