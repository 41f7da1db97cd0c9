//! One story each: what a workflow does when the world answers so.

use std::time::Duration;

use awf_core::{Hook, ResumeFrom, RunEvent, RunStatus, State, Strategy, TaskOutcome};
use serde_json::json;

use super::{
    build::{Ways as _, call, command, during, each, parallel, retry, terminal, text, workflow},
    world::{NOW, Script, World, bad, began, good, output, value},
};
use crate::{
    machine::{Finish, RunState, interrupted, step},
    program::Program,
};

/// Plays a workflow; the steps that began, then how it ended: status, exit code, state.
fn check(states: Vec<State>, mut script: Script, wanted: &str) {
    let program = Program::new(workflow(states), []);
    let mut world = World::new(&program);
    world.begin();
    world.play(&mut script);
    assert_eq!(told(&world), wanted);
}

fn told(world: &World<'_>) -> String {
    let end = match &world.finish {
        Some(Finish { status, exit_code, state, .. }) => {
            format!("{} {exit_code} {state}", status.as_str())
        }
        None => "waiting".to_owned(),
    };
    format!("{} | {end}", world.effects().join(" "))
}

fn script() -> Script {
    Script::default()
}

#[test]
fn states_follow_each_other() {
    let states = vec![command("a").then("b"), command("b").then("end"), terminal("end", true)];
    check(states, script(), "a b | success 0 end");
}

#[test]
fn a_state_without_a_way_on_ends_well() {
    check(vec![command("a")], script(), "a | success 0 a");
}

#[test]
fn failure_goes_by_transitions_then_continue_then_on_failure_then_abort() {
    let rest = || vec![command("ok"), command("no"), command("way")];
    let rows = [
        (
            command("a").then("ok").fails_to("no").or_when("way").anyway(),
            0,
            "a way | success 0 way",
        ),
        (command("a").then("ok").fails_to("no").or_when("way").anyway(), 9, "a ok | success 0 ok"),
        (command("a").then("ok").fails_to("no").or_when("way"), 9, "a no | success 0 no"),
        (command("a").then("ok").or_when("way"), 9, "a | failed 3 a"),
        (command("a").then("ok").fails_with("oh", 42), 9, "a | failed 42 a"),
        (command("a").anyway(), 9, "a | success 0 a"),
    ];
    for (first, choice, wanted) in rows {
        let script = script().on("a", &[bad(1)]).on("a?Transition", &[value(json!(choice))]);
        check([vec![first], rest()].concat(), script, wanted);
    }
}

#[test]
fn routing_is_the_same_for_every_kind() {
    let kinds = [
        (parallel("x", &["b"], Strategy::AllSucceed), "x.b"),
        (each("x", &["b"]), "x[0].b"),
        (call("x", "missing", &[]), ""),
        (command("x"), "x"),
    ];
    for (state, failing) in kinds {
        let states = vec![state.fails_to("no"), command("b"), command("no")];
        let program = Program::new(workflow(states), []);
        let mut world = World::new(&program);
        world.begin();
        world.play(&mut script().on(failing, &[bad(1)]));
        assert_eq!(world.finish.as_ref().map(|end| end.state.as_str()), Some("no"), "{failing}");
    }
}

#[test]
fn a_step_out_of_time_gives_124() {
    check(vec![command("a")], script().on("a", &[bad(124)]), "a | failed 124 a");
}

#[test]
fn a_failure_state_gives_3() {
    check(vec![terminal("end", false)], script(), " | failed 3 end");
}

#[test]
fn attempts_stop_at_success_at_the_last_and_at_other_codes() {
    let states = || vec![command("a").tried(retry(3, &[1, 124]))];
    check(states(), script().on("a", &[bad(1), good()]), "a a#2 | success 0 a");
    check(states(), script().on("a", &[bad(1), bad(124)]), "a a#2 a#3 | failed 124 a");
    check(states(), script().on("a", &[bad(2)]), "a | failed 3 a");
}

