//! What a scripted model says. Which turn is played follows from the request alone: from the number of answers that its
//! history holds. So side requests and resumed sessions do not disturb the script.

use serde::Deserialize;
use serde_json::Value;

/// The turns of a model.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// The answers, in order; a session that is resumed goes on where it stood.
    pub turns: Vec<ModelTurn>,
    /// What is said when they are used up.
    #[serde(default)]
    pub last: String,
}

/// One answer.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelTurn {
    /// What is said, before any call.
    pub text: Option<String>,
    /// Tools that are called.
    pub calls: Vec<ModelCall>,
    /// Whether there is no answer at all, until the client leaves.
    pub hang: bool,
    /// A status to refuse with.
    pub http_error: Option<u16>,
}

impl ModelTurn {
    /// An answer in words.
    pub fn say(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::default() }
    }

    /// A call of one tool.
    pub fn call(call: ModelCall) -> Self {
        Self { calls: vec![call], ..Self::default() }
    }
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelCall {
    /// Which one.
    pub wanted: Wanted,
    /// With what.
    #[serde(default)]
    pub arguments: Value,
    /// Whether it takes free text, as Codex's `apply_patch` does: then `arguments.input` is sent as it is.
    #[serde(default)]
    pub custom: bool,
}

impl ModelCall {
    /// Of the offered tool whose name ends so.
    pub fn offered(suffix: impl Into<String>, arguments: Value) -> Self {
        Self { wanted: Wanted::Offered(suffix.into()), arguments, custom: false }
    }

    /// Of a tool by name, offered or not.
    pub fn named(name: impl Into<String>, arguments: Value) -> Self {
        Self { wanted: Wanted::Named(name.into()), arguments, custom: false }
    }
}

/// Which tool a call is for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wanted {
    /// The first offered one whose name ends so, whatever an agent put before it. If there is none, the answer says so.
    Offered(String),
    /// Just this name, whether it was offered or not.
    Named(String),
}
