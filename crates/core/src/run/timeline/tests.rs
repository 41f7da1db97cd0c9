//! Timelines of whole runs: events and calls in, lines out.

use std::time::{Duration, SystemTime};

use serde_json::Map;

use super::Timeline;
use crate::{
    ActivityId, ActivityRecord, CallEnded, CallStarted, CallSurface, Captured, Code, Effect,
    Outcome, RawJson, ResumeFrom, RunBegan, RunEvent, RunFinished, RunId, RunStatus, RunTurn,
    Status, StepError, StepResult, StepStatus, TaskId, TaskOutcome, ToolCalls, Usage,
};

fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

fn seconds(at: SystemTime) -> u64 {
    at.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs()
}

fn began() -> RunEvent {
    RunEvent::Began(Box::new(RunBegan {
        id: RunId::parse("01M7H990HYH39786EHFDZ2RNG7").unwrap(),
        at: at(0),
        workflow: "release".to_owned(),
        sources: Vec::new(),
        inputs: Vec::new(),
        dir: "/project".into(),
        provider: None,
        presets: Vec::new(),
        only: None,
        version: "0.1.0".to_owned(),
    }))
}

fn task(task: u64, step: &str, attempt: u32, seconds: u64) -> RunEvent {
    let (task, step, effect) = (TaskId(task), step.to_owned(), Effect::Step);
    RunEvent::TaskBegan { task, step, attempt, effect, at: at(seconds) }
}

fn ended(task: u64, status: StepStatus, seconds: u64) -> RunEvent {
    let failed = status == StepStatus::Failed;
    let outcome = TaskOutcome::Step(Box::new(StepResult {
        status,
        output: "what it printed".to_owned(),
        stderr: String::new(),
        exit_code: i32::from(failed),
        response: Map::new(),
        json: None,
        usage: Usage::default(),
        session: None,
        calls: ToolCalls { made: 2, denied: 1, bypassed: 0 },
        elapsed: Duration::ZERO,
        error: failed.then(|| StepError { code: Code::CommandFailed, message: "no".to_owned() }),
        captured: Vec::new(),
    }));
    RunEvent::TaskEnded { task: TaskId(task), outcome, at: at(seconds) }
}

fn turn(task: u64, number: u32, began: u64, answered: u64) -> RunEvent {
    let (task, began, at) = (TaskId(task), at(began), at(answered));
    RunEvent::Turn(RunTurn { task, number, began, at, usage: None, head: "I look.".to_owned() })
}

fn finished(status: RunStatus, seconds: u64) -> RunEvent {
    let (message, error, state) = (None, None, "end".to_owned());
    RunEvent::Finished(RunFinished { status, exit_code: 0, message, error, state, at: at(seconds) })
}

fn resumed(seconds: u64) -> RunEvent {
    RunEvent::Resumed { from: ResumeFrom::Again, at: at(seconds) }
}

fn call(step: &str, tool: &str, began: u64, ended: Option<u64>) -> ActivityRecord {
    let id = ActivityId::generate();
    ActivityRecord {
        started: CallStarted {
            id,
            at: at(began),
            request_id: "r".to_owned(),
            surface: CallSurface::Workflow,
            server: "awf".to_owned(),
            tool: tool.to_owned(),
            variant: None,
            intent: None,
            outcome: Outcome::Allow,
            warnings: Vec::new(),
            arguments: Captured::Whole(RawJson::empty_object()),
            run: Some("01M7H990HYH39786EHFDZ2RNG7".to_owned()),
            step: Some(step.to_owned()),
            session: None,
            trace_id: None,
            client: None,
        },
        status: if ended.is_some() { Status::Success } else { Status::Interrupted },
        ended: ended.map(|ended| CallEnded {
            id,
            at: at(ended),
            status: Status::Success,
            duration_ms: (ended - began) * 1000,
            response: None,
            error: None,
        }),
    }
}

/// Each attempt as `step#number status from-until`, its turns and calls below it, then the stretches, what is left over,
/// and where it stopped.
fn told(events: &[RunEvent], calls: &[ActivityRecord], status: RunStatus) -> Vec<String> {
    let events = [&[began()], events].concat();
    let timeline = Timeline::of(&events, calls, status, at(99)).unwrap();
    let span = |span: super::Stretch| format!("{}-{}", seconds(span.began), seconds(span.until));
    let mut lines = Vec::new();
    for step in &timeline.steps {
        for attempt in &step.attempts {
            let (name, number, status) = (step.name, attempt.number, attempt.status.as_str());
            lines.push(format!("{name}#{number} {status} {}", span(attempt.span)));
            let turns = attempt.turns.iter();
            lines.extend(
                turns.map(|turn| format!("  turn {} {}", turn.turn.number, span(turn.span))),
            );
            let calls = attempt.calls.iter();
            lines.extend(calls.map(|call| {
                let turn = call.turn.map_or("-".to_owned(), |turn| turn.to_string());
                format!("  {} in {turn} {}", call.record.started.tool, span(call.span))
            }));
        }
    }
    lines.extend(timeline.stretches.iter().map(|stretch| span(*stretch)));
    lines.extend(timeline.stray.iter().map(|record| format!("stray {}", record.started.tool)));
    lines.extend(timeline.stopped_at().iter().map(|name| format!("stopped at {name}")));
    lines
}

