//! What a step is prepared with: its state, its values, its environment. Preparing looks at the run; doing does not.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use awf_core::{Capture, Redactor, RunId, RunTurn, State, StepError, StepResult, TraceContext};
use futures_util::{FutureExt as _, future::BoxFuture};
use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use crate::{
    capture,
    engine::{EnginePorts, Notice, OutputStream, render::render, scope::View},
    inputs::text,
    machine::Task,
};

/// A step, ready to be done.
pub(super) struct Job {
    pub(super) work: BoxFuture<'static, StepResult>,
    /// The agent, where it is one.
    pub(super) provider: Option<String>,
}

impl Job {
    /// Of what it gives as text, what the state wants kept.
    pub(super) fn keeping(self, capture: &Capture) -> Self {
        let capture = capture.clone();
        let work = self.work.map(move |result| capture::of_text(result, &capture));
        Self { work: work.boxed(), ..self }
    }
}

/// What a step is prepared with.
pub(super) struct Bench<'a> {
    pub(super) ports: &'a EnginePorts,
    pub(super) run: RunId,
    pub(super) task: &'a Task,
    /// The state; hooks of the workflow have none.
    pub(super) state: Option<&'a State>,
    /// The file of the workflow that has the state.
    pub(super) file: &'a str,
    pub(super) view: View<'a>,
    /// Takes the place of every agent.
    pub(super) provider: Option<&'a str>,
    pub(super) redactor: Arc<Redactor>,
    pub(super) trace: Option<TraceContext>,
    /// Takes the answers of models, to be journaled.
    pub(super) turns: UnboundedSender<RunTurn>,
    pub(super) cancel: CancellationToken,
}

impl Bench<'_> {
    /// Where the step works.
    pub(super) fn dir(&self) -> Result<PathBuf, StepError> {
        match self.state.and_then(|state| state.dir.as_ref()) {
            Some(dir) => Ok(self.ports.dir.join(render(dir, &self.view)?)),
            None => Ok(self.ports.dir.clone()),
        }
    }

    /// The environment, what is exported, the state's own variables, and the trace.
    pub(super) fn env(&self, exported: Exported) -> Result<Environment, StepError> {
        let mut env = Environment::new(&self.ports.env);
        match exported {
            Exported::Inputs => env.inputs(self.view.inputs().into_iter().flatten()),
            Exported::Nothing => (),
        }
        env.0.extend(self.own_env()?);
        env.trace(self.trace.as_ref());
        Ok(env)
    }

    /// The state's own variables.
    pub(super) fn own_env(&self) -> Result<Vec<(OsString, OsString)>, StepError> {
        let own = self.state.iter().flat_map(|state| &state.env);
        own.map(|(name, value)| {
            Ok((OsString::from(&name.value), OsString::from(render(value, &self.view)?)))
        })
        .collect()
    }

    pub(super) fn timeout(&self) -> Option<Duration> {
        self.state.and_then(|state| state.timeout)
    }

    /// Tells what the step says, without secrets.
    pub(super) fn speaker(&self, stream: OutputStream) -> Speaker {
        let (notices, step) = (self.ports.notices.clone(), self.task.step.clone());
        let tell = move |text| notices(Notice::Output { step: step.clone(), stream, text });
        Speaker { tell: Box::new(tell), redactor: self.redactor.clone(), pending: Vec::new() }
    }
}

/// What of the workflow a child sees in its environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exported {
    Inputs,
    Nothing,
}

/// Variables by name: the last word counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Environment(BTreeMap<OsString, OsString>);

impl Environment {
    pub(super) fn new(base: &[(OsString, OsString)]) -> Self {
        Self(base.iter().cloned().collect())
    }

    pub(super) fn set(&mut self, name: &str, value: impl AsRef<OsStr>) {
        self.0.insert(name.into(), value.as_ref().to_owned());
    }

    /// Inputs whose names a shell can read are variables too.
    pub(super) fn inputs<'v>(&mut self, inputs: impl IntoIterator<Item = (&'v String, &'v Value)>) {
        for (name, value) in inputs {
            if is_variable(name) && !value.is_null() {
                self.set(name, text(value));
            }
        }
    }

    fn trace(&mut self, trace: Option<&TraceContext>) {
        let Some(trace) = trace else { return };
        self.set("TRACEPARENT", &trace.traceparent);
        if let Some(state) = &trace.tracestate {
            self.set("TRACESTATE", state);
        }
    }

    pub(super) fn into_vec(self) -> Vec<(OsString, OsString)> {
        self.0.into_iter().collect()
    }
}

fn is_variable(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Tells output in whole lines, without secrets; a line that does not end is told in pieces, none of which ends within a
/// secret.
pub(super) struct Speaker {
    tell: Box<dyn Fn(String) + Send + Sync>,
    redactor: Arc<Redactor>,
    pending: Vec<u8>,
}

/// A line that is longer is told in pieces.
const LONGEST_LINE: usize = 16 << 10;

impl Speaker {
    pub(super) fn hear(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
        let whole = match self.pending.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => end + 1,
            None if self.pending.len() > LONGEST_LINE => self.redactor.settled(&self.pending),
            None => return,
        };
        let rest = self.pending.split_off(whole);
        self.flush();
        self.pending = rest;
    }

    /// Tells what was said all at once.
    pub(super) fn say(&mut self, text: &str) {
        text.as_bytes().chunks(LONGEST_LINE).for_each(|piece| self.hear(piece));
        self.flush();
    }

    fn flush(&mut self) {
        if !self.pending.is_empty() {
            (self.tell)(self.redactor.text(&String::from_utf8_lossy(&self.pending)).into_owned());
            self.pending.clear();
        }
    }
}

impl Drop for Speaker {
    fn drop(&mut self) {
        self.flush();
    }
}

#[cfg(test)]
mod tests;
