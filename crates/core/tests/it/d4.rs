//! The second table, cell by cell, and the whole decision over every combination of declared type and hints.

use std::collections::BTreeSet;

use awf_core::{
    CallContext, CallIntent, CallSurface, Class, Decision, IntentPolicy, IntentValidator, Mode,
    Operation, Origin, RawJson, RefusalCode, Statement, Strictness, ToolCall, TwoKeyValidator,
    Unannotated, Variant, Verdict, call_with, judge,
};

use crate::table::{lines, tool};

const CLASSES: &str = include_str!("../tables/d4.tsv");
const HINTS: &str = include_str!("../tables/d4-hints.tsv");

#[test]
fn every_class_is_judged_as_the_table_says() {
    let mut seen = BTreeSet::new();
    for line in lines::<6>(CLASSES) {
        let [variant, class, strictness, unannotated, verdict, right] = &line.cells;
        assert!(seen.insert(line.cells[..4].join(" ")), "{line} is there twice");
        let unannotated = unannotated_of(unannotated);
        let policy =
            IntentPolicy { mode: Mode::TwoKey, strictness: strictness_of(strictness), unannotated };
        let variant = Variant::parse(variant).unwrap();
        assert_eq!(judge(variant, class_of(class), policy), verdict_of(verdict), "{line}");
        assert_eq!(
            call_with(class_of(class), unannotated),
            Variant::parse(right).unwrap(),
            "{line}"
        );
    }
    assert_eq!(seen.len(), 3 * 4 * 2 * 3, "a cell is missing");
}

#[test]
fn every_combination_of_type_and_hints_is_decided_as_the_table_says() {
    let strict = IntentPolicy::default();
    let policies = [
        strict,
        IntentPolicy { mode: Mode::Inferred, ..strict },
        IntentPolicy { strictness: Strictness::Permissive, ..strict },
    ];
    let mut seen = BTreeSet::new();
    for line in lines::<6>(HINTS) {
        let [variant, declared, hints, outcomes @ ..] = &line.cells;
        assert!(seen.insert(line.cells[..3].join(" ")), "{line} is there twice");
        let call = call(Variant::parse(variant).unwrap(), declared);
        for (policy, expected) in policies.into_iter().zip(outcomes) {
            let decision = TwoKeyValidator::new(policy).decide(&call, &tool(hints));
            assert_eq!(&shown(&decision), expected, "{line} under {policy:?}");
        }
    }
    assert_eq!(seen.len(), 3 * 6 * 8, "a cell is missing");
}

/// A call through `variant` whose intent declares the type named in the table.
fn call(variant: Variant, declared: &str) -> ToolCall {
    let nested = match declared {
        "absent" => None,
        "number" => Some(r#"{"operation_type":1}"#.to_owned()),
        word => Some(format!(r#"{{"operation_type":"{word}"}}"#)),
    };
    let nested = nested.map(|text| RawJson::parse(text).unwrap());
    ToolCall {
        name: "github:delete_repo".into(),
        arguments: RawJson::empty_object(),
        intent: CallIntent::Stated {
            variant,
            statement: Box::new(Statement { nested, ..Statement::default() }),
        },
        context: CallContext::new(CallSurface::Mcp),
        cancel: tokio_util::sync::CancellationToken::new(),
    }
}

fn shown(decision: &Decision) -> String {
    match decision {
        Decision::Allow(declared) => {
            assert_ne!(declared.origin, Origin::Derived);
            "allow".to_owned()
        }
        Decision::Warn(_, warnings) => {
            let codes: Vec<&str> = warnings.iter().map(|warning| warning.code).collect();
            format!("warn {}", codes.join(","))
        }
        Decision::Deny(refusal) => {
            assert_eq!(RefusalCode::parse(refusal.code.as_str()), Some(refusal.code));
            refusal.code.to_string()
        }
    }
}

fn class_of(word: &str) -> Class {
    match word {
        "unannotated" => Class::Unannotated,
        "read" => Class::Read,
        "write" => Class::Write,
        "destructive" => Class::Destructive,
        other => panic!("no class {other}"),
    }
}

fn strictness_of(word: &str) -> Strictness {
    match word {
        "strict" => Strictness::Strict,
        "permissive" => Strictness::Permissive,
        other => panic!("no strictness {other}"),
    }
}

fn unannotated_of(word: &str) -> Unannotated {
    match (word, Operation::parse(word)) {
        ("trust", None) => Unannotated::Trust,
        (_, Some(Operation::Write)) => Unannotated::Write,
        (_, Some(Operation::Destructive)) => Unannotated::Destructive,
        (other, Some(Operation::Read) | None) => panic!("no meaning {other}"),
    }
}

fn verdict_of(word: &str) -> Verdict {
    match word {
        "allow" => Verdict::Allow,
        "tolerate" => Verdict::Tolerate,
        "understated" => Verdict::Understated,
        "overstated" => Verdict::Overstated,
        "mismatch" => Verdict::Mismatch,
        other => panic!("no verdict {other}"),
    }
}
