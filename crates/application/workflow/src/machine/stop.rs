//! The end of a run: by itself, or because it was told to stop.

use awf_core::{Code, RunStatus, StepStatus, TaskId, TaskOutcome};

use crate::machine::{
    frame::{Ending, FrameId},
    hooks::hooks_at,
    route::bad_end,
    run_state::{Owner, Pending, RunEnd, Standing},
    task::{Command, Finish, HookPoint, TaskKind},
    turn::Turn,
};
use crate::program::ChapterId;

/// A run that was told to stop; the number of the next cancel hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stop(usize);

/// What the process exits with when a step failed.
const STEP_FAILED: u8 = 3;
/// When the failing step ran out of time.
const OUT_OF_TIME: u8 = 124;
/// When the run was told to stop.
const INTERRUPTED: u8 = 130;

impl Turn<'_> {
    /// Cancels all that is under way. Frames stay where they are, so that the run can go on later.
    pub(super) fn stop_run(&mut self) {
        let begun = !self.state.frames.is_empty() || self.state.near.is_some();
        if !begun || self.state.end != RunEnd::Open || self.state.stop.is_some() {
            return;
        }
        self.state.stop = Some(Stop(0));
        let out = self.state.tasks.iter().filter(|(_, pending)| pending.is_out());
        let out: Vec<TaskId> = out.map(|(id, _)| *id).collect();
        for id in out {
            self.cancel(id);
        }
    }

    /// What an interruption ended is kept as lost; `true` when it is.
    pub(super) fn lose(&mut self, id: TaskId, outcome: &TaskOutcome) -> bool {
        if self.state.stop.is_none() {
            return false;
        }
        let Some(pending) = self.state.tasks.get(&id) else { return false };
        let frame = pending.task.frame;
        let given_up = self.state.frames.get(&frame).is_some_and(|frame| frame.stopped)
            || self.state.visit(frame).is_some_and(|visit| visit.abort.is_some());
        let standing = match (pending.owner, outcome) {
            (Owner::Timer, _) => Standing::Held,
            (Owner::Frame, TaskOutcome::Step(result))
                if result.status == StepStatus::Cancelled && !given_up =>
            {
                Standing::Lost
            }
            (Owner::Frame | Owner::Stop | Owner::Nobody, _) => return false,
        };
        if let Some(pending) = self.state.tasks.get_mut(&id) {
            pending.standing = standing;
        }
        true
    }

    /// Looks whether the run is over, and asks to have that written down.
    pub(super) fn conclude_run(&mut self) {
        if self.state.end != RunEnd::Open || self.state.tasks.values().any(Pending::is_out) {
            return;
        }
        let finish = match (self.state.stop, &self.state.near) {
            (Some(stop), _) => match self.stop_hook(stop) {
                HookLeft::Begun => return,
                HookLeft::None => self.interrupted_finish(),
            },
            // A run that stopped and goes on may have nothing left to wait for but what was lost.
            (None, Some((ending, state))) if self.state.tasks.is_empty() => finish(ending, state),
            (None, _) => return,
        };
        self.state.end = RunEnd::Told;
        self.commands.push(Command::Finish(finish));
    }

    fn stop_hook(&mut self, Stop(at): Stop) -> HookLeft {
        if hooks_at(self.program, ChapterId::ROOT, "", HookPoint::Cancel).len() <= at {
            return HookLeft::None;
        }
        self.state.stop = Some(Stop(at + 1));
        let mut task = self.task(FrameId::ROOT, TaskKind::Hook(HookPoint::Cancel, at));
        task.state.clear();
        self.ask(task, Owner::Stop);
        HookLeft::Begun
    }

    fn interrupted_finish(&self) -> Finish {
        let ended = self.state.near.as_ref().map(|(_, state)| state.clone());
        Finish {
            status: RunStatus::Cancelled,
            exit_code: INTERRUPTED,
            message: None,
            error: None,
            state: ended.unwrap_or_else(|| self.state.current().to_owned()),
        }
    }
}

enum HookLeft {
    Begun,
    None,
}

fn finish(ending: &Ending, state: &str) -> Finish {
    let (error, exit_code, message) = match ending {
        Ending::Done | Ending::Left(_) | Ending::Cancelled => (None, 0, None),
        Ending::Terminal { success: true, message, .. } => (None, 0, message.clone()),
        Ending::Terminal { success: false, message, status, fault } => {
            // A run in which something failed never exits with 0.
            let exit_code = status.filter(|status| *status != 0).unwrap_or(STEP_FAILED);
            let error = bad_end(message.as_deref(), fault.clone(), state);
            (Some(error), exit_code, message.clone())
        }
        Ending::Failed(failure) => {
            let late = failure.error.code == Code::CommandTimeout;
            let exit_code = if late { OUT_OF_TIME } else { STEP_FAILED };
            let told =
                if failure.step == state { failure.error.clone() } else { failure.told_above() };
            (Some(told), exit_code, None)
        }
    };
    let status = if error.is_some() { RunStatus::Failed } else { RunStatus::Success };
    Finish { status, exit_code, message, error, state: state.to_owned() }
}
