//! Runs workflows: carries the machine's commands out and journals what the world answered.
//!
//! Every event is journaled before anything follows from it: a step is known to have begun before its child is started,
//! and known to have ended before the next one begins. So a run whose process dies can go on, and nothing that ended is
//! done twice. If the journal cannot be written, the run stops.

use std::time::SystemTime;

use awf_core::{ResumeFrom, RunBegan, RunEvent, RunFinished, RunStatus, StateKind, nearest};
use tokio_util::sync::CancellationToken;

use crate::{
    engine::drive::{Departure, Drive},
    machine::{self, RunState},
    program::Program,
};

mod agent;
mod agents;
mod bench;
mod custom;
mod drive;
mod error;
mod evaluate;
mod files;
mod notice;
mod operation;
mod patience;
mod ports;
mod redact;
mod render;
mod request;
mod scope;
mod shell;
mod span;

pub use error::{EngineError, InterruptedStep};
pub use notice::{Notice, OutputStream, Totals};
pub use ports::{AgentSource, EnginePorts, Person, Places, Watcher};
pub use request::{ResumeRequest, RunRequest};

/// Runs workflows.
pub struct Engine {
    ports: EnginePorts,
}

impl Engine {
    /// Starts nothing.
    pub fn new(ports: EnginePorts) -> Self {
        Self { ports }
    }

    /// Runs a workflow to its end. When `stop` fires, what is under way is cancelled and the run ends as cancelled.
    /// Whatever steps left in the background is gone when this returns.
    pub async fn run(
        &self,
        request: RunRequest,
        stop: CancellationToken,
    ) -> Result<RunFinished, EngineError> {
        if let Some(only) = &request.only {
            require_state(&request.program, only)?;
        }
        agents::require(&self.ports, &request)?;
        let workflow = request.program.root();
        let values = request.inputs.into_values();
        let at = SystemTime::now();
        let departure = Departure {
            run: request.id,
            provider: request.provider.clone(),
            began: at,
            secrets: evaluate::secrets(workflow, &values).collect(),
            totals: Totals::default(),
            state: RunState::new(values.clone()),
        };
        let drive = Drive::new(&self.ports, &request.program, departure);
        let began = RunBegan {
            id: request.id,
            at,
            workflow: workflow.name.value.clone(),
            sources: request.sources,
            inputs: redact::inputs(drive.redactor(), workflow, &values),
            dir: self.ports.dir.clone(),
            provider: request.provider,
            presets: request.presets,
            only: request.only,
            version: request.version,
        };
        drive.go(RunEvent::Began(Box::new(began)), stop).await
    }

    /// Goes on with a run that was interrupted, or begins again at a state of one that has ended. Where steps were under
    /// way that nothing permits to do again, nothing is done and they are named.
    pub async fn resume(
        &self,
        request: ResumeRequest,
        stop: CancellationToken,
    ) -> Result<RunFinished, EngineError> {
        let Some(RunEvent::Began(began)) = request.events.first() else {
            return Err(EngineError::NotBegun);
        };
        let (at, provider) = (began.at, began.provider.clone());
        let program = &request.program;
        let values = request.inputs.into_values();
        let missing = redact::missing(program.root(), &began.inputs, &values);
        if !missing.is_empty() {
            return Err(EngineError::SecretMissing { inputs: missing });
        }
        let secrets = evaluate::secrets(program.root(), &values).collect();
        let mut state = RunState::new(values);
        for event in &request.events {
            state = machine::step(program, state, event).0;
        }
        let from = resume_point(program, &state, request.from, last_end(&request.events))?;
        self.ports.journal.take(request.id, request.events.len()).await?;
        let totals = Totals::of(&request.events);
        let departure = Departure { run: request.id, provider, began: at, secrets, totals, state };
        let drive = Drive::new(&self.ports, program, departure);
        drive.go(RunEvent::Resumed { from, at: SystemTime::now() }, stop).await
    }
}

fn last_end(events: &[RunEvent]) -> Option<&RunFinished> {
    match events.last() {
        Some(RunEvent::Finished(end)) => Some(end),
        Some(_) | None => None,
    }
}

/// Where the run really goes on, if it may.
fn resume_point(
    program: &Program,
    state: &RunState,
    from: ResumeFrom,
    end: Option<&RunFinished>,
) -> Result<ResumeFrom, EngineError> {
    match (from, end.map(|end| end.status)) {
        (ResumeFrom::State(name), _) => {
            require_state(program, &name)?;
            Ok(ResumeFrom::State(name))
        }
        // Once more what it failed at, which is over as far as the machine knows.
        (ResumeFrom::Again, Some(RunStatus::Failed)) => {
            let failed = end.map(|end| end.state.as_str()).unwrap_or_default();
            match program.root().state(failed).map(|state| &state.kind) {
                Some(StateKind::Terminal(_)) | None => Err(EngineError::Finished),
                Some(_) => Ok(ResumeFrom::State(failed.to_owned())),
            }
        }
        (
            ResumeFrom::Here | ResumeFrom::Again,
            Some(
                RunStatus::Success
                | RunStatus::Failed
                | RunStatus::Running
                | RunStatus::Interrupted,
            ),
        ) => Err(EngineError::Finished),
        (ResumeFrom::Again, Some(RunStatus::Cancelled) | None) => Ok(ResumeFrom::Again),
        (ResumeFrom::Here, Some(RunStatus::Cancelled) | None) => {
            let tasks = machine::interrupted(program, state);
            let steps: Vec<InterruptedStep> = tasks
                .into_iter()
                .map(|task| InterruptedStep { step: task.step.clone(), attempt: task.attempt })
                .collect();
            if steps.is_empty() {
                Ok(ResumeFrom::Here)
            } else {
                Err(EngineError::Interrupted { steps })
            }
        }
    }
}

fn require_state(program: &Program, state: &str) -> Result<(), EngineError> {
    let names = program.root().states.iter().map(|state| state.name.as_str());
    if program.root().state(state).is_some() {
        return Ok(());
    }
    let nearest = nearest(state, names).first().map(|name| (*name).to_owned());
    Err(EngineError::UnknownState { state: state.to_owned(), nearest })
}

#[cfg(test)]
mod tests;