#[test]
fn a_call_is_tried_again_as_a_whole() {
    let root = workflow(vec![call("c", "child", &[]).tried(retry(2, &[]))]);
    let child = workflow(vec![command("a").then("b"), command("b")]);
    let program = Program::new(root, [("child".to_owned(), child)]);
    let mut world = World::new(&program);
    world.begin();
    world.play(&mut script().on("c/b", &[bad(1), good()]));
    assert_eq!(told(&world), "c/a c/b c/a c/b | success 0 c");
}

#[test]
fn items_are_gone_through_in_order() {
    let states =
        vec![each("e", &["a", "b"]).then("end"), command("a"), command("b"), terminal("end", true)];
    check(states, script(), "e[0].a e[0].b e[1].a e[1].b | success 0 end");
}

#[test]
fn a_way_within_the_body_jumps_and_one_outside_leaves() {
    let states = |to| {
        vec![
            each("e", &["a", "b", "c"]),
            command("a").then(to),
            command("b"),
            command("c"),
            command("out"),
        ]
    };
    check(states("c"), script(), "e[0].a e[0].c e[1].a e[1].c | success 0 e");
    check(states("out"), script(), "e[0].a out | success 0 out");
    // A way back to the loop itself goes on with it.
    check(states("e"), script(), "e[0].a e[0].b e[0].c e[1].a e[1].b e[1].c | success 0 e");
}

#[test]
fn a_way_back_to_the_loop_goes_on_with_it() {
    let states = vec![
        each("o", &["a", "i"]).then("end"),
        command("a").then("o").fails_to("o"),
        each("i", &["b", "c"]).then("o"),
        command("b").then("i"),
        command("c").then("i"),
        terminal("end", true),
    ];
    let inner = |at| format!("o[{at}].i[0].b o[{at}].i[0].c o[{at}].i[1].b o[{at}].i[1].c");
    let wanted = format!("o[0].a {} o[1].a {} | success 0 end", inner(0), inner(1));
    check(states, script(), &wanted);
}

#[test]
fn a_terminal_in_a_body_ends_the_workflow() {
    let states = vec![each("e", &["a", "stop"]), command("a"), terminal("stop", false)];
    check(states, script(), "e[0].a | failed 3 e");
}

#[test]
fn bounds_of_loops_fail_and_never_cut() {
    let many = value(json!(vec![0; 101]));
    let states = vec![each("e", &["a"]), command("a")];
    check(states, script().on("e?Items", &[many]), " | failed 3 e");
    let states = vec![during("w", &["a"], 2), command("a")];
    let yes = value(json!(true));
    check(states, script().on("w?Condition", &[yes]), "w[0].a w[1].a | failed 3 w");
}

#[test]
fn a_failure_far_below_is_told_once_with_its_place() {
    let states = vec![each("o", &["i"]), each("i", &["a"]), command("a")];
    let program = Program::new(workflow(states), []);
    let mut world = World::new(&program);
    world.begin();
    world.play(&mut script().on("o[1].i[0].a", &[bad(124)]));
    let finish = world.finish.unwrap();
    assert_eq!(finish.error.unwrap().message, "step `o[1].i[0].a`: exit code 124");
    assert_eq!(finish.exit_code, 124);
}

#[test]
fn loops_see_their_parents() {
    let states = vec![each("o", &["i"]), each("i", &["a"]), command("a")];
    let program = Program::new(workflow(states), []);
    let mut world = World::new(&program);
    world.begin();
    let mut held = script().hold("o[1].i[1].a");
    world.play(&mut held);
    let task = world.out.values().next().unwrap();
    let seen = world.state.loop_of(task).unwrap();
    assert_eq!(seen["Item"], "b");
    assert_eq!((&seen["Last"], &seen["Length"]), (&json!(true), &json!(2)));
    assert_eq!(seen["Parent"]["Index1"], 2);
    assert_eq!(seen["Parent"]["Parent"], json!(null));
}

