//! Loops: over a list, or as long as a condition holds.
//!
//! A bound that is reached is a failure, never a silent end: a list that is longer than the bound fails before its first
//! iteration, and a condition that still holds after the last permitted one fails then.

use awf_core::{
    Code, Limit, Located, Loop, LoopOver, StateKind, StepError, StepStatus, TaskOutcome,
};
use serde_json::Value;

use crate::machine::{
    MOST_ITERATIONS, USUAL_ITERATIONS,
    call::Descent,
    frame::{Cycle, CycleStage, Ending, FrameId, Stage, VisitOutcome},
    results,
    task::{Question, TaskKind},
    turn::{Move, Turn},
};

impl<'p> Turn<'p> {
    pub(super) fn begin_loop(&mut self, frame: FrameId, cycle: &Loop) {
        let under_way = Cycle {
            limit: USUAL_ITERATIONS,
            items: Vec::new(),
            index: 0,
            done: 0,
            view: Value::Null,
            stage: CycleStage::Limit,
        };
        self.set_stage(frame, Stage::Loop(under_way));
        match &cycle.max_iterations {
            None => self.limit_known(frame, USUAL_ITERATIONS),
            Some(Limit::Fixed(limit)) => self.limit_known(frame, limit.value),
            Some(Limit::Computed(_)) => {
                self.begin(frame, TaskKind::Evaluate(Question::Limit));
            }
        }
    }

