//! Runs that are stopped, cut off, gone on with; and a journal that cannot be written.

use std::time::Duration;

use awf_core::{
    Backoff, Hook, InputSpec, ResumeFrom, Retry, RunEvent, RunJournalError, RunStatus, StepStatus,
    Workflow,
};

use super::stage::{Stage, with};
use crate::{
    EngineError, Notice, Program,
    built::{Leading as _, command, input, span, text, workflow},
};

fn three() -> Workflow {
    workflow([
        command("a", "echo a >> seen").to("b"),
        command("b", "echo b >> seen").to("c"),
        command("c", "echo c >> seen"),
    ])
}

/// Stops the run as soon as a step says something.
fn stop_when_heard(stage: &mut Stage) {
    let (stop, before) = (stage.stop.clone(), stage.ports.notices.clone());
    stage.ports.notices = std::sync::Arc::new(move |notice| {
        if matches!(notice, Notice::Output { .. }) {
            stop.cancel();
        }
        before(notice);
    });
}

#[tokio::test]
async fn a_run_that_is_told_to_stop_ends_what_is_under_way() {
    let mut stage = Stage::new();
    stop_when_heard(&mut stage);
    let mut flow = workflow([
        command("a", "echo $$ > pid; echo go; sleep 300").to("b"),
        command("b", "touch b"),
    ]);
    flow.hooks.cancel = vec![Hook::Command(text("echo tidied > tidy"))];
    let finished = stage.run(flow.clone()).await;
    assert_eq!((finished.status, finished.exit_code), (RunStatus::Cancelled, 130));
    assert_eq!(stage.result("a").status, StepStatus::Cancelled);
    assert_eq!(stage.read("tidy"), "tidied\n");
    assert!(!stage.path("b").exists());
    let events = stage.journal.events();
    assert!(events.iter().any(|event| matches!(event, RunEvent::Cancelled { .. })));

    // Nobody knows how far it came: it is named, and done again only when that is asked for.
    let second = Stage::new();
    let refused = second.resume(flow.clone(), events.clone(), ResumeFrom::Here).await.unwrap_err();
    assert_eq!(refused.to_string(), "step `a` was under way when the run was interrupted");
    assert!(second.journal.events().is_empty(), "nothing was done");
    let mut again = flow;
    again.states[0] = command("a", "echo again > a").to("b");
    let finished = second.resume(again, events, ResumeFrom::Again).await.unwrap();
    assert_eq!(finished.status, RunStatus::Success);
    assert_eq!(second.read("a"), "again\n");
    assert!(second.path("b").exists());
}

#[tokio::test]
async fn a_run_cut_off_anywhere_does_each_step_once() {
    let whole = Stage::new();
    whole.run(three()).await;
    let events = whole.journal.events();
    for cut in 1..events.len() {
        let stage = Stage::new();
        let kept = events[..cut].to_vec();
        let done: String = kept.iter().filter_map(ended_step).collect();
        std::fs::write(stage.path("seen"), done).unwrap();
        let under_way = matches!(kept.last(), Some(RunEvent::TaskBegan { .. }));
        let ended = stage.resume(three(), kept.clone(), ResumeFrom::Here).await;
        let finished = match ended {
            Err(EngineError::Interrupted { .. }) if under_way => {
                stage.resume(three(), kept, ResumeFrom::Again).await.unwrap()
            }
            other => other.unwrap(),
        };
        assert_eq!(finished.status, RunStatus::Success, "cut at {cut}");
        assert_eq!(stage.read("seen"), "a\nb\nc\n", "cut at {cut}");
    }
}

/// What a step that has ended had written: tasks 1, 2 and 3 are the steps.
fn ended_step(event: &RunEvent) -> Option<String> {
    match event {
        RunEvent::TaskEnded { task, .. } => {
            Some(format!("{}\n", ["", "a", "b", "c"][usize::try_from(task.0).unwrap()]))
        }
        _ => None,
    }
}