#[test]
fn the_first_failed_branch_cancels_the_rest() {
    let states = vec![
        parallel("p", &["a", "b", "c"], Strategy::AllSucceed),
        command("a"),
        command("b"),
        command("c"),
    ];
    let script = script().on("p.b", &[bad(5)]).hold("p.a").hold("p.c");
    check(states, script, "p.a p.b p.c | failed 3 p");
}

#[test]
fn strategies_differ_in_what_success_is() {
    let states = |strategy| vec![parallel("p", &["a", "b"], strategy), command("a"), command("b")];
    let one_bad = || script().on("p.a", &[bad(1)]);
    let two_bad = || one_bad().on("p.b", &[bad(1)]);
    check(states(Strategy::AnySucceed), one_bad(), "p.a p.b | success 0 p");
    check(states(Strategy::AnySucceed), two_bad(), "p.a p.b | failed 3 p");
    check(states(Strategy::BestEffort), two_bad(), "p.a p.b | success 0 p");
}

#[test]
fn time_of_a_parallel_state_runs_out() {
    let states = vec![
        parallel("p", &["a"], Strategy::AllSucceed).within(Duration::from_secs(1)),
        command("a"),
    ];
    check(states, script().hold("p.a"), "p.a | failed 124 p");
}

#[test]
fn a_called_workflow_has_states_of_its_own_and_gives_outputs() {
    let root = workflow(vec![call("c", "child", &[("a", "built"), ("b", "missing")])]);
    let child = workflow(vec![command("a")]);
    let program = Program::new(root, [("child".to_owned(), child)]);
    let mut world = World::new(&program);
    world.begin();
    world.play(&mut script().on("c/a", &[output("v1")]));
    let states = &world.state.spaces[&crate::machine::FrameId::ROOT].states;
    assert_eq!(states["c"]["Response"], json!({"built": "v1", "missing": null}));
    assert_eq!(states["c"]["Output"], r#"{"built":"v1","missing":null}"#);
    assert_eq!(states.get("a"), None);
}

#[test]
fn calls_go_ten_deep() {
    let recursive = workflow(vec![command("a").then("c"), call("c", "w", &[])]);
    let program = Program::new(recursive.clone(), [("w".to_owned(), recursive)]);
    let mut world = World::new(&program);
    world.begin();
    world.play(&mut script());
    assert_eq!(world.effects().len(), 10);
    let error = world.finish.unwrap().error.unwrap();
    assert_eq!(error.code, awf_core::Code::CallTooDeep);
}

#[test]
fn a_circle_comes_to_an_end() {
    let states = vec![
        parallel("a", &[], Strategy::AllSucceed).then("b"),
        parallel("b", &[], Strategy::AllSucceed).then("a"),
    ];
    check(states, script(), " | failed 3 a");
}

#[test]
fn a_state_within_itself_fails() {
    check(vec![parallel("p", &["p", "p"], Strategy::AllSucceed)], script(), " | failed 3 p");
}

#[test]
fn one_state_alone_has_no_way_on() {
    let program = Program::new(workflow(vec![command("a").then("b"), command("b").then("a")]), []);
    let mut world = World::new(&program);
    world.happen(RunEvent::Began(Box::new(began(Some("b")))));
    world.play(&mut script());
    assert_eq!(told(&world), "b | success 0 b");
}

#[test]
fn hooks_stand_around_everything() {
    let hook = |text_: &str| vec![Hook::Command(text(text_))];
    let mut root = workflow(vec![command("a")]);
    root.hooks.start = hook("start");
    root.hooks.end = hook("end");
    root.hooks.error = hook("error");
    root.states[0].hooks.pre = hook("pre");
    root.states[0].hooks.post = hook("post");
    let play = |script: &mut Script| {
        let program = Program::new(root.clone(), []);
        let mut world = World::new(&program);
        world.begin();
        world.play(script);
        told(&world)
    };
    let all = "workflow:start a:pre a a:post workflow:end | success 0 a";
    assert_eq!(play(&mut script()), all);
    let failing = &mut script().on("workflow:start", &[bad(1)]);
    assert_eq!(play(failing), "workflow:start workflow:error | failed 3 ");
}

#[test]
fn a_run_that_is_told_to_stop_goes_on_later() {
    let mut root = workflow(vec![command("a").then("b"), command("b").then("c"), command("c")]);
    root.hooks.cancel = vec![Hook::Command(text("tidy"))];
    let program = Program::new(root, []);
    let mut world = World::new(&program);
    world.begin();
    let mut held = script().hold("b");
    world.play(&mut held);
    world.stop();
    world.play(&mut held);
    assert_eq!(told(&world), "a b workflow:cancel | cancelled 130 b");
    let lost: Vec<&str> =
        interrupted(&program, &world.state).iter().map(|task| task.step.as_str()).collect();
    assert_eq!(lost, ["b"]);
    held.release();
    world.resume(ResumeFrom::Again);
    world.play(&mut held);
    assert_eq!(told(&world), "a b workflow:cancel b c | success 0 c");
}

#[test]
fn a_lost_attempt_counts_when_the_step_may_be_retried() {
    let program =
        Program::new(workflow(vec![command("a").tried(retry(2, &[])).then("b"), command("b")]), []);
    let mut world = World::new(&program);
    world.begin();
    let mut second = World::replayed(&program, &world.events);
    assert!(interrupted(&program, &second.state).is_empty());
    second.resume(ResumeFrom::Here);
    second.play(&mut script());
    assert_eq!(told(&second), "a#2 b | success 0 b");
}

#[test]
fn what_was_asked_for_and_never_begun_is_simply_begun() {
    let program = Program::new(workflow(vec![command("a")]), []);
    let event = RunEvent::Began(Box::new(began(None)));
    let mut world = World::replayed(&program, &[event]);
    assert!(interrupted(&program, &world.state).is_empty());
    world.resume(ResumeFrom::Here);
    world.play(&mut script());
    assert_eq!(told(&world), "a | success 0 a");
}

#[test]
fn a_finished_run_begins_again_at_a_state_with_its_results() {
    let program = Program::new(workflow(vec![command("a").then("b"), command("b")]), []);
    let mut world = World::new(&program);
    world.begin();
    world.play(&mut script().on("a", &[output("v1")]).on("b", &[bad(1)]));
    assert_eq!(told(&world), "a b | failed 3 b");
    world.resume(ResumeFrom::State("b".to_owned()));
    let task = world.out.values().next().unwrap().clone();
    assert_eq!(world.state.space_of(&task).unwrap().states["a"]["Output"], "v1");
    world.play(&mut script());
    assert_eq!(told(&world), "a b b | success 0 b");
}

#[test]
fn events_that_do_not_fit_change_nothing() {
    let program = Program::new(workflow(vec![command("a")]), []);
    let mut world = World::new(&program);
    world.begin();
    world.play(&mut script());
    let before = world.state.clone();
    let strangers = [
        RunEvent::TaskEnded { task: awf_core::TaskId(77), outcome: TaskOutcome::Elapsed, at: NOW },
        RunEvent::Cancelled { at: NOW },
        RunEvent::Resumed { from: ResumeFrom::Here, at: NOW },
        RunEvent::Began(Box::new(began(None))),
    ];
    for event in strangers {
        let (after, commands) = step(&program, before.clone(), &event);
        assert_eq!((&after, commands), (&before, Vec::new()), "{event:?}");
    }
    let new = RunState::new(serde_json::Map::new());
    let (after, _) = step(&program, new.clone(), &RunEvent::Cancelled { at: NOW });
    assert_eq!(after, new);
    assert_eq!(world.finish.map(|end| end.status), Some(RunStatus::Success));
}
