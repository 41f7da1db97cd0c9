//! Events of runs for unit tests: a short run, and any event there can be.

use std::{
    ffi::OsString,
    os::unix::ffi::OsStringExt as _,
    time::{Duration, SystemTime},
};

use awf_core::{
    Code, Effect, RecordedInput, ResumeFrom, RunBegan, RunEvent, RunFinished, RunId, RunStatus,
    RunTurn, StepError, StepResult, StepStatus, TaskId, TaskOutcome, ToolCalls, Usage,
    WorkflowSource,
};
use proptest::{
    collection::vec,
    option::of,
    prelude::{Just, Strategy, any, prop_oneof},
    sample::select,
};
use serde_json::{Map, Number, Value};

pub(crate) fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000 + seconds)
}

pub(crate) fn began(id: RunId) -> RunEvent {
    RunEvent::Began(Box::new(RunBegan {
        id,
        at: at(0),
        workflow: "release".to_owned(),
        sources: vec![WorkflowSource {
            name: "release".to_owned(),
            file: "release.yaml".to_owned(),
            text: "name: release\n".to_owned(),
        }],
        inputs: vec![
            ("count".to_owned(), RecordedInput::Value(Value::from(3))),
            ("token".to_owned(), RecordedInput::Secret),
        ],
        dir: "/project".into(),
        provider: None,
        presets: Vec::new(),
        only: None,
        version: "0.1.0".to_owned(),
    }))
}

pub(crate) fn task_began(task: u64) -> RunEvent {
    let (step, effect) = ("build".to_owned(), Effect::Step);
    RunEvent::TaskBegan { task: TaskId(task), step, attempt: 1, effect, at: at(task) }
}

pub(crate) fn step_result() -> StepResult {
    StepResult {
        status: StepStatus::Completed,
        output: "built\n".to_owned(),
        stderr: String::new(),
        exit_code: 0,
        response: Map::new(),
        json: None,
        usage: Usage::default(),
        session: None,
        calls: ToolCalls { made: 2, denied: 1, bypassed: 3 },
        elapsed: Duration::from_millis(1500),
        error: None,
        captured: Vec::new(),
    }
}

pub(crate) fn task_ended(task: u64) -> RunEvent {
    let outcome = TaskOutcome::Step(Box::new(step_result()));
    RunEvent::TaskEnded { task: TaskId(task), outcome, at: at(task + 1) }
}

pub(crate) fn turn(task: u64) -> RunEvent {
    let usage = Usage { input_tokens: 12, output_tokens: 3, ..Usage::default() };
    RunEvent::Turn(RunTurn {
        task: TaskId(task),
        number: 2,
        began: at(task),
        at: at(task + 2),
        usage: Some(usage),
        head: "I read the file.".to_owned(),
    })
}

pub(crate) fn finished(status: RunStatus) -> RunEvent {
    RunEvent::Finished(RunFinished {
        status,
        exit_code: 3,
        message: Some("not today".to_owned()),
        error: Some(StepError { code: Code::RunNotFound, message: "gone".to_owned() }),
        state: "done".to_owned(),
        at: at(60),
    })
}

/// A whole run, as short as one can be.
pub(crate) fn short_run(id: RunId) -> Vec<RunEvent> {
    vec![began(id), task_began(1), task_ended(1), finished(RunStatus::Failed)]
}

/// Any event.
pub(crate) fn any_event() -> impl Strategy<Value = RunEvent> {
    let resume = prop_oneof![
        Just(ResumeFrom::Here),
        Just(ResumeFrom::Again),
        any::<String>().prop_map(ResumeFrom::State)
    ];
    let effect = select(vec![Effect::None, Effect::Step]);
    let task = any::<u64>().prop_map(TaskId);
    prop_oneof![
        any_began(),
        (task.clone(), any::<String>(), any::<u32>(), effect, any_time()).prop_map(
            |(task, step, attempt, effect, at)| RunEvent::TaskBegan {
                task,
                step,
                attempt,
                effect,
                at
            }
        ),
        (task, any_outcome(), any_time()).prop_map(|(task, outcome, at)| RunEvent::TaskEnded {
            task,
            outcome,
            at
        }),
        (resume, any_time()).prop_map(|(from, at)| RunEvent::Resumed { from, at }),
        any_time().prop_map(|at| RunEvent::Cancelled { at }),
        any_turn(),
        any_finished(),
    ]
}

