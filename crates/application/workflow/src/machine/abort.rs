//! Giving an attempt up: everything beneath it is cancelled, and it ends when nothing is left.

use std::collections::BTreeSet;

use awf_core::{Code, State, StepError, StepResult, TaskId};

use crate::machine::{
    frame::{Ending, Failure, FrameId},
    results::{self, TIMED_OUT},
    run_state::{Owner, Standing},
    task::TaskKind,
    turn::{Move, Turn},
};

impl Turn<'_> {
    /// Gives the attempt of a frame up.
    pub(super) fn abort(&mut self, frame: FrameId, failure: Failure) {
        let Some(visit) = self.state.visit_mut(frame) else { return };
        if visit.abort.is_some() {
            return;
        }
        visit.abort = Some(failure);
        for task in self.tasks_of(|id| id == frame, Owner::Frame) {
            self.cancel(task);
        }
        self.stop_below(frame);
        self.follow(Move::Settle(frame));
    }

    /// Ends the attempt that was given up, once nothing is left of it.
    pub(super) fn settle(&mut self, frame: FrameId) {
        if self.state.has_children(frame) || self.state.is_waiting(frame) {
            return;
        }
        let response = self.branch_states(frame);
        let abort = self.state.visit_mut(frame).and_then(|visit| visit.abort.take());
        if let Some(Failure { error, exit_code, step: _ }) = abort {
            let result = StepResult { exit_code, response, ..results::failed(error) };
            self.attempted(frame, result);
        }
    }

    /// Wants every frame beneath this one gone.
    fn stop_below(&mut self, frame: FrameId) {
        let below = self.descendants(frame);
        for id in &below {
            if let Some(frame) = self.state.frames.get_mut(id) {
                frame.stopped = true;
            }
            self.stop_watching(*id);
        }
        for task in self.tasks_of(|id| below.contains(&id), Owner::Frame) {
            self.cancel(task);
        }
        for id in below {
            if !self.state.has_children(id) && !self.state.is_waiting(id) {
                self.follow(Move::Leave(id, Ending::Cancelled));
            }
        }
    }

    /// Children have greater numbers than their parents, so one pass finds all.
    fn descendants(&self, frame: FrameId) -> BTreeSet<FrameId> {
        let mut found = BTreeSet::new();
        for (id, child) in &self.state.frames {
            if child.parent.is_some_and(|parent| parent == frame || found.contains(&parent)) {
                found.insert(*id);
            }
        }
        found
    }

    fn tasks_of(&self, wanted: impl Fn(FrameId) -> bool, owner: Owner) -> Vec<TaskId> {
        let tasks = self.state.tasks.iter();
        tasks
            .filter(|(_, pending)| pending.owner == owner && wanted(pending.task.frame))
            .map(|(id, _)| *id)
            .collect()
    }

    /// Watches the time of a state that has others beneath it; those without are watched by the world.
    pub(super) fn watch_time(&mut self, frame: FrameId, state: &State) {
        let Some(limit) = state.timeout else { return };
        let timer = self.begin(frame, TaskKind::Timer(limit));
        if let Some(visit) = self.state.visit_mut(frame) {
            visit.timer = Some(timer);
        }
    }

    pub(super) fn stop_watching(&mut self, frame: FrameId) {
        let timer = self.state.visit_mut(frame).and_then(|visit| visit.timer.take());
        let Some(timer) = timer else { return };
        if let Some(pending) = self.state.tasks.get_mut(&timer) {
            pending.owner = Owner::Nobody;
        }
        self.cancel(timer);
    }

    /// The time of an attempt is up, unless the watch itself was called off.
    pub(super) fn time_is_up(&mut self, frame: FrameId, standing: Standing) {
        let Some(state) = self.state_of(frame) else { return };
        if standing == Standing::Cancelled {
            return;
        }
        if let Some(visit) = self.state.visit_mut(frame) {
            visit.timer = None;
        }
        let limit = state.timeout.unwrap_or_default();
        let message = format!("did not end within {limit:?}");
        let error = StepError { code: Code::CommandTimeout, message };
        let step = self.step_of(frame);
        self.abort(frame, Failure { error, exit_code: TIMED_OUT, step });
    }
}
