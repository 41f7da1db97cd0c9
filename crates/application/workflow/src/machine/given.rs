//! States whose results are taken as given (`--mock`): they are not run, and the run goes on from what was given.

use awf_core::{Code, StateKind, StepError, StepStatus};
use serde_json::{Map, Value};

use crate::{
    machine::{
        frame::{Failure, FrameId, VisitOutcome},
        results,
        task::{Command, Tidings},
        turn::{Move, Turn},
    },
    program::ChapterId,
};

impl Turn<'_> {
    /// Goes on from a state's given result, hooks left out; `false` when it has none and is to be run.
    pub(super) fn take_as_given(&mut self, frame: FrameId) -> bool {
        let Some(state) = self.state_of(frame) else { return false };
        let Some(found) = self.state.frames.get(&frame) else { return false };
        // Names are those of the root workflow; an end has no result.
        if found.chapter != ChapterId::ROOT || matches!(state.kind, StateKind::Terminal(_)) {
            return false;
        }
        let Some(preset) = self.state.presets.get(state.name.as_str()) else { return false };
        let result = completed_with(preset);
        let step = self.step_of(frame);
        let outcome = outcome(&result, &step);
        let space = found.space;
        if let Some(space) = self.state.spaces.get_mut(&space) {
            space.preset(state.name.as_str(), &result);
        }
        if let Some(visit) = self.state.visit_mut(frame) {
            visit.outcome = Some(outcome);
        }
        self.commands.push(Command::Tell(Tidings::Given { step }));
        self.follow(Move::Route(frame));
        true
    }
}

/// All properties of a result: those given, and for the others what a state has that went as those say.
fn completed_with(preset: &Map<String, Value>) -> Map<String, Value> {
    let failed = match (preset.get("Status"), preset.get("ExitCode")) {
        (Some(status), _) => status != StepStatus::Completed.as_str(),
        (None, Some(exit_code)) => *exit_code != 0,
        (None, None) => false,
    };
    let usual = if failed {
        results::finished(StepStatus::Failed, 1)
    } else {
        results::finished(StepStatus::Completed, 0)
    };
    let mut result = match results::view(&usual) {
        Value::Object(properties) => properties,
        _ => Map::new(),
    };
    result.extend(preset.clone());
    result
}

fn outcome(result: &Map<String, Value>, step: &str) -> VisitOutcome {
    if result.get("Status").is_some_and(|status| status == StepStatus::Completed.as_str()) {
        return VisitOutcome::Success;
    }
    let exit_code = result.get("ExitCode").and_then(Value::as_i64);
    let exit_code = exit_code.and_then(|code| i32::try_from(code).ok()).unwrap_or(1);
    let message = format!("exit code {exit_code}, taken as given");
    let error = StepError { code: Code::CommandFailed, message };
    VisitOutcome::Failure(Failure { error, exit_code, step: step.to_owned() })
}
