//! Going on after an interruption. The process is gone with all it had started, so nothing of it can still run.

use awf_core::{ResumeFrom, State};

use crate::{
    machine::{
        frame::{Ending, FrameId},
        run_state::{Owner, Pending, RunEnd, RunState, Standing},
        task::{Task, TaskKind},
        turn::{Move, Turn},
    },
    program::Program,
};

/// The tasks that may have changed the world when they were cut off, and that nothing permits to do again.
pub(crate) fn interrupted<'s>(program: &Program, state: &'s RunState) -> Vec<&'s Task> {
    let cut_off = |pending: &&Pending| {
        pending.owner == Owner::Frame
            && pending.may_have_acted()
            && !given_up(state, pending.task.frame)
            && !may_retry(program, &pending.task)
    };
    state.tasks.values().filter(cut_off).map(|pending| &pending.task).collect()
}

impl Turn<'_> {
    pub(super) fn resume(&mut self, from: &ResumeFrom) {
        let over = self.state.end == RunEnd::Written && self.state.stop.is_none();
        let again = match from {
            ResumeFrom::State(name) => return self.restart_at(name),
            ResumeFrom::Here | ResumeFrom::Again if over => return,
            ResumeFrom::Here => Lost::StaysLost,
            ResumeFrom::Again => Lost::IsRepeated,
        };
        self.state.stop = None;
        self.state.end = RunEnd::Open;
        for (_, pending) in std::mem::take(&mut self.state.tasks) {
            self.pick_up(pending, again);
        }
    }

    fn restart_at(&mut self, state: &str) {
        self.state.stop = None;
        self.state.end = RunEnd::Open;
        self.state.near = None;
        self.state.tasks.clear();
        self.state.frames.clear();
        self.state.spaces.retain(|id, _| *id == FrameId::ROOT);
        self.put_root();
        self.follow(Move::Enter(FrameId::ROOT, state.to_owned()));
    }

    fn pick_up(&mut self, pending: Pending, lost: Lost) {
        let frame = pending.task.frame;
        match pending.owner {
            Owner::Nobody | Owner::Stop => (),
            Owner::Timer => {
                let timer = self.ask(pending.task, Owner::Timer);
                if let Some(visit) = self.state.visit_mut(frame) {
                    visit.timer = Some(timer);
                }
            }
            Owner::Frame if given_up(&self.state, frame) => {
                let stopped = self.state.frames.get(&frame).is_some_and(|frame| frame.stopped);
                self.follow(if stopped {
                    Move::Leave(frame, Ending::Cancelled)
                } else {
                    Move::Settle(frame)
                });
            }
            Owner::Frame if !pending.may_have_acted() => {
                self.ask(pending.task, Owner::Frame);
            }
            Owner::Frame => self.pick_up_lost(pending, lost),
        }
    }

    /// The lost attempt counts as one that failed.
    fn pick_up_lost(&mut self, pending: Pending, lost: Lost) {
        let mut task = pending.task;
        match lost {
            Lost::IsRepeated => {
                self.ask(task, Owner::Frame);
            }
            Lost::StaysLost if may_retry(self.program, &task) => {
                task.attempt += 1;
                if let Some(visit) = self.state.visit_mut(task.frame) {
                    visit.attempt = task.attempt;
                }
                self.ask(task, Owner::Frame);
            }
            Lost::StaysLost => {
                let standing = Standing::Lost;
                self.state.tasks.insert(task.id, Pending { task, owner: Owner::Frame, standing });
            }
        }
    }
}

/// What becomes of a step that was under way.
#[derive(Clone, Copy)]
enum Lost {
    StaysLost,
    IsRepeated,
}

/// Whether a state above, or its own, wants the frame's task gone anyway.
fn given_up(state: &RunState, frame: FrameId) -> bool {
    state.frames.get(&frame).is_some_and(|frame| frame.stopped)
        || state.visit(frame).is_some_and(|visit| visit.abort.is_some())
}

/// Whether the step may be tried again after an attempt that came to nothing.
fn may_retry(program: &Program, task: &Task) -> bool {
    let left =
        |state: &State| state.retry.as_ref().is_some_and(|retry| task.attempt < retry.max_attempts);
    task.kind == TaskKind::Step && program.state(task.chapter, &task.state).is_some_and(left)
}
