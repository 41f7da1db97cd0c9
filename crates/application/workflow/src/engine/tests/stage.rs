//! An engine on a directory of its own, with real shells; a journal in memory; all news kept.

use std::{
    collections::HashMap,
    env,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use awf_core::{
    AgentFailure, AgentKind, AgentOutcome, AgentProvider, AgentRequest, AgentWatcher, NoOperations,
    OnBypass, Outline, Redactor, ResumeFrom, RunEvent, RunFinished, RunId, RunJournal,
    RunJournalError, RunSummary, State, StepResult, TaskOutcome, ToolAccess, Workflow,
};
use awf_process::{Grace, Guard, GuardCommand};
use awf_tools::TraceLink;
use serde_json::{Map, Value};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use crate::{
    Engine, EngineError, EnginePorts, InputSources, Inputs, Notice, Places, Program, ResumeRequest,
    RunRequest, resolve_inputs,
};

pub(super) struct Stage {
    pub(super) dir: TempDir,
    pub(super) ports: EnginePorts,
    pub(super) journal: Arc<Memory>,
    pub(super) news: Arc<Mutex<Vec<Notice>>>,
    pub(super) inputs: Vec<(String, Value)>,
    pub(super) only: Option<String>,
    pub(super) presets: Vec<(String, Map<String, Value>)>,
    pub(super) stop: CancellationToken,
}

impl Stage {
    pub(super) fn new() -> Self {
        let dir = TempDir::new().unwrap();
        let journal = Arc::new(Memory::default());
        let news = Arc::new(Mutex::new(Vec::new()));
        let heard = news.clone();
        let ports = EnginePorts {
            guard: Guard::new(GuardCommand { program: guard_program(), args: vec![] }),
            shell: "/bin/sh".into(),
            env: vec![("PATH".into(), "/usr/bin:/bin".into()), ("FROM".into(), "host".into())],
            dir: dir.path().to_owned(),
            scratch: dir.path().to_owned(),
            places: Places::default(),
            user: "ada".to_owned(),
            hostname: "engine".to_owned(),
            agents: Arc::new(|name| Err(AgentFailure::Unsupported(name.to_owned()))),
            proxy: None,
            on_bypass: OnBypass::Record,
            person: None,
            operations: Arc::new(NoOperations),
            journal: journal.clone(),
            redactor: Redactor::default(),
            learn: |_| {},
            trace: TraceLink::default(),
            notices: Arc::new(move |notice| heard.lock().unwrap().push(notice)),
        };
        Self {
            dir,
            ports,
            journal,
            news,
            inputs: Vec::new(),
            only: None,
            presets: Vec::new(),
            stop: CancellationToken::new(),
        }
    }

    pub(super) fn agent(mut self, agent: impl AgentProvider + 'static) -> Self {
        let agent: Arc<dyn AgentProvider> = Arc::new(agent);
        self.ports.agents = Arc::new(move |_| Ok(agent.clone()));
        self
    }

    pub(super) fn input(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.inputs.push((name.to_owned(), value.into()));
        self
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(super) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    fn resolved(&self, workflow: &Workflow) -> Inputs {
        let configured = Map::new();
        let sources =
            InputSources { given: &self.inputs, configured: &configured, dir: self.dir.path() };
        resolve_inputs(workflow, &sources).unwrap()
    }

    pub(super) async fn run(&self, workflow: Workflow) -> RunFinished {
        self.try_run(Program::new(workflow, [])).await.unwrap()
    }

    pub(super) async fn try_run(&self, program: Program) -> Result<RunFinished, EngineError> {
        let request = RunRequest {
            id: run_id(),
            inputs: self.resolved(program.root()),
            program: Arc::new(program),
            sources: Vec::new(),
            provider: None,
            presets: self.presets.clone(),
            only: self.only.clone(),
            version: "0".to_owned(),
        };
        let ended = Engine::new(self.ports.clone()).run(request, self.stop.clone()).await;
        self.ports.guard.stop(Grace::NONE).await.unwrap();
        ended
    }

    pub(super) async fn resume(
        &self,
        workflow: Workflow,
        events: Vec<RunEvent>,
        from: ResumeFrom,
    ) -> Result<RunFinished, EngineError> {
        let inputs = self.resolved(&workflow);
        let program = Arc::new(Program::new(workflow, []));
        let request = ResumeRequest { id: run_id(), program, events, inputs, from };
        let ended = Engine::new(self.ports.clone()).resume(request, self.stop.clone()).await;
        self.ports.guard.stop(Grace::NONE).await.unwrap();
        ended
    }

    /// The last result of a step, as journaled.
    pub(super) fn result(&self, step: &str) -> StepResult {
        self.journal.results().remove(step).expect("the step ran")
    }

    pub(super) fn output(&self, step: &str) -> String {
        self.result(step).output
    }

    pub(super) fn news(&self) -> Vec<Notice> {
        self.news.lock().unwrap().clone()
    }
}

pub(super) fn run_id() -> RunId {
    RunId::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV").unwrap()
}

/// The same state, changed.
pub(super) fn with(mut state: State, change: impl FnOnce(&mut State)) -> State {
    change(&mut state);
    state
}

/// Keeps events; may break after some.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) events: Mutex<Vec<RunEvent>>,
    pub(super) room: Mutex<Option<usize>>,
    /// How many events there are by the time the run is taken, where that matters.
    pub(super) taken_at: Mutex<Option<usize>>,
}

impl Memory {
    pub(super) fn events(&self) -> Vec<RunEvent> {
        self.events.lock().unwrap().clone()
    }

    fn results(&self) -> HashMap<String, StepResult> {
        let mut steps = HashMap::new();
        let mut results = HashMap::new();
        for event in self.events() {
            match event {
                RunEvent::TaskBegan { task, step, .. } => {
                    steps.insert(task, step);
                }
                RunEvent::TaskEnded { task, outcome: TaskOutcome::Step(result), .. } => {
                    results.insert(steps[&task].clone(), *result);
                }
                _ => {}
            }
        }
        results
    }
}

#[async_trait]
impl RunJournal for Memory {
    async fn append(&self, _run: RunId, event: &RunEvent) -> Result<(), RunJournalError> {
        let mut events = self.events.lock().unwrap();
        if self.room.lock().unwrap().is_some_and(|room| events.len() >= room) {
            let source = std::io::Error::other("no space left");
            return Err(RunJournalError::Io { path: Path::new("journal").to_owned(), source });
        }
        events.push(event.clone());
        Ok(())
    }

    async fn load(&self, _run: RunId) -> Result<Vec<RunEvent>, RunJournalError> {
        Ok(self.events())
    }

    async fn take(&self, run: RunId, known: usize) -> Result<(), RunJournalError> {
        match *self.taken_at.lock().unwrap() {
            Some(there) if there != known => Err(RunJournalError::Active(run)),
            Some(_) | None => Ok(()),
        }
    }

    async fn list(&self) -> Result<Vec<RunSummary>, RunJournalError> {
        Ok(Vec::new())
    }

    async fn summary(&self, run: RunId) -> Result<RunSummary, RunJournalError> {
        Err(RunJournalError::NotFound(run))
    }

    async fn outline(&self, _run: RunId) -> Result<Outline, RunJournalError> {
        Ok(Outline { events: self.events(), loss: None })
    }

    async fn release(&self, _run: RunId) {}
}

/// An agent that answers by a function of what it is asked.
pub(super) struct Answering<F>(pub(super) F);

#[async_trait]
impl<F> AgentProvider for Answering<F>
where
    F: Fn(AgentRequest) -> Result<AgentOutcome, AgentFailure> + Send + Sync,
{
    fn kind(&self) -> AgentKind {
        AgentKind::Claude
    }

    async fn run(
        &self,
        request: AgentRequest,
        _access: ToolAccess,
        _watcher: AgentWatcher,
        _cancel: CancellationToken,
    ) -> Result<AgentOutcome, AgentFailure> {
        (self.0)(request)
    }
}

/// An agent that works until it is told to stop.
pub(super) struct Tireless;

#[async_trait]
impl AgentProvider for Tireless {
    fn kind(&self) -> AgentKind {
        AgentKind::Claude
    }

    async fn run(
        &self,
        _request: AgentRequest,
        _access: ToolAccess,
        _watcher: AgentWatcher,
        cancel: CancellationToken,
    ) -> Result<AgentOutcome, AgentFailure> {
        cancel.cancelled().await;
        Err(AgentFailure::Cancelled)
    }
}

/// The example of this crate that is the guard; cargo builds it with the tests.
fn guard_program() -> PathBuf {
    let test = env::current_exe().unwrap();
    let built = test.parent().and_then(Path::parent).unwrap();
    let guard = built.join("examples/workflow_guard");
    assert!(guard.exists(), "{} is missing: build the examples", guard.display());
    guard
}
