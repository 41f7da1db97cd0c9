//! `awf call`: the rows of both tables that a command line can say. It declares the type itself, and has flags for the rest.

use serde_json::{Map, Value, json};

use crate::{
    intent::{
        stage::{Upstream, settings, tool},
        table::{d3, d4, faults},
        ways::{Case, Expected, Seen, Way},
    },
    world::World,
};

/// The flags that say the same as a statement of the table, if there are such.
fn flags(case: &Case) -> Option<Vec<String>> {
    let arguments: Map<String, Value> = serde_json::from_str(&case.arguments).ok()?;
    if arguments.keys().any(|key| !["name", "args", "intent"].contains(&key.as_str())) {
        return None;
    }
    let intent = arguments.get("intent")?.as_object()?;
    let word = case.variant.trim_start_matches("call_tool_");
    (intent.get("operation_type")? == word).then_some(())?;
    let mut flags = Vec::new();
    for (key, value) in intent {
        let flag = match key.as_str() {
            "operation_type" => continue,
            "data_sensitivity" => "--sensitivity",
            "reason" => "--reason",
            _ => return None,
        };
        flags.extend([flag.to_owned(), value.as_str()?.to_owned()]);
    }
    Some(flags)
}

/// Plays what can be said of `cases`, a process each.
fn hold(tools: &[String], policy: &Value, cases: &[Case]) -> usize {
    let world = World::new();
    let tools: Vec<&str> = tools.iter().map(String::as_str).collect();
    let upstream = Upstream::of_tools(&world, "fake", &tools);
    let config = world.config(settings(&[&upstream], &json!({"intent_declaration": policy})));
    let mut played = 0;
    for (case, flags) in cases.iter().filter_map(|case| Some((case, flags(case)?))) {
        played += 1;
        let before = upstream.calls().len();
        let word = case.variant.trim_start_matches("call_tool_");
        let arguments: Value = serde_json::from_str(&case.arguments).unwrap();
        let mut command = world.command(["call", &format!("tool-{word}")]);
        command.args([
            arguments["name"].as_str().unwrap(),
            "--args",
            &arguments["args"].to_string(),
        ]);
        command.args(flags).args(["-o", "json", "--config"]).arg(&config);
        let output = command.output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        let result: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let record = world.activity().into_iter();
        let mut record = record.filter(|record| record["arguments"]["case"] == case.number);
        let record = record.next().unwrap();
        let faults = faults(Way::Stdio, case, &Seen::of_result(&result), &record);
        // A person at a terminal is another source, and the only difference.
        let faults: Vec<_> = faults
            .into_iter()
            .filter(|fault| !fault.starts_with("recorded source: \"cli\""))
            .collect();
        assert!(faults.is_empty(), "{}\n{faults:#?}\n{stderr}", case.label);
        let (code, reached) = match &case.expected {
            Expected::Goes { .. } => (0, 1),
            Expected::Refused { message, .. } => {
                let first = message.lines().next().unwrap();
                assert!(stderr.contains(first), "{}\n{stderr}", case.label);
                (5, 0)
            }
        };
        assert_eq!(output.status.code(), Some(code), "{}\n{stderr}", case.label);
        assert_eq!(upstream.calls().len() - before, reached, "{}", case.label);
    }
    played
}

#[test]
fn every_declaration_a_command_line_can_make() {
    let played = hold(&[tool("plain", "-")], &json!({}), &d3::cases("two_key"));
    assert!(played >= 30, "{played}");
}

#[test]
fn every_class_on_the_command_line() {
    for (strictness, unannotated, policy) in d4::policies() {
        assert_eq!(hold(&d4::tools(), &policy, &d4::cases(strictness, unannotated)), 12);
    }
}
