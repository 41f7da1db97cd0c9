//! A world for the machine: it does what it is told, by a script or by dice, and checks that it is told sensibly.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::PathBuf,
    time::SystemTime,
};

use awf_core::{
    Code, Effect, ResumeFrom, RunBegan, RunEvent, RunFinished, RunId, StepError, StepResult,
    StepStatus, TaskId, TaskOutcome,
};
use serde_json::{Map, Value, json};

use crate::{
    machine::{
        Command, Finish, Question, RunState, Task, TaskKind, Tidings, failed, finished, step,
    },
    program::Program,
};

pub(super) const NOW: SystemTime = SystemTime::UNIX_EPOCH;

/// The world, and the run within it.
pub(super) struct World<'p> {
    pub(super) program: &'p Program,
    pub(super) state: RunState,
    pub(super) events: Vec<RunEvent>,
    /// Tasks that have begun and not ended.
    pub(super) out: BTreeMap<TaskId, Task>,
    pub(super) cancelled: BTreeSet<TaskId>,
    pub(super) begun: Vec<Task>,
    pub(super) told: Vec<Tidings>,
    pub(super) finish: Option<Finish>,
}

impl<'p> World<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        Self {
            program,
            state: RunState::new(Map::new()),
            events: Vec::new(),
            out: BTreeMap::new(),
            cancelled: BTreeSet::new(),
            begun: Vec::new(),
            told: Vec::new(),
            finish: None,
        }
    }

    /// A world after a crash: it knows the journal and nothing else.
    pub(super) fn replayed(program: &'p Program, events: &[RunEvent]) -> Self {
        let mut world = Self::new(program);
        for event in events {
            world.state = step(program, world.state, event).0;
        }
        world.events = events.to_vec();
        world
    }

    pub(super) fn begin(&mut self) {
        self.happen(RunEvent::Began(Box::new(began(None))));
    }

    pub(super) fn end(&mut self, task: TaskId, outcome: TaskOutcome) {
        assert!(self.out.remove(&task).is_some(), "{task:?} was not under way");
        self.happen(RunEvent::TaskEnded { task, outcome, at: NOW });
    }

    pub(super) fn stop(&mut self) {
        self.happen(RunEvent::Cancelled { at: NOW });
    }

    pub(super) fn resume(&mut self, from: ResumeFrom) {
        self.finish = None;
        self.happen(RunEvent::Resumed { from, at: NOW });
    }

    /// Journals an event, and does what follows from it.
    pub(super) fn happen(&mut self, event: RunEvent) {
        let (state, commands) = step(self.program, self.state.clone(), &event);
        self.state = state;
        self.events.push(event);
        for command in commands {
            match command {
                Command::Begin(task) => self.begin_task(task),
                Command::Cancel(task) => {
                    assert!(self.out.contains_key(&task), "{task:?} is not under way");
                    assert!(self.cancelled.insert(task), "{task:?} is cancelled twice");
                }
                Command::Tell(tidings) => self.told.push(tidings),
                Command::Finish(finish) => self.write_end(finish),
            }
        }
    }

    fn begin_task(&mut self, task: Task) {
        assert!(self.finish.is_none(), "nothing begins after the end");
        if let Some(last) = self.begun.last() {
            assert!(task.id > last.id, "{task:?} after {last:?}");
        }
        let event = RunEvent::TaskBegan {
            task: task.id,
            step: task.step.clone(),
            attempt: task.attempt,
            effect: task.effect,
            at: NOW,
        };
        self.begun.push(task.clone());
        self.out.insert(task.id, task);
        self.happen(event);
    }

    fn write_end(&mut self, finish: Finish) {
        assert!(self.finish.is_none(), "the run ends twice");
        assert!(self.out.is_empty(), "still under way: {:?}", self.out);
        let Finish { status, exit_code, message, error, state } = finish.clone();
        self.finish = Some(finish);
        let end = RunFinished { status, exit_code, message, error, state, at: NOW };
        self.happen(RunEvent::Finished(end));
    }

    /// Answers everything by a script until the run is over or waits for what the script holds back.
    pub(super) fn play(&mut self, script: &mut Script) {
        while let Some(task) = self.next_wanted(script) {
            let outcome = if self.cancelled.contains(&task.id) {
                cancelled(&task)
            } else {
                script.answer(&task)
            };
            self.end(task.id, outcome);
        }
    }

    /// Cancelled tasks end first; then the oldest the script does not hold back.
    fn next_wanted(&self, script: &Script) -> Option<Task> {
        let mut tasks = self.out.values();
        let cancelled = tasks.clone().find(|task| self.cancelled.contains(&task.id));
        cancelled.or_else(|| tasks.find(|task| !script.holds(task))).cloned()
    }

    /// The steps and hooks that began, in order.
    pub(super) fn effects(&self) -> Vec<String> {
        let steps = self.begun.iter().filter(|task| task.effect == Effect::Step);
        steps
            .map(|task| match task.attempt {
                1 => task.step.clone(),
                attempt => format!("{}#{attempt}", task.step),
            })
            .collect()
    }
}

