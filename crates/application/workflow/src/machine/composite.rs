//! States with others beneath them: they are no task, so nobody but the machine can say how they went.

use awf_core::{State, StepResult, StepStatus};

use crate::{
    capture,
    machine::{
        frame::{FrameId, Stage},
        task::{Command, Tidings},
        turn::Turn,
    },
};

impl Turn<'_> {
    /// The result of an attempt with what only the machine knows of it. A failure is told: whoever routes on from it
    /// would otherwise never hear of it.
    pub(super) fn rounded_off(
        &mut self,
        frame: FrameId,
        state: &State,
        mut result: StepResult,
    ) -> StepResult {
        if !state.kind.has_parts() {
            return result;
        }
        if let Some(visit) = self.state.visit(frame) {
            result.elapsed = self.now.duration_since(visit.began).unwrap_or_default();
            if let Stage::Loop(cycle) = &visit.stage {
                result.response.insert("iterations".to_owned(), cycle.done.into());
            }
        }
        if let Some(error) = &result.error {
            result.stderr.clone_from(&error.message);
        }
        let result = capture::of_text(result, &state.capture);
        if result.status == StepStatus::Failed {
            let step = self.step_of(frame);
            let told = Tidings::Ended { step, result: Box::new(result.clone()) };
            self.commands.push(Command::Tell(told));
        }
        result
    }
}
