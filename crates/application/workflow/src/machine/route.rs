//! The way on from a state: one function for every kind of state.
//!
//! After a failure: transitions, `continue_on_error`, `on_failure`, abort. After a success: transitions, `on_complete`
//! of a loop, `on_success`, and if nothing is said, what follows anyway.

use awf_core::{Code, OnFailure, State, StateKind, StepError, TaskOutcome, Text};
use serde_json::Value;

use crate::machine::{
    frame::{Ending, Failure, FrameId, FrameKind, Stage, VisitOutcome},
    task::{Command, Question, TaskKind, Tidings},
    turn::{Move, Turn},
};

impl Turn<'_> {
    /// The visit is over: transitions first.
    pub(super) fn route(&mut self, frame: FrameId) {
        let Some(state) = self.state_of(frame) else { return };
        let Some(visit) = self.state.visit(frame) else { return };
        if let Some(VisitOutcome::Leave(to)) = &visit.outcome {
            let to = to.clone();
            return self.take(frame, to);
        }
        let alone = self.kind(frame) == Some(FrameKind::Single);
        match state.transitions.first() {
            Some(first) if !alone && first.when.is_none() => {
                self.take(frame, first.goto.value.clone());
            }
            Some(_) if !alone => {
                self.set_stage(frame, Stage::Choosing);
                self.begin(frame, TaskKind::Evaluate(Question::Transition));
            }
            Some(_) | None => self.way_on(frame, state),
        }
    }

    /// The number of a transition, or none.
    pub(super) fn chosen(&mut self, frame: FrameId, outcome: &TaskOutcome) {
        let Some(state) = self.state_of(frame) else { return };
        match outcome {
            TaskOutcome::Value(Value::Number(number)) => {
                let taken = number.as_u64().and_then(|at| usize::try_from(at).ok());
                match taken.and_then(|at| state.transitions.get(at)) {
                    Some(taken) => self.take(frame, taken.goto.value.clone()),
                    None => self.way_on(frame, state),
                }
            }
            TaskOutcome::Failed(error) => {
                self.turn_into_failure(frame, error.clone());
                self.way_on(frame, state);
            }
            TaskOutcome::Value(_) | TaskOutcome::Step(_) | TaskOutcome::Elapsed => {
                self.way_on(frame, state);
            }
        }
    }

    /// Takes a transition. One that leads to the loop it is in is a decision, other than what a part says of its success:
    /// the rest of the body is left out.
    fn take(&mut self, frame: FrameId, to: String) {
        let again =
            self.kind(frame) == Some(FrameKind::Body) && self.loop_around(frame) == Some(&to);
        self.follow(if again { Move::End(frame, Ending::Done) } else { Move::Goto(frame, to) });
    }

    /// What is said beside the transitions.
    fn way_on(&mut self, frame: FrameId, state: &State) {
        let alone = self.kind(frame) == Some(FrameKind::Single);
        match self.failure_at(frame) {
            Some(failure) if !state.continue_on_error => match &state.on_failure {
                Some(OnFailure::Goto(to)) if !alone => {
                    self.follow(Move::Goto(frame, to.value.clone()));
                }
                Some(OnFailure::End { message, status }) if !alone => {
                    self.speak(frame, Some(message), false, Some(*status));
                }
                Some(_) | None => self.follow(Move::End(frame, Ending::Failed(failure))),
            },
            Some(_) | None => match success_way(state) {
                Some(to) if !alone => self.follow(Move::Goto(frame, to.to_owned())),
                Some(_) | None => self.follow(Move::Next(frame)),
            },
        }
    }

    /// What made the state fail that a frame is at.
    fn failure_at(&self, frame: FrameId) -> Option<Failure> {
        match &self.state.visit(frame)?.outcome {
            Some(VisitOutcome::Failure(failure)) => Some(failure.clone()),
            Some(VisitOutcome::Success | VisitOutcome::Leave(_)) | None => None,
        }
    }

    /// Follows a way, as far as the frame lets it.
    pub(super) fn go(&mut self, frame: FrameId, to: String) {
        match self.kind(frame) {
            Some(FrameKind::Sequence) => self.follow(Move::Enter(frame, to)),
            Some(FrameKind::Body) => {
                if self.body_of(frame).iter().any(|name| name.value == to) {
                    self.follow(Move::Enter(frame, to));
                } else if self.loop_around(frame) == Some(to.as_str()) {
                    // Existing files lead every part back to its loop, and mean: go on with it.
                    self.follow(Move::Next(frame));
                } else {
                    self.follow(Move::End(frame, Ending::Left(to)));
                }
            }
            // Its ways on do not count.
            Some(FrameKind::Single) => self.follow(Move::End(frame, Ending::Done)),
            None => (),
        }
    }

    /// What follows when nothing is said.
    pub(super) fn next(&mut self, frame: FrameId) {
        let Some(found) = self.state.frames.get(&frame) else { return };
        let following = match found.kind {
            FrameKind::Body => {
                let body = self.body_of(frame);
                let here = body.iter().position(|name| name.value == found.last);
                here.and_then(|here| body.get(here + 1))
            }
            FrameKind::Sequence | FrameKind::Single => None,
        };
        match following {
            Some(name) => self.follow(Move::Enter(frame, name.value.clone())),
            None => self.follow(Move::End(frame, Ending::Done)),
        }
    }

    /// Ends the workflow with a message, rendered if it must be.
    pub(super) fn speak(
        &mut self,
        frame: FrameId,
        message: Option<&Text>,
        success: bool,
        status: Option<u8>,
    ) {
        match message {
            Some(message) if message.value.contains("{{") => {
                self.set_stage(frame, Stage::Speaking { success, status });
                self.begin(frame, TaskKind::Evaluate(Question::Message));
            }
            message => {
                let message = message.map(|message| message.value.clone());
                let ending = Ending::Terminal { success, message, status, fault: None };
                self.follow(Move::End(frame, ending));
            }
        }
    }

    /// The message is there, or could not be rendered.
    pub(super) fn spoken(
        &mut self,
        frame: FrameId,
        outcome: &TaskOutcome,
        success: bool,
        status: Option<u8>,
    ) {
        let end = |message| Ending::Terminal { success, message, status, fault: None };
        let ending = match outcome {
            TaskOutcome::Value(Value::String(message)) => end(Some(message.clone())),
            TaskOutcome::Failed(error) if success => Ending::Failed(Failure {
                error: error.clone(),
                exit_code: 1,
                step: self.step_of(frame),
            }),
            // A bad end stays the bad end it is, with its own exit code.
            TaskOutcome::Failed(error) => match self.failure_at(frame) {
                Some(failure) => {
                    self.commands.push(Command::Tell(Tidings::Warning(error.clone())));
                    let fault = Some(failure.error);
                    Ending::Terminal { success, message: None, status, fault }
                }
                None => end(Some(error.message.clone())),
            },
            TaskOutcome::Value(_) | TaskOutcome::Step(_) | TaskOutcome::Elapsed => end(None),
        };
        self.follow(Move::End(frame, ending));
    }

    /// The loop whose body a frame goes through.
    fn loop_around(&self, frame: FrameId) -> Option<&str> {
        let parent = self.state.frames.get(&frame)?.parent?;
        Some(self.state_of(parent)?.name.as_str())
    }

    pub(super) fn kind(&self, frame: FrameId) -> Option<FrameKind> {
        self.state.frames.get(&frame).map(|frame| frame.kind)
    }

    /// A state whose transitions cannot be evaluated has failed, unless it had before.
    fn turn_into_failure(&mut self, frame: FrameId, error: StepError) {
        let failure = Failure { error, exit_code: 1, step: self.step_of(frame) };
        if let Some(visit) = self.state.visit_mut(frame)
            && visit.outcome == Some(VisitOutcome::Success)
        {
            visit.outcome = Some(VisitOutcome::Failure(failure));
        }
    }
}

fn success_way(state: &State) -> Option<&str> {
    let complete = match &state.kind {
        StateKind::Loop(cycle) => cycle.on_complete.as_ref(),
        StateKind::Command(_)
        | StateKind::Agent(_)
        | StateKind::Parallel(_)
        | StateKind::Operation(_)
        | StateKind::Custom(_)
        | StateKind::Call(_)
        | StateKind::Terminal(_) => None,
    };
    complete.or(state.on_success.as_ref()).map(|to| to.value.as_str())
}

/// What a bad end says of itself.
pub(super) fn bad_end(message: Option<&str>, fault: Option<StepError>, state: &str) -> StepError {
    let message = match message {
        Some(message) => message.to_owned(),
        None => format!("the run ended in the failure state `{state}`"),
    };
    fault.unwrap_or(StepError { code: Code::WorkflowFailed, message })
}
