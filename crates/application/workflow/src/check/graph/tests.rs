//! States no way leads to, and states no way leads out of.

use std::collections::HashSet;

use awf_core::{Located, State};
use proptest::{collection::vec, prelude::*};

use crate::{
    built::{Leading, command, end, for_each, parallel, step, told, while_loop, workflow},
    ways::{parts, ways},
};

fn graph_findings(states: impl IntoIterator<Item = State>) -> Vec<String> {
    let codes = ["UNREACHABLE_STATE", "CYCLE_DETECTED"];
    let found = told(&workflow(states)).into_iter();
    found.filter(|line| codes.iter().any(|code| line.starts_with(code))).collect()
}

#[test]
fn a_state_no_way_leads_to_is_worth_a_word() {
    assert_eq!(
        graph_findings([step("work").to("done"), step("lost").to("done"), end("done")]),
        ["UNREACHABLE_STATE 1-5 no way leads to state `lost` | (usual)"]
    );
}

#[test]
fn parts_are_reached_through_their_owner() {
    let inner = for_each("inner", "a", &["leaf"]);
    assert_eq!(
        graph_findings([
            parallel("all", &["left", "inner"]).to("done"),
            step("left"),
            inner,
            step("leaf"),
            end("done"),
        ]),
        [""; 0]
    );
}

#[test]
fn the_ways_of_a_branch_do_not_count() {
    assert_eq!(
        graph_findings([parallel("all", &["left"]), step("left").to("after"), end("after")]),
        ["UNREACHABLE_STATE 1-6 no way leads to state `after` | (usual)"]
    );
    // As a part of a loop, and as a step of its own, they do.
    let body = [for_each("each", "a", &["left"]), step("left").to("after"), end("after")];
    assert_eq!(graph_findings(body), [""; 0]);
}

#[test]
fn nothing_leads_out_of_an_end() {
    assert_eq!(
        graph_findings([end("done").to("after"), end("after")]),
        ["UNREACHABLE_STATE 1-6 no way leads to state `after` | (usual)"]
    );
}

#[test]
fn a_missing_name_could_be_any_state() {
    let states = [step("work").to("dno"), step("other").to("done"), end("done")];
    assert_eq!(graph_findings(states), [""; 0]);
}

#[test]
fn a_circle_without_a_way_out_is_told_once() {
    let found =
        graph_findings([step("begin").to("one"), step("two").to("one"), step("one").to("two")]);
    assert_eq!(
        found,
        [
            "CYCLE_DETECTED 1-4 states `two`, `one` lead back to themselves without a way out | (usual)"
        ]
    );
    let alone = graph_findings([step("work").to("work")]);
    assert_eq!(
        alone,
        ["CYCLE_DETECTED 1-5 state `work` leads back to itself without a way out | (usual)"]
    );
}

#[test]
fn long_circles_are_counted_and_each_circle_is_told() {
    let circle = |prefix: &str, count: usize| -> Vec<State> {
        let next = |at: usize| format!("{prefix}{}", (at + 1) % count);
        (0..count).map(|at| step(&format!("{prefix}{at}")).to(&next(at))).collect()
    };
    let mut states = vec![step("begin").to("a0").on_failure("b0")];
    states.extend(circle("a", 7));
    states.extend(circle("b", 2));
    let found: Vec<String> = graph_findings(states)
        .into_iter()
        .filter_map(|line| Some(line.split_once(" | ")?.0.to_owned()))
        .collect();
    assert_eq!(
        found,
        [
            "CYCLE_DETECTED 1-3 states `a0`, `a1`, `a2`, `a3`, `a4` and 2 more lead back to \
             themselves without a way out",
            "CYCLE_DETECTED 1-3 states `b0`, `b1` lead back to themselves without a way out",
        ]
    );
}

