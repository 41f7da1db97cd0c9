//! The state machine of a run: a pure function from state and event to state and commands.
//!
//! It never looks at the world. What it wants to know or done is a task; the answer comes back as an event. Folding the
//! same events gives the same state and the same commands, so a run can be replayed from its journal.
//!
//! A run is a tree of frames. A frame visits one state after the other: the root workflow, a called one, one iteration
//! of a loop, one branch of a parallel state. A visit is pre hooks, attempts with waits between them, post hooks, and
//! the choice of the way on.

use std::time::SystemTime;

use awf_core::{RunEvent, TaskOutcome};

use crate::program::Program;

mod abort;
mod call;
mod composite;
mod frame;
mod given;
mod hooks;
mod loops;
mod parallel;
mod results;
mod resume;
mod route;
mod run_state;
mod stop;
mod task;
mod turn;
mod visit;

pub(crate) use frame::Ending;
#[cfg(test)]
pub(crate) use frame::FrameId;
pub(crate) use hooks::hooks_at;
pub(crate) use results::{TIMED_OUT, failed, finished};
pub(crate) use resume::interrupted;
pub(crate) use run_state::{RunState, Space};
pub(crate) use task::{Command, Delay, Finish, HookPoint, Question, Task, TaskKind, Tidings};

use turn::Turn;

/// How often a loop goes round at most, when it does not say.
pub(crate) const USUAL_ITERATIONS: u64 = 100;
/// How often a loop may go round at most.
pub(crate) const MOST_ITERATIONS: u64 = 10_000;
/// Workflows that call each other, the root included.
pub(crate) const DEEPEST_CALL: usize = 10;
/// Frames within each other: loops, branches and calls together.
const DEEPEST_FRAME: usize = 64;
/// Frames at one time: what branches into branches must not grow without bound.
const MOST_FRAMES: usize = 1_000;
/// States one frame visits at most, so that ways in a circle come to an end.
const MOST_VISITS: u64 = 100_000;
/// States visited in a row without asking the world for anything: a circle in which nothing happens.
const MOST_IDLE_VISITS: usize = 1_000;

/// What follows from an event. An event that does not fit changes nothing.
pub(crate) fn step(
    program: &Program,
    state: RunState,
    event: &RunEvent,
) -> (RunState, Vec<Command>) {
    let mut turn = Turn::new(program, state, time_of(event));
    match event {
        RunEvent::Began(began) => turn.begin_run(began),
        RunEvent::TaskBegan { task, .. } => turn.state.mark_begun(*task),
        RunEvent::TaskEnded { task, outcome, .. } => turn.end_task(*task, outcome),
        RunEvent::Resumed { from, .. } => turn.resume(from),
        RunEvent::Cancelled { .. } => turn.stop_run(),
        RunEvent::Turn(_) => {}
        RunEvent::Finished(_) => turn.state.finish(),
    }
    turn.conclude()
}

fn time_of(event: &RunEvent) -> SystemTime {
    match event {
        RunEvent::Began(began) => began.at,
        RunEvent::Finished(finished) => finished.at,
        RunEvent::Turn(turn) => turn.at,
        RunEvent::TaskBegan { at, .. }
        | RunEvent::TaskEnded { at, .. }
        | RunEvent::Resumed { at, .. }
        | RunEvent::Cancelled { at } => *at,
    }
}

/// Whether an answer says that what was asked did not go well.
fn went_badly(outcome: &TaskOutcome) -> Option<awf_core::StepError> {
    match outcome {
        TaskOutcome::Step(result) => results::fault(result),
        TaskOutcome::Failed(error) => Some(error.clone()),
        TaskOutcome::Value(_) | TaskOutcome::Elapsed => None,
    }
}

#[cfg(test)]
mod tests;
