//! Workflow files, good and bad, as text.

use std::time::Duration;

use awf_core::{
    Backoff, CommandSource, Encoding, InputType, Limit, LoopOver, OnFailure, PromptSource, Skill,
    StateKind, Strategy, Tree, Workflow,
};
use serde_json::json;

use super::parse_workflow;

/// The findings as `line:column-end code message (hint)`.
fn findings(text: &str) -> Vec<String> {
    let shown = parse_workflow("dir/flow.yaml", text).findings.into_iter().map(|finding| {
        let span = finding.span.unwrap();
        let (line, column, end) = (span.line, span.column, span.end_column);
        let hint = finding.hint.unwrap_or_default();
        format!("{line}:{column}-{end} {} {} ({hint})", finding.code, finding.message)
    });
    shown.collect()
}

fn meant(text: &str) -> Workflow {
    let parsed = parse_workflow("dir/flow.yaml", text);
    assert_eq!(parsed.findings, [], "{text}");
    parsed.workflow.unwrap()
}

/// The same value with every place struck out.
fn placeless(workflow: &Workflow) -> String {
    let text = format!("{workflow:#?}");
    let mut kept = Vec::new();
    let mut within = 0;
    for line in text.lines() {
        let opens = line.ends_with('{') && (line.contains("Span {") || line.contains("Origin {"));
        within += usize::from(opens || (within > 0 && line.ends_with('{')));
        if within == 0 && !line.contains("origin:") {
            kept.push(line);
        }
        within -= usize::from(within > 0 && line.trim_start().starts_with('}'));
    }
    kept.join("\n")
}

#[test]
fn one_state_needs_neither_name_nor_initial() {
    let workflow = meant("states:\n  only: {type: Step, command: 'true'}\n");
    assert_eq!(workflow.name.value, "flow");
    assert_eq!(workflow.initial.value, "only");
    assert!(matches!(workflow.states[0].kind, StateKind::Command(_)));
}

#[test]
fn both_spellings_of_an_agent_are_the_same_workflow() {
    let flat = "states:\n  ask:\n    type: agent\n    provider: claude\n    prompt: Do it.\n    system_prompt: Be short.\n    role: reviewer\n    skills: [a, {path: b}]\n    mode: conversation\n    conversation: {continue_from: x}\n    output_format: json\n    options: {model: opus, n: 3}\n    mcp_proxy: {enable: true}\n    tools: {allow: read}\n";
    let nested = "states:\n  ask:\n    type: step\n    agent:\n      provider: claude\n      prompt: Do it.\n      system_prompt: Be short.\n      role: reviewer\n      skills: [a, {path: b}]\n      mode: conversation\n      conversation: {continue_from: x}\n      output_format: json\n      options: {model: opus, n: 3}\n    mcp_proxy: {enable: true}\n    tools: {allow: read}\n";
    let [flat, nested] = [flat, nested].map(meant);
    assert!(placeless(&flat).contains("reviewer"));
    assert!(!placeless(&flat).contains("line:"), "{}", placeless(&flat));
    assert_eq!(placeless(&flat), placeless(&nested));
    let StateKind::Agent(agent) = &flat.states[0].kind else { panic!("{flat:?}") };
    assert!(matches!(&agent.prompt, PromptSource::Inline(text) if text.value == "Do it."));
    assert!(matches!(&agent.skills[1], Skill::At(path) if path.value == "b"));
    assert!(agent.proxy.as_ref().unwrap().intercept_builtins);
}

