//! Runs told from their events, and what to do about them.

use std::time::{Duration, SystemTime};

use awf_core::{
    Code, Effect, ResumeFrom, RunBegan, RunEvent, RunFinished, RunId, RunStatus, StepError,
    StepResult, StepStatus, TaskId, TaskOutcome, Timeline, ToolCalls, Usage,
};
use serde_json::Map;

use super::{length, next::next};

const ID: &str = "01M7H990HYH39786EHFDZ2RNG7";

fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

fn began() -> RunEvent {
    RunEvent::Began(Box::new(RunBegan {
        id: RunId::parse(ID).unwrap(),
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
        output: String::new(),
        stderr: String::new(),
        exit_code: i32::from(failed),
        response: Map::new(),
        json: None,
        usage: Usage::default(),
        session: None,
        calls: ToolCalls { made: 1, denied: 0, bypassed: 0 },
        elapsed: Duration::ZERO,
        error: failed.then(|| StepError { code: Code::CommandFailed, message: "no".to_owned() }),
        captured: Vec::new(),
    }));
    RunEvent::TaskEnded { task: TaskId(task), outcome, at: at(seconds) }
}

fn finished(status: RunStatus, seconds: u64) -> RunEvent {
    let (message, error, state) = (None, None, "end".to_owned());
    RunEvent::Finished(RunFinished { status, exit_code: 0, message, error, state, at: at(seconds) })
}

fn resumed(seconds: u64) -> RunEvent {
    RunEvent::Resumed { from: ResumeFrom::Again, at: at(seconds) }
}

/// Each step as `name status attempts from-until calls`, then the run, then what to do.
fn told(events: &[RunEvent], status: RunStatus) -> Vec<String> {
    let all = [&[began()], events].concat();
    let story = Timeline::of(&all, &[], status, at(99)).unwrap();
    let seconds = |at: SystemTime| at.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    let steps = story.steps.iter().map(|step| {
        let (status, calls) = (step.status().as_str(), step.calls().made);
        let (from, until) = (seconds(step.span().began), seconds(step.span().until));
        let attempts = step.attempts.last().unwrap().number;
        format!("{} {status} {attempts} {from}-{until} {calls}", step.name)
    });
    let run = format!("{} until {}", story.status.as_str(), length(&story).as_secs());
    let next = next(&story).map(|next| next.command.replace(ID, "ID"));
    steps.chain([run]).chain(next).collect()
}

#[test]
fn attempts_of_a_step_are_one_line_and_visits_are_many() {
    let events = [
        task(1, "build", 1, 1),
        ended(1, StepStatus::Failed, 2),
        task(2, "build", 2, 4),
        ended(2, StepStatus::Completed, 5),
        task(3, "build", 1, 6),
        ended(3, StepStatus::Completed, 7),
        finished(RunStatus::Success, 8),
    ];
    assert_eq!(
        told(&events, RunStatus::Success),
        ["build completed 2 1-5 2", "build completed 1 6-7 1", "success until 8"]
    );
}

#[test]
fn looking_and_waiting_are_no_steps() {
    let wait = RunEvent::TaskBegan {
        task: TaskId(1),
        step: "build".to_owned(),
        attempt: 1,
        effect: Effect::None,
        at: at(3),
    };
    let over = RunEvent::TaskEnded { task: TaskId(1), outcome: TaskOutcome::Elapsed, at: at(4) };
    assert_eq!(
        told(&[wait, over], RunStatus::Interrupted),
        ["interrupted until 4", "awf resume ID"]
    );
}

#[test]
fn a_step_under_way_runs_as_long_as_its_run() {
    let events =
        [task(1, "build", 1, 1), ended(1, StepStatus::Completed, 2), task(2, "test", 1, 3)];
    assert_eq!(
        told(&events, RunStatus::Running),
        ["build completed 1 1-2 1", "test running 1 3-99 0", "running until 99"]
    );
    assert_eq!(
        told(&events, RunStatus::Interrupted),
        [
            "build completed 1 1-2 1",
            "test interrupted 1 3-3 0",
            "interrupted until 3",
            "awf resume ID --from current"
        ]
    );
}

#[test]
fn a_resumed_run_tells_both_halves() {
    let first = [task(1, "build", 1, 1), RunEvent::Cancelled { at: at(2) }];
    let second = [resumed(50), task(2, "build", 1, 51), ended(2, StepStatus::Failed, 52)];
    let events = [&first[..], &second, &[finished(RunStatus::Failed, 53)]].concat();
    assert_eq!(
        told(&events, RunStatus::Failed),
        [
            "build interrupted 1 1-2 0",
            "build failed 1 51-52 1",
            "failed until 53",
            "awf resume ID --from build"
        ]
    );
    let again = [&events[..], &[resumed(60)]].concat();
    assert_eq!(told(&again, RunStatus::Running).last().unwrap(), "running until 99");
    assert_eq!(Timeline::of(&again[1..], &[], RunStatus::Running, at(99)).map(|_| ()), None);
}

#[test]
fn a_run_that_was_stopped_goes_on_where_it_was() {
    let events = [task(1, "each[2].test", 1, 1), finished(RunStatus::Cancelled, 2)];
    assert_eq!(
        told(&events, RunStatus::Cancelled),
        ["each[2].test cancelled 1 1-2 0", "cancelled until 2", "awf resume ID --from current"]
    );
}

#[test]
fn a_run_that_failed_is_begun_again_at_the_state_it_failed_at() {
    for (step, state) in [("each[2].test", "each"), ("all.left", "all"), ("call/child", "call")] {
        // Neither a branch that was cancelled before nor a hook that failed after is it.
        let events = [
            task(1, "some.branch", 1, 1),
            ended(1, StepStatus::Cancelled, 2),
            task(2, step, 1, 3),
            ended(2, StepStatus::Failed, 4),
            task(3, "workflow:error", 1, 5),
            ended(3, StepStatus::Failed, 6),
            finished(RunStatus::Failed, 7),
        ];
        let told = told(&events, RunStatus::Failed);
        assert_eq!(told.last().unwrap(), &format!("awf resume ID --from {state}"));
    }
}
