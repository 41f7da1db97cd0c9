//! What parallel states and loops are made of.

use awf_core::State;

use crate::built::{Leading, end, for_each, parallel, step, told, while_loop, workflow};

fn found(states: impl IntoIterator<Item = State>) -> Vec<String> {
    let codes = ["INVALID_LOOP", "INVALID_TRANSITION"];
    let lines = told(&workflow(states)).into_iter();
    lines
        .filter(|line| codes.iter().any(|code| line.starts_with(code)))
        .filter_map(|line| Some(line.split_once(" | ")?.0.to_owned()))
        .collect()
}

#[test]
fn parts_are_distinct() {
    assert_eq!(
        found([for_each("each", "a", &["one", "two", "one"]), step("one"), step("two")]),
        ["INVALID_LOOP 1-4 state `one` is listed twice in `each`"]
    );
    assert_eq!(
        found([parallel("all", &["one", "one"]), step("one")]),
        ["INVALID_TRANSITION 1-4 state `one` is listed twice in `all`"]
    );
}

#[test]
fn nothing_is_part_of_itself() {
    assert_eq!(
        found([for_each("each", "a", &["each"])]),
        ["INVALID_LOOP 1-5 state `each` is part of itself"]
    );
    assert_eq!(
        found([
            for_each("each", "a", &["all"]),
            parallel("all", &["again"]),
            while_loop("again", "true", &["each"])
        ]),
        ["INVALID_LOOP 1-5 state `each` is part of itself, through `again`"]
    );
    // To lead back is another thing.
    let shared = [
        for_each("one", "a", &["leaf"]).to("two"),
        for_each("two", "a", &["leaf"]).to("done"),
        step("leaf").to("one"),
        end("done"),
    ];
    assert_eq!(found(shared), [""; 0]);
}

#[test]
fn a_branch_cannot_end_the_run() {
    assert_eq!(
        found([parallel("all", &["one", "done"]), step("one"), end("done")]),
        ["INVALID_TRANSITION 1-5 terminal state `done` cannot be a branch"]
    );
}
