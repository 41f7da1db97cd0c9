//! Both tables of the specification, cell by cell, through the built binary and every way in: the same code, the same
//! words, the same record, and a server that is reached by the allowed calls alone.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::{
    intent::{
        stage::{Upstream, in_order, tool},
        ways::{Case, Expected, Seen, Way, by_case, play},
    },
    world::World,
};

mod call;
mod d3;
mod d4;

/// The three variants and their words.
const VARIANTS: [(&str, &str); 3] = [
    ("call_tool_read", "read"),
    ("call_tool_write", "write"),
    ("call_tool_destructive", "destructive"),
];

/// The lines of a table, as cells.
fn lines(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let kept = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    kept.map(|line| line.split('\t').collect())
}

/// How a refused statement is kept: all of it that can be read. The strictest operation counts, of the variant and of
/// all that were stated.
fn understood(variant: &str, arguments: &str) -> Value {
    // Half a character is no text, and an object with a key that is there twice is none.
    let readable =
        arguments.replace(r#""\ud800""#, "0").replace(r#"{"reason":"a","reason":"a"}"#, "0");
    let arguments: Value = serde_json::from_str(&readable).unwrap();
    let nested = match &arguments["intent"] {
        Value::String(text) => serde_json::from_str(text).unwrap_or_default(),
        other => other.clone(),
    };
    let rank = |word: &str| VARIANTS.iter().position(|(_, known)| *known == word);
    let own = variant.trim_start_matches("call_tool_");
    let mut kept = json!({"operation_type": own, "origin": "inferred"});
    let stated =
        [(&nested["operation_type"], "nested"), (&arguments["intent_operation_type"], "flat")];
    for (word, origin) in stated {
        let Some(word) = word.as_str().filter(|word| rank(word).is_some()) else { continue };
        let most = kept["operation_type"].as_str().unwrap();
        if rank(word) > rank(most) || (word == most && kept["origin"] == "inferred") {
            kept = json!({"operation_type": word, "origin": origin});
        }
    }
    let said = |key: &str| {
        let alias = format!("intent_{key}");
        let places = [&nested[key], &nested[&alias], &arguments[&alias]];
        let said = places.into_iter().filter_map(Value::as_str).find(|text| !text.is_empty());
        said.map(str::to_owned)
    };
    let known = |level: &String| ["public", "internal", "private", "unknown"].contains(&&**level);
    if let Some(level) = said("data_sensitivity").filter(known) {
        kept["data_sensitivity"] = json!(level);
    }
    if let Some(reason) = said("reason") {
        kept["reason"] = json!(reason.chars().take(1000).collect::<String>());
    }
    kept
}

/// Plays `cases` one way under `policy` and holds each against what it expects.
fn hold(way: Way, tools: &[String], policy: &Value, cases: &[Case]) {
    let world = World::new();
    let tools: Vec<&str> = tools.iter().map(String::as_str).collect();
    let upstream = Upstream::of_tools(&world, "fake", &tools);
    let seen = play(&world, way, (&[&upstream], policy), cases);
    let records = by_case(&world);
    assert_eq!(
        (seen.len(), records.len()),
        (cases.len(), cases.len()),
        "{way:?}: answers, records"
    );
    let wrong: Vec<String> = cases
        .iter()
        .zip(seen.iter().zip(&records))
        .flat_map(|(case, (seen, record))| {
            let faults = faults(way, case, seen, record);
            faults.into_iter().map(|fault| format!("{}\n  {fault}", case.label))
        })
        .collect();
    let shown: Vec<&String> = wrong.iter().take(10).collect();
    assert!(wrong.is_empty(), "{way:?}, {policy}: {} faults\n{shown:#?}", wrong.len());
    let allowed = cases.iter().filter(|case| matches!(case.expected, Expected::Goes { .. }));
    let allowed: Vec<(String, String)> = allowed.map(called).collect();
    assert_eq!(upstream.calls(), allowed, "{way:?}, {policy}: what reached the server");
}

/// What the server sees of a call.
fn called(case: &Case) -> (String, String) {
    (case.tool.clone(), format!(r#"{{"case":{}}}"#, case.number))
}

/// Everything that is not as expected.
fn faults(way: Way, case: &Case, seen: &Seen, record: &Value) -> Vec<String> {
    let (expected_code, text, metadata, status, error) = match &case.expected {
        Expected::Goes { intent, warnings } => {
            let outcome = if warnings.is_empty() { "allow" } else { "warn" };
            let metadata = metadata(case, intent, json!({"outcome": outcome}), warnings);
            (None, called(case).1, metadata, "success", Value::Null)
        }
        Expected::Refused { code, message, intent } => {
            let decision = json!({"outcome": "deny", "code": code});
            let error = message.lines().next().unwrap().chars().take(300).collect::<String>();
            let metadata = metadata(case, intent, decision, &[]);
            (Some(code.clone()), message.clone(), metadata, "denied", json!(error))
        }
    };
    let mut faults = Vec::new();
    let mut same = |what: &str, said: Value, expected: Value| {
        if said != expected {
            faults.push(format!("{what}: {said}\n  expected: {expected}"));
        }
    };
    same("code", json!(seen.code), json!(expected_code));
    same("text", json!(seen.text), json!(text));
    same("warnings", shown_warnings(&seen.warnings), metadata["warnings"].clone());
    same("recorded metadata", record["metadata"].clone(), metadata);
    same("recorded status", record["status"].clone(), json!(status));
    same("recorded error", record["error_message"].clone(), error);
    same("recorded server", record["server_name"].clone(), json!("fake"));
    same("recorded tool", record["tool_name"].clone(), json!(called(case).0));
    same("recorded arguments", record["arguments"].to_string().into(), called(case).1.into());
    let source = if way == Way::Rest { "api" } else { "mcp" };
    same("recorded source", record["source"].clone(), json!(source));
    let step = if way == Way::Step { json!("ask") } else { Value::Null };
    same("recorded step", record["step"].clone(), step);
    if way == Way::Rest {
        same("status", json!(seen.status), json!(http_status(expected_code.as_deref())));
    }
    faults
}

fn metadata(case: &Case, intent: &Value, decision: Value, warnings: &[(String, String)]) -> Value {
    let warnings: Vec<Value> =
        warnings.iter().map(|(code, message)| json!({"code": code, "message": message})).collect();
    let mut metadata = Map::new();
    if !intent.is_null() {
        metadata.insert("intent".to_owned(), intent.clone());
    }
    metadata.insert("tool_variant".to_owned(), json!(case.variant));
    metadata.insert("decision".to_owned(), decision);
    metadata.insert("warnings".to_owned(), json!(warnings));
    Value::Object(metadata)
}

/// Warnings of an answer; none is an empty list.
fn shown_warnings(warnings: &Value) -> Value {
    if warnings.is_null() { json!([]) } else { warnings.clone() }
}

/// What REST says to a refusal.
fn http_status(code: Option<&str>) -> u16 {
    match code {
        None => 200,
        Some("SERVER_MISMATCH" | "TOOL_NOT_APPROVED" | "TOOL_CHANGED" | "ABOVE_CEILING") => 403,
        Some("UNKNOWN_TOOL" | "UNKNOWN_SERVER") => 404,
        Some(_) => 400,
    }
}

#[test]
fn no_way_in_and_no_variant_is_left_out() {
    let words: BTreeSet<String> = Way::ALL.iter().map(|way| format!("{way:?}")).collect();
    assert_eq!(words.len(), 4);
    let tools = [tool("plain", "-")];
    for way in Way::ALL {
        let cases = VARIANTS.iter().zip(0..).map(|((variant, word), number)| Case {
            number,
            tool: "plain".to_owned(),
            label: (*variant).to_owned(),
            variant: (*variant).to_owned(),
            arguments: in_order(variant, "fake:plain", &format!(r#"{{"case":{number}}}"#)),
            expected: Expected::Goes {
                intent: json!({"operation_type": word, "origin": "nested"}),
                warnings: Vec::new(),
            },
        });
        hold(way, &tools, &json!({}), &cases.collect::<Vec<_>>());
    }
}