fn any_began() -> impl Strategy<Value = RunEvent> {
    let source = (any::<String>(), any::<String>(), any::<String>())
        .prop_map(|(name, file, text)| WorkflowSource { name, file, text });
    let input =
        prop_oneof![Just(RecordedInput::Secret), any_value().prop_map(RecordedInput::Value)];
    let path = vec(any::<u8>(), 0..20).prop_map(|bytes| OsString::from_vec(bytes).into());
    let texts = (any::<String>(), of(any::<String>()), of(any::<String>()), any::<String>());
    let presets = vec((any::<String>(), any_object()), 0..3);
    let lists = (vec(source, 0..3), vec((any::<String>(), input), 0..3), presets);
    (any_time(), texts, lists, path).prop_map(
        |(at, (workflow, provider, only, version), (sources, inputs, presets), dir)| {
            let id = RunId::generate();
            RunEvent::Began(Box::new(RunBegan {
                id,
                at,
                workflow,
                sources,
                inputs,
                dir,
                provider,
                presets,
                only,
                version,
            }))
        },
    )
}

fn any_outcome() -> impl Strategy<Value = TaskOutcome> {
    prop_oneof![
        any_result().prop_map(|result| TaskOutcome::Step(Box::new(result))),
        any_value().prop_map(TaskOutcome::Value),
        any_error().prop_map(TaskOutcome::Failed),
        Just(TaskOutcome::Elapsed),
    ]
}

fn any_turn() -> impl Strategy<Value = RunEvent> {
    let task = any::<u64>().prop_map(TaskId);
    (task, any::<u32>(), any_time(), any_time(), of(any_usage()), any::<String>()).prop_map(
        |(task, number, began, at, usage, head)| {
            RunEvent::Turn(RunTurn { task, number, began, at, usage, head })
        },
    )
}

fn any_usage() -> impl Strategy<Value = Usage> {
    (any::<u64>(), any::<u64>(), any::<bool>(), of(any::<f64>())).prop_map(
        |(input_tokens, output_tokens, estimated, cost)| Usage {
            input_tokens,
            output_tokens,
            estimated,
            cost,
        },
    )
}

fn any_result() -> impl Strategy<Value = StepResult> {
    let usage = any_usage();
    let calls =
        any::<[u64; 3]>().prop_map(|[made, denied, bypassed]| ToolCalls { made, denied, bypassed });
    let ended = (select(StepStatus::ALL.to_vec()), any::<i32>(), any::<u64>(), of(any_error()));
    let texts = (any::<String>(), any::<String>(), of(any::<String>()));
    let captured = vec((any::<String>(), any::<String>()), 0..3);
    (ended, texts, any_object(), of(any_value()), (usage, calls, captured)).prop_map(
        |(ended, (output, stderr, session), response, json, (usage, calls, captured))| {
            let (status, exit_code, nanos, error) = ended;
            StepResult {
                status,
                output,
                stderr,
                exit_code,
                response,
                json,
                usage,
                session,
                calls,
                elapsed: Duration::from_nanos(nanos),
                error,
                captured,
            }
        },
    )
}

fn any_finished() -> impl Strategy<Value = RunEvent> {
    let status = select(RunStatus::ALL.to_vec());
    let texts = (of(any::<String>()), any::<String>());
    (status, any::<u8>(), texts, of(any_error()), any_time()).prop_map(
        |(status, exit_code, (message, state), error, at)| {
            RunEvent::Finished(RunFinished { status, exit_code, message, error, state, at })
        },
    )
}

fn any_error() -> impl Strategy<Value = StepError> {
    (select(Code::ALL), any::<String>()).prop_map(|(code, message)| StepError { code, message })
}

fn any_time() -> impl Strategy<Value = SystemTime> {
    (any::<bool>(), 0..i64::MAX.unsigned_abs()).prop_map(|(before, nanos)| {
        let span = Duration::from_nanos(nanos);
        if before { SystemTime::UNIX_EPOCH - span } else { SystemTime::UNIX_EPOCH + span }
    })
}

fn any_object() -> impl Strategy<Value = Map<String, Value>> {
    vec((any::<String>(), any_value()), 0..3).prop_map(Map::from_iter)
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(|float| Number::from_f64(float).map_or(Value::Null, Value::Number)),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::Array),
            vec((any::<String>(), inner), 0..3)
                .prop_map(|pairs| Value::Object(Map::from_iter(pairs))),
        ]
    })
}
