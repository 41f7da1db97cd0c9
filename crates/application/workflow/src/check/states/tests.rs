//! Names of states.

use awf_core::{State, StateKind};

use crate::built::{
    Leading, World, agent_with, end, for_each, loop_of, name, parallel, step, text, told, workflow,
};

#[test]
fn every_name_must_be_a_state() {
    let rows = [
        (step("work").to("wrk"), "1-4 state `wrk` does not exist | did you mean `work`?"),
        (step("work").on_failure("dne"), "1-4 state `dne` does not exist | did you mean `done`?"),
        (step("work").when("true", "xyzzy"), "1-6 state `xyzzy` does not exist | (usual)"),
        (parallel("all", &["dun"]), "1-4 state `dun` does not exist | did you mean `done`?"),
        (
            for_each("each", "a,b", &["ech"]),
            "1-4 state `ech` does not exist | did you mean `each`?",
        ),
        (completing("each", "doen"), "1-5 state `doen` does not exist | did you mean `done`?"),
        (continuing("ask", "assk"), "1-5 state `assk` does not exist | did you mean `ask`?"),
    ];
    for (state, expected) in rows {
        let found = told(&workflow([state, end("done")]));
        let missing: Vec<&String> =
            found.iter().filter(|line| line.starts_with("MISSING_STATE")).collect();
        assert_eq!(missing, [&format!("MISSING_STATE {expected}")]);
    }
}

#[test]
fn the_initial_state_must_exist_and_nothing_more_is_guessed() {
    let mut workflow = workflow([step("work").to("done"), end("done")]);
    workflow.initial = name("wrok");
    let expected = "MISSING_STATE 1-5 initial state `wrok` does not exist | did you mean `work`?";
    assert_eq!(told(&workflow), [expected]);
}

#[test]
fn a_session_goes_on_from_an_agent_that_came_before() {
    let first = || agent_with("first", |_| {});
    assert_eq!(told(&workflow([first().to("ask"), continuing("ask", "first")])), [""; 0]);
    assert_eq!(
        told(&workflow([step("work").to("ask"), continuing("ask", "work")])),
        ["MISSING_STATE 1-5 `continue_from` needs a step of an agent, and `work` is of type \
          `command` | (usual)"]
    );
    assert_eq!(
        told(&workflow([continuing("ask", "first").to("first"), first()])),
        ["FORWARD_REFERENCE 1-6 state `first` cannot have run before `ask` | (usual)"]
    );
}

#[test]
fn a_session_stays_with_its_provider() {
    let talk = |first: &str, second: &str| {
        let ask = |own, provider: &str| agent_with(own, |agent| agent.provider = text(provider));
        let mut more = ask("more", second);
        if let StateKind::Agent(agent) = &mut more.kind {
            agent.continue_from = Some(name("first"));
        }
        workflow([ask("first", first).to("more"), more])
    };
    assert_eq!(told(&talk("openai-compatible", "openai_compatible")), [""; 0]);
    assert_eq!(told(&talk("{{.env.AGENT}}", "claude")), [""; 0]);
    let moved = talk("claude", "codex");
    assert_eq!(
        told(&moved),
        ["CONFLICTING_FIELDS 1-6 the session of `first` is one of `claude` and cannot go on in \
          `codex` | use the same provider in both, or hand on what was said: \
          `{{.states.NAME.Output}}`"]
    );
    // One plays them all.
    let world = World { provider: Some("gemini"), ..World::default() };
    assert_eq!(world.told(&moved), [""; 0]);
}

fn completing(own: &str, next: &str) -> State {
    let mut state = for_each(own, "a,b", &["done"]);
    loop_of(&mut state).on_complete = Some(name(next));
    state
}

fn continuing(own: &str, from: &str) -> State {
    agent_with(own, |agent| agent.continue_from = Some(name(from)))
}
