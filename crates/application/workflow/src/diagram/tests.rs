//! Pictures of workflows, in full.

use awf_core::{State, Workflow};

use crate::{
    built::{Leading, agent, call, end, for_each, name, operation, parallel, step, workflow},
    diagram::{DiagramOptions, DiagramStyle, Direction, diagram},
};

fn drawn(workflow: &Workflow, style: DiagramStyle) -> String {
    let options = DiagramOptions { style, direction: Direction::LR, highlight: Some("build") };
    diagram(workflow, options)
}

/// One state of each kind, and each kind of way.
fn release() -> Workflow {
    let states: [State; 9] = [
        step("build").when("inputs.mode == \"fast\"", "ship").to("checks").on_failure("stop"),
        parallel("checks", &["lint", "review"]).to("each"),
        step("lint").to("ship"),
        agent("review", "look"),
        for_each("each", "a,b", &["lint"]).to("tell"),
        operation("tell", "notify.send").to("ship").ending("nobody was told"),
        call("ship", "deploy", &[]),
        step("lost").always("nowhere"),
        end("stop"),
    ];
    let mut workflow = workflow(states);
    workflow.name = name("the \"release\"");
    workflow
}

#[test]
fn mermaid() {
    assert_eq!(
        drawn(&release(), DiagramStyle::Mermaid),
        r#"---
title: "the \"release\""
---
flowchart LR
    start((" "))
    s0["build<br/>command"]
    s1[/"checks<br/>parallel, all_succeed"\]
    s2["lint<br/>command"]
    s3(["review<br/>agent claude"])
    s4{{"each<br/>for_each"}}
    s5[/"tell<br/>notify.send"/]
    s6[["ship<br/>workflow deploy"]]
    s7["lost<br/>command"]
    s8((("stop<br/>success")))
    s5_failed((("nobody was told<br/>exit 3")))
    s6_done((("end")))
    missing12["nowhere<br/>does not exist"]
    start --> s0
    s0 -->|"inputs.mode == #34;fast#34;"| s6
    s0 -->|"success"| s1
    s0 -->|"failure"| s8
    s1 -.->|"parallel"| s2
    s1 -.->|"parallel"| s3
    s1 -->|"success"| s4
    s2 -->|"success"| s6
    s4 -.->|"for_each"| s2
    s4 -->|"success"| s5
    s5 -->|"success"| s6
    s5 -->|"failure"| s5_failed
    s6 -->|"success"| s6_done
    s7 --> missing12
    style s0 stroke-width:4px
"#
    );
}

#[test]
fn dot() {
    assert_eq!(
        drawn(&release(), DiagramStyle::Dot),
        r#"digraph "the \"release\"" {
    rankdir=LR;
    node [fontname="sans-serif", shape=box];
    edge [fontname="sans-serif", fontsize=10];
    start [label="", shape=point];
    s0 [label="build\ncommand", shape=box, penwidth=4];
    s1 [label="checks\nparallel, all_succeed", shape=trapezium];
    s2 [label="lint\ncommand", shape=box];
    s3 [label="review\nagent claude", shape=box, style=rounded];
    s4 [label="each\nfor_each", shape=hexagon];
    s5 [label="tell\nnotify.send", shape=parallelogram];
    s6 [label="ship\nworkflow deploy", shape=component];
    s7 [label="lost\ncommand", shape=box];
    s8 [label="stop\nsuccess", shape=doubleoctagon];
    s5_failed [label="nobody was told\nexit 3", shape=doubleoctagon];
    s6_done [label="end", shape=doubleoctagon];
    missing12 [label="nowhere\ndoes not exist", shape=box, style=dashed];
    start -> s0;
    s0 -> s6 [label="inputs.mode == \"fast\""];
    s0 -> s1 [label="success"];
    s0 -> s8 [label="failure"];
    s1 -> s2 [label="parallel", style=dashed];
    s1 -> s3 [label="parallel", style=dashed];
    s1 -> s4 [label="success"];
    s2 -> s6 [label="success"];
    s4 -> s2 [label="for_each", style=dashed];
    s4 -> s5 [label="success"];
    s5 -> s6 [label="success"];
    s5 -> s5_failed [label="failure"];
    s6 -> s6_done [label="success"];
    s7 -> missing12;
}
"#
    );
}

#[test]
fn whatever_a_text_holds_it_stays_a_label() {
    let hostile = "a\"]; %%{init}%% <script>`\\\n\u{1b}[31m#quot;";
    let workflow = workflow([step(hostile).when(hostile, hostile), end("e")]);
    let mermaid = drawn(&workflow, DiagramStyle::Mermaid);
    for line in mermaid.lines().skip(4).filter(|line| line.contains('"')) {
        assert_eq!(line.matches('"').count(), 2, "{line}");
        assert!(!line.contains("script>") && !line.contains("%%") && !line.contains('`'), "{line}");
    }
    let dot = drawn(&workflow, DiagramStyle::Dot);
    assert!(!dot.contains('\u{1b}'));
    // Every quote that is not one of the language's own is escaped.
    assert!(dot.contains(r#"label="a\"]; %%{init}%% <script>`\\[31m#quot;\ncommand""#), "{dot}");
}

#[test]
fn long_conditions_are_cut() {
    let workflow = workflow([step("s").when(&"x".repeat(100), "e"), end("e")]);
    let cut = format!("|\"{}…\"|", "x".repeat(59));
    assert!(drawn(&workflow, DiagramStyle::Mermaid).contains(&cut));
}

#[test]
fn ways_that_do_not_count_are_not_drawn() {
    let arrows = |states: [State; 4]| {
        let text = drawn(&workflow(states), DiagramStyle::Dot);
        text.matches(" -> ").count()
    };
    let branch = || step("branch").to("after").ending("x");
    let ended = || end("end").to("after").ending("x");
    // To the first, to its branch and onward; then the silent end of what nothing leads to.
    let all = parallel("all", &["branch"]).to("end");
    assert_eq!(arrows([all, branch(), ended(), step("after")]), 4);
    // A way to the branch makes its own ways count.
    let all = parallel("all", &["branch"]).to("end").on_failure("branch");
    assert_eq!(arrows([all, branch(), ended(), step("after")]), 7);
}
