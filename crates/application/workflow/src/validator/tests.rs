//! The workflow that validators read, whole.

use std::time::Duration;

use awf_core::{Located, McpProxy, OnFailure, PluginTools, StateKind, Tree};
use serde_json::{Value, json};

use super::validator_json;
use crate::built::{
    Leading as _, agent_with, call, command, custom, for_each, input, name, names, operation,
    parallel, span, text, tree, while_loop, workflow,
};

/// What every step has, with what this one has.
fn step(own: Value) -> Value {
    let mut step = json!({
        "Description": "", "Dir": "", "Env": {}, "Timeout": 0, "OnSuccess": "", "OnFailure": "",
        "Transitions": [], "ContinueOnError": false, "Hooks": {"Pre": [], "Post": []}, "Capture": null,
    });
    if let Value::Object(own) = own {
        step.as_object_mut().unwrap().extend(own);
    }
    step
}

#[test]
fn a_workflow_has_the_names_that_existing_plugins_know() {
    let mut build = command("build", "make {{.inputs.target}}").to("ask").when("true", "ask");
    build.timeout = Some(Duration::from_millis(1500));
    build.on_failure = Some(OnFailure::End { message: text("no"), status: 3 });
    let ask = agent_with("ask", |agent| {
        agent.options = vec![(name("model"), tree("opus"))];
        agent.proxy = Some(McpProxy {
            enable: true,
            intercept_builtins: false,
            plugin_tools: vec![PluginTools { plugin: name("k8s"), expose: names(&["get"]) }],
            span: span(1),
        });
    });
    let mut flow = workflow([build, ask]);
    flow.version = Some("1.0".to_owned());
    flow.tags = vec!["ci".to_owned()];
    let default = |value: &str| Some(Located { value: json!(value), span: span(1) });
    let mut target = input("target");
    (target.required, target.default) = (true, default("all"));
    let mut token = input("token");
    (token.secret, token.default) = (true, default("hidden"));
    flow.inputs = vec![target, token];

    let input = |name: &str, required: bool, default: Value| {
        json!({
            "Name": name, "Type": "string", "Description": "", "Required": required,
            "Default": default, "Validation": null,
        })
    };
    let expected = json!({
        "Name": "main", "Description": "", "Version": "1.0", "Author": "", "Tags": ["ci"],
        "Inputs": [input("target", true, json!("all")), input("token", false, Value::Null)],
        "Env": [], "Initial": "build",
        "Steps": {
            "build": step(json!({
                "Name": "build", "Type": "command", "Command": "make {{.inputs.target}}", "Timeout": 2,
                "OnSuccess": "ask", "OnFailure": "__inline_error_build",
                "Transitions": [{"When": "true", "Goto": "ask"}],
            })),
            "__inline_error_build": {
                "Name": "__inline_error_build", "Type": "terminal", "Status": "failure",
                "Message": "no", "ExitCode": 3,
            },
            "ask": step(json!({
                "Name": "ask", "Type": "agent",
                "Agent": {
                    "Provider": "claude", "Prompt": "go", "PromptFile": "", "SystemPrompt": "",
                    "Role": "", "Skills": [], "Mode": "single", "OutputFormat": "",
                    "Options": {"model": "opus"}, "Conversation": null,
                },
                "MCPProxy": {
                    "Enable": true, "InterceptBuiltins": false,
                    "PluginTools": [{"Plugin": "k8s", "Expose": ["get"]}],
                },
            })),
        },
        "Hooks": {"WorkflowStart": [], "WorkflowEnd": [], "WorkflowError": [], "WorkflowCancel": []},
        "Plugins": {},
    });
    assert_eq!(validator_json(&flow), expected);
}

#[test]
fn every_kind_of_state_has_its_own_fields() {
    let mut apply = operation("apply", "k8s.apply");
    if let StateKind::Operation(operation) = &mut apply.kind {
        operation.inputs = vec![(name("all"), Tree::List(vec![tree("{{.x}}")], span(1)))];
    }
    let mut call = call("sub", "other", &[("a", "x")]);
    if let StateKind::Call(call) = &mut call.kind {
        let two = Tree::Plain(Located { value: json!(2), span: span(1) });
        call.inputs.push((name("b"), two));
    }
    let rows = [
        (
            call,
            json!({"Name": "sub", "Type": "call_workflow", "CallWorkflow": {
                "Workflow": "other", "Inputs": {"a": "x", "b": "2"}, "Outputs": {},
            }}),
        ),
        (
            apply,
            json!({"Name": "apply", "Type": "operation", "Operation": "k8s.apply", "OperationInputs": {"all": ["{{.x}}"]}}),
        ),
        (custom("q", "db.query"), json!({"Name": "q", "Type": "db.query", "Config": {}})),
        (
            parallel("both", &["a", "b"]),
            json!({"Name": "both", "Type": "parallel", "Branches": ["a", "b"], "Strategy": "all_succeed", "MaxConcurrent": 0}),
        ),
        (
            for_each("each", "[1]", &["a"]),
            json!({"Name": "each", "Type": "for_each", "Loop": {
                "Type": "for_each", "Items": "[1]", "Condition": "", "Body": ["a"], "MaxIterations": 0,
                "MaxIterationsExpr": "", "BreakCondition": "", "OnComplete": "",
            }}),
        ),
        (
            while_loop("again", "true", &["a"]),
            json!({"Name": "again", "Type": "while", "Loop": {
                "Type": "while", "Items": "", "Condition": "true", "Body": ["a"], "MaxIterations": 0,
                "MaxIterationsExpr": "", "BreakCondition": "", "OnComplete": "",
            }}),
        ),
    ];
    for (state, expected) in rows {
        let name = state.name.value.clone();
        assert_eq!(validator_json(&workflow([state]))["Steps"][name], step(expected));
    }
}
