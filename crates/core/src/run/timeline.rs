//! A run as it went: its steps, their attempts, the turns of an agent, the tool calls. A fold of what the journals have.
//!
//! Pure: what is under way lasts until the moment that is passed in.

use std::{
    collections::HashMap,
    time::{Duration, SystemTime},
};

use crate::{
    activity::ActivityRecord,
    run::{
        Effect, RunBegan, RunEvent, RunFinished, RunStatus, RunTurn, StepError, StepResult,
        StepStatus, TaskId, TaskOutcome, ToolCalls,
    },
};

/// A run so far.
#[derive(Debug)]
pub struct Timeline<'a> {
    /// How it began.
    pub began: &'a RunBegan,
    /// How it stands.
    pub status: RunStatus,
    /// When it ended; the present while it runs; the last that is known of it when it was interrupted.
    pub until: SystemTime,
    /// How it ended, if it did.
    pub finished: Option<&'a RunFinished>,
    /// When it was under way: from its beginning, and from each time it was resumed.
    pub stretches: Vec<Stretch>,
    /// In the order they began.
    pub steps: Vec<StepSpan<'a>>,
    /// Calls of steps that its journal does not have.
    pub stray: Vec<&'a ActivityRecord>,
}

/// A time without a break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// From here.
    pub began: SystemTime,
    /// To here.
    pub until: SystemTime,
}

impl Stretch {
    /// How long it is. A clock that was set back is no reason to fail.
    pub fn length(self) -> Duration {
        self.until.duration_since(self.began).unwrap_or_default()
    }
}

/// One execution of a step, with at least one attempt.
#[derive(Debug)]
pub struct StepSpan<'a> {
    /// Where it stands: `build`, `each[2].test`, `all.left`, `call/child`; hooks are `build:pre`.
    pub name: &'a str,
    /// In order.
    pub attempts: Vec<AttemptSpan<'a>>,
}

/// One attempt of a step.
#[derive(Debug)]
pub struct AttemptSpan<'a> {
    /// Counted from 1.
    pub number: u32,
    /// How it stands.
    pub status: StepStatus,
    /// From when to when; to the last that is known of it.
    pub span: Stretch,
    /// What it came to, if it ended.
    pub result: Option<&'a StepResult>,
    /// What went wrong.
    pub error: Option<&'a StepError>,
    /// Answers of the model, where it is an agent.
    pub turns: Vec<TurnSpan<'a>>,
    /// Tool calls, in the order they began.
    pub calls: Vec<CallSpan<'a>>,
    task: TaskId,
}

/// One answer of a model, with the time its calls took.
#[derive(Debug)]
pub struct TurnSpan<'a> {
    /// As it was journaled.
    pub turn: &'a RunTurn,
    /// From the asking to the next asking, or to the end of the attempt.
    pub span: Stretch,
}

/// One tool call.
#[derive(Debug)]
pub struct CallSpan<'a> {
    /// The turn it was made in, where that is known.
    pub turn: Option<u32>,
    /// From when to when.
    pub span: Stretch,
    /// The call.
    pub record: &'a ActivityRecord,
}

impl StepSpan<'_> {
    /// How it stands, as its last attempt does.
    pub fn status(&self) -> StepStatus {
        self.attempts.last().map_or(StepStatus::Pending, |last| last.status)
    }

    /// From its first attempt to its last.
    pub fn span(&self) -> Stretch {
        let first = self.attempts.first().map(|first| first.span);
        let last = self.attempts.last().map(|last| last.span);
        let nowhere = Stretch { began: SystemTime::UNIX_EPOCH, until: SystemTime::UNIX_EPOCH };
        Stretch { began: first.unwrap_or(nowhere).began, until: last.unwrap_or(nowhere).until }
    }

    /// Calls of all its attempts, as the engine counted them.
    pub fn calls(&self) -> ToolCalls {
        let results = self.attempts.iter().filter_map(|attempt| attempt.result);
        results.fold(ToolCalls::default(), |sum, result| sum.plus(result.calls))
    }
}

impl<'a> Timeline<'a> {
    /// Tells the events, with the `calls` of the run in any order; `status` is what a list says of it. `None`: the
    /// events do not start at its beginning.
    pub fn of(
        events: &'a [RunEvent],
        calls: &'a [ActivityRecord],
        status: RunStatus,
        now: SystemTime,
    ) -> Option<Self> {
        let RunEvent::Began(began) = events.first()? else { return None };
        let mut fold = Fold::from(began);
        for event in events {
            fold.take(event);
        }
        Some(fold.close(calls, status, now))
    }

