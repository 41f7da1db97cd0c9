//! The loop of a run: commands are carried out, answers journaled and given to the machine. One thing at a time happens
//! here; what takes long goes on beside it.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

use awf_core::{
    Code, Redactor, RunEvent, RunFinished, RunId, RunTurn, StepError, StepResult, StepStatus,
    TaskId, TaskOutcome,
};
use awf_process::Grace;
use futures_util::{StreamExt as _, future::BoxFuture, stream::FuturesUnordered};
use serde_json::Map;
use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::timeout,
};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument as _, Span};

use crate::{
    engine::{EngineError, EnginePorts, Notice, Totals, redact, scope::Setting, span},
    machine::{self, Command, Finish, RunState, Task, TaskKind, Tidings},
    program::Program,
};

mod begin;

/// How long what the run started may take to end, once the run has.
const SWEEPING: Grace = Grace(Duration::from_secs(2));
/// How long running steps are waited for when the journal is gone.
const GIVING_UP: Duration = Duration::from_secs(15);

/// One run under way.
pub(super) struct Drive<'e> {
    pub(super) ports: &'e EnginePorts,
    pub(super) program: &'e Program,
    pub(super) run: RunId,
    /// Takes the place of every agent.
    pub(super) provider: Option<String>,
    pub(super) state: RunState,
    setting: Arc<Setting>,
    redactor: Arc<Redactor>,
    /// Inputs of a called workflow that are secret, by the task that finds their values out. A value may be too short to
    /// be struck out wherever it stands; by its name it is never kept.
    secret_inputs: HashMap<TaskId, Vec<String>>,
    commands: VecDeque<Command>,
    running: FuturesUnordered<BoxFuture<'static, (TaskId, TaskOutcome)>>,
    /// What is under way beside the loop: the task, and what ends it.
    out: HashMap<TaskId, (Task, CancellationToken)>,
    /// Answers of models, from the steps that are under way.
    turns: (UnboundedSender<RunTurn>, UnboundedReceiver<RunTurn>),
    /// What the steps came to so far.
    totals: Totals,
    span: Span,
}

/// What a drive begins with.
pub(super) struct Departure {
    pub(super) run: RunId,
    pub(super) provider: Option<String>,
    pub(super) state: RunState,
    pub(super) began: SystemTime,
    /// Values that are never shown.
    pub(super) secrets: Vec<String>,
    /// What was used before.
    pub(super) totals: Totals,
}

impl<'e> Drive<'e> {
    pub(super) fn new(ports: &'e EnginePorts, program: &'e Program, from: Departure) -> Self {
        let redactor = ports.redactor.clone().knowing(&from.secrets);
        Self {
            ports,
            program,
            run: from.run,
            provider: from.provider,
            state: from.state,
            setting: Setting::new(ports, from.run, from.began),
            redactor: Arc::new(redactor),
            secret_inputs: HashMap::new(),
            commands: VecDeque::new(),
            running: FuturesUnordered::new(),
            out: HashMap::new(),
            turns: unbounded_channel(),
            totals: from.totals,
            span: span::run(from.run, &program.root().name.value),
        }
    }

    pub(super) fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// Goes on from the first event to the end, and leaves nothing behind.
    pub(super) async fn go(
        mut self,
        first: RunEvent,
        stop: CancellationToken,
    ) -> Result<RunFinished, EngineError> {
        let began = Instant::now();
        let workflow = self.program.root().name.value.clone();
        (self.ports.notices)(Notice::RunBegan { run: self.run, workflow });
        let span = self.span.clone();
        let ended = self.until_the_end(first, stop).instrument(span).await;
        if ended.is_err() {
            self.give_up().await;
        }
        self.sweep().await;
        self.ports.journal.release(self.run).await;
        let finished = ended?;
        let (elapsed, totals) = (began.elapsed(), self.totals);
        (self.ports.notices)(Notice::RunEnded { finished: finished.clone(), elapsed, totals });
        Ok(finished)
    }

    async fn until_the_end(
        &mut self,
        first: RunEvent,
        stop: CancellationToken,
    ) -> Result<RunFinished, EngineError> {
        self.happen(first).await?;
        let mut stopping = false;
        loop {
            while let Some(command) = self.commands.pop_front() {
                match command {
                    Command::Begin(task) => self.begin(task).await?,
                    Command::Cancel(task) => self.cancel(task),
                    Command::Tell(tidings) => self.tell(tidings),
                    Command::Finish(finish) => return self.finish(finish).await,
                }
            }
            tokio::select! {
                biased;
                () = stop.cancelled(), if !stopping => {
                    stopping = true;
                    self.happen(RunEvent::Cancelled { at: SystemTime::now() }).await?;
                }
                Some(turn) = self.turns.1.recv() => self.happen(RunEvent::Turn(turn)).await?,
                ended = self.running.next() => match ended {
                    Some((task, outcome)) => self.ended(task, outcome).await?,
                    None => return Err(EngineError::Stuck),
                },
            }
        }
    }