#[test]
fn calls_belong_to_the_attempt_and_the_turn_they_were_made_in() {
    let events = [
        task(1, "fix", 1, 1),
        turn(1, 1, 1, 3),
        turn(1, 2, 6, 7),
        ended(1, StepStatus::Failed, 9),
        task(2, "fix", 2, 10),
        turn(2, 1, 10, 11),
        ended(2, StepStatus::Completed, 14),
        task(3, "fix", 1, 15),
        ended(3, StepStatus::Completed, 16),
        finished(RunStatus::Success, 17),
    ];
    // In any order, as a log may give them.
    let calls = [
        call("fix", "Late", 15, Some(16)),
        call("fix", "Bash", 12, Some(13)),
        call("fix", "Edit", 8, Some(9)),
        call("fix", "Grep", 3, Some(4)),
        call("fix", "Read", 3, Some(5)),
        call("other", "Gone", 4, Some(5)),
    ];
    assert_eq!(
        told(&events, &calls, RunStatus::Success),
        [
            "fix#1 failed 1-9",
            "  turn 1 1-6",
            "  turn 2 6-9",
            "  Grep in 1 3-4",
            "  Read in 1 3-5",
            "  Edit in 2 8-9",
            "fix#2 completed 10-14",
            "  turn 1 10-14",
            "  Bash in 1 12-13",
            "fix#1 completed 15-16",
            "  Late in - 15-16",
            "0-17",
            "stray Gone",
        ]
    );
}

#[test]
fn branches_overlap_and_rounds_of_a_loop_are_steps_of_their_own() {
    let events = [
        task(1, "all.left", 1, 1),
        task(2, "all.right", 1, 1),
        ended(2, StepStatus::Completed, 3),
        ended(1, StepStatus::Completed, 4),
        task(3, "each[0].test", 1, 5),
        ended(3, StepStatus::Completed, 6),
        task(4, "each[1].test", 1, 6),
    ];
    assert_eq!(
        told(&events, &[call("all.right", "Read", 2, Some(3))], RunStatus::Running),
        [
            "all.left#1 completed 1-4",
            "all.right#1 completed 1-3",
            "  Read in - 2-3",
            "each[0].test#1 completed 5-6",
            "each[1].test#1 running 6-99",
            "0-99",
        ]
    );
}

#[test]
fn what_died_reaches_to_the_last_that_is_known_and_a_resumed_run_has_two_stretches() {
    let first = [task(1, "fix", 1, 1), turn(1, 1, 1, 2)];
    let calls = [call("fix", "Read", 3, Some(5)), call("fix", "Bash", 6, None)];
    assert_eq!(
        told(&first, &calls, RunStatus::Interrupted),
        [
            "fix#1 interrupted 1-6",
            "  turn 1 1-6",
            "  Read in 1 3-5",
            "  Bash in 1 6-6",
            "0-6",
            "stopped at fix",
        ]
    );
    let second = [
        resumed(50),
        task(2, "fix", 1, 51),
        ended(2, StepStatus::Failed, 52),
        task(3, "workflow:error", 1, 52),
        ended(3, StepStatus::Failed, 53),
        finished(RunStatus::Failed, 54),
    ];
    let events = [&first[..], &second].concat();
    assert_eq!(
        told(&events, &[], RunStatus::Failed),
        [
            "fix#1 interrupted 1-2",
            "  turn 1 1-2",
            "fix#1 failed 51-52",
            "workflow:error#1 failed 52-53",
            "0-2",
            "50-54",
            "stopped at fix",
        ]
    );
}

#[test]
fn what_is_under_way_lasts_until_now_and_looking_is_no_step() {
    let look = RunEvent::TaskBegan {
        task: TaskId(1),
        step: "fix".to_owned(),
        attempt: 1,
        effect: Effect::None,
        at: at(1),
    };
    let events = [look, task(2, "fix", 1, 2), turn(2, 1, 2, 3), turn(7, 1, 2, 3)];
    assert_eq!(
        told(&events, &[], RunStatus::Running),
        ["fix#1 running 2-99", "  turn 1 2-99", "0-99"]
    );
    assert!(Timeline::of(&events, &[], RunStatus::Running, at(99)).is_none());
    assert_eq!(
        told(&[task(1, "fix", 1, 2), finished(RunStatus::Cancelled, 3)], &[], RunStatus::Running),
        ["fix#1 cancelled 2-3", "0-3", "stopped at fix"]
    );
}

#[test]
fn a_bare_event_has_nothing_of_what_was_printed() {
    let long = "x".repeat(1 << 20);
    let RunEvent::TaskEnded { outcome: TaskOutcome::Step(mut result), task, at } =
        ended(1, StepStatus::Failed, 3)
    else {
        panic!()
    };
    result.error = Some(StepError { code: Code::CommandFailed, message: long });
    let outcome = TaskOutcome::Step(result);
    let bare = RunEvent::TaskEnded { task, outcome, at }.bare();
    let RunEvent::TaskEnded { outcome: TaskOutcome::Step(result), .. } = &bare else { panic!() };
    assert_eq!((result.output.as_str(), result.exit_code, result.calls.denied), ("", 1, 1));
    assert_eq!(result.error.as_ref().unwrap().message.chars().count(), (4 << 10) + 1);
    assert_eq!(bare.clone().bare(), bare);
}
