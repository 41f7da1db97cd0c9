//! The state machine of pins, over lists that come in any order.

use std::collections::BTreeMap;

use awf_core::{Class, Standing, ToolSource, Unannotated, Unapproved, stricter};
use proptest::prelude::*;
use serde_json::{Value, json, value::to_raw_value};

use super::{Judgement, Listed, judge, pin};
use crate::{
    pin::{Approval, Pin},
    screen::screen,
};

const TRUST: Unannotated = Unannotated::Trust;

fn listed(definition: &Value) -> Listed {
    let raw = vec![to_raw_value(definition).unwrap()];
    screen(&ToolSource::Mcp("s".into()), raw, |_| false).tools.remove(0)
}

fn tool(class: Class, description: &str) -> Listed {
    let annotations = match class {
        Class::Read => json!({"readOnlyHint": true}),
        Class::Write => json!({"readOnlyHint": false}),
        Class::Destructive => json!({"destructiveHint": true}),
        Class::Unannotated => json!({}),
    };
    listed(
        &json!({"name": "t", "description": description, "inputSchema": {"type": "object"}, "annotations": annotations}),
    )
}

fn seen(judgement: &Judgement) -> (Class, Standing) {
    (judgement.class, judgement.standing)
}

#[test]
fn first_sight_is_pinned_as_it_is() {
    let tool = tool(Class::Write, "d");
    let judgement = judge(&tool, None, TRUST);
    assert_eq!(seen(&judgement), (Class::Write, Standing::Approved));
    assert_eq!(judgement.pin, Some(pin(&tool, Approval::FirstSight)));
}

#[test]
fn hidden_text_waits_for_a_person() {
    let hidden = tool(Class::Read, "d\u{200b}");
    let judgement = judge(&hidden, None, TRUST);
    assert_eq!(seen(&judgement).1, Standing::Unapproved(Unapproved::HiddenText));
    assert_eq!(judgement.pin, None);
    let approved = pin(&hidden, Approval::Person);
    assert_eq!(judge(&hidden, Some(&approved), TRUST).standing, Standing::Approved);
}

#[test]
fn hidden_text_where_the_hash_does_not_look_is_found_too() {
    let plain = listed(&json!({"name": "t", "inputSchema": {}}));
    let hiding = listed(&json!({"name": "t", "inputSchema": {}, "_meta": {"title": "a\u{202e}b"}}));
    assert_eq!(plain.hash, hiding.hash);
    let judgement = judge(&hiding, Some(&pin(&plain, Approval::FirstSight)), TRUST);
    assert_eq!(judgement.standing, Standing::Unapproved(Unapproved::HiddenText));
}

#[test]
fn a_class_rises_at_once_and_never_falls() {
    use Class::{Destructive, Read, Unannotated as Silent, Write};
    for (unannotated, order) in [
        (TRUST, [&[Read][..], &[Silent], &[Write], &[Destructive]]),
        (Unannotated::Write, [&[Read], &[Silent, Write], &[], &[Destructive]]),
        (Unannotated::Destructive, [&[Read], &[], &[Write], &[Silent, Destructive]]),
    ] {
        let grade = |class| order.iter().position(|grade| grade.contains(&class));
        for (pinned, said) in Class::ALL.into_iter().flat_map(|a| Class::ALL.map(|b| (a, b))) {
            let first = pin(&tool(pinned, "d"), Approval::Person);
            let judgement = judge(&tool(said, "d"), Some(&first), unannotated);
            let stricter = if grade(said) >= grade(pinned) { said } else { pinned };
            assert_eq!(seen(&judgement), (stricter, Standing::Approved), "{pinned} {said}");
            // Whatever is said next, what was pinned and what it rose to both stand.
            let kept = judgement.pin.unwrap_or(first);
            assert_eq!(kept.approved, Approval::Person);
            for next in Class::ALL {
                let class = judge(&tool(next, "d"), Some(&kept), unannotated).class;
                assert!(grade(class) >= grade(stricter), "{pinned} {said} {next}: {class}");
            }
        }
    }
}

