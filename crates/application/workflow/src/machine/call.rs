//! Calls of other workflows, and how frames begin and end beneath each other.

use awf_core::{CallState, Code, StateKind, StepError, StepResult, StepStatus, TaskOutcome};
use serde_json::{Map, Value};

use crate::{
    machine::{
        DEEPEST_CALL, DEEPEST_FRAME, MOST_FRAMES,
        frame::{At, Ending, Frame, FrameId, FrameKind, Stage},
        results,
        route::bad_end,
        run_state::Space,
        turn::{Move, Turn},
    },
    program::ChapterId,
};

/// What a frame is begun for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Descent {
    /// The iteration of this number.
    Iteration(u64),
    /// A branch.
    Branch,
    /// A called workflow.
    Call(ChapterId),
}

impl<'p> Turn<'p> {
    /// The inputs of a call are there.
    pub(super) fn call_answered(&mut self, frame: FrameId, outcome: &TaskOutcome) {
        let inputs = match outcome {
            TaskOutcome::Value(Value::Object(inputs)) => inputs.clone(),
            TaskOutcome::Failed(error) => return self.fail_attempt(frame, error.clone()),
            TaskOutcome::Value(_) | TaskOutcome::Step(_) | TaskOutcome::Elapsed => Map::new(),
        };
        let Some(call) = self.call_at(frame) else { return };
        let name = &call.workflow.value;
        let Some(chapter) = self.program.called(name) else {
            let message = format!("there is no workflow `{name}`");
            return self.fail_attempt(frame, StepError { code: Code::UnknownWorkflow, message });
        };
        if self.calls_above(frame) >= DEEPEST_CALL {
            let message = format!("workflows call each other more than {DEEPEST_CALL} deep");
            return self.fail_attempt(frame, StepError { code: Code::CallTooDeep, message });
        }
        let first = self.program.workflow(chapter).initial.value.clone();
        let child = FrameId(self.state.next_frame);
        if self.descend(frame, Descent::Call(chapter), first) {
            self.state.spaces.insert(child, Space::new(inputs));
        }
    }

    /// The called workflow came to its end.
    fn call_ended(&mut self, frame: FrameId, child: &Frame, space: Option<&Space>, ending: Ending) {
        let Some(call) = self.call_at(frame) else { return };
        let result = match ending {
            Ending::Done | Ending::Left(_) | Ending::Terminal { success: true, .. } => {
                let response = outputs(call, space);
                let output = Value::Object(response.clone()).to_string();
                StepResult { output, response, ..results::finished(StepStatus::Completed, 0) }
            }
            Ending::Terminal { success: false, message, status, fault } => {
                let error = bad_end(message.as_deref(), fault, &child.last);
                StepResult { exit_code: status.map_or(1, i32::from), ..results::failed(error) }
            }
            Ending::Failed(failure) => return self.fail_because(frame, failure),
            Ending::Cancelled => return,
        };
        self.follow(Move::Attempted(frame, Box::new(result)));
    }

    /// Begins a frame beneath the state that `parent` is at; `false` when that would be too much.
    pub(super) fn descend(&mut self, parent: FrameId, into: Descent, first: String) -> bool {
        let Some(above) = self.state.frames.get(&parent) else { return false };
        if above.depth >= DEEPEST_FRAME || self.state.frames.len() >= MOST_FRAMES {
            let message = format!(
                "states are nested more than {DEEPEST_FRAME} deep, or more than {MOST_FRAMES} at once"
            );
            self.fail_attempt(parent, StepError { code: Code::WorkflowFailed, message });
            return false;
        }
        let id = FrameId(self.state.next_frame);
        let (kind, chapter, space, suffix) = match into {
            Descent::Iteration(index) => {
                (FrameKind::Body, above.chapter, above.space, format!("[{index}]."))
            }
            Descent::Branch => (FrameKind::Single, above.chapter, above.space, ".".to_owned()),
            Descent::Call(chapter) => (FrameKind::Sequence, chapter, id, "/".to_owned()),
        };
        let frame = Frame {
            parent: Some(parent),
            kind,
            chapter,
            space,
            path: format!("{}{}{suffix}", above.path, above.last),
            depth: above.depth + 1,
            visits: 0,
            last: String::new(),
            stopped: false,
            at: At::Opening(0),
        };
        self.state.next_frame += 1;
        self.state.frames.insert(id, frame);
        self.follow(Move::Open(id, first));
        true
    }

    /// A frame has ended: whoever waits for it goes on.
    pub(super) fn leave(&mut self, id: FrameId, ending: Ending) {
        self.stop_watching(id);
        let Some(frame) = self.state.frames.remove(&id) else { return };
        let Some(parent) = frame.parent else {
            self.state.near = Some((ending, frame.last));
            return;
        };
        let space = self.state.spaces.remove(&id);
        let Some(above) = self.state.frames.get(&parent) else { return };
        if above.stopped {
            if !self.state.has_children(parent) && !self.state.is_waiting(parent) {
                self.follow(Move::Leave(parent, Ending::Cancelled));
            }
            return;
        }
        let Some(visit) = self.state.visit(parent) else { return };
        match &visit.stage {
            Stage::Parallel(_) => self.branch_ended(parent, frame.last, ending),
            _ if visit.abort.is_some() => self.follow(Move::Settle(parent)),
            Stage::Loop(_) => self.iteration_ended(parent, ending),
            Stage::Call => self.call_ended(parent, &frame, space.as_ref(), ending),
            Stage::Pre(_)
            | Stage::Step
            | Stage::Waiting
            | Stage::Post(_)
            | Stage::Choosing
            | Stage::Speaking { .. } => (),
        }
    }

    /// Workflows on the way from the root to here, the root included.
    fn calls_above(&self, frame: FrameId) -> usize {
        let mut at = Some(frame);
        let mut count = 0;
        while let Some(frame) = at.and_then(|id| self.state.frames.get(&id)) {
            count += usize::from(frame.kind == FrameKind::Sequence);
            at = frame.parent;
        }
        count
    }

    fn call_at(&self, frame: FrameId) -> Option<&'p CallState> {
        match &self.state_of(frame)?.kind {
            StateKind::Call(call) => Some(call),
            StateKind::Command(_)
            | StateKind::Agent(_)
            | StateKind::Parallel(_)
            | StateKind::Loop(_)
            | StateKind::Operation(_)
            | StateKind::Custom(_)
            | StateKind::Terminal(_) => None,
        }
    }
}

/// What the caller sees: the outputs of states it names, or one property of them (`build.JSON`).
fn outputs(call: &CallState, space: Option<&Space>) -> Map<String, Value> {
    let states = space.map(|space| &space.states);
    let value = |wanted: &str| {
        let wanted = wanted.strip_prefix("states.").unwrap_or(wanted);
        let (state, property) = wanted.split_once('.').unwrap_or((wanted, "Output"));
        states?.get(state)?.get(property).cloned()
    };
    let mapped = call.outputs.iter();
    mapped.map(|(from, to)| (to.value.clone(), value(&from.value).unwrap_or_default())).collect()
}
