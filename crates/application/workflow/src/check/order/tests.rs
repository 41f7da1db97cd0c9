//! Results named before they can be known.

use awf_core::{Hook, State, StateKind};

use crate::built::{
    Leading, command, end, for_each, loop_of, name, parallel, step, text, told, while_loop,
    workflow,
};

fn too_early(states: impl IntoIterator<Item = State>) -> Vec<String> {
    let lines = told(&workflow(states)).into_iter();
    lines.filter_map(|line| Some(line.strip_prefix("FORWARD_REFERENCE ")?.to_owned())).collect()
}

/// A command that prints what another state gave.
fn using(own: &str, other: &str) -> State {
    command(own, &format!("{{{{.states.{other}.Output}}}}"))
}

#[test]
fn a_later_state_cannot_be_named() {
    assert_eq!(
        too_early([using("one", "two").to("two"), step("two")]),
        ["3-21 state `two` cannot have run before `one` | (usual)"]
    );
    assert_eq!(
        too_early([using("one", "one")]),
        ["3-21 state `one` names its own result before it has one | (usual)"]
    );
}

#[test]
fn one_way_on_which_it_ran_is_enough() {
    let cases: Vec<Vec<State>> = vec![
        vec![step("one").to("two"), using("two", "one")],
        vec![
            step("one").to("two").on_failure("three"),
            step("two").to("three"),
            using("three", "two"),
        ],
        // Back again.
        vec![using("one", "two").to("two"), step("two").to("one").on_failure("done"), end("done")],
        // The parts of a loop: after each other, and from the iteration before.
        vec![for_each("each", "a", &["one", "two"]), step("one"), using("two", "one")],
        vec![for_each("each", "a", &["one", "two"]), using("one", "two"), step("two")],
        vec![for_each("each", "a", &["one"]), using("one", "one")],
        // After the loop, after the branches.
        vec![for_each("each", "a", &["one"]).to("two"), step("one"), using("two", "one")],
        vec![parallel("all", &["one"]).to("two"), step("one"), using("two", "one")],
        vec![completing("each", &["one"], "two"), step("one"), using("two", "each")],
        // What a condition asks after the state is its own result too.
        vec![step("one").when("states.one.ExitCode == 0", "two"), end("two")],
        vec![while_loop("again", "states.one.ExitCode != 0", &["one"]), step("one")],
        // Nobody knows what may be behind a name that is no state.
        vec![step("one").to("tow"), using("two", "one")],
        // In a template that may not come to it.
        vec![command("one", "{{if .env.X}}{{.states.two.Output}}{{end}}").to("two"), step("two")],
    ];
    for states in cases {
        assert_eq!(too_early(states.clone()), [""; 0], "{states:?}");
    }
}

#[test]
fn branches_cannot_rely_on_each_other() {
    let states = |most: Option<usize>| {
        let mut all = parallel("all", &["one", "two"]);
        if let StateKind::Parallel(parallel) = &mut all.kind {
            parallel.max_concurrent = most;
        }
        [all, step("one"), using("two", "one")]
    };
    assert_eq!(
        too_early(states(None)),
        ["3-21 state `one` cannot have run before `two` | branches of a parallel state run at \
          once; name a state before it"]
    );
    assert_eq!(too_early(states(Some(1))), [""; 0], "one at a time is in order");
}

#[test]
fn a_loop_has_no_result_while_it_runs() {
    assert_eq!(too_early([for_each("each", "a", &["one"]), using("one", "each")]).len(), 1);
    // Nor when its parts lead back to it, which is to go on.
    let back = [for_each("each", "a", &["one"]), using("one", "each").to("each")];
    assert_eq!(too_early(back).len(), 1);
}

#[test]
fn messages_hooks_and_items_are_held_to_the_order_too() {
    let mut hooked = step("one").to("two");
    hooked.hooks.post = vec![Hook::Log(text("{{.states.one.Output}} {{.states.two.Output}}"))];
    assert_eq!(too_early([hooked, step("two")]).len(), 1);
    assert_eq!(
        too_early([for_each("one", "{{.states.two.JSON}}", &["two"]), step("two")]).len(),
        1
    );
    assert_eq!(
        too_early([step("one").ending("{{.states.two.Stderr}}").to("two"), step("two")]).len(),
        1
    );
    let mut workflow = workflow([step("one")]);
    workflow.hooks.start = vec![Hook::Log(text("{{.states.one.Output}}"))];
    workflow.hooks.end = vec![Hook::Log(text("{{.states.one.Output}}"))];
    assert_eq!(
        told(&workflow),
        ["FORWARD_REFERENCE 3-21 state `one` has not run when the run starts | (usual)"]
    );
}

#[test]
fn a_state_that_is_never_reached_says_nothing_of_order() {
    assert_eq!(too_early([step("one"), using("lost", "one")]), [""; 0]);
}

fn completing(own: &str, body: &[&str], next: &str) -> State {
    let mut state = for_each(own, "a", body);
    loop_of(&mut state).on_complete = Some(name(next));
    state
}
