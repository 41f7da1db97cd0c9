//! Parallel states: branches at once, as many as may be, and when the whole has succeeded.

use awf_core::{Code, Parallel, StateKind, StepError, StepResult, StepStatus, Strategy};
use serde_json::{Map, Value};

use crate::machine::{
    call::Descent,
    frame::{BranchEnd, Branches, Ending, Failure, FrameId, Stage},
    results,
    route::bad_end,
    turn::{Move, Turn},
};

impl<'p> Turn<'p> {
    pub(super) fn begin_parallel(&mut self, frame: FrameId) {
        self.set_stage(frame, Stage::Parallel(Branches::default()));
        self.follow(Move::Branch(frame));
    }

    /// Begins branches as long as there is room; ends the state when none is left.
    pub(super) fn branch(&mut self, frame: FrameId) {
        let Some(parallel) = self.parallel_at(frame) else { return };
        let room = parallel.max_concurrent.filter(|most| *most > 0).unwrap_or(usize::MAX);
        loop {
            let Some(branches) = self.branches_mut(frame) else { return };
            let Some(name) = parallel.branches.get(branches.next) else { break };
            if branches.running >= room {
                return;
            }
            branches.next += 1;
            branches.running += 1;
            if !self.descend(frame, Descent::Branch, name.value.clone()) {
                return;
            }
        }
        let Some(branches) = self.branches_mut(frame) else { return };
        if branches.running == 0 {
            let result = verdict(parallel.strategy, &branches.ended);
            self.attempted(frame, result);
        }
    }

    /// A branch came to its end.
    pub(super) fn branch_ended(&mut self, frame: FrameId, name: String, ending: Ending) {
        let Some(parallel) = self.parallel_at(frame) else { return };
        let step = format!("{}.{name}", self.step_of(frame));
        let end = match ending {
            Ending::Done | Ending::Left(_) | Ending::Terminal { success: true, .. } => {
                BranchEnd::Completed
            }
            Ending::Terminal { success: false, message, status, fault } => {
                BranchEnd::Failed(Failure {
                    error: bad_end(message.as_deref(), fault, &name),
                    exit_code: status.map_or(1, i32::from),
                    step,
                })
            }
            Ending::Failed(failure) => BranchEnd::Failed(failure),
            Ending::Cancelled => BranchEnd::Cancelled,
        };
        let first_failure = match &end {
            BranchEnd::Failed(failure) if parallel.strategy == Strategy::AllSucceed => {
                Some(failure.clone())
            }
            BranchEnd::Failed(_) | BranchEnd::Completed | BranchEnd::Cancelled => None,
        };
        let Some(visit) = self.state.visit_mut(frame) else { return };
        let given_up = visit.abort.is_some();
        if let Stage::Parallel(branches) = &mut visit.stage {
            branches.running = branches.running.saturating_sub(1);
            branches.ended.push((name, end));
        }
        match first_failure {
            _ if given_up => self.follow(Move::Settle(frame)),
            Some(failure) => self.abort(frame, partial_failure(&failure, 1)),
            None => self.follow(Move::Branch(frame)),
        }
    }

    /// How each branch ended, for the state's `Response`.
    pub(super) fn branch_states(&self, frame: FrameId) -> Map<String, Value> {
        match self.state.visit(frame).map(|visit| &visit.stage) {
            Some(Stage::Parallel(branches)) => statuses(&branches.ended),
            Some(_) | None => Map::new(),
        }
    }

    fn branches_mut(&mut self, frame: FrameId) -> Option<&mut Branches> {
        let visit = self.state.visit_mut(frame)?;
        match &mut visit.stage {
            Stage::Parallel(branches) if visit.abort.is_none() => Some(branches),
            _ => None,
        }
    }

    fn parallel_at(&self, frame: FrameId) -> Option<&'p Parallel> {
        match &self.state_of(frame)?.kind {
            StateKind::Parallel(parallel) => Some(parallel),
            StateKind::Command(_)
            | StateKind::Agent(_)
            | StateKind::Loop(_)
            | StateKind::Operation(_)
            | StateKind::Custom(_)
            | StateKind::Call(_)
            | StateKind::Terminal(_) => None,
        }
    }
}

/// How the state went when all branches have ended.
fn verdict(strategy: Strategy, ended: &[(String, BranchEnd)]) -> StepResult {
    let failures: Vec<&Failure> = ended.iter().filter_map(|(_, end)| failure_of(end)).collect();
    let succeeded = match strategy {
        Strategy::AllSucceed => failures.is_empty(),
        Strategy::AnySucceed => failures.len() < ended.len() || ended.is_empty(),
        Strategy::BestEffort => true,
    };
    let mut result = match failures.first() {
        Some(first) if !succeeded => {
            let failure = partial_failure(first, failures.len());
            StepResult { exit_code: failure.exit_code, ..results::failed(failure.error) }
        }
        Some(_) | None => results::finished(StepStatus::Completed, 0),
    };
    result.response = statuses(ended);
    result
}

fn failure_of(end: &BranchEnd) -> Option<&Failure> {
    match end {
        BranchEnd::Failed(failure) => Some(failure),
        BranchEnd::Completed | BranchEnd::Cancelled => None,
    }
}

fn statuses(ended: &[(String, BranchEnd)]) -> Map<String, Value> {
    let status = |end: &BranchEnd| match end {
        BranchEnd::Completed => StepStatus::Completed,
        BranchEnd::Failed(_) => StepStatus::Failed,
        BranchEnd::Cancelled => StepStatus::Cancelled,
    };
    ended.iter().map(|(name, end)| (name.clone(), Value::from(status(end).as_str()))).collect()
}

fn partial_failure(first: &Failure, count: usize) -> Failure {
    let more = if count > 1 { format!(", and {} more", count - 1) } else { String::new() };
    let message = format!("branch `{}`: {}{more}", first.step, first.error.message);
    // A branch that ran out of time stays told apart from one that failed.
    let code = match first.error.code {
        Code::CommandTimeout => Code::CommandTimeout,
        _ => Code::ParallelPartialFailure,
    };
    Failure { error: StepError { code, message }, ..first.clone() }
}
