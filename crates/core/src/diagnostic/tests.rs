//! Codes are unique, complete and stable.

use std::collections::BTreeSet;

use super::{Area, Code, Diagnostic, Severity, Span};
use crate::intent::RefusalCode;

#[test]
fn every_code_is_unique_and_reads_back() {
    let texts: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(texts.len(), Code::ALL.len(), "two codes are spelled alike");
    for code in Code::ALL {
        assert_eq!(Code::parse(code.as_str()), Some(*code));
        assert_eq!(code.to_string(), code.as_str());
    }
    assert_eq!(Code::parse("user.mcp_proxy.name_collision"), None);
}

#[test]
fn every_code_has_three_words_and_both_texts() {
    let word = |w: &str| !w.is_empty() && w.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    for code in Code::ALL {
        let words: Vec<&str> = code.as_str().split('.').collect();
        assert!(words.len() == 3 && words.into_iter().all(word), "{code}");
        for text in [code.description(), code.hint()] {
            assert!(
                !text.is_empty() && !text.ends_with('.') && !text.contains('\n'),
                "{code}: {text}"
            );
        }
    }
}

/// Compared as text, so that a change of the stable set is seen in review.
#[test]
fn the_set_of_codes_is_the_one_other_programs_know() {
    let lines: Vec<String> = Code::ALL
        .iter()
        .map(|c| {
            format!("{}\t{}\t{}\t{}", c.as_str(), c.severity().as_str(), c.description(), c.hint())
        })
        .collect();
    let known: Vec<&str> = include_str!("../../tests/tables/codes.tsv")
        .lines()
        .filter(|l| !l.starts_with('#'))
        .collect();
    assert_eq!(lines, known);
}

#[test]
fn every_refusal_has_its_code_under_user_intent() {
    for refusal in RefusalCode::ALL {
        assert_eq!(Code::from(refusal).as_str(), format!("USER.INTENT.{refusal}"));
    }
    let intents = Code::ALL.iter().filter(|code| code.as_str().starts_with("USER.INTENT.")).count();
    assert_eq!(intents, RefusalCode::ALL.len());
}

#[test]
fn the_first_word_says_whose_fault_it_is() {
    let rows = [
        (Code::NameCollision, Area::User),
        (Code::ParseUnknownField, Area::Workflow),
        (Code::CommandFailed, Area::Execution),
        (Code::IoReadFailed, Area::System),
    ];
    for (code, area) in rows {
        assert_eq!(code.area(), area);
    }
}

#[test]
fn a_finding_takes_severity_and_hint_from_its_code() {
    let span = Span { file: "a.yaml".into(), line: 1, column: 2, end_line: 1, end_column: 5 };
    let found = Diagnostic::new(Code::ProxyUnsupportedProvider, "provider `codex` keeps its tools");
    assert_eq!(found.severity, Severity::Warning);
    assert_eq!(found.hint.as_deref(), Some(Code::ProxyUnsupportedProvider.hint()));
    let placed = found.clone().at(span.clone()).hinting("use claude");
    assert_eq!(placed, Diagnostic { span: Some(span), hint: Some("use claude".into()), ..found });
}
