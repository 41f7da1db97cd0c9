//! What templates see: the results of the run, and what the world says of itself.

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, SystemTime},
};

use awf_core::{Area, RunId};
use awf_template::Scope;
use serde_json::{Map, Value, json};

use crate::{
    engine::{EnginePorts, files},
    machine::{Ending, RunState, Space, Task},
    program::Program,
};

/// The most that `readFile` reads.
const LONGEST_FILE: u64 = 1 << 20;

/// What stays the same for the whole run.
#[derive(Debug)]
pub(super) struct Setting {
    run: RunId,
    began: SystemTime,
    dir: PathBuf,
    env: Value,
    context: Value,
    awf: Value,
}

impl Setting {
    pub(super) fn new(ports: &EnginePorts, run: RunId, began: SystemTime) -> Arc<Self> {
        let env = ports.env.iter().map(|(name, value)| {
            (name.to_string_lossy().into_owned(), Value::from(value.to_string_lossy()))
        });
        let dir = ports.dir.to_string_lossy();
        Arc::new(Self {
            run,
            began,
            dir: ports.dir.clone(),
            env: Value::Object(env.collect()),
            context: json!({
                "WorkingDir": dir, "User": ports.user, "Hostname": ports.hostname,
                "working_dir": dir, "user": ports.user, "hostname": ports.hostname,
            }),
            awf: ports.places.as_json(),
        })
    }
}

/// What the texts of one task see.
pub(super) struct View<'a> {
    setting: &'a Setting,
    space: Option<&'a Space>,
    cycle: Option<&'a Value>,
    workflow: Value,
    error: Option<Value>,
}

impl<'a> View<'a> {
    pub(super) fn new(
        setting: &'a Setting,
        program: &Program,
        state: &'a RunState,
        task: &Task,
    ) -> Self {
        let elapsed = setting.began.elapsed().unwrap_or_default();
        Self {
            setting,
            space: state.space_of(task),
            cycle: state.loop_of(task),
            workflow: json!({
                "ID": setting.run.to_string(),
                "Name": program.workflow(task.chapter).name.value,
                "CurrentState": task.state,
                "StartedAt": timestamp(setting.began),
                "Duration": seconds(elapsed),
            }),
            error: state.ending_of(task).and_then(|(ending, last)| error_of(ending, last)),
        }
    }

    /// The inputs of the workflow.
    pub(super) fn inputs(&self) -> Option<&'a Map<String, Value>> {
        self.space?.inputs.as_object()
    }

    /// The session of an earlier agent state.
    pub(super) fn session(&self, state: &str) -> Option<&'a str> {
        self.space?.sessions.get(state).map(String::as_str)
    }
}

impl Scope for View<'_> {
    fn root(&self, name: &str) -> Option<&Value> {
        match name {
            "inputs" => self.space.map(|space| &space.inputs),
            "states" => self.space.map(|space| &space.states),
            "captured" => self.space.map(|space| &space.captured),
            "loop" => self.cycle,
            "workflow" => Some(&self.workflow),
            "error" => self.error.as_ref(),
            "env" => Some(&self.setting.env),
            "context" => Some(&self.setting.context),
            "awf" => Some(&self.setting.awf),
            _ => None,
        }
    }

    fn read_file(&self, path: &str) -> Result<String, String> {
        // A path that a command printed ends its line.
        let path = self.setting.dir.join(path.trim_end_matches(['\n', '\r']));
        files::read(&path, LONGEST_FILE).map_err(|error| error.to_string())
    }
}

/// `error` in error hooks.
fn error_of(ending: &Ending, state: &str) -> Option<Value> {
    let (message, step, exit_code, area) = match ending {
        Ending::Failed(failure) => {
            let area = failure.error.code.area();
            (failure.error.message.as_str(), failure.step.as_str(), failure.exit_code, area)
        }
        Ending::Terminal { success: false, message, status, fault } => {
            let fault = fault.as_ref();
            let message = message.as_deref().or(fault.map(|fault| fault.message.as_str()));
            let area = fault.map_or(Area::Workflow, |fault| fault.code.area());
            (message.unwrap_or_default(), state, status.map_or(1, i32::from), area)
        }
        Ending::Done
        | Ending::Terminal { success: true, .. }
        | Ending::Left(_)
        | Ending::Cancelled => return None,
    };
    Some(json!({
        "Message": message, "State": step, "ExitCode": exit_code, "Type": area.as_str(),
    }))
}

fn seconds(elapsed: Duration) -> String {
    format!("{:.1}s", elapsed.as_secs_f64())
}

/// RFC 3339 in UTC, to the second.
fn timestamp(at: SystemTime) -> String {
    let seconds = at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    jiff::Timestamp::from_second(i64::try_from(seconds).unwrap_or_default())
        .unwrap_or_default()
        .to_string()
}
