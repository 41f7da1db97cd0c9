//! Ways that no run takes.

use awf_core::{Severity, State};

use crate::built::{Leading, World, end, step, told, workflow};

fn found(state: State) -> Vec<String> {
    let lines = told(&workflow([state, end("one"), end("three")])).into_iter();
    lines.filter(|line| line.starts_with("INVALID_TRANSITION")).collect()
}

fn never(place: &str) -> String {
    format!(
        "INVALID_TRANSITION {place} no run comes to this: the transition to `one` before it has no \
         condition | give that transition a `when`, or remove what follows"
    )
}

#[test]
fn what_follows_a_transition_without_condition_is_worth_a_word() {
    assert_eq!(found(step("s").always("one").when("true", "three")), [never("1-6")]);
    assert_eq!(found(step("s").always("one").to("three")), [never("1-6")]);
    assert_eq!(found(step("s").always("one").on_failure("three")), [never("1-6")]);
    assert_eq!(found(step("s").always("one").ending("over")), [never("1-5")]);
    let workflow = workflow([step("s").always("one").to("one"), end("one")]);
    let severities: Vec<Severity> =
        World::default().check(&workflow).iter().map(|finding| finding.severity).collect();
    assert_eq!(severities, [Severity::Warning]);
}

#[test]
fn a_last_transition_without_condition_is_fine() {
    assert_eq!(found(step("s").when("true", "three").always("one")), [""; 0]);
    assert_eq!(found(step("s").when("true", "three").to("one").on_failure("one")), [""; 0]);
}
