//! States at once.

use std::{fs, time::Instant};

use crate::{
    language::{run, states},
    world::World,
};

#[test]
fn parallel_strategies() {
    let rows = [
        ("all_succeed", "exit 1", 3, "failed"),
        ("any_succeed", "exit 1", 0, "success"),
        ("best_effort", "exit 1", 0, "success"),
        ("all_succeed", "true", 0, "success"),
    ];
    for (strategy, second, code, status) in rows {
        let ran = run(&states(
            "both",
            &format!(
                "  both: {{type: parallel, parallel: [a, b], strategy: {strategy}, on_success: done}}\n  a: {{type: step, command: 'true'}}\n  b: {{type: step, command: '{second}'}}\n  done: {{type: terminal}}\n"
            ),
        ));
        assert_eq!(
            (ran.code, ran.end()["status"].as_str().unwrap()),
            (code, status),
            "{strategy} {second}"
        );
    }
}

#[test]
fn the_first_failure_of_all_succeed_cancels_the_rest() {
    let began = Instant::now();
    let ran = run(&states(
        "both",
        "  both: {type: parallel, parallel: [slow, bad], strategy: all_succeed}\n  slow: {type: step, command: sleep 60}\n  bad: {type: step, command: exit 1}\n",
    ));
    assert_eq!(ran.code, 3);
    assert!(began.elapsed().as_secs() < 30);
    assert!(
        ran.ended().iter().any(|(step, status)| step.ends_with("slow") && *status == "cancelled"),
        "{:?}",
        ran.ended()
    );
}

#[test]
fn fifty_branches_run_at_once_and_each_gives_its_own_result() {
    let world = World::new();
    let names: Vec<String> = (0..50).map(|at| format!("b{at}")).collect();
    // Each waits until all have begun: they can only end if all run at the same time.
    let branches: Vec<String> = names
        .iter()
        .map(|name| format!("  {name}: {{type: step, command: 'touch here.{name}; until [ $(ls here.* | wc -l) -eq 50 ]; do sleep 0.02; done; echo {name}', timeout: 60s}}\n"))
        .collect();
    let branches = branches.concat();
    let all: Vec<String> =
        names.iter().map(|name| format!("{{{{.states.{name}.Output | trimSpace}}}}")).collect();
    let text = states(
        "all",
        &format!(
            "  all: {{type: parallel, parallel: [{}], on_success: done}}\n{branches}  done: {{type: terminal, message: \"{}\"}}\n",
            names.join(", "),
            all.join(" ")
        ),
    );
    let ran = world.run(&text, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.message(), names.join(" "));
}

#[test]
fn max_concurrent_is_kept() {
    let world = World::new();
    let names: Vec<String> = (0..12).map(|at| format!("b{at}")).collect();
    let branch = "mkdir -p at; touch at/$$; ls at | wc -l >> seen; sleep 0.05; rm at/$$";
    let branches: Vec<String> = names
        .iter()
        .map(|name| format!("  {name}: {{type: step, command: '{branch}'}}\n"))
        .collect();
    let branches = branches.concat();
    let ran = world.run(
        &states(
            "all",
            &format!(
                "  all: {{type: parallel, parallel: [{}], max_concurrent: 3}}\n{branches}",
                names.join(", ")
            ),
        ),
        &[],
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let seen = fs::read_to_string(world.root().join("seen")).unwrap();
    let most = seen.lines().map(|line| line.trim().parse::<u32>().unwrap()).max().unwrap();
    assert!(most <= 3, "{seen}");
}
