//! What happened in a run, as a person would tell it: step after step.

use std::{collections::HashMap, time::SystemTime};

use awf_core::{
    Effect, RunBegan, RunEvent, RunFinished, RunStatus, StepError, StepStatus, TaskId, TaskOutcome,
    ToolCalls,
};

/// A run so far.
pub(super) struct Story<'a> {
    pub(super) began: &'a RunBegan,
    pub(super) status: RunStatus,
    /// When it ended; the present while it runs; the last that is known of it when it was interrupted.
    pub(super) until: SystemTime,
    pub(super) finished: Option<&'a RunFinished>,
    /// How often it was resumed.
    pub(super) resumed: usize,
    /// In the order they began.
    pub(super) steps: Vec<StepStory<'a>>,
}

/// One execution of a step, all its attempts together.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StepStory<'a> {
    pub(super) name: &'a str,
    pub(super) status: StepStatus,
    pub(super) attempts: u32,
    pub(super) began: SystemTime,
    /// When it ended, or the last that is known of it.
    pub(super) until: SystemTime,
    pub(super) exit_code: Option<i32>,
    pub(super) calls: ToolCalls,
    pub(super) error: Option<&'a StepError>,
}

impl<'a> Story<'a> {
    /// Tells the events; `status` is what a list says of the run. `None`: they do not start at its beginning.
    pub(super) fn of(events: &'a [RunEvent], status: RunStatus, now: SystemTime) -> Option<Self> {
        let RunEvent::Began(began) = events.first()? else { return None };
        let mut steps = Steps::default();
        let (mut finished, mut resumed, mut last) = (None, 0, began.at);
        for event in events {
            match event {
                RunEvent::Began(_) => {}
                RunEvent::TaskBegan { task, step, attempt, effect, at } => {
                    last = *at;
                    match effect {
                        Effect::Step => steps.begin(*task, step, *attempt, *at),
                        Effect::None => {}
                    }
                }
                RunEvent::TaskEnded { task, outcome, at } => {
                    last = *at;
                    steps.end(*task, outcome, *at);
                }
                RunEvent::Resumed { at, .. } => {
                    steps.leave(StepStatus::Interrupted, last);
                    (last, finished) = (*at, None);
                    resumed += 1;
                }
                RunEvent::Cancelled { at } => last = *at,
                RunEvent::Finished(end) => (last, finished) = (end.at, Some(end)),
            }
        }
        // It may have ended since it was listed.
        let status = finished.map_or(status, |end| end.status);
        let left = match status {
            RunStatus::Running => StepStatus::Running,
            RunStatus::Interrupted => StepStatus::Interrupted,
            RunStatus::Success | RunStatus::Failed | RunStatus::Cancelled => StepStatus::Cancelled,
        };
        let until = if status == RunStatus::Running { now } else { last };
        steps.leave(left, until);
        Some(Self { began, status, until, finished, resumed, steps: steps.told })
    }
}

/// The steps told so far, and which task is whose.
#[derive(Default)]
struct Steps<'a> {
    told: Vec<StepStory<'a>>,
    of_task: HashMap<TaskId, usize>,
    of_name: HashMap<&'a str, usize>,
}

impl<'a> Steps<'a> {
    /// A first attempt is a new execution: a loop comes by the same step again and again.
    fn begin(&mut self, task: TaskId, name: &'a str, attempt: u32, at: SystemTime) {
        let known = self.of_name.get(name).copied().filter(|_| attempt > 1);
        let index = known.unwrap_or(self.told.len());
        self.of_task.insert(task, index);
        self.of_name.insert(name, index);
        match self.told.get_mut(index) {
            Some(step) => (step.status, step.attempts) = (StepStatus::Running, attempt),
            None => self.told.push(StepStory {
                name,
                status: StepStatus::Running,
                attempts: attempt,
                began: at,
                until: at,
                exit_code: None,
                calls: ToolCalls::default(),
                error: None,
            }),
        }
    }

    fn end(&mut self, task: TaskId, outcome: &'a TaskOutcome, at: SystemTime) {
        let index = self.of_task.get(&task);
        let Some(step) = index.and_then(|index| self.told.get_mut(*index)) else { return };
        step.until = at;
        match outcome {
            TaskOutcome::Step(result) => {
                (step.status, step.exit_code) = (result.status, Some(result.exit_code));
                step.error = result.error.as_ref();
                step.calls.made += result.calls.made;
                step.calls.denied += result.calls.denied;
                step.calls.bypassed += result.calls.bypassed;
            }
            TaskOutcome::Failed(error) => {
                (step.status, step.error) = (StepStatus::Failed, Some(error));
            }
            TaskOutcome::Value(_) | TaskOutcome::Elapsed => step.status = StepStatus::Completed,
        }
    }

    /// What becomes of the steps that are under way.
    fn leave(&mut self, status: StepStatus, at: SystemTime) {
        for step in self.told.iter_mut().filter(|step| step.status == StepStatus::Running) {
            (step.status, step.until) = (status, at);
        }
    }
}

#[cfg(test)]
mod tests;
