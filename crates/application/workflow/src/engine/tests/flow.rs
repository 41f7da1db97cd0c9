//! Whole workflows with real shells: loops, branches, calls, hooks, presets.

use awf_core::{Hook, OnFailure, RunStatus, StateKind, Terminal, Transition};
use serde_json::{Map, json};

use super::stage::{Stage, with};
use crate::{
    EngineError, Notice, Program,
    built::{
        Leading as _, call, command, for_each, input, loop_of, name, operation, parallel, state,
        text, while_loop, workflow,
    },
};

#[tokio::test]
async fn loops_go_over_what_a_step_gave() {
    let stage = Stage::new();
    let states = [
        command("list", "echo '[\"x\", {\"n\": 2}]'").to("each"),
        for_each("each", "{{.states.list.Output}}", &["one"]).to("count"),
        command("one", "echo '{{.loop.Index1}}/{{.loop.Length}} {{json .loop.Item}}' >> seen"),
        while_loop("count", "states.bump.ExitCode != 5", &["bump"]),
        with(command("bump", "echo x >> n; test $(wc -l < n) -lt 3 || exit 5"), |state| {
            state.continue_on_error = true;
        }),
    ];
    assert_eq!(stage.run(workflow(states)).await.exit_code, 0);
    assert_eq!(stage.read("seen"), "1/2 \"x\"\n2/2 {\"n\":2}\n");
    assert_eq!(stage.read("n"), "x\nx\nx\n");
}

#[tokio::test]
async fn a_loop_is_left_when_its_condition_says() {
    let stage = Stage::new();
    let mut each = for_each("each", "a,b,c", &["one"]);
    loop_of(&mut each).break_when = Some(text("loop.Item == 'b'"));
    let states = [each, command("one", "echo {{.loop.Item}} >> seen")];
    assert_eq!(stage.run(workflow(states)).await.exit_code, 0);
    assert_eq!(stage.read("seen"), "a\nb\n");
}

#[tokio::test]
async fn fifty_branches_go_at_once_and_all_results_are_there() {
    let stage = Stage::new();
    let names: Vec<String> = (0..50).map(|at| format!("b{at}")).collect();
    let branches: Vec<&str> = names.iter().map(String::as_str).collect();
    let outputs: Vec<String> =
        names.iter().map(|name| format!("{{{{.states.{name}.Output}}}}")).collect();
    let sum = outputs.concat();
    let mut states =
        vec![parallel("all", &branches).to("sum"), command("sum", &format!("echo {sum}"))];
    states.extend(names.iter().map(|name| command(name, "printf x")));
    assert_eq!(stage.run(workflow(states)).await.exit_code, 0);
    assert_eq!(stage.output("sum").trim(), "x".repeat(50));
}

#[tokio::test]
async fn the_first_failed_branch_ends_the_others() {
    let stage = Stage::new();
    let states =
        [parallel("all", &["slow", "bad"]), command("slow", "sleep 300"), command("bad", "exit 4")];
    let finished = stage.run(workflow(states)).await;
    assert_eq!((finished.status, finished.exit_code), (RunStatus::Failed, 3));
    assert_eq!(finished.error.unwrap().message, "branch `all.bad`: exit code 4");
}

#[tokio::test]
async fn a_called_workflow_is_given_inputs_and_gives_outputs() {
    let stage = Stage::new();
    let mut child = workflow([command("build", "printf '%s-built' \"$what\"")]);
    child.inputs = vec![input("what")];
    let root = workflow([
        with(call("make", "child", &[("what", "{{.workflow.Name}}")]), |state| {
            if let StateKind::Call(call) = &mut state.kind {
                call.outputs = vec![(name("build"), name("artifact"))];
            }
            state.on_success = Some(name("use"));
        }),
        command("use", "echo '{{.states.make.Response.artifact}} {{.states.make.Output}}'"),
    ]);
    let program = Program::new(root, [("child".to_owned(), child)]);
    assert_eq!(stage.try_run(program).await.unwrap().exit_code, 0);
    assert_eq!(stage.output("use"), "main-built {\"artifact\":\"main-built\"}\n");
}

