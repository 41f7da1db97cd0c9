//! The first table, cell by cell: `tables/d3.tsv` is the specification's D3 with concrete statements.

use std::collections::BTreeSet;

use awf_core::{
    Declaration, Mode, Operation, RawJson, Refusal, Statement, Variant, Warning, declare,
    understood,
};

use crate::table::{Line, lines};

const TABLE: &str = include_str!("../tables/d3.tsv");

/// Lines of the table, so that none is lost unseen.
const LINES: usize = 408;
/// Pairs of rules one statement can break at once: the earlier answers.
const ORDER: [&str; 38] = [
    "6<18", "6<1", "6<5", "6<16", "6<17", "6<4", "18<2", "18<5", "18<16", "18<17", "18<4", "18<12",
    "18<20", "2<16", "2<17", "7<16", "7<17", "7<20", "5<16", "5<17", "13<12", "13<14", "15<4",
    "15<16", "15<20", "16<17", "16<4", "16<14", "16<12", "16<20", "17<4", "17<12", "17<20", "4<20",
    "9<20", "14<12", "14<20", "12<20",
];

type Answer = Result<(Declaration, Vec<Warning>), Refusal>;

#[test]
fn every_cell_answers_as_the_table_says() {
    let mut wrong = Vec::new();
    let mut cells = 0;
    for line in lines(TABLE) {
        for variant in Variant::ALL {
            let line = filled(&line, variant);
            let statement = statement(&line);
            for (mode, column) in [(Mode::TwoKey, 5), (Mode::Inferred, 6)] {
                cells += 1;
                let answer = shown(&declare(variant, &statement, mode));
                let expected = expected(&line, mode, column);
                if answer != expected {
                    wrong.push(format!(
                        "{line}\n  {variant} {mode:?}\n  said     {answer}\n  expected {expected}"
                    ));
                }
            }
        }
    }
    assert_eq!(cells, 6 * LINES, "a line is missing, or `LINES` was not raised with a new one");
    assert!(wrong.is_empty(), "{} of {cells} cells:\n{}", wrong.len(), wrong.join("\n"));
}

