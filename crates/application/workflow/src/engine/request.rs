//! What the engine is asked: a new run, or one that goes on.

use std::sync::Arc;

use awf_core::{ResumeFrom, RunEvent, RunId, WorkflowSource};
use serde_json::{Map, Value};

use crate::{inputs::Inputs, program::Program};

/// A new run.
#[derive(Clone, Debug)]
pub struct RunRequest {
    /// Its id.
    pub id: RunId,
    /// What is run.
    pub program: Arc<Program>,
    /// The files it came from, the root first.
    pub sources: Vec<WorkflowSource>,
    /// What it is given.
    pub inputs: Inputs,
    /// Takes the place of every agent: `claude`, `scripted:demo.yaml`.
    pub provider: Option<String>,
    /// Results of states that are taken as given (`--mock`).
    pub presets: Vec<(String, Map<String, Value>)>,
    /// The one state to run (`--step`).
    pub only: Option<String>,
    /// The version of awf.
    pub version: String,
}

/// A run that goes on.
#[derive(Clone, Debug)]
pub struct ResumeRequest {
    /// Its id.
    pub id: RunId,
    /// What is run, from the sources of its first event.
    pub program: Arc<Program>,
    /// All that happened so far.
    pub events: Vec<RunEvent>,
    /// What it was given: what the first event has, and its secrets given again.
    pub inputs: Inputs,
    /// Where it goes on.
    pub from: ResumeFrom,
}