#[tokio::test]
async fn a_step_that_may_be_retried_is_done_again_by_itself() {
    let flow = || {
        let step = with(command("a", "echo a >> seen"), |state| {
            state.retry = Some(Retry {
                max_attempts: 2,
                initial_delay: Duration::ZERO,
                max_delay: None,
                backoff: Backoff::Constant,
                multiplier: 1.0,
                jitter: 0.0,
                retryable_exit_codes: Vec::new(),
                span: span(1),
            });
        });
        workflow([step])
    };
    let first = Stage::new();
    first.run(flow()).await;
    let cut: Vec<RunEvent> = first.journal.events().into_iter().take(2).collect();
    let second = Stage::new();
    let finished = second.resume(flow(), cut, ResumeFrom::Here).await.unwrap();
    assert_eq!(finished.status, RunStatus::Success);
    assert!(
        second
            .journal
            .events()
            .iter()
            .any(|event| matches!(event, RunEvent::TaskBegan { attempt: 2, .. }))
    );
}

#[tokio::test]
async fn a_failed_run_begins_again_at_a_state_with_what_it_knew() {
    let flow = |second: &str| workflow([command("a", "printf v1").to("b"), command("b", second)]);
    let stage = Stage::new();
    assert_eq!(stage.run(flow("exit 1")).await.state, "b");
    let events = stage.journal.events();
    let refused = Stage::new().resume(flow("true"), events.clone(), ResumeFrom::Here).await;
    assert!(matches!(refused, Err(EngineError::Finished)));
    for from in [ResumeFrom::Again, ResumeFrom::State("b".to_owned())] {
        let stage = Stage::new();
        let fixed = flow("echo {{.states.a.Output}}");
        let finished = stage.resume(fixed, events.clone(), from).await.unwrap();
        assert_eq!(finished.status, RunStatus::Success);
        assert_eq!(stage.output("b"), "v1\n");
    }
}

#[tokio::test]
async fn without_a_journal_nothing_more_is_done() {
    for room in 0..4 {
        let stage = Stage::new();
        *stage.journal.room.lock().unwrap() = Some(room);
        let stopped = stage.try_run(Program::new(three(), [])).await.unwrap_err();
        assert!(matches!(stopped, EngineError::Journal(_)));
        // A step begins only when that is written down: three events are the run, and the first step's two ends.
        let begun = if room >= 2 { "a\n" } else { "" };
        assert_eq!(stage.read("seen"), begun, "room for {room}");
    }
}

#[tokio::test]
async fn a_run_goes_on_only_with_the_secrets_it_had() {
    let flow = || {
        let mut flow = workflow([command("a", "exit 1").to("b"), command("b", "echo $key > used")]);
        flow.inputs = vec![
            InputSpec { secret: true, ..input("key") },
            InputSpec { secret: true, ..input("never_given") },
        ];
        flow
    };
    let stage = Stage::new().input("key", "hunter2-hunter2");
    stage.run(flow()).await;
    let events = stage.journal.events();
    let from = || ResumeFrom::State("b".to_owned());
    let refused = Stage::new().resume(flow(), events.clone(), from()).await.unwrap_err();
    let told = "the run had the secret input `key` and goes on only with it";
    assert_eq!(refused.to_string(), told);
    let again = Stage::new().input("key", "hunter2-hunter2");
    again.resume(flow(), events, from()).await.unwrap();
    assert_eq!(again.read("used"), "hunter2-hunter2\n");
}

#[tokio::test]
async fn resuming_at_a_state_that_is_not_there_is_refused() {
    let stage = Stage::new();
    stage.run(three()).await;
    let events = stage.journal.events();
    let from = ResumeFrom::State("d".to_owned());
    let refused = Stage::new().resume(three(), events, from).await.unwrap_err();
    assert_eq!(refused.to_string(), "the workflow has no state `d`");
    let nothing = Stage::new().resume(three(), Vec::new(), ResumeFrom::Here).await;
    assert!(matches!(nothing, Err(EngineError::NotBegun)));
}

#[tokio::test]
async fn a_run_somebody_else_went_on_with_is_not_judged_by_what_it_was() {
    let first = Stage::new();
    first.run(three()).await;
    let kept = first.journal.events()[..1].to_vec();
    let late = Stage::new();
    *late.journal.taken_at.lock().unwrap() = Some(kept.len() + 1);
    let refused = late.resume(three(), kept, ResumeFrom::Here).await.unwrap_err();
    assert!(matches!(refused, EngineError::Journal(RunJournalError::Active(_))), "{refused:?}");
    assert_eq!((late.journal.events(), late.news()), (Vec::new(), Vec::new()));
}
