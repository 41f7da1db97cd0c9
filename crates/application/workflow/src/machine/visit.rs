//! Visiting a state: pre hooks, attempts, waits between them, post hooks.

use awf_core::{Code, State, StateKind, StepError, StepResult, StepStatus, TaskOutcome};

use crate::machine::{
    MOST_IDLE_VISITS, MOST_VISITS,
    frame::{At, Ending, Failure, FrameId, FrameKind, Stage, Visit, VisitOutcome},
    hooks::Began,
    results,
    task::{Delay, HookPoint, Question, TaskKind},
    turn::{Move, Turn},
};

impl<'p> Turn<'p> {
    /// The state a frame is at, in its workflow.
    pub(super) fn state_of(&self, frame: FrameId) -> Option<&'p State> {
        let found = self.state.frames.get(&frame)?;
        self.program.state(found.chapter, &self.state.visit(frame)?.state)
    }

    /// The name of what a frame is at, with its frames.
    pub(super) fn step_of(&self, frame: FrameId) -> String {
        let Some(found) = self.state.frames.get(&frame) else { return String::new() };
        format!("{}{}", found.path, found.last)
    }

    pub(super) fn enter(&mut self, frame: FrameId, state: String) {
        let Some(found) = self.state.frames.get_mut(&frame) else { return };
        found.visits += 1;
        self.visits += 1;
        found.last.clone_from(&state);
        if let Some(failure) = self.cannot_enter(frame, &state) {
            return self.follow(Move::End(frame, Ending::Failed(failure)));
        }
        let Some(found) = self.state.frames.get_mut(&frame) else { return };
        found.at = At::Visiting(Box::new(Visit {
            state,
            attempt: 1,
            stage: Stage::Pre(0),
            outcome: None,
            cause: None,
            abort: None,
            began: self.now,
            timer: None,
        }));
        if !self.take_as_given(frame) {
            self.pre_from(frame, 0);
        }
    }

    /// Why a state cannot be visited. All of it is found by a check beforehand, but for ways that go in a circle.
    fn cannot_enter(&self, frame: FrameId, state: &str) -> Option<Failure> {
        let found = self.state.frames.get(&frame)?;
        let fail = |code, message| Some(self.failure(frame, code, message));
        if self.program.state(found.chapter, state).is_none() {
            return fail(Code::MissingState, format!("there is no state `{state}`"));
        }
        if found.visits > MOST_VISITS || self.visits > MOST_IDLE_VISITS {
            let message = "the states lead in a circle that does not end".to_owned();
            return fail(Code::WorkflowFailed, message);
        }
        let mut above = found;
        while above.kind != FrameKind::Sequence
            && let Some(parent) = above.parent.and_then(|parent| self.state.frames.get(&parent))
        {
            if parent.last == state {
                return fail(Code::WorkflowFailed, format!("state `{state}` is part of itself"));
            }
            above = parent;
        }
        None
    }

    fn pre_from(&mut self, frame: FrameId, at: usize) {
        self.set_stage(frame, Stage::Pre(at));
        if self.hook(frame, HookPoint::Pre, at) == Began::No {
            self.follow(Move::Attempt(frame));
        }
    }

    fn post_from(&mut self, frame: FrameId, at: usize) {
        self.set_stage(frame, Stage::Post(at));
        if self.hook(frame, HookPoint::Post, at) == Began::No {
            self.follow(Move::Route(frame));
        }
    }

    /// Begins an attempt.
    pub(super) fn attempt(&mut self, frame: FrameId) {
        let Some(state) = self.state_of(frame) else { return };
        let now = self.now;
        if let Some(visit) = self.state.visit_mut(frame) {
            visit.began = now;
        }
        match &state.kind {
            StateKind::Command(_)
            | StateKind::Agent(_)
            | StateKind::Operation(_)
            | StateKind::Custom(_) => {
                self.set_stage(frame, Stage::Step);
                self.begin(frame, TaskKind::Step);
            }
            StateKind::Parallel(_) => {
                self.watch_time(frame, state);
                self.begin_parallel(frame);
            }
            StateKind::Loop(cycle) => {
                self.watch_time(frame, state);
                self.begin_loop(frame, cycle);
            }
            StateKind::Call(_) => {
                self.watch_time(frame, state);
                self.set_stage(frame, Stage::Call);
                self.begin(frame, TaskKind::Evaluate(Question::CallInputs));
            }
            StateKind::Terminal(end) => {
                self.speak(frame, end.message.as_ref(), end.success, None);
            }
        }
    }

    /// The world answered what the visit waited for.
    pub(super) fn visited(&mut self, frame: FrameId, outcome: &TaskOutcome) {
        let Some(visit) = self.state.visit(frame) else { return };
        if visit.abort.is_some() {
            return self.follow(Move::Settle(frame));
        }
        match &visit.stage {
            Stage::Pre(at) => self.pre_from(frame, at + 1),
            Stage::Post(at) => self.post_from(frame, at + 1),
            Stage::Step => {
                let result = match outcome {
                    TaskOutcome::Step(result) => (**result).clone(),
                    TaskOutcome::Failed(error) => results::failed(error.clone()),
                    TaskOutcome::Value(_) | TaskOutcome::Elapsed => {
                        results::finished(StepStatus::Completed, 0)
                    }
                };
                self.follow(Move::Attempted(frame, Box::new(result)));
            }
            Stage::Waiting => {
                if let Some(visit) = self.state.visit_mut(frame) {
                    visit.attempt += 1;
                }
                self.follow(Move::Attempt(frame));
            }
            Stage::Loop(_) => self.loop_answered(frame, outcome),
            Stage::Call => self.call_answered(frame, outcome),
            Stage::Choosing => self.chosen(frame, outcome),
            Stage::Speaking { success, status } => {
                let (success, status) = (*success, *status);
                self.spoken(frame, outcome, success, status);
            }
            // Branches are frames, and hold no task of their own.
            Stage::Parallel(_) => (),
        }
    }

    /// An attempt is over: it is made again, or the visit ends with it.
    pub(super) fn attempted(&mut self, frame: FrameId, result: StepResult) {
        self.stop_watching(frame);
        let Some(state) = self.state_of(frame) else { return };
        let result = &self.rounded_off(frame, state, result);
        let Some(visit) = self.state.visit_mut(frame) else { return };
        visit.abort = None;
        let cause = visit.cause.take();
        if let Some(delay) = another_attempt(state, visit.attempt, result) {
            visit.stage = Stage::Waiting;
            self.begin(frame, TaskKind::Wait(delay));
            return;
        }
        let outcome = match results::fault(result) {
            None => VisitOutcome::Success,
            Some(error) => VisitOutcome::Failure(cause.unwrap_or_else(|| Failure {
                error,
                exit_code: result.exit_code,
                step: self.step_of(frame),
            })),
        };
        self.state.keep(frame, &state.name.value, result);
        self.visit_over(frame, outcome);
    }

    /// The visit is over but for its hooks and the way on.
    pub(super) fn visit_over(&mut self, frame: FrameId, outcome: VisitOutcome) {
        if let Some(visit) = self.state.visit_mut(frame) {
            visit.outcome = Some(outcome);
            self.post_from(frame, 0);
        }
    }

    /// The attempt ends with a failure that the machine itself found.
    pub(super) fn fail_attempt(&mut self, frame: FrameId, error: StepError) {
        self.follow(Move::Attempted(frame, Box::new(results::failed(error))));
    }

    /// The attempt ends because something beneath it failed.
    pub(super) fn fail_because(&mut self, frame: FrameId, cause: Failure) {
        let mut result = results::failed(cause.told_above());
        result.exit_code = cause.exit_code;
        if let Some(visit) = self.state.visit_mut(frame) {
            visit.cause = Some(cause);
        }
        self.follow(Move::Attempted(frame, Box::new(result)));
    }

    pub(super) fn set_stage(&mut self, frame: FrameId, stage: Stage) {
        if let Some(visit) = self.state.visit_mut(frame) {
            visit.stage = stage;
        }
    }

    pub(super) fn failure(&self, frame: FrameId, code: Code, message: String) -> Failure {
        let error = StepError { code, message };
        Failure { error, exit_code: 1, step: self.step_of(frame) }
    }
}

/// The wait before the next attempt, if there is to be one. What was cancelled is never tried again.
fn another_attempt(state: &State, attempt: u32, result: &StepResult) -> Option<Delay> {
    let retry = state.retry.as_ref()?;
    let again = result.status == StepStatus::Failed
        && !is_hopeless(result.error.as_ref())
        && retry.covers(result.exit_code)
        && attempt < retry.max_attempts;
    again.then(|| Delay {
        base: retry.delay_before(attempt + 1),
        jitter: retry.jitter,
        error: result.error.clone(),
    })
}

/// Whether trying again changes nothing: there is no such agent, it cannot do what the step says, or it is not to be
/// trusted with another try.
fn is_hopeless(error: Option<&StepError>) -> bool {
    error.is_some_and(|error| {
        matches!(
            error.code,
            Code::AgentUnsupported | Code::AgentMissing | Code::AgentUnusable | Code::ProxyBypassed
        )
    })
}
