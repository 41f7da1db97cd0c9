//! What a person is shown.

use awf_core::{Class, ToolSource, Unannotated};
use serde_json::{Value, json, value::to_raw_value};

use super::{Change, Field, review};
use crate::{
    book::{Book, Known},
    judge::{Listed, judge, pin},
    pin::{Approval, Pin},
    screen::screen,
};

fn listed(definition: &Value, pinned: Option<&Pin>) -> Listed {
    let raw = vec![to_raw_value(definition).unwrap()];
    let tool = screen(&ToolSource::Mcp("s".into()), raw, |_| false).tools.remove(0);
    let judgement = judge(&tool, pinned, Unannotated::Trust);
    let definition = (*tool.definition).clone().judged(judgement.class, judgement.standing);
    Listed { definition: definition.into(), ..tool }
}

#[test]
fn every_difference_is_told_with_both_texts() {
    let old = json!({"name": "t", "title": "T", "description": "reads", "inputSchema": {"b": 1, "a": 2}, "annotations": {"destructiveHint": true}});
    let pinned = pin(&listed(&old, None), Approval::FirstSight);
    let book = Book::from([("t".to_owned(), pinned.clone())]);
    let known = Known::by(&book);
    assert_eq!(review(&listed(&old, Some(&pinned)), &known), None);
    let new = json!({"name": "t", "description": "rea\u{200b}ds", "inputSchema": {"a": 2}, "outputSchema": {}, "annotations": {"readOnlyHint": true}});
    let found = review(&listed(&new, Some(&pinned)), &known).unwrap();
    let change = |field, old: Option<&str>, new: Option<&str>| Change {
        field,
        old: old.map(str::to_owned),
        new: new.map(str::to_owned),
    };
    let class = Field::Class { from: Class::Destructive, to: Class::Read };
    assert_eq!(
        found.changes,
        [
            change(Field::Description, Some("reads"), Some("rea\u{200b}ds")),
            change(Field::InputSchema, Some(r#"{"a":2,"b":1}"#), Some(r#"{"a":2}"#)),
            change(Field::OutputSchema, None, Some("{}")),
            change(Field::Title, Some("T"), None),
            change(class, Some("destructive"), Some("read")),
            change(Field::HiddenText, None, Some("rea\u{200b}ds")),
        ]
    );
}

#[test]
fn a_text_too_long_to_keep_is_still_known_to_differ() {
    let of = |text: &str| json!({"name": "t", "description": text, "inputSchema": {}});
    let long = "x".repeat(70_000);
    let pinned = pin(&listed(&of(&long), None), Approval::FirstSight);
    let book = Book::from([("t".to_owned(), pinned.clone())]);
    let found = review(&listed(&of("short"), Some(&pinned)), &Known::by(&book)).unwrap();
    assert_eq!(found.changes[0].old, None);
    assert_eq!(found.changes[0].new.as_deref(), Some("short"));
}

#[test]
fn another_spelling_of_a_known_name_is_told() {
    let of = |name: &str| json!({"name": name, "description": "d", "inputSchema": {}});
    let pinned = pin(&listed(&of("get_file"), None), Approval::FirstSight);
    let book = Book::from([("get_file".to_owned(), pinned.clone())]);
    let found = review(&listed(&of("Get-File"), Some(&pinned)), &Known::by(&book)).unwrap();
    let (old, new) = (Some("get_file".to_owned()), Some("Get-File".to_owned()));
    assert_eq!(found.changes, [Change { field: Field::Name, old, new }]);
    assert_eq!(review(&listed(&of("getfile"), None), &Known::by(&book)), None);
}