/// Pins are the same everywhere, settings are not: what one place takes for a rise lowers nothing in another.
#[test]
fn a_word_that_is_stricter_in_one_place_is_no_way_out_in_another() {
    let silent = pin(&tool(Class::Unannotated, "d"), Approval::FirstSight);
    let writing = tool(Class::Write, "d");
    let raised = judge(&writing, Some(&silent), TRUST);
    assert_eq!(raised.class, Class::Write);
    let elsewhere = judge(&writing, raised.pin.as_ref(), Unannotated::Destructive);
    assert_eq!(elsewhere.class, Class::Unannotated, "it counts as destructive there");
}

#[test]
fn every_part_counts_and_no_part_poses_as_another() {
    let base = json!({"name": "t", "title": "x", "description": "d", "inputSchema": {"a": 1}, "outputSchema": {"b": 1}});
    let first = pin(&listed(&base), Approval::FirstSight);
    for (key, other) in [
        ("title", json!("d")),
        ("description", json!("x")),
        ("inputSchema", json!({"b": 1})),
        ("outputSchema", json!({"a": 1})),
        ("outputSchema", Value::Null),
    ] {
        let mut changed = base.clone();
        changed[key] = other;
        let judgement = judge(&listed(&changed), Some(&first), TRUST);
        assert_eq!((judgement.standing, judgement.pin), (Standing::Changed, None), "{key}");
    }
    let mut moved = base.clone();
    moved["title"] = base["description"].clone();
    moved["description"] = base["title"].clone();
    assert_ne!(listed(&moved).hash, first.hash);
    let mut more = base;
    more["annotations"] = json!({"idempotentHint": true});
    more["_meta"] = json!({"v": 2});
    assert_eq!(listed(&more).hash, first.hash, "what the model does not read may change");
}

#[derive(Clone, Debug)]
enum Step {
    List(Class, u8),
    Vanish,
    Approve,
}

fn step() -> impl Strategy<Value = Step> {
    let class = prop::sample::select(Class::ALL.to_vec());
    prop_oneof![
        6 => (class, 0_u8..3).prop_map(|(class, text)| Step::List(class, text)),
        1 => Just(Step::Vanish),
        1 => Just(Step::Approve),
    ]
}

fn at_least(class: Class, floor: Class, unannotated: Unannotated) -> bool {
    stricter(floor, class, unannotated) == class
}

proptest! {
    /// Text 2 hides something. The model knows only what a person or first sight let through.
    #[test]
    fn no_sequence_of_lists_lowers_or_clears_anything(
        steps in prop::collection::vec(step(), 1..40),
        unannotated in prop::sample::select(vec![TRUST, Unannotated::Write, Unannotated::Destructive]),
    ) {
        let mut book: BTreeMap<&str, Pin> = BTreeMap::new();
        let (mut floor, mut trusted): (Option<Class>, Option<u8>) = (None, None);
        let mut last: Option<(Listed, u8)> = None;
        for step in steps {
            match step {
                Step::Vanish => last = None,
                Step::Approve => if let Some((tool, text)) = &last {
                    book.insert("t", pin(tool, Approval::Person));
                    (floor, trusted) = (Some(tool.definition.annotations().class()), Some(*text));
                },
                Step::List(class, text) => {
                    let tool = tool(class, ["one", "two", "th\u{200b}ree"][usize::from(text)]);
                    let judgement = judge(&tool, book.get("t"), unannotated);
                    if trusted.is_none() && text != 2 {
                        (floor, trusted) = (Some(class), Some(text));
                    }
                    prop_assert!(at_least(judgement.class, class, unannotated));
                    if let Some(floor) = floor {
                        prop_assert!(at_least(judgement.class, floor, unannotated));
                    }
                    prop_assert_eq!(judgement.standing == Standing::Approved, trusted == Some(text));
                    if judgement.standing == Standing::Approved {
                        floor = Some(judgement.class);
                    }
                    if let Some(pin) = judgement.pin {
                        book.insert("t", pin);
                    }
                    last = Some((tool, text));
                }
            }
        }
    }
}
