//! What a run would do.

use std::time::Duration;

use awf_core::{Backoff, McpProxy, Operation, PluginTools, Retry, StateKind, Workflow};
use serde_json::{Map, Value, json};

use crate::{
    built::{
        Leading, agent_with, command, custom, end, for_each, input, name, names, parallel, span,
        step, text, tree, workflow,
    },
    plan::{PlannedWay, WayOn, WayTo, plan},
};

fn known() -> Map<String, Value> {
    let known = json!({
        "inputs": { "branch": "main", "token": "hunter22", "count": 3 },
        "env": { "HOME": "/home/me", "API_TOKEN": "abc" },
        "workflow": { "Name": "main" },
    });
    known.as_object().cloned().expect("an object")
}

fn given(mut workflow: Workflow) -> Workflow {
    let mut token = input("token");
    token.secret = true;
    workflow.inputs = vec![input("branch"), token, input("count"), input("absent")];
    workflow
}

fn shown(text: &str) -> String {
    let plan = plan(&given(workflow([command("s", text)])), &known());
    plan.steps[0].values[0].1.clone()
}

#[test]
fn what_is_known_is_resolved_and_the_rest_is_left_as_written() {
    for (text, expected) in [
        ("git checkout {{escape .inputs.branch}}", "git checkout 'main'"),
        ("{{.inputs.count}} {{.workflow.Name}} {{.env.HOME}}", "3 main /home/me"),
        ("{{.states.a.Output}} on {{.inputs.branch}}", "{{.states.a.Output}} on main"),
        ("{{.loop.Item}}", "{{.loop.Item}}"),
        ("{{if .states.a.Output}}{{.inputs.branch}}{{end}}", "{{if .states.a.Output}}main{{end}}"),
        ("{{.inputs.missing}}", "{{.inputs.missing}}"),
        ("{{readFile \"/etc/passwd\"}}", "{{readFile \"/etc/passwd\"}}"),
        ("{{ not closed", "{{ not closed"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn secrets_are_never_shown() {
    assert_eq!(shown("curl -H {{escape .inputs.token}} {{.env.API_TOKEN}}"), "curl -H '***' ***");
    let plan = plan(&given(workflow([step("s")])), &known());
    let expected = [("branch", "main"), ("token", "***"), ("count", "3")];
    let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(plan.inputs, expected);
    assert!(!format!("{plan:?}").contains("hunter22"));
}

#[test]
fn states_come_in_the_order_of_success_then_the_others() {
    let workflow = workflow([
        step("build").when("inputs.count == 1", "fast").to("checks").on_failure("broken"),
        end("broken"),
        step("fast").to("ship"),
        parallel("checks", &["lint", "each"]).to("ship"),
        step("lint").to("never"),
        for_each("each", "a,b", &["test"]),
        step("test"),
        end("ship"),
        step("never"),
    ]);
    let plan = plan(&workflow, &known());
    let order: Vec<String> = plan
        .steps
        .iter()
        .map(|step| match &step.within {
            Some(owner) => format!("{owner}/{}", step.name),
            None => step.name.clone(),
        })
        .collect();
    let expected =
        ["build", "checks", "checks/lint", "checks/each", "each/test", "ship", "fast", "broken"];
    assert_eq!(order, expected);
}

#[test]
fn ways_are_told_with_their_ends() {
    let states = [
        step("one")
            .when("inputs.count == 1", "two")
            .always("three")
            .ending("{{.inputs.branch}} broke"),
        step("two"),
        parallel("three", &["four"]),
        step("four").to("two"),
    ];
    let plan = plan(&given(workflow(states)), &known());
    let ways = |name: &str| {
        let step = plan.steps.iter().find(|step| step.name == name).expect("it is reached");
        step.ways.clone()
    };
    let way = |on, to| PlannedWay { on, to };
    let to = |name: &str| WayTo::State(name.to_owned());
    let broke = WayTo::Failure { message: "main broke".to_owned(), status: 3 };
    assert_eq!(
        ways("one"),
        [
            way(WayOn::When("inputs.count == 1".to_owned()), to("two")),
            way(WayOn::Always, to("three")),
            way(WayOn::Failure, broke),
        ]
    );
    assert_eq!(ways("two"), [way(WayOn::Success, WayTo::Success)]);
    assert_eq!(ways("four"), []);
}

#[test]
fn all_that_is_said_of_an_agent_is_shown() {
    let mut asked = agent_with("ask", |agent| {
        agent.system_prompt = Some(text("you are {{.inputs.branch}}"));
        agent.options = vec![(name("model"), tree("{{.states.x.Output}}"))];
        agent.tools.allow = Some(Operation::Write);
        agent.proxy = Some(McpProxy {
            enable: true,
            intercept_builtins: true,
            plugin_tools: vec![PluginTools {
                plugin: name("k8s"),
                expose: names(&["get", "list"]),
            }],
            span: span(9),
        });
    });
    asked.timeout = Some(Duration::from_millis(1_500));
    asked.dir = Some(text("{{.env.HOME}}/work"));
    asked.env = vec![(name("LEVEL"), text("{{.inputs.count}}"))];
    asked.retry = Some(Retry {
        max_attempts: 3,
        initial_delay: Duration::from_secs(2),
        max_delay: None,
        backoff: Backoff::Exponential,
        multiplier: 2.0,
        jitter: 0.0,
        retryable_exit_codes: Vec::new(),
        span: span(5),
    });
    let plan = plan(&given(workflow([asked])), &known());
    let values: Vec<String> =
        plan.steps[0].values.iter().map(|(key, value)| format!("{key}: {value}")).collect();
    assert_eq!(
        values,
        [
            "provider: claude",
            "prompt: go",
            "system_prompt: you are main",
            "options.model: {{.states.x.Output}}",
            "mcp_proxy: only awf's tools",
            "plugin_tools.k8s: get, list",
            "tools.allow: write",
            "dir: /home/me/work",
            "env.LEVEL: 3",
            "timeout: 1.5s",
            "retry: 3 attempts, 2s apart, growing exponentially",
        ]
    );
}

#[test]
fn variables_that_a_run_would_hide_are_hidden() {
    let mut told = step("told");
    told.env = vec![
        (name("A_TOKEN"), text("hunter22")),
        (name("PLACE"), text("Cn4ry24q00123456789ab7Kx")),
        (name("B_TOKEN"), text("{{.states.x.Output}}")),
        (name("MODE"), text("fast")),
    ];
    let plan = plan(&given(workflow([told])), &known());
    let shown: Vec<&str> = plan.steps[0].values.iter().map(|(_, value)| value.as_str()).collect();
    assert_eq!(shown[shown.len() - 4..], ["***", "***", "{{.states.x.Output}}", "fast"]);
}

#[test]
fn attempts_without_a_pause_are_not_apart() {
    let mut again = step("again");
    again.retry = Some(Retry {
        max_attempts: 2,
        initial_delay: Duration::ZERO,
        max_delay: None,
        backoff: Backoff::Exponential,
        multiplier: 2.0,
        jitter: 0.0,
        retryable_exit_codes: Vec::new(),
        span: span(5),
    });
    let plan = plan(&given(workflow([again])), &known());
    let retry = plan.steps[0].values.iter().find(|(key, _)| key == "retry");
    assert_eq!(retry.map(|(_, value)| value.as_str()), Some("2 attempts"));
}

#[test]
fn a_step_of_a_plugin_shows_what_it_is_told() {
    let mut asked = custom("ask", "db.query");
    if let StateKind::Custom(custom) = &mut asked.kind {
        custom.config = vec![(name("sql"), tree("select {{.inputs.branch}}"))];
    }
    let plan = plan(&given(workflow([asked])), &known());
    assert_eq!(plan.steps[0].kind, "custom");
    let said: Vec<(&str, &str)> =
        plan.steps[0].values.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    assert_eq!(said, [("type", "db.query"), ("config.sql", "select main")]);
}
