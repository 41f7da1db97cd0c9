//! The format of a run's journal: a line written by this version must be readable by every later one.

use awf_core::{ResumeFrom, RunEvent, RunId, RunStatus, StepResult, TaskId, TaskOutcome};
use proptest::{prop_assert_eq, proptest};
use serde_json::{Value, json};

use super::{Opening, read_line, read_opening, write_line};
use crate::runs::sample::{
    any_event, at, began, finished, step_result, task_began, task_ended, turn,
};

const BEGAN: &str = r#"{"v":1,"seq":7,"kind":"began","event":{"id":"01JG2QZC3V8F0E4B1S5T7W9XYZ","at":1800000000000000000,"workflow":"release","sources":[{"name":"release","file":"release.yaml","text":"name: release\n"}],"inputs":[["count",{"value":3}],["token","secret"]],"dir":{"text":"/project"},"presets":[],"version":"0.1.0"}}"#;
const TASK_BEGAN: &str = r#"{"v":1,"seq":7,"kind":"task_began","event":{"task":4,"step":"build","attempt":1,"effect":"step","at":1800000004000000000}}"#;
const TASK_ENDED: &str = r#"{"v":1,"seq":7,"kind":"task_ended","event":{"task":4,"at":1800000005000000000,"outcome":{"step":{"status":"completed","exit_code":0,"elapsed_ns":1500000000,"output":"built\n","stderr":"","response":{},"json":[],"usage":{"input_tokens":0,"output_tokens":0,"estimated":false},"calls":{"made":2,"denied":1,"bypassed":3},"captured":[]}}}}"#;
const RESUMED: &str = r#"{"v":1,"seq":7,"kind":"resumed","event":{"from":{"state":"build"},"at":1800000009000000000}}"#;
const CANCELLED: &str = r#"{"v":1,"seq":7,"kind":"cancelled","event":{"at":1800000009000000000}}"#;
const TURN: &str = r#"{"v":1,"seq":7,"kind":"turn","event":{"task":4,"number":2,"began":1800000004000000000,"at":1800000006000000000,"usage":{"input_tokens":12,"output_tokens":3,"estimated":false},"head":"I read the file."}}"#;
const FINISHED: &str = r#"{"v":1,"seq":7,"kind":"finished","event":{"status":"failed","exit_code":3,"state":"done","at":1800000060000000000,"error":{"code":"USER.RUN.NOT_FOUND","message":"gone"},"message":"not today"}}"#;

fn id() -> RunId {
    RunId::parse("01JG2QZC3V8F0E4B1S5T7W9XYZ").unwrap()
}

fn written(event: &RunEvent) -> String {
    let line = String::from_utf8(write_line(7, event).unwrap()).unwrap();
    line.strip_suffix('\n').unwrap().to_owned()
}

fn read(line: &str) -> Result<RunEvent, String> {
    read_line(7, line.as_bytes()).map_err(|error| error.to_string())
}

#[test]
fn events_are_written_and_read_as_the_format_says() {
    let events = [
        (began(id()), BEGAN),
        (task_began(4), TASK_BEGAN),
        (task_ended(4), TASK_ENDED),
        (RunEvent::Resumed { from: ResumeFrom::State("build".to_owned()), at: at(9) }, RESUMED),
        (RunEvent::Cancelled { at: at(9) }, CANCELLED),
        (turn(4), TURN),
        (finished(RunStatus::Failed), FINISHED),
    ];
    for (event, text) in events {
        assert_eq!(written(&event), text);
        assert_eq!(read(text).unwrap(), event);
    }
}

proptest! {
    #[test]
    fn every_event_reads_back(event in any_event()) {
        let line = written(&event);
        prop_assert_eq!(line.lines().count(), 1);
        prop_assert_eq!(read(&line), Ok(event));
    }
}

#[test]
fn null_is_not_the_lack_of_json() {
    for json in [None, Some(Value::Null)] {
        let outcome = TaskOutcome::Step(Box::new(StepResult { json, ..step_result() }));
        let event = RunEvent::TaskEnded { task: TaskId(1), outcome, at: at(0) };
        assert_eq!(read(&written(&event)).unwrap(), event);
    }
}

#[test]
fn json_as_deep_as_the_parser_takes_is_not_too_deep_in_an_event() {
    let deepest = "[".repeat(127) + &"]".repeat(127);
    let deepest: Value = serde_json::from_str(&deepest).unwrap();
    let response = [("deep".to_owned(), deepest.clone())].into_iter().collect();
    let result = StepResult { response, json: Some(deepest), ..step_result() };
    let outcome = TaskOutcome::Step(Box::new(result));
    let event = RunEvent::TaskEnded { task: TaskId(1), outcome, at: at(0) };
    assert_eq!(read(&written(&event)).unwrap(), event);
}

#[test]
fn what_cannot_be_read_is_said() {
    let rows = [
        (
            TASK_BEGAN.replace("task_began", "task_paused"),
            "written by a newer awf: event `task_paused` is not known to this one",
        ),
        (
            TASK_BEGAN.replace("\"v\":1", "\"v\":2"),
            "written by a newer awf: format `2` is not known to this one",
        ),
        (
            r#"{"v":2,"other":true}"#.to_owned(),
            "written by a newer awf: format `2` is not known to this one",
        ),
        (
            FINISHED.replace("\"failed\"", "\"paused\""),
            "written by a newer awf: status `paused` is not known to this one",
        ),
        (
            FINISHED.replace("USER.RUN.NOT_FOUND", "USER.RUN.NEW"),
            "written by a newer awf: code `USER.RUN.NEW` is not known to this one",
        ),
        (BEGAN.replace("01JG2QZC3V8F0E4B1S5T7W9XYZ", "?"), "`?` is no run id"),
        (TASK_BEGAN.replace("\"seq\":7", "\"seq\":8"), "event 8 stands where event 7 belongs"),
        (
            TASK_BEGAN.replace("\"attempt\":1,", ""),
            "not an event of a run: missing field `attempt` at line 1 column 66",
        ),
        (String::new(), "not an event of a run: EOF while parsing a value at line 1 column 0"),
    ];
    for (line, message) in rows {
        assert_eq!(read(&line).unwrap_err(), message, "{line}");
    }
}

#[test]
fn the_opening_is_read_off_the_first_bytes() {
    let RunEvent::Began(mut run) = began(id()) else { panic!() };
    run.workflow = r#"a","sources":["#.to_owned();
    run.inputs = vec![("sources".to_owned(), awf_core::RecordedInput::Value(json!("x")))];
    let line = written(&RunEvent::Began(run.clone()));
    let opening = Opening { workflow: run.workflow, began: at(0) };
    assert_eq!(read_opening(line.as_bytes()), Some(opening));

    let opening = Opening { workflow: "release".to_owned(), began: at(0) };
    let enough = BEGAN.find("[{\"name\"").unwrap();
    assert_eq!(read_opening(&BEGAN.as_bytes()[..enough]), Some(opening));
    for few in 0..enough {
        assert_eq!(read_opening(&BEGAN.as_bytes()[..few]), None);
    }
    assert_eq!(read_opening(BEGAN.replace("\"v\":1", "\"v\":2").as_bytes()), None);
}
