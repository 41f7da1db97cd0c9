//! D4: what a tool's annotations allow a variant, under every policy. The tables are those of awf-core.

use serde_json::{Value, json};

use crate::{
    intent::{
        stage::{Upstream, in_order, tool},
        table::{hold, lines, understood},
        ways::{Case, Expected, Way},
    },
    world::World,
};

const CLASSES: &str = include_str!("../../../../crates/core/tests/tables/d4.tsv");
const HINTS: &str = include_str!("../../../../crates/core/tests/tables/d4-hints.tsv");

/// A tool of each class.
const TOOLS: [(&str, &str); 4] = [
    ("destructive", r#"{"destructiveHint":true}"#),
    ("read", r#"{"readOnlyHint":true}"#),
    ("write", r#"{"readOnlyHint":false}"#),
    ("unannotated", "-"),
];

#[test]
fn every_class_over_stdio() {
    every_class(Way::Stdio);
}

#[test]
fn every_class_over_http() {
    every_class(Way::Http);
}

#[test]
fn every_class_over_rest() {
    every_class(Way::Rest);
}

#[test]
fn every_class_through_a_step() {
    every_class(Way::Step);
}

#[test]
fn every_combination_of_hints_over_stdio() {
    every_combination(Way::Stdio);
}

#[test]
fn every_combination_of_hints_over_http() {
    every_combination(Way::Http);
}

#[test]
fn every_combination_of_hints_over_rest() {
    every_combination(Way::Rest);
}

#[test]
fn every_combination_of_hints_through_a_step() {
    every_combination(Way::Step);
}

/// The six policies.
pub(super) fn policies() -> impl Iterator<Item = (&'static str, &'static str, Value)> {
    ["strict", "permissive"].into_iter().flat_map(|strictness| {
        ["trust", "write", "destructive"].into_iter().map(move |unannotated| {
            let strict = strictness == "strict";
            let policy = json!({"strict_server_validation": strict, "unannotated": unannotated});
            (strictness, unannotated, policy)
        })
    })
}

pub(super) fn tools() -> Vec<String> {
    TOOLS.iter().map(|(name, annotations)| tool(name, annotations)).collect()
}

fn every_class(way: Way) {
    for (strictness, unannotated, policy) in policies() {
        let cases = cases(strictness, unannotated);
        assert_eq!(cases.len(), 12, "a cell is missing");
        hold(way, &tools(), &policy, &cases);
    }
}

/// The cells under one policy.
pub(super) fn cases(strictness: &str, unannotated: &str) -> Vec<Case> {
    let cells = lines(CLASSES).filter(|cells| cells[2] == strictness && cells[3] == unannotated);
    let case = |(cells, number): (Vec<&str>, usize)| {
        let (variant, class, verdict) = (cells[0], cells[1], cells[4]);
        Case {
            number,
            tool: class.to_owned(),
            label: cells.join(" "),
            variant: variant.to_owned(),
            arguments: in_order(
                variant,
                &format!("fake:{class}"),
                &format!(r#"{{"case":{number}}}"#),
            ),
            expected: expected(variant, class, verdict, class == "unannotated"),
        }
    };
    cells.zip(0..).map(case).collect()
}

/// What a verdict on the tool `fake:<tool>` comes to, and how it is told.
fn expected(variant: &str, tool: &str, verdict: &str, by_configuration: bool) -> Expected {
    let word = variant.trim_start_matches("call_tool_");
    let intent = json!({"operation_type": word, "origin": "nested"});
    let mut mismatch = format!(
        "Tool 'fake:{tool}' is marked destructive by server, use call_tool_destructive\nUse call_tool_destructive instead of {variant}."
    );
    if by_configuration {
        mismatch.push_str("\nThe server says nothing about this tool; `intent_declaration.unannotated` counts it as destructive.");
    }
    let source = if by_configuration { "configuration" } else { "server" };
    let warning = match verdict {
        "mismatch" => {
            return Expected::Refused { code: "SERVER_MISMATCH".into(), message: mismatch, intent };
        }
        "allow" => None,
        "tolerate" => Some(("SERVER_MISMATCH", mismatch)),
        "understated" => Some((
            "UNDERSTATED_INTENT",
            format!("Tool 'fake:{tool}' is marked as writing by {source}, call_tool_write says so"),
        )),
        "overstated" => Some((
            "OVERSTATED_INTENT",
            format!("Tool 'fake:{tool}' is marked read-only by {source}, call_tool_read is enough"),
        )),
        other => panic!("no verdict {other}"),
    };
    let warnings = warning.into_iter().map(|(code, message)| (code.to_owned(), message));
    Expected::Goes { intent, warnings: warnings.collect() }
}

fn every_combination(way: Way) {
    let policies = [
        json!({"mode": "two_key"}),
        json!({"mode": "inferred"}),
        json!({"strict_server_validation": false}),
    ];
    let mut hints: Vec<&str> = lines(HINTS).map(|cells| cells[2]).collect();
    hints.sort_unstable();
    hints.dedup();
    assert_eq!(hints.len(), 8);
    let tools: Vec<String> =
        hints.iter().zip(0..).map(|(hints, number)| tool(&format!("h{number}"), hints)).collect();
    for (column, policy) in policies.iter().enumerate() {
        let cases: Vec<Case> = lines(HINTS)
            .zip(0..)
            .map(|(cells, number)| {
                let place = hints.iter().position(|hints| *hints == cells[2]).unwrap();
                combination(&cells, &format!("h{place}"), cells[3 + column], number)
            })
            .collect();
        assert_eq!(cases.len(), 144, "a cell is missing");
        hold(way, &tools, policy, &cases);
    }
}

fn combination(cells: &[&str], tool: &str, outcome: &str, number: usize) -> Case {
    let (variant, declared, hints) = (cells[0], cells[1], cells[2]);
    let stated = match declared {
        "absent" => String::new(),
        "number" => r#","intent":{"operation_type":1}"#.to_owned(),
        word => format!(r#","intent":{{"operation_type":"{word}"}}"#),
    };
    let arguments = format!(r#"{{"name":"fake:{tool}","args":{{"case":{number}}}{stated}}}"#);
    let expected = match told(variant, declared, (tool, hints), outcome) {
        Expected::Refused { code, message, intent: Value::Null } => {
            Expected::Refused { code, message, intent: understood(variant, &arguments) }
        }
        expected => expected,
    };
    let (tool, variant) = (tool.to_owned(), variant.to_owned());
    let label = format!("{} {outcome}", cells.join(" "));
    Case { number, tool, label, variant, arguments, expected }
}

/// The decision of the table in full: codes become messages.
fn told(variant: &str, declared: &str, (tool, hints): (&str, &str), outcome: &str) -> Expected {
    let word = variant.trim_start_matches("call_tool_");
    let origin = if declared == "absent" { "inferred" } else { "nested" };
    let intent = json!({"operation_type": word, "origin": origin});
    let declared = if declared == "number" { "1" } else { declared };
    let refused = |message: String| Expected::Refused {
        code: outcome.to_owned(),
        message,
        intent: Value::Null,
    };
    match outcome {
        "allow" => Expected::Goes { intent, warnings: Vec::new() },
        "MISSING_INTENT" => refused(format!("intent parameter is required for {variant}")),
        "INTENT_MISMATCH" => {
            refused(format!("Intent mismatch: tool is {variant} but intent declares {declared}"))
        }
        "INVALID_OPERATION_TYPE" => refused(format!(
            "Invalid intent.operation_type '{declared}': must be read, write, or destructive"
        )),
        "SERVER_MISMATCH" => match expected(variant, tool, "mismatch", false) {
            Expected::Refused { code, message, .. } => Expected::Refused { code, message, intent },
            Expected::Goes { .. } => panic!("a mismatch is refused"),
        },
        "warn MALFORMED_HINT,MALFORMED_HINT" => {
            let malformed = ["readOnlyHint", "destructiveHint"].map(|hint| {
                let message =
                    format!("Tool 'fake:{tool}': {hint} is not a boolean and counts as absent");
                ("MALFORMED_HINT".to_owned(), message)
            });
            assert!(hints.contains(r#""true""#), "{hints}");
            Expected::Goes { intent, warnings: malformed.to_vec() }
        }
        warned => {
            let verdict = match warned {
                "warn SERVER_MISMATCH" => "tolerate",
                "warn UNDERSTATED_INTENT" => "understated",
                "warn OVERSTATED_INTENT" => "overstated",
                other => panic!("no outcome {other}"),
            };
            match expected(variant, tool, verdict, false) {
                Expected::Goes { warnings, .. } => Expected::Goes { intent, warnings },
                Expected::Refused { .. } => panic!("a warning goes ahead"),
            }
        }
    }
}

#[test]
fn call_with_is_what_the_table_says() {
    for (strictness, unannotated, policy) in policies() {
        let world = World::new();
        let tools = tools();
        let tools: Vec<&str> = tools.iter().map(String::as_str).collect();
        let upstream = Upstream::of_tools(&world, "fake", &tools);
        let mut server = world.gateway(&[&upstream], &json!({"intent_declaration": policy}));
        let found = server.call("retrieve_tools", &json!({"query": "of a test", "limit": 100}));
        let found = found["structuredContent"]["tools"].as_array().unwrap().clone();
        for cells in lines(CLASSES).filter(|c| c[2] == strictness && c[3] == unannotated) {
            let name = json!(format!("fake:{}", cells[1]));
            let tool = found.iter().find(|tool| tool["name"] == name);
            let tool = tool.unwrap_or_else(|| panic!("{name} is not among {found:?}"));
            assert_eq!(tool["call_with"], cells[5], "{cells:?}");
        }
        server.close();
    }
}