/// What is in order is understood as it is declared; what is not counts for no less than its variant.
#[test]
fn every_cell_is_understood_at_its_strictest() {
    for line in lines(TABLE) {
        for variant in Variant::ALL {
            let line = filled(&line, variant);
            let statement = statement(&line);
            let understood = understood(variant, &statement);
            match declare(variant, &statement, Mode::Inferred) {
                Ok((declared, _)) => assert_eq!(understood, declared, "{line}"),
                Err(_) => assert!(understood.operation >= variant.0, "{line}"),
            }
            let states = |word: Operation| {
                let typed = |cell: &str| cell == format!("\"{word}\"");
                typed(&line.cells[2])
                    || line.cells[1] == format!(r#"{{"operation_type":"{word}"}}"#)
            };
            if states(Operation::Destructive) {
                assert_eq!(understood.operation, Operation::Destructive, "{line}");
            }
        }
    }
}

#[test]
fn no_cell_is_missing() {
    let lines = lines::<10>(TABLE);
    let statements: BTreeSet<&[String]> = lines.iter().map(|line| &line.cells[..5]).collect();
    assert_eq!(statements.len(), lines.len(), "a line is there twice");
    let rows: BTreeSet<&str> = lines.iter().map(|line| line.cells[0].as_str()).collect();
    for row in (1..=20).map(|row| row.to_string()).chain(ORDER.map(str::to_owned)) {
        assert!(rows.contains(row.as_str()), "no line for row {row}");
    }
    let pairs: BTreeSet<(&str, &str)> =
        lines.iter().map(|l| (nested_kind(&l.cells[1]), type_kind(&l.cells[2]))).collect();
    for nested in [
        "absent",
        "null",
        "empty",
        "malformed",
        "own",
        "second",
        "third",
        "invalid",
        "not a string",
    ] {
        for flat in ["absent", "null", "empty", "own", "second", "third", "invalid", "not a string"]
        {
            assert!(
                pairs.contains(&(nested, flat)),
                "no line with nested {nested} and flat {flat}"
            );
        }
    }
    for flat in ["absent", "null", "empty", "own", "second", "third", "invalid", "not a string"] {
        assert!(
            pairs.contains(&("no type", flat)),
            "no line with an object without type and flat {flat}"
        );
    }
    let values: BTreeSet<(&str, &str, &str)> =
        lines.iter().flat_map(|line| said(&line.cells)).collect();
    for key in ["sensitivity", "reason"] {
        for place in ["nested", "alias", "flat"] {
            for kind in ["text", "empty", "null", "not a string"] {
                assert!(
                    values.contains(&(key, place, kind)),
                    "no line with {kind} as {place} {key}"
                );
            }
        }
    }
    let text = lines.iter().filter(|line| line.cells[1].starts_with("\"{")).count();
    assert!(text >= 10, "only {text} lines with a JSON string as intent");
}

/// The line with the variant's words in it, and long texts written out.
fn filled(line: &Line<10>, variant: Variant) -> Line<10> {
    let mut others = Operation::ALL.into_iter().filter(|operation| *operation != variant.0);
    let words = [
        ("{v}", variant.0.as_str()),
        ("{w}", others.next().unwrap().as_str()),
        ("{x}", others.next().unwrap().as_str()),
        ("{tool}", variant.as_str()),
    ];
    let fill = |cell: &String| {
        words.iter().fold(cell.clone(), |cell, (mark, word)| cell.replace(mark, word))
    };
    Line { number: line.number, cells: line.cells.each_ref().map(fill) }
}

fn statement(line: &Line<10>) -> Statement {
    let [_, nested, operation_type, data_sensitivity, reason, ..] = &line.cells;
    let json = |cell: &String| match cell.as_str() {
        "-" => None,
        json => {
            Some(RawJson::parse(written_out(json, "\"")).unwrap_or_else(|e| panic!("{line}: {e}")))
        }
    };
    Statement {
        nested: json(nested),
        operation_type: json(operation_type),
        data_sensitivity: json(data_sensitivity),
        reason: json(reason),
        misread: None,
    }
}

/// `@c*n` as n times c between `quotes`.
fn written_out(cell: &str, quotes: &str) -> String {
    let Some((before, rest)) = cell.split_once('@') else { return cell.to_owned() };
    let (unit, rest) = rest.split_once('*').unwrap();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let times: usize = rest[..digits].parse().unwrap();
    format!("{before}{quotes}{}{quotes}{}", unit.repeat(times), &rest[digits..])
}

fn expected(line: &Line<10>, mode: Mode, column: usize) -> String {
    let [.., message, kept, warnings] = &line.cells;
    let outcome = &line.cells[column];
    let Some(origin) = outcome.strip_prefix("allow ") else {
        let message = match (message.split_once(" // "), mode) {
            (Some((first, _)), Mode::TwoKey) => first,
            (Some((_, second)), Mode::Inferred) => second,
            (None, Mode::TwoKey | Mode::Inferred) => message,
        };
        return format!("{outcome}: {message}");
    };
    let kept =
        if kept == "-" { "-|-".to_owned() } else { written_out(kept, "").replace('␣', " ") };
    format!("allow {origin} {kept} [{}]", if warnings == "-" { "" } else { warnings })
}

fn shown(answer: &Answer) -> String {
    match answer {
        Err(refusal) => format!("{}: {}", refusal.code, refusal.message),
        Ok((declared, warnings)) => {
            let warnings: Vec<String> =
                warnings.iter().map(|w| format!("{} {}", w.code, w.message)).collect();
            format!(
                "allow {} {}|{} [{}]",
                declared.origin.as_str(),
                declared.sensitivity.map_or("-", awf_core::Sensitivity::as_str),
                declared.reason.as_deref().unwrap_or("-"),
                warnings.join("; ")
            )
        }
    }
}

/// What kind of nested value a cell holds.
fn nested_kind(cell: &str) -> &'static str {
    let cell = cell.replace("\\\"", "\"");
    match cell.as_str() {
        "-" => "absent",
        "null" => "null",
        "\"\"" => "empty",
        _ if cell.contains(r#""operation_type":""#) => {
            type_kind(cell.split(r#""operation_type":"#).nth(1).unwrap())
        }
        _ if cell.contains(r#""operation_type":null"#) => "no type",
        _ if cell.contains(r#""operation_type":"#) => "not a string",
        "{}" | "\"{}\"" => "no type",
        _ => "malformed",
    }
}

/// What kind of operation type a cell begins with.
fn type_kind(cell: &str) -> &'static str {
    match cell {
        "-" => "absent",
        "null" => "null",
        _ if cell.starts_with("\"\"") => "empty",
        _ if cell.starts_with("\"{v}\"") => "own",
        _ if cell.starts_with("\"{w}\"") => "second",
        _ if cell.starts_with("\"{x}\"") => "third",
        _ if cell.starts_with(['"', '@']) => "invalid",
        _ => "not a string",
    }
}

/// The metadata a line states: which, where, and what kind of value.
fn said(cells: &[String; 10]) -> Vec<(&'static str, &'static str, &'static str)> {
    let mut said = vec![
        ("sensitivity", "flat", value_kind(&cells[3])),
        ("reason", "flat", value_kind(&cells[4])),
    ];
    let members = [
        ("sensitivity", "nested", r#""data_sensitivity":"#),
        ("sensitivity", "alias", r#""intent_data_sensitivity":"#),
        ("reason", "nested", r#""reason":"#),
        ("reason", "alias", r#""intent_reason":"#),
    ];
    said.extend(members.into_iter().filter_map(|(key, place, member)| {
        Some((key, place, value_kind(cells[1].split_once(member)?.1)))
    }));
    said
}

fn value_kind(value: &str) -> &'static str {
    match value {
        "-" => "absent",
        _ if value.starts_with("null") => "null",
        _ if value.starts_with("\"\"") => "empty",
        _ if value.starts_with(['"', '@']) => "text",
        _ => "not a string",
    }
}