    /// The names of the body that a frame of kind `Body` goes through.
    pub(super) fn body_of(&self, frame: FrameId) -> &'p [Located<String>] {
        let parent = self.state.frames.get(&frame).and_then(|frame| frame.parent);
        parent.and_then(|parent| self.loop_at(parent)).map_or(&[], |cycle| &cycle.body)
    }

    /// The world answered a question about the loop.
    pub(super) fn loop_answered(&mut self, frame: FrameId, outcome: &TaskOutcome) {
        let Some(cycle) = self.state.cycle(frame) else { return };
        let value = match outcome {
            TaskOutcome::Value(value) => value,
            TaskOutcome::Failed(error) => return self.fail_attempt(frame, error.clone()),
            TaskOutcome::Step(_) | TaskOutcome::Elapsed => &Value::Null,
        };
        match cycle.stage {
            CycleStage::Limit => match value.as_u64() {
                Some(limit) => self.limit_known(frame, limit),
                None => self.fail_loop(frame, format!("`max_iterations` gave {value}")),
            },
            CycleStage::Items => match value {
                Value::Array(items) => self.items_known(frame, items.clone()),
                other => self.fail_loop(frame, format!("`items` gave {other}, which is no list")),
            },
            CycleStage::Condition if *value == Value::Bool(true) => self.condition_holds(frame),
            CycleStage::Break if *value != Value::Bool(true) => self.go_round(frame),
            CycleStage::Condition | CycleStage::Break => self.loop_over(frame),
            CycleStage::Body => (),
        }
    }

    fn limit_known(&mut self, frame: FrameId, limit: u64) {
        if limit > MOST_ITERATIONS {
            let message = format!("`max_iterations` is {limit}; at most {MOST_ITERATIONS}");
            return self.fail_loop(frame, message);
        }
        let over_items = matches!(self.loop_at(frame), Some(Loop { over: LoopOver::Items(_), .. }));
        let Some(cycle) = self.state.cycle_mut(frame) else { return };
        // As in the files there are: 0 is no bound of its own.
        cycle.limit = if limit == 0 { USUAL_ITERATIONS } else { limit };
        if over_items {
            cycle.stage = CycleStage::Items;
            self.begin(frame, TaskKind::Evaluate(Question::Items));
        } else {
            self.follow(Move::Iterate(frame));
        }
    }

    fn items_known(&mut self, frame: FrameId, items: Vec<Value>) {
        let Some(cycle) = self.state.cycle_mut(frame) else { return };
        let (count, limit) = (items.len(), cycle.limit);
        if count as u64 > limit {
            let message = format!(
                "the loop has {count} items and `max_iterations` is {limit}: raise it or give fewer"
            );
            return self.fail_loop(frame, message);
        }
        cycle.items = items;
        self.follow(Move::Iterate(frame));
    }

    /// Begins the next iteration, if there is one.
    pub(super) fn iterate(&mut self, frame: FrameId) {
        let Some(cycle) = self.loop_at(frame) else { return };
        let parent = self.state.enclosing_loop(frame).cloned();
        let Some(at) = self.state.cycle_mut(frame) else { return };
        match &cycle.over {
            LoopOver::Items(_) => {
                let length = at.items.len() as u64;
                if at.index >= length {
                    return self.loop_over(frame);
                }
                // Each item is seen once: taken out, it is not held twice.
                let item = usize::try_from(at.index).ok().and_then(|index| at.items.get_mut(index));
                let item = item.map(Value::take).unwrap_or_default();
                at.view = view(at.index, item, Some(length), parent);
                self.begin_body(frame);
            }
            LoopOver::Condition(_) => {
                at.view = view(at.index, Value::Null, None, parent);
                at.stage = CycleStage::Condition;
                self.begin(frame, TaskKind::Evaluate(Question::Condition));
            }
        }
    }

    fn condition_holds(&mut self, frame: FrameId) {
        match self.state.cycle(frame) {
            Some(cycle) if cycle.index >= cycle.limit => {
                let message = format!(
                    "the condition still holds after {} iterations, as many as `max_iterations` permits",
                    cycle.limit
                );
                self.fail_loop(frame, message);
            }
            Some(_) => self.begin_body(frame),
            None => (),
        }
    }

    fn begin_body(&mut self, frame: FrameId) {
        let Some(cycle) = self.state.cycle_mut(frame) else { return };
        cycle.stage = CycleStage::Body;
        let descent = Descent::Iteration(cycle.index);
        let Some(first) = self.loop_at(frame).and_then(|cycle| cycle.body.first()) else {
            return self.iteration_done(frame);
        };
        self.descend(frame, descent, first.value.clone());
    }

    /// An iteration came to its end.
    pub(super) fn iteration_ended(&mut self, frame: FrameId, ending: Ending) {
        match ending {
            Ending::Done => self.iteration_done(frame),
            Ending::Left(to) => {
                self.stop_watching(frame);
                self.keep_loop(frame);
                self.visit_over(frame, VisitOutcome::Leave(to));
            }
            Ending::Terminal { .. } => self.follow(Move::End(frame, ending)),
            Ending::Failed(failure) => self.fail_because(frame, failure),
            Ending::Cancelled => (),
        }
    }

    fn iteration_done(&mut self, frame: FrameId) {
        let breaks = self.loop_at(frame).is_some_and(|cycle| cycle.break_when.is_some());
        let Some(cycle) = self.state.cycle_mut(frame) else { return };
        cycle.done += 1;
        if breaks {
            cycle.stage = CycleStage::Break;
            self.begin(frame, TaskKind::Evaluate(Question::Break));
        } else {
            self.go_round(frame);
        }
    }

    fn go_round(&mut self, frame: FrameId) {
        if let Some(cycle) = self.state.cycle_mut(frame) {
            cycle.index += 1;
            self.follow(Move::Iterate(frame));
        }
    }

    fn loop_over(&mut self, frame: FrameId) {
        let result = results::finished(StepStatus::Completed, 0);
        self.follow(Move::Attempted(frame, Box::new(result)));
    }

    /// The loop was left by a way within it.
    fn keep_loop(&mut self, frame: FrameId) {
        if let Some(state) = self.state_of(frame) {
            let result = results::finished(StepStatus::Completed, 0);
            let result = self.rounded_off(frame, state, result);
            self.state.keep(frame, &state.name.value, &result);
        }
    }

    fn fail_loop(&mut self, frame: FrameId, message: String) {
        self.fail_attempt(frame, StepError { code: Code::InvalidLoop, message });
    }

    fn loop_at(&self, frame: FrameId) -> Option<&'p Loop> {
        match &self.state_of(frame)?.kind {
            StateKind::Loop(cycle) => Some(cycle),
            StateKind::Command(_)
            | StateKind::Agent(_)
            | StateKind::Parallel(_)
            | StateKind::Operation(_)
            | StateKind::Custom(_)
            | StateKind::Call(_)
            | StateKind::Terminal(_) => None,
        }
    }
}

/// `loop` in templates. A length that nobody knows is -1.
fn view(index: u64, item: Value, length: Option<u64>, parent: Option<Value>) -> Value {
    let last = length.is_some_and(|length| index + 1 == length);
    let view = [
        ("Item", item),
        ("Index", index.into()),
        ("Index1", (index + 1).into()),
        ("First", (index == 0).into()),
        ("Last", last.into()),
        ("Length", length.map_or(Value::from(-1), Value::from)),
        ("Parent", parent.unwrap_or_default()),
    ];
    Value::Object(view.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}