#[test]
fn a_circle_with_a_way_out_is_fine() {
    let cases: Vec<Vec<State>> = vec![
        // By a failure.
        vec![step("work").to("work").on_failure("done"), end("done")],
        // By a failure that ends the run.
        vec![step("work").to("work").ending("it broke")],
        // By a condition, or when no condition holds.
        vec![step("work").when("true", "done").to("work"), end("done")],
        vec![step("work").when("states.work.ExitCode == 1", "work")],
        // The parts of a loop lead to each other by nature.
        vec![
            while_loop("again", "true", &["one", "two"]).to("done"),
            step("one").to("two"),
            step("two").to("one"),
            end("done"),
        ],
        // A part may lead back to its loop.
        vec![for_each("each", "a", &["one"]).to("done"), step("one").to("each"), end("done")],
        // Silence is the end.
        vec![step("work")],
    ];
    for states in cases {
        assert_eq!(graph_findings(states.clone()), [""; 0], "{states:?}");
    }
}

#[test]
fn an_unconditional_way_back_is_no_way_out() {
    let found = graph_findings([step("work").always("work")]);
    assert_eq!(found.len(), 1, "{found:?}");
    let found = graph_findings([step("work").always("work").to("done"), end("done")]);
    assert_eq!(found, [""; 0], "what is written after it is given the benefit of the doubt");
}

/// States that lead only onward, each to the next one at least, the last of them an end.
fn onward() -> impl Strategy<Value = Vec<State>> {
    vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..20).prop_map(|jumps| {
        let count = jumps.len();
        let named = |at: usize| format!("s{at}");
        let later = |at: usize, jump: prop::sample::Index| named(at + 1 + jump.index(count - at));
        let steps = jumps.iter().enumerate().map(|(at, (failure, condition))| {
            step(&named(at))
                .to(&named(at + 1))
                .on_failure(&later(at, *failure))
                .when("inputs.x == 1", &later(at, *condition))
        });
        steps.chain([end(&named(count))]).collect()
    })
}

/// Any states at all, leading anywhere: to each other, to themselves, to nothing.
fn anywhere() -> impl Strategy<Value = Vec<State>> {
    let target = prop::sample::select(vec!["a", "b", "c", "d", "e", "nowhere"]);
    let one = (0..6_usize, vec(target.clone(), 0..4), target.clone(), target);
    vec(one, 1..6).prop_map(|states| {
        let names = ["a", "b", "c", "d", "e"];
        let built = names.iter().zip(states).map(|(own, (kind, parts, next, other))| {
            let used = format!("{{{{.states.{next}.Output}}}} {{{{.loop.Index}}}}");
            let state = match kind {
                0 => parallel(own, &parts),
                1 => for_each(own, &used, &parts),
                2 => while_loop(own, "states.a.ExitCode == 0", &parts),
                3 => return end(own),
                _ => command(own, &used),
            };
            state.to(next).on_failure(other).when("loop.Index > 2", other)
        });
        built.collect()
    })
}

proptest! {
    #[test]
    fn ways_that_only_lead_onward_are_fine(states in onward()) {
        prop_assert_eq!(graph_findings(states), [""; 0]);
    }

    #[test]
    fn a_state_that_no_walk_comes_to_is_told(states in anywhere()) {
        let told = graph_findings(states.clone());
        let walked = walked(&states);
        let names: Vec<&str> = states.iter().map(|state| state.name.as_str()).collect();
        // A name that is no state could be any, and a part is taken to go on in each of its loops.
        let unclear = walked.iter().any(|name| !names.contains(name))
            || states
                .iter()
                .any(|state| !walked.contains(&state.name.as_str()) && !parts(state).is_empty());
        if unclear {
            return Ok(());
        }
        for own in names.iter().filter(|own| !walked.contains(own)) {
            let expected = format!("no way leads to state `{own}`");
            prop_assert!(told.iter().any(|line| line.contains(&expected)), "{} {:?}", own, told);
        }
    }
}

/// Every name that is come to along ways and parts, from the first state on.
fn walked(states: &[State]) -> Vec<&str> {
    let mut walked = vec![states[0].name.as_str()];
    let mut at = 0;
    while let Some(own) = walked.get(at).copied() {
        for state in states.iter().filter(|state| state.name.as_str() == own) {
            let ways = ways(state).into_iter().map(|way| way.to.as_str());
            walked.extend(ways.chain(parts(state).iter().map(Located::as_str)));
        }
        let mut seen = HashSet::new();
        walked.retain(|name| seen.insert(*name));
        at += 1;
    }
    walked
}