#[tokio::test]
async fn a_call_with_wrong_inputs_fails_before_it_begins() {
    let stage = Stage::new();
    let child = workflow([command("a", "touch ran")]);
    let root = workflow([call("c", "child", &[("what", "x")])]);
    let program = Program::new(root, [("child".to_owned(), child)]);
    let error = stage.try_run(program).await.unwrap().error.unwrap();
    assert_eq!(error.message, "workflow `child`: workflow `main` has no input `what`");
    assert!(!stage.path("ran").exists());
}

#[tokio::test]
async fn ends_say_what_they_have_to_say() {
    let stage = Stage::new();
    let message = Some(text("built {{.states.a.Output}}"));
    let end = Terminal { success: true, message };
    let states = [command("a", "printf v1").to("end"), state("end", StateKind::Terminal(end))];
    let finished = stage.run(workflow(states)).await;
    assert_eq!(finished.message.as_deref(), Some("built v1"));

    let stage = Stage::new();
    let step = with(command("a", "echo no; exit 1"), |state| {
        let message = text("failed: {{trimSpace .states.a.Output}}");
        state.on_failure = Some(OnFailure::End { message, status: 42 });
    });
    let finished = stage.run(workflow([step])).await;
    assert_eq!((finished.exit_code, finished.message.as_deref()), (42, Some("failed: no")));
}

#[tokio::test]
async fn the_first_transition_that_holds_is_taken() {
    let stage = Stage::new();
    let step = with(command("a", "exit 2"), |state| {
        let way = |when: &str, to| Transition { when: Some(text(when)), goto: name(to) };
        state.transitions =
            vec![way("states.a.ExitCode == 1", "one"), way("states.a.ExitCode == 2", "two")];
    });
    let states = [step, command("one", "touch one"), command("two", "touch two")];
    assert_eq!(stage.run(workflow(states)).await.state, "two");
    assert!(!stage.path("one").exists());
}

#[tokio::test]
async fn hooks_are_done_around_states_and_the_run() {
    let stage = Stage::new();
    let step = with(command("a", "echo a >> seen; exit 1"), |state| {
        state.hooks.pre = vec![Hook::Log(text("before {{.workflow.CurrentState}}"))];
        state.hooks.post = vec![Hook::Command(text("echo post >> seen; exit 9"))];
    });
    let mut flow = workflow([step]);
    flow.hooks.start = vec![Hook::Command(text("echo start >> seen"))];
    flow.hooks.error = vec![Hook::Command(text(
        "echo '{{.error.State}}: {{.error.Message}} {{.error.Type}}' >> seen",
    ))];
    assert_eq!(stage.run(flow).await.exit_code, 3);
    assert_eq!(stage.read("seen"), "start\na\npost\na: exit code 1 execution\n");
    let news = stage.news();
    let log = Notice::Log { step: Some("a:pre".to_owned()), text: "before a".to_owned() };
    assert!(news.contains(&log), "{news:?}");
    let warned = |notice: &Notice| matches!(notice, Notice::Warning { message, .. } if message == "hook `a:post` failed: exit code 9");
    assert!(news.iter().any(warned), "{news:?}");
}

#[tokio::test]
async fn one_state_alone_is_run_with_what_is_taken_as_given() {
    let mut stage = Stage::new();
    stage.only = Some("b".to_owned());
    stage.presets = vec![("a".to_owned(), Map::from_iter([("Output".to_owned(), json!("given"))]))];
    let states =
        || [command("a", "touch ran").to("b"), command("b", "echo {{.states.a.Output}}").to("a")];
    assert_eq!(stage.run(workflow(states())).await.exit_code, 0);
    assert_eq!(stage.output("b"), "given\n");
    assert!(!stage.path("ran").exists());

    stage.only = Some("bb".to_owned());
    let refused = stage.try_run(Program::new(workflow(states()), [])).await.unwrap_err();
    assert!(
        matches!(refused, EngineError::UnknownState { nearest: Some(near), .. } if near == "b")
    );
}

#[tokio::test]
async fn an_unknown_operation_is_told() {
    let finished = Stage::new().run(workflow([operation("a", "k8s.apply")])).await;
    let error = finished.error.unwrap();
    assert_eq!(error.code, awf_core::Code::OperationUnknown);
    assert_eq!(error.message, "no operation or step type `k8s.apply`");
}
