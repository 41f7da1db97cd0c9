//! Command steps: what they see, what they give, and how they end.

use std::{fs, os::unix::fs::PermissionsExt as _, time::Duration};

use awf_core::{
    Backoff, Capture, Code, CommandSource, InputSpec, Retry, RunStatus, StateKind, StepStatus,
};

use super::stage::{Stage, with};
use crate::{
    Notice, OutputStream,
    built::{Leading as _, command, input, name, span, state, text, workflow},
};

#[tokio::test]
async fn a_command_sees_its_surroundings() {
    let stage = Stage::new().input("who", "ada; touch oops");
    fs::create_dir(stage.path("sub")).unwrap();
    let script = "printf '%s|%s|%s|%s' \"$who\" \"$FROM\" \"$OWN\" \"${PWD##*/}\"";
    let step = with(command("a", script), |state| {
        state.dir = Some(text("sub"));
        state.env = vec![(name("OWN"), text("{{.workflow.Name}}"))];
    });
    let mut flow = workflow([step]);
    flow.inputs = vec![input("who")];
    assert_eq!(stage.run(flow).await.exit_code, 0);
    assert_eq!(stage.output("a"), "ada; touch oops|host|main|sub");
}

#[tokio::test]
async fn results_flow_on() {
    let stage = Stage::new();
    let first = command("a", "echo out; echo err >&2; exit 7").to("b");
    let first = with(first, |state| {
        state.continue_on_error = true;
        state.capture = Capture { stderr: Some(name("log")), ..Capture::default() };
    });
    let seen =
        "echo '{{.states.a.Output}}{{.states.a.ExitCode}} {{.captured.log}}{{.states.a.Status}}'";
    let finished = stage.run(workflow([first, command("b", seen)])).await;
    assert_eq!(finished.status, RunStatus::Success);
    assert_eq!(stage.output("b"), "out\n7 err\nfailed\n");
}

#[tokio::test]
async fn a_command_out_of_time_is_ended_with_all_it_started() {
    let stage = Stage::new();
    let step = with(command("a", "sleep 300 & echo $! > pid; sleep 300"), |state| {
        state.timeout = Some(Duration::from_millis(300));
    });
    let finished = stage.run(workflow([step])).await;
    assert_eq!((finished.status, finished.exit_code), (RunStatus::Failed, 124));
    assert_eq!(finished.error.unwrap().code, Code::CommandTimeout);
    assert!(is_gone(&stage.read("pid")));
    assert_eq!(stage.result("a").exit_code, 124);
}

#[tokio::test]
async fn what_is_left_in_the_background_holds_no_step_and_ends_with_the_run() {
    let stage = Stage::new();
    let first = command("a", "sleep 300 & echo $! > pid").to("b");
    let second = command("b", "kill -0 \"$(cat pid)\" && echo alive");
    assert_eq!(stage.run(workflow([first, second])).await.exit_code, 0);
    assert_eq!(stage.output("b"), "alive\n");
    assert!(is_gone(&stage.read("pid")));
}

#[tokio::test]
async fn output_is_told_and_cut_in_the_middle() {
    let stage = Stage::new();
    let step = with(command("a", "printf 'abcdefghij'; echo x >&2"), |state| {
        state.capture.max_size = Some(4);
    });
    stage.run(workflow([step])).await;
    assert_eq!(stage.output("a"), "ab\n[6 bytes left out]\nij");
    let said: Vec<(OutputStream, String)> = stage
        .news()
        .into_iter()
        .filter_map(|notice| match notice {
            Notice::Output { stream, text, .. } => Some((stream, text)),
            _ => None,
        })
        .collect();
    assert!(said.contains(&(OutputStream::Stdout, "abcdefghij".to_owned())), "{said:?}");
    assert!(said.contains(&(OutputStream::Stderr, "x\n".to_owned())), "{said:?}");
}