/// What the world answers: by step, one answer after the other, and the last one from then on.
#[derive(Default)]
pub(super) struct Script {
    answers: HashMap<String, Vec<TaskOutcome>>,
    held: Vec<String>,
}

impl Script {
    pub(super) fn on(mut self, step: &str, answers: &[TaskOutcome]) -> Self {
        self.answers.insert(step.to_owned(), answers.iter().rev().cloned().collect());
        self
    }

    pub(super) fn hold(mut self, step: &str) -> Self {
        self.held.push(step.to_owned());
        self
    }

    pub(super) fn release(&mut self) {
        self.held.clear();
    }

    fn holds(&self, task: &Task) -> bool {
        self.held.contains(&key(task))
    }

    fn answer(&mut self, task: &Task) -> TaskOutcome {
        match self.answers.get_mut(&key(task)) {
            Some(answers) if answers.len() > 1 => answers.pop().unwrap(),
            Some(answers) => answers.last().unwrap().clone(),
            None => usual(task),
        }
    }
}

/// `step` for a step, `step?items` for a question, `step!` for a timer, `step~` for a wait.
fn key(task: &Task) -> String {
    match &task.kind {
        TaskKind::Step | TaskKind::Hook(..) => task.step.clone(),
        TaskKind::Evaluate(question) => format!("{}?{question:?}", task.step),
        TaskKind::Wait(_) => format!("{}~", task.step),
        TaskKind::Timer(_) => format!("{}!", task.step),
    }
}

/// What is answered when nothing is said.
pub(super) fn usual(task: &Task) -> TaskOutcome {
    match &task.kind {
        TaskKind::Step | TaskKind::Hook(..) => good(),
        TaskKind::Wait(_) | TaskKind::Timer(_) => TaskOutcome::Elapsed,
        TaskKind::Evaluate(question) => TaskOutcome::Value(match question {
            Question::Transition => Value::Null,
            Question::Items => json!(["a", "b"]),
            Question::Limit => json!(2),
            Question::Condition | Question::Break => json!(false),
            Question::CallInputs => json!({}),
            Question::Message => json!("said"),
        }),
    }
}

pub(super) fn cancelled(task: &Task) -> TaskOutcome {
    match task.kind {
        TaskKind::Step | TaskKind::Hook(..) => {
            TaskOutcome::Step(Box::new(finished(StepStatus::Cancelled, 130)))
        }
        TaskKind::Evaluate(_) | TaskKind::Wait(_) | TaskKind::Timer(_) => usual(task),
    }
}

pub(super) fn good() -> TaskOutcome {
    TaskOutcome::Step(Box::new(finished(StepStatus::Completed, 0)))
}

pub(super) fn output(output: &str) -> TaskOutcome {
    let output = output.to_owned();
    TaskOutcome::Step(Box::new(StepResult { output, ..finished(StepStatus::Completed, 0) }))
}

pub(super) fn bad(exit_code: i32) -> TaskOutcome {
    let code = if exit_code == 124 { Code::CommandTimeout } else { Code::CommandFailed };
    let error = StepError { code, message: format!("exit code {exit_code}") };
    TaskOutcome::Step(Box::new(StepResult { exit_code, ..failed(error) }))
}

pub(super) fn value(value: Value) -> TaskOutcome {
    TaskOutcome::Value(value)
}

pub(super) fn began(only: Option<&str>) -> RunBegan {
    RunBegan {
        id: RunId::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV").unwrap(),
        at: NOW,
        workflow: "w".to_owned(),
        sources: Vec::new(),
        inputs: Vec::new(),
        dir: PathBuf::new(),
        provider: None,
        presets: Vec::new(),
        only: only.map(str::to_owned),
        version: "0".to_owned(),
    }
}
