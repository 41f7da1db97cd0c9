//! What keeps a model from going on for ever.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::openai::delta::{Answer, Asked};

/// How often the same calls may have the same results.
const SAME: usize = 3;

/// Watches the turns of one conversation.
pub(super) struct LoopGuard {
    max_turns: usize,
    turns: usize,
    last: u64,
    same: usize,
}

impl LoopGuard {
    pub(super) fn new(max_turns: usize) -> Self {
        Self { max_turns, turns: 0, last: 0, same: 0 }
    }

    /// Which turn this is, from one on.
    pub(super) fn turn(&self) -> usize {
        self.turns + 1
    }

    /// Whether the calls of an answer may be made.
    pub(super) fn answered(&mut self, answer: &Answer) -> Result<(), String> {
        self.turns += 1;
        let asks = matches!(answer.finish.as_deref(), Some("tool_calls" | "function_call"));
        if asks && answer.calls.is_empty() {
            return Err("the model stopped to call tools (`finish_reason: tool_calls`), but named none; asked again it \
                        might never stop"
                .to_owned());
        }
        let most = self.max_turns;
        if !answer.calls.is_empty() && self.turns >= most {
            return Err(format!(
                "the model still asks for tools after {most} turns (`max_turns`); they were not called"
            ));
        }
        Ok(())
    }

    /// Whether a turn with these calls and results leads anywhere.
    pub(super) fn called(&mut self, calls: &[Asked], results: &[String]) -> Result<(), String> {
        let mut hasher = DefaultHasher::new();
        for (call, result) in calls.iter().zip(results) {
            (&call.name, &call.arguments, result).hash(&mut hasher);
        }
        let turn = hasher.finish();
        self.same = if turn == self.last { self.same + 1 } else { 1 };
        self.last = turn;
        if self.same < SAME {
            return Ok(());
        }
        let names: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
        let names = crate::openai::trouble::words(&names.join("`, `"));
        Err(format!(
            "the model made the same calls {SAME} times in a row, of `{names}`, with the same results"
        ))
    }
}