#[tokio::test]
async fn scripts_are_executed_or_given_to_the_shell() {
    let stage = Stage::new();
    fs::write(stage.path("plain.sh"), "echo plain {{.states.a.Output}}").unwrap();
    fs::write(stage.path("bang"), "#!/bin/cat\nbody {{.workflow.CurrentState}}\n").unwrap();
    fs::write(stage.path("ready"), "#!/bin/sh\necho \"$0\"\n").unwrap();
    fs::set_permissions(stage.path("ready"), fs::Permissions::from_mode(0o755)).unwrap();
    let script =
        |own: &str, path: &str| state(own, StateKind::Command(CommandSource::Script(text(path))));
    let states = [
        command("a", "printf first").to("b"),
        script("b", "plain.sh").to("c"),
        script("c", "bang").to("d"),
        script("d", "{{.states.a.ExitCode}}ready").to("e"),
        script("e", "ready"),
    ];
    let states = states.map(|state| with(state, |state| state.continue_on_error = true));
    stage.run(workflow(states)).await;
    assert_eq!(stage.output("b"), "plain first\n");
    assert_eq!(stage.output("c"), "#!/bin/cat\nbody c\n");
    let missing = stage.result("d").error.unwrap();
    assert_eq!(missing.message, "there is no script file `0ready`");
    assert_eq!(missing.code, Code::InputMissingFile);
    assert_eq!(stage.output("e").trim_end(), stage.path("ready").to_string_lossy());
    let left = fs::read_dir(stage.dir.path()).unwrap();
    assert_eq!(left.count(), 3, "the copy is gone");
}

#[tokio::test]
async fn a_step_is_tried_again_until_it_succeeds() {
    let stage = Stage::new();
    let step = with(command("a", "echo x >> tries; test $(wc -l < tries) -eq 3"), |state| {
        state.retry = Some(Retry {
            max_attempts: 5,
            initial_delay: Duration::from_millis(1),
            max_delay: None,
            backoff: Backoff::Constant,
            multiplier: 2.0,
            jitter: 0.5,
            retryable_exit_codes: Vec::new(),
            span: span(1),
        });
    });
    assert_eq!(stage.run(workflow([step])).await.exit_code, 0);
    assert_eq!(stage.read("tries"), "x\nx\nx\n");
    let waits = stage.news().into_iter().filter(|news| matches!(news, Notice::Retrying { .. }));
    assert_eq!(waits.count(), 2);
}

#[tokio::test]
async fn a_template_without_its_value_fails_the_step_with_its_place() {
    let stage = Stage::new();
    let finished = stage.run(workflow([command("a", "echo {{.inputs.nope}}")])).await;
    let error = finished.error.unwrap();
    assert_eq!(error.code, Code::TemplateFailed);
    assert!(error.message.starts_with("flows/main.yaml:1:"), "{}", error.message);
    assert_eq!(stage.result("a").status, StepStatus::Failed);
}

#[tokio::test]
async fn secrets_are_used_and_never_kept() {
    let stage = Stage::new().input("key", "hunter2-hunter2");
    let mut flow = workflow([
        command("a", "echo \"$key\" | tee used").to("b"),
        command("b", "echo '{{.states.a.Output}}' > again"),
    ]);
    flow.inputs = vec![InputSpec { secret: true, ..input("key") }];
    assert_eq!(stage.run(flow).await.exit_code, 0);
    assert_eq!(stage.read("used"), "hunter2-hunter2\n");
    assert!(stage.read("again").starts_with("hunter2-hunter2\n"), "the run goes on with the truth");
    let kept = format!("{:?}{:?}", stage.journal.events(), stage.news());
    assert!(!kept.contains("hunter2"), "{kept}");
}

#[tokio::test]
async fn a_directory_that_is_not_there_is_told() {
    let stage = Stage::new();
    let step = with(command("a", "true"), |state| state.dir = Some(text("nowhere")));
    let finished = stage.run(workflow([step])).await;
    let error = finished.error.unwrap();
    assert!(error.message.contains("nowhere"), "{}", error.message);
}

fn is_gone(pid: &str) -> bool {
    let pid = pid.trim();
    assert!(!pid.is_empty(), "there was a process");
    !std::path::Path::new("/proc").join(pid).exists()
}