#[test]
fn inputs_come_as_a_list_or_a_mapping() {
    let list = "inputs:\n  - name: count\n    type: integer\n    default: 5\n  - name: version\n    default: 1.10\n    required: true\n    validation: {enum: [1.10, b], min: 1, file_extension: [.txt]}\nstates: {a: {type: terminal}}\n";
    let map = "inputs:\n  count:\n    type: integer\n    default: 5\n  version:\n    default: 1.10\n    required: true\n    validation: {enum: [1.10, b], min: 1, file_extension: [.txt]}\nstates: {a: {type: terminal}}\n";
    let [list, map] = [list, map].map(meant);
    assert_eq!(placeless(&list), placeless(&map));
    let [count, version] = list.inputs.as_slice() else { panic!("{list:?}") };
    assert_eq!(
        (count.kind, &count.default.as_ref().unwrap().value),
        (InputType::Integer, &json!(5))
    );
    assert_eq!(version.default.as_ref().unwrap().value, json!("1.10"));
    assert_eq!(version.rules.one_of.as_ref().unwrap().value, ["1.10", "b"]);
}

#[test]
fn every_part_of_a_state_is_meant() {
    let workflow = meant(include_str!("../schema/tests/everything.yaml"));
    assert_eq!(workflow.version.as_deref(), Some("1.0"));
    let shell = workflow.state("shell").unwrap();
    assert_eq!(shell.timeout, Some(Duration::from_mins(90)));
    assert_eq!(shell.env[0].1.value, "3");
    assert_eq!(shell.capture.stdout.as_ref().unwrap().value, "out");
    assert_eq!(shell.capture.stderr.as_ref().unwrap().value, "shell_stderr");
    assert_eq!(shell.capture.max_size, Some(10 * 1024 * 1024));
    assert_eq!(shell.capture.encoding, Encoding::Utf8);
    assert!(matches!(&shell.on_failure, Some(OnFailure::End { status: 7, .. })));
    assert_eq!(shell.transitions[1].when, None);
    let retry = shell.retry.as_ref().unwrap();
    assert_eq!((retry.max_attempts, retry.backoff), (3, Backoff::Exponential));
    assert_eq!(retry.max_delay, Some(Duration::from_secs(10)));
    let StateKind::Command(CommandSource::Inline(command)) = &shell.kind else { panic!() };
    let span = command.span_of(5..23);
    assert_eq!((span.line, span.column, span.end_column), (34, 12, 30));
    let StateKind::Parallel(parallel) = &workflow.state("at_once").unwrap().kind else { panic!() };
    assert_eq!((parallel.strategy, parallel.max_concurrent), (Strategy::BestEffort, Some(2)));
    let StateKind::Loop(each) = &workflow.state("each").unwrap().kind else { panic!() };
    let LoopOver::Items(Tree::List(items, _)) = &each.over else { panic!("{each:?}") };
    assert!(matches!(&items[1], Tree::Plain(two) if two.value == json!(2)));
    assert!(matches!(&each.max_iterations, Some(Limit::Fixed(ten)) if ten.value == 10));
    let StateKind::Custom(query) = &workflow.state("query").unwrap().kind else { panic!() };
    assert_eq!(query.step_type.value, "database.query");
    assert_eq!(query.config[0].0.value, "sql");
    let StateKind::Loop(again) = &workflow.state("again").unwrap().kind else { panic!() };
    assert!(matches!(again.max_iterations, Some(Limit::Computed(_))));
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let text = include_str!("tests/wrong.yaml");
    let found = findings(text);
    let expected: Vec<&str> = include_str!("tests/wrong.txt").lines().collect();
    assert_eq!(found, expected, "\n{}", found.join("\n"));
    // And it can still be checked further.
    assert_eq!(parse_workflow("f.yaml", text).workflow.unwrap().states.len(), 13);
}

#[test]
fn a_file_without_states_is_not_looked_at_further() {
    for text in ["", "name: x", "states:\n", "states: {}", "a: [", "5"] {
        let parsed = parse_workflow("f.yaml", text);
        assert_eq!(parsed.workflow, None, "{text}");
        assert!(!parsed.findings.is_empty(), "{text}");
    }
}

#[test]
fn findings_are_bounded() {
    let keys: Vec<String> = (0..5_000).map(|number| format!("key{number}: 1")).collect();
    assert_eq!(findings(&keys.join("\n")).len(), 100);
}

