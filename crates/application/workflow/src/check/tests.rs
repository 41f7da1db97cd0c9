//! The whole check: its order, and what a large file costs.

use std::time::{Duration, Instant};

use crate::built::{Leading, World, command, end, name, step, told, workflow};

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
fn a_large_file_of_faults_is_checked_in_time() {
    let count = 5_000;
    let states = (0..count).map(|at| {
        let text =
            format!("{{{{.states.s{}.Output}}}} {{{{.inputs.wrong{at}}}}}", (at * 7) % count);
        command(&format!("s{at}"), &text)
            .to(&format!("s{}", at + 1))
            .on_failure(&format!("gone{at}"))
    });
    let workflow = workflow(states.chain([step("last")]));
    let began = Instant::now();
    assert!(told(&workflow).len() > count);
    // Ten times what it takes on a slow machine without optimisation.
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}