    /// Calls of all steps, as the engine counted them.
    pub fn calls(&self) -> ToolCalls {
        self.steps.iter().fold(ToolCalls::default(), |sum, step| sum.plus(step.calls()))
    }

    /// The steps it stopped at: those that were cut off, or what it failed at last. Hooks are not meant.
    pub fn stopped_at(&self) -> Vec<&'a str> {
        let mut states = self.steps.iter().filter(|step| !step.name.contains(':'));
        let wanted = match self.status {
            RunStatus::Running | RunStatus::Success => return Vec::new(),
            RunStatus::Failed => {
                let failed = states.rfind(|step| step.status() == StepStatus::Failed);
                return failed.map(|step| step.name).into_iter().collect();
            }
            RunStatus::Interrupted | RunStatus::Cancelled => {
                [StepStatus::Interrupted, StepStatus::Cancelled]
            }
        };
        let last = self.stretches.last().map(|stretch| stretch.began);
        let cut = states.filter(|step| wanted.contains(&step.status()));
        let cut = cut.filter(|step| last.is_none_or(|last| step.span().until >= last));
        cut.map(|step| step.name).collect()
    }
}

/// What was told so far, and which task is whose.
struct Fold<'a> {
    began: &'a RunBegan,
    last: SystemTime,
    finished: Option<&'a RunFinished>,
    stretches: Vec<Stretch>,
    steps: Vec<StepSpan<'a>>,
    /// The step and the attempt of a task.
    of_task: HashMap<TaskId, (usize, usize)>,
    /// The last execution of a step.
    of_name: HashMap<&'a str, usize>,
}

impl<'a> Fold<'a> {
    fn from(began: &'a RunBegan) -> Self {
        Self {
            began,
            last: began.at,
            finished: None,
            stretches: vec![Stretch { began: began.at, until: began.at }],
            steps: Vec::new(),
            of_task: HashMap::new(),
            of_name: HashMap::new(),
        }
    }

    fn take(&mut self, event: &'a RunEvent) {
        match event {
            RunEvent::Began(_) => {}
            RunEvent::TaskBegan { task, step, attempt, effect, at } => {
                self.last = *at;
                match effect {
                    Effect::Step => self.begin(*task, step, *attempt, *at),
                    Effect::None => {}
                }
            }
            RunEvent::TaskEnded { task, outcome, at } => {
                self.last = *at;
                self.end(*task, outcome, *at);
            }
            RunEvent::Turn(turn) => {
                self.last = turn.at;
                let span = Stretch { began: turn.began, until: turn.at };
                if let Some(attempt) = self.attempt(turn.task) {
                    attempt.turns.push(TurnSpan { turn, span });
                }
            }
            RunEvent::Resumed { at, .. } => {
                self.leave(StepStatus::Interrupted, self.last);
                self.end_stretch(self.last);
                self.stretches.push(Stretch { began: *at, until: *at });
                (self.last, self.finished) = (*at, None);
            }
            RunEvent::Cancelled { at } => self.last = *at,
            RunEvent::Finished(end) => (self.last, self.finished) = (end.at, Some(end)),
        }
    }

    /// A first attempt is a new execution: a loop comes by the same step again and again.
    fn begin(&mut self, task: TaskId, name: &'a str, number: u32, at: SystemTime) {
        let known = self.of_name.get(name).copied().filter(|_| number > 1);
        let index = known.unwrap_or(self.steps.len());
        self.of_name.insert(name, index);
        if index == self.steps.len() {
            self.steps.push(StepSpan { name, attempts: Vec::new() });
        }
        let Some(step) = self.steps.get_mut(index) else { return };
        self.of_task.insert(task, (index, step.attempts.len()));
        step.attempts.push(AttemptSpan {
            number,
            status: StepStatus::Running,
            span: Stretch { began: at, until: at },
            result: None,
            error: None,
            turns: Vec::new(),
            calls: Vec::new(),
            task,
        });
    }

