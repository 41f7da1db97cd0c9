//! D3: what is declared, in every shape and both modes. The table is that of awf-core.

use serde_json::{Value, json};

use crate::{
    intent::{
        stage::{Upstream, tool},
        table::{VARIANTS, hold, lines, understood},
        ways::{Case, Expected, Way},
    },
    world::World,
};

pub(super) const TABLE: &str = include_str!("../../../../crates/core/tests/tables/d3.tsv");

/// The first half of a surrogate pair, escaped.
const HALF: &str = r"\ud800";

#[test]
fn every_declaration_over_stdio() {
    every_declaration(Way::Stdio);
}

#[test]
fn every_declaration_over_http() {
    every_declaration(Way::Http);
}

#[test]
fn every_declaration_over_rest() {
    every_declaration(Way::Rest);
}

#[test]
fn every_declaration_through_a_step() {
    every_declaration(Way::Step);
}

fn every_declaration(way: Way) {
    for mode in ["two_key", "inferred"] {
        let mut cases = cases(mode);
        match way {
            Way::Rest => {}
            // Half a character is no message: see `half_a_character_goes_nowhere`.
            Way::Stdio | Way::Http => cases.retain(|case| !case.arguments.contains(HALF)),
            // A script is YAML, whose reader refuses that and a key that is there twice before any agent plays it.
            Way::Step => cases.retain(|case| {
                let twice = r#""reason":"a","reason":"a""#;
                !case.arguments.contains(HALF) && !case.arguments.contains(twice)
            }),
        }
        assert!(cases.len() > 1000, "{}", cases.len());
        hold(way, &[tool("plain", "-")], &json!({ "mode": mode }), &cases);
    }
}

/// Over MCP a message with half a character in it is none at all.
#[test]
fn half_a_character_goes_nowhere() {
    let world = World::new();
    let upstream = Upstream::of_tools(&world, "fake", &[&tool("plain", "-")]);
    let mut gateway = world.gateway(&[&upstream], &json!({}));
    let cases = cases("inferred");
    let halves: Vec<&Case> = cases.iter().filter(|case| case.arguments.contains(HALF)).collect();
    assert!(halves.len() >= 9);
    for (case, id) in halves.iter().zip(60_000..) {
        let Case { variant, arguments, .. } = case;
        gateway.line(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{variant}","arguments":{arguments}}}}}"#
        ));
        assert!(gateway.raw_answer(id).contains("-32700"), "{}", case.label);
    }
    assert_eq!(upstream.calls(), []);
}

/// Every line with each variant.
pub(super) fn cases(mode: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    for cells in lines(TABLE) {
        for (variant, word) in VARIANTS {
            let cells: Vec<String> = cells.iter().map(|cell| filled(cell, variant, word)).collect();
            cases.push(case(&cells, (variant, word), mode, cases.len()));
        }
    }
    cases
}

/// With the variant's words in it: its own, the other two, its name.
fn filled(cell: &str, variant: &str, word: &str) -> String {
    let others: Vec<&str> =
        VARIANTS.iter().map(|(_, other)| *other).filter(|other| *other != word).collect();
    let marks = [("{v}", word), ("{w}", others[0]), ("{x}", others[1]), ("{tool}", variant)];
    marks.iter().fold(cell.to_owned(), |cell, (mark, word)| cell.replace(mark, word))
}

fn case(cells: &[String], (variant, word): (&str, &str), mode: &str, number: usize) -> Case {
    let keys = ["intent", "intent_operation_type", "intent_data_sensitivity", "intent_reason"];
    let stated = keys.iter().zip(&cells[1..5]).filter(|(_, cell)| *cell != "-");
    let stated: Vec<String> =
        stated.map(|(key, cell)| format!(r#","{key}":{}"#, written_out(cell, "\""))).collect();
    let stated = stated.concat();
    let arguments = format!(r#"{{"name":"fake:plain","args":{{"case":{number}}}{stated}}}"#);
    Case {
        number,
        tool: "plain".to_owned(),
        label: format!("{variant} {mode} row {}", cells[..5].join(" | ")),
        variant: variant.to_owned(),
        expected: expected(cells, word, mode, || understood(variant, &arguments)),
        arguments,
    }
}

fn expected(
    cells: &[String],
    word: &str,
    mode: &str,
    understood: impl FnOnce() -> Value,
) -> Expected {
    let [.., two_key, inferred, message, kept, warnings] = cells else { panic!("{cells:?}") };
    let outcome = if mode == "two_key" { two_key } else { inferred };
    let Some(origin) = outcome.strip_prefix("allow ") else {
        let message = match (message.split_once(" // "), mode) {
            (Some((first, _)), "two_key") => first,
            (Some((_, second)), _) => second,
            (None, _) => message,
        };
        let (code, message) = (outcome.clone(), message.to_owned());
        return Expected::Refused { code, message, intent: understood() };
    };
    let kept =
        if kept == "-" { "-|-".to_owned() } else { written_out(kept, "").replace('␣', " ") };
    let (sensitivity, reason) = kept.split_once('|').unwrap();
    let mut intent = json!({"operation_type": word, "origin": origin});
    for (key, value) in [("data_sensitivity", sensitivity), ("reason", reason)] {
        if value != "-" {
            intent[key] = json!(value);
        }
    }
    let warnings = warnings.split("; ").filter_map(|warning| warning.split_once(' '));
    let warnings = warnings.map(|(code, message)| (code.to_owned(), message.to_owned())).collect();
    Expected::Goes { intent, warnings }
}

/// `@c*n` as n times c between `quotes`.
fn written_out(cell: &str, quotes: &str) -> String {
    let Some((before, rest)) = cell.split_once('@') else { return cell.to_owned() };
    let (unit, rest) = rest.split_once('*').unwrap();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let times: usize = rest[..digits].parse().unwrap();
    format!("{before}{quotes}{}{quotes}{}", unit.repeat(times), &rest[digits..])
}