    /// Journals an event, then lets the machine say what follows. `event` holds the true values.
    async fn happen(&mut self, event: RunEvent) -> Result<(), EngineError> {
        match &event {
            RunEvent::TaskEnded { task, outcome, at } => {
                let secret = self.secret_inputs.remove(task).unwrap_or_default();
                let outcome = redact::named(&secret, redact::outcome(&self.redactor, outcome));
                let kept = RunEvent::TaskEnded { task: *task, outcome, at: *at };
                self.ports.journal.append(self.run, &kept).await?;
            }
            RunEvent::Began(began) => {
                let kept = RunEvent::Began(Box::new(redact::began(&self.redactor, began)));
                self.ports.journal.append(self.run, &kept).await?;
            }
            RunEvent::TaskBegan { .. }
            | RunEvent::Resumed { .. }
            | RunEvent::Cancelled { .. }
            | RunEvent::Turn(_)
            | RunEvent::Finished(_) => self.ports.journal.append(self.run, &event).await?,
        }
        let state = std::mem::replace(&mut self.state, RunState::new(Map::new()));
        let (state, commands) = machine::step(self.program, state, &event);
        self.state = state;
        self.commands.extend(commands);
        Ok(())
    }

    fn cancel(&self, task: TaskId) {
        if let Some((_, cancel)) = self.out.get(&task) {
            cancel.cancel();
        }
    }

    /// The world answered.
    async fn ended(&mut self, id: TaskId, outcome: TaskOutcome) -> Result<(), EngineError> {
        let task = self.out.remove(&id).map(|(task, _)| task);
        if let TaskOutcome::Step(result) = &outcome {
            self.totals = self.totals.with(result);
        }
        let news = task.and_then(|task| self.news(&task, &outcome));
        // What belongs to the task stands before its end.
        while let Ok(turn) = self.turns.1.try_recv() {
            self.happen(RunEvent::Turn(turn)).await?;
        }
        let at = SystemTime::now();
        self.happen(RunEvent::TaskEnded { task: id, outcome, at }).await?;
        if let Some(news) = news {
            (self.ports.notices)(news);
        }
        Ok(())
    }

    /// Tells what only the machine knows.
    fn tell(&self, tidings: Tidings) {
        (self.ports.notices)(match tidings {
            Tidings::Ended { step, result } => self.step_ended(step, &result),
            Tidings::Given { step } => Notice::Log {
                step: Some(step),
                text: "not run: its result is taken as given".to_owned(),
            },
            Tidings::Warning(error) => {
                let StepError { code, message } = redact::error(&self.redactor, &error);
                Notice::Warning { code, message }
            }
        });
    }

    fn step_ended(&self, step: String, result: &StepResult) -> Notice {
        Notice::StepEnded {
            step,
            status: result.status,
            exit_code: result.exit_code,
            elapsed: result.elapsed,
            calls: result.calls,
            usage: result.usage,
            error: result.error.as_ref().map(|error| redact::error(&self.redactor, error)),
        }
    }

    /// What is told of an end.
    fn news(&self, task: &Task, outcome: &TaskOutcome) -> Option<Notice> {
        let TaskOutcome::Step(result) = outcome else { return None };
        match task.kind {
            TaskKind::Step => Some(self.step_ended(task.step.clone(), result)),
            TaskKind::Hook(..) if result.status == StepStatus::Failed => {
                let error = result.error.as_ref().map(|error| redact::error(&self.redactor, error));
                let message = error.map(|error| error.message).unwrap_or_default();
                let message = format!("hook `{}` failed: {message}", task.step);
                Some(Notice::Warning { code: Code::HookFailed, message })
            }
            TaskKind::Hook(..) | TaskKind::Evaluate(_) | TaskKind::Wait(_) | TaskKind::Timer(_) => {
                None
            }
        }
    }

    async fn finish(&mut self, finish: Finish) -> Result<RunFinished, EngineError> {
        let Finish { status, exit_code, message, error, state } = finish;
        let at = SystemTime::now();
        let end = RunFinished { status, exit_code, message, error, state, at };
        let end = redact::finished(&self.redactor, end);
        span::record_usage(&self.span, self.totals.usage);
        self.span.record("otel.status_code", if exit_code == 0 { "OK" } else { "ERROR" });
        self.happen(RunEvent::Finished(end.clone())).await?;
        Ok(end)
    }

    /// Ends what is under way when nothing more can be kept.
    async fn give_up(&mut self) {
        for (_, cancel) in self.out.values() {
            cancel.cancel();
        }
        let rest = async { while self.running.next().await.is_some() {} };
        // Whoever takes longer is ended by the sweep.
        drop(timeout(GIVING_UP, rest).await);
    }

    /// What steps left in the background lives no longer than the run.
    async fn sweep(&self) {
        if let Err(error) = self.ports.guard.sweep(SWEEPING).await {
            let message = format!("after the run: {error}");
            (self.ports.notices)(Notice::Warning { code: Code::CommandFailed, message });
        }
    }
}