    fn attempt(&mut self, task: TaskId) -> Option<&mut AttemptSpan<'a>> {
        let (step, attempt) = *self.of_task.get(&task)?;
        self.steps.get_mut(step)?.attempts.get_mut(attempt).filter(|found| found.task == task)
    }

    fn end(&mut self, task: TaskId, outcome: &'a TaskOutcome, at: SystemTime) {
        let Some(attempt) = self.attempt(task) else { return };
        attempt.span.until = at;
        match outcome {
            TaskOutcome::Step(result) => {
                attempt.status = result.status;
                attempt.error = result.error.as_ref();
                attempt.result = Some(result);
            }
            TaskOutcome::Failed(error) => {
                (attempt.status, attempt.error) = (StepStatus::Failed, Some(error));
            }
            TaskOutcome::Value(_) | TaskOutcome::Elapsed => attempt.status = StepStatus::Completed,
        }
    }

    /// What becomes of what is under way.
    fn leave(&mut self, status: StepStatus, at: SystemTime) {
        let attempts = self.steps.iter_mut().flat_map(|step| &mut step.attempts);
        for attempt in attempts.filter(|attempt| attempt.status == StepStatus::Running) {
            (attempt.status, attempt.span.until) = (status, at);
        }
    }

    fn end_stretch(&mut self, at: SystemTime) {
        if let Some(stretch) = self.stretches.last_mut() {
            stretch.until = at;
        }
    }

    fn close(
        mut self,
        calls: &'a [ActivityRecord],
        status: RunStatus,
        now: SystemTime,
    ) -> Timeline<'a> {
        // It may have ended since it was listed.
        let status = self.finished.map_or(status, |end| end.status);
        let left = match status {
            RunStatus::Running => StepStatus::Running,
            RunStatus::Interrupted => StepStatus::Interrupted,
            RunStatus::Success | RunStatus::Failed | RunStatus::Cancelled => StepStatus::Cancelled,
        };
        let until = match status {
            RunStatus::Running => now,
            // A call may be the last that is known of a run whose process died.
            RunStatus::Interrupted => calls.iter().map(last_known).fold(self.last, Ord::max),
            RunStatus::Success | RunStatus::Failed | RunStatus::Cancelled => self.last,
        };
        self.leave(left, until);
        self.end_stretch(until);
        let stray = self.place(calls);
        let attempts = self.steps.iter_mut().flat_map(|step| &mut step.attempts);
        attempts.for_each(AttemptSpan::fit_turns);
        let Self { began, finished, stretches, steps, .. } = self;
        Timeline { began, status, until, finished, stretches, steps, stray }
    }

    /// Gives each call to the attempt it was made in. Those that have none are left over.
    fn place(&mut self, calls: &'a [ActivityRecord]) -> Vec<&'a ActivityRecord> {
        let mut attempts: HashMap<&str, Vec<(usize, usize)>> = HashMap::new();
        for (index, step) in self.steps.iter().enumerate() {
            let of_step = attempts.entry(step.name).or_default();
            of_step.extend((0..step.attempts.len()).map(|attempt| (index, attempt)));
        }
        let mut ordered: Vec<&ActivityRecord> = calls.iter().collect();
        ordered.sort_by_key(|record| (record.started.at, record.started.id));
        let mut stray = Vec::new();
        for record in ordered {
            let step = record.started.step.as_deref().unwrap_or_default();
            let known = attempts.get(step).map(Vec::as_slice).unwrap_or_default();
            let at = |place: &(usize, usize)| self.steps.get(place.0)?.attempts.get(place.1);
            let begun = |place: &&(usize, usize)| {
                at(place).is_some_and(|attempt| attempt.span.began <= record.started.at)
            };
            let place = known.iter().rfind(begun).or(known.first()).copied();
            let attempt = place.and_then(|(step, attempt)| {
                self.steps.get_mut(step).and_then(|step| step.attempts.get_mut(attempt))
            });
            match attempt {
                Some(attempt) => attempt.calls.push(CallSpan::of(record, attempt)),
                None => stray.push(record),
            }
        }
        stray
    }
}

impl<'a> CallSpan<'a> {
    fn of(record: &'a ActivityRecord, attempt: &AttemptSpan<'_>) -> Self {
        let began = record.started.at;
        let mut turns = attempt.turns.iter().map(|turn| turn.turn);
        let turn = turns.rfind(|turn| turn.began <= began).map(|turn| turn.number);
        // By the monotonic clock where it ended; else as long as its step.
        let until = match &record.ended {
            Some(ended) => began.checked_add(Duration::from_millis(ended.duration_ms)),
            None => Some(attempt.span.until),
        };
        Self { turn, span: Stretch { began, until: until.unwrap_or(began) }, record }
    }
}

impl AttemptSpan<'_> {
    /// A turn lasts until the next is asked for.
    fn fit_turns(&mut self) {
        let mut until = self.span.until;
        for turn in self.turns.iter_mut().rev() {
            turn.span.until = until.max(turn.turn.at);
            until = turn.span.began;
        }
    }
}

/// The last moment a call is known of.
fn last_known(record: &ActivityRecord) -> SystemTime {
    record.ended.as_ref().map_or(record.started.at, |ended| ended.at)
}

#[cfg(test)]
mod tests;
