//! The part of an agent, written down: fixed turns of a model, with real tool calls and what they must give.

use serde_json::{Map, Value};

use crate::workflow::Located;

/// One script file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// The turns of steps that have none of their own.
    pub turns: Vec<Turn>,
    /// Turns by the name of the step.
    pub steps: Vec<(Located<String>, Vec<Turn>)>,
}

impl Script {
    /// The turns for a step; `None` when the script has none for it. A step within another, such as `all.left` or
    /// `each[2].left`, may be named in full or by its state alone.
    pub fn turns_for(&self, step: &str) -> Option<&[Turn]> {
        let state = step.rsplit(['.', '/']).next().unwrap_or(step);
        let named = |wanted: &str| self.steps.iter().find(|(name, _)| name.value == wanted);
        let own = named(step).or_else(|| named(state));
        match own {
            Some((_, turns)) => Some(turns),
            None => (!self.turns.is_empty()).then_some(&*self.turns),
        }
    }
}

/// One turn of the model: it says something, calls tools, or fails.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    /// What it says.
    pub say: Option<String>,
    /// What it calls, all at once.
    pub calls: Vec<ScriptedCall>,
    /// It ends badly, saying this.
    pub fail: Option<String>,
}

/// One tool call of a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptedCall {
    /// The tool.
    pub tool: Located<String>,
    /// What it is given.
    pub arguments: Map<String, Value>,
    /// What must come back.
    pub expect: Expectation,
}

/// What must come back from a call; what is not said is not looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    /// Text that must be in the answer.
    pub contains: Vec<String>,
    /// Whether the tool failed; `Some(false)` is the rule unless the call expects a refusal.
    pub error: Option<bool>,
    /// The call is refused, or there is no such tool.
    pub refused: bool,
}
