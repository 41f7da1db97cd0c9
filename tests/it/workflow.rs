//! What the tests of workflows share: a workflow written into a world, run by the built binary, its events read.

use std::{
    path::Path,
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::{
    processes::{MARK, left_after, wait_until},
    world::World,
};

/// A finished `awf run --format json`.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) events: Vec<Value>,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn of(output: &Output) -> Self {
        let stdout = String::from_utf8_lossy(&output.stdout);
        let event = |line: &str| {
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
        };
        Self {
            code: output.status.code().unwrap_or(-1),
            events: stdout.lines().map(event).collect(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// The last event, which must be the end of the run.
    pub(crate) fn end(&self) -> &Value {
        let last = self.events.last().unwrap_or_else(|| panic!("no events\n{}", self.stderr));
        assert_eq!(last["event"], "run_ended", "{last}\n{}", self.stderr);
        last
    }

    /// What the run had to say at its end.
    pub(crate) fn message(&self) -> &str {
        self.end()["message"].as_str().unwrap_or_default()
    }

    pub(crate) fn id(&self) -> &str {
        self.events[0]["run"].as_str().unwrap()
    }

    /// Events of one kind.
    pub(crate) fn all(&self, event: &str) -> Vec<&Value> {
        self.events.iter().filter(|line| line["event"] == event).collect()
    }

    /// The steps that ended, in that order: name and status.
    pub(crate) fn ended(&self) -> Vec<(&str, &str)> {
        let ended = self.all("step_ended").into_iter();
        ended
            .map(|line| (line["step"].as_str().unwrap(), line["status"].as_str().unwrap()))
            .collect()
    }

    /// Everything a step printed.
    pub(crate) fn printed(&self, step: &str) -> String {
        let output = self.all("output").into_iter().filter(|line| line["step"] == step);
        output.map(|line| line["text"].as_str().unwrap()).collect()
    }
}

/// A started awf. A test that fails leaves nothing running.
pub(crate) struct Running(pub(crate) Child);

impl Running {
    pub(crate) fn start(mut command: Command) -> Self {
        Self(command.spawn().unwrap())
    }

    pub(crate) fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It has ended, as it should have.
        drop((self.0.kill(), self.0.wait()));
    }
}

/// Interrupts `command` once the file `begun` is there: it is gone soon, and nothing with `mark` is left.
pub(crate) fn interrupted(mut command: Command, mark: &str, begun: &Path) {
    let mark = format!("{mark}-{}", std::process::id());
    command.env(MARK, &mark).stderr(Stdio::null());
    let mut run = Running::start(command);
    wait_until("its beginning", || begun.exists());
    let since = Instant::now();
    kill_process(Pid::from_child(&run.0), Signal::INT).unwrap();
    assert_eq!(run.0.wait().unwrap().code(), Some(130));
    assert!(since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());
    let left = left_after(&mark, Duration::from_secs(5));
    assert!(left.is_empty(), "{left:?}");
}

impl World {
    /// Puts a workflow among those found by name.
    pub(crate) fn workflow(&self, name: &str, text: &str) {
        self.file(&format!(".awf/workflows/{name}.yaml"), text);
    }

    /// Runs `text` as the workflow `w`.
    pub(crate) fn run(&self, text: &str, args: &[&str]) -> Ran {
        self.workflow("w", text);
        Ran::of(&self.awf([&["run", "w", "--format", "json"], args].concat()))
    }
}