#[test]
fn one_mistake_is_told_once() {
    let rows = [
        ("{type: step, comand: x}", "UNKNOWN_FIELD"),
        ("{typ: step, command: x}", "UNKNOWN_FIELD"),
        ("{agent: {provider: claude, promt: x}}", "UNKNOWN_FIELD"),
        ("{agent: claude}", "INVALID_VALUE"),
        (
            "{agent: {provider: claude, prompt: x, mcp_proxy: {enable: true}}, tools: {allow: read}}",
            "MISPLACED_FIELD",
        ),
        (
            "{agent: {provider: claude, prompt: x}, mcp_proxy: {enable: on}, tools: {allow: read}}",
            "INVALID_VALUE",
        ),
        ("{type: step, command: x, transitions: [{when: a, got: b}]}", "UNKNOWN_FIELD"),
        ("{type: step, command: x, hooks: {pre: [{comand: x}]}}", "UNKNOWN_FIELD"),
        ("{type: step, command: x, retry: {max_attempt: 3}}", "UNKNOWN_FIELD"),
        ("{type: wile, while: x, body: [a]}", "INVALID_VALUE"),
        ("{type: step, command: {{.inputs.x}}}", "INVALID_VALUE"),
        ("{type: step, command: x, timeout: 1s, dir: {{.inputs.x}}}", "INVALID_VALUE"),
    ];
    for (state, code) in rows {
        let found = findings(&format!("states:\n  s: {state}\n"));
        assert_eq!(found.len(), 1, "{state}: {found:#?}");
        assert!(found[0].contains(code), "{found:#?}");
    }
}

#[test]
fn what_a_plugin_is_given_has_a_key_by_the_kind_of_state() {
    let rows = [
        (
            "{type: db.query, inputs: {a: 1}}",
            "2:23-29 WORKFLOW.VALIDATION.MISPLACED_FIELD `inputs` does not belong to a state of type `plugin.type` (write it under `config`)",
        ),
        (
            "{type: operation, operation: db.query, config: {a: 1}}",
            "2:45-51 WORKFLOW.VALIDATION.MISPLACED_FIELD `config` does not belong to a state of type `operation` (write it under `inputs`)",
        ),
    ];
    for (state, expected) in rows {
        assert_eq!(findings(&format!("states:\n  s: {state}\n")), [expected]);
    }
}

#[test]
fn what_an_alias_repeats_is_told_once() {
    let text = "states:\n  initial: a\n  a: &a {type: step, command: x, wat: 1}\n  b: *a\n";
    assert_eq!(
        findings(text),
        [
            "3:34-37 WORKFLOW.PARSE.UNKNOWN_FIELD unknown key `wat` (remove the key, or correct its spelling)"
        ]
    );
}

#[test]
fn an_empty_condition_is_none() {
    let workflow =
        meant("states:\n  a: {type: step, command: x, transitions: [{when: '', goto: a}]}\n");
    assert_eq!(workflow.states[0].transitions[0].when, None);
}

#[test]
fn names_hold_nothing_that_means_something_elsewhere() {
    for good in ["build", "größe_2", "a-b", "ステップ"] {
        let text = format!(
            "inputs:\n  {good}: {{}}\nstates:\n  {good}: {{type: step, command: x, capture: {{stdout: {good}}}}}\n"
        );
        assert_eq!(findings(&text), [""; 0]);
    }
    for bad in ["a.b", "a/b", "a[0]", "a b", "a\\eb", "a:b"] {
        let text = format!(
            "inputs:\n  \"{bad}\": {{}}\nstates:\n  \"{bad}\": {{type: step, command: x, capture: {{stderr: \"{bad}\"}}}}\n"
        );
        let found = findings(&text);
        assert_eq!(found.len(), 3, "{found:#?}");
        assert!(
            found.iter().all(|line| line.contains("cannot be a name (use letters")),
            "{found:#?}"
        );
    }
    assert_eq!(
        findings("states:\n  \"\": {type: step, command: x}\n"),
        [
            "2:3-5 WORKFLOW.PARSE.INVALID_VALUE `` cannot be a name (use letters, digits, `_` and `-`)"
        ]
    );
}
