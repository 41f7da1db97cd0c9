//! The whole check: its order, and what a large file costs.

use std::time::{Duration, Instant};

use awf_core::{Located, State, StateKind, Text};

use crate::built::{
    Leading, World, agent_with, call, command, end, loop_of, name, operation, step, told,
    while_loop, workflow,
};

#[test]
fn findings_come_by_place_then_code_and_each_once() {
    let mut workflow = workflow([command("s", "{{.inputs.a}} {{.inputs.a}} {{.nope}}").to("gone")]);
    workflow.initial = name("elsewhere");
    let places: Vec<String> = told(&workflow)
        .iter()
        .map(|line| line.split_whitespace().take(2).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(
        places,
        [
            "MISSING_STATE 1-10",
            "MISSING_STATE 1-5",
            "UNDEFINED_REFERENCE 3-12",
            "UNDEFINED_REFERENCE 17-26",
            "UNDEFINED_REFERENCE 31-36",
        ]
    );
}

#[test]
fn a_workflow_without_fault_is_told_nothing() {
    let workflow = workflow([
        command("build", "make").to("test").on_failure("broken"),
        command("test", "echo {{escape .states.build.Output}}").to("done").on_failure("broken"),
        end("done"),
        end("broken"),
    ]);
    assert_eq!(World::default().check(&workflow), []);
}

#[test]
fn large_files_of_faults_are_checked_in_time() {
    let count = 5_000;
    let mentions =
        |at: usize| format!("{{{{.states.s{}.Output}}}} {{{{.inputs.x{at}}}}}", (at * 7) % count);
    let typos = (0..count).map(|at| {
        command(&format!("s{at}"), &mentions(at))
            .to(&format!("s{}", at + 1))
            .on_failure(&format!("gone{at}"))
    });
    let chain =
        (0..count).map(|at| command(&format!("s{at}"), &mentions(at)).to(&format!("s{}", at + 1)));
    let long = (0..20_000).map(|at| format!("{{{{.inputs.x{at}}}}} {{{{.states.s.Output}}}}\n"));
    let files = [
        workflow(typos.chain([step("s5000")])),
        workflow(chain.chain([step("s5000")])),
        workflow([command("s", &long.collect::<String>())]),
    ];
    for workflow in files {
        let began = Instant::now();
        assert!(!told(&workflow).is_empty());
        // Many times what it takes without optimisation on a slow machine, and a fraction of what each pair would.
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    }
}

/// What the reader puts where a value is missing.
fn nothing(state: &State) -> Text {
    Text { value: String::new(), span: state.name.span.clone(), origin: None }
}

#[test]
fn what_is_missing_was_told_when_the_file_was_read() {
    let mut asked = agent_with("s", |_| {});
    let mut operated = operation("s", "");
    let mut called = call("s", "", &[]);
    let mut again = while_loop("s", "", &["s2"]);
    let mut unreadable = command("s", "");
    let text = nothing(&asked);
    let lost = Located { value: String::new(), span: text.span.clone() };
    for state in [&mut asked, &mut operated, &mut called, &mut again, &mut unreadable] {
        match &mut state.kind {
            StateKind::Agent(agent) => agent.provider = text.clone(),
            StateKind::Operation(operation) => operation.operation = lost.clone(),
            StateKind::Call(call) => call.workflow = lost.clone(),
            StateKind::Loop(_) => loop_of(state).over = awf_core::LoopOver::Condition(text.clone()),
            other => *other = StateKind::Command(awf_core::CommandSource::Inline(text.clone())),
        }
        let whole = workflow([state.clone(), step("s2")]);
        let told: Vec<String> = told(&whole)
            .into_iter()
            .filter(|line| !line.ends_with("no way leads to state `s2` | (usual)"))
            .collect();
        assert_eq!(told, [""; 0], "{}", state.kind.as_str());
    }
    // It could have led anywhere.
    assert_eq!(told(&workflow([unreadable, step("s2")])), [""; 0]);
}
