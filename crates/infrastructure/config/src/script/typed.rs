//! A script as typed. The comments here are what an editor shows.

use awf_core::Located;
use serde_json::{Map, Value, json};

use crate::reader::{JsonObject, Mapping, Texts, object};

object! {
    /// The part of an agent, written down: what it says and which tools it calls, turn by turn.
    pub(super) struct ScriptTyped, rules = some_turns;
    /// The turns of every step that has none of its own.
    turns: Vec<Located<TurnTyped>>;
    /// Turns by the name of the step.
    steps: Mapping<Vec<Located<TurnTyped>>>;
}

fn some_turns() -> Map<String, Value> {
    let either = json!([{ "required": ["turns"] }, { "required": ["steps"] }]);
    Map::from_iter([("anyOf".to_owned(), either)])
}

object! {
    /// One turn of the model: it says something, calls tools, or fails.
    pub(super) struct TurnTyped, rules = turn_rules;
    /// What it says.
    say: String;
    /// It ends badly, saying this.
    fail: String;
    /// The one tool it calls.
    call: Located<String>;
    /// What that tool is given.
    arguments: JsonObject;
    /// What must come back from that tool.
    expect: ExpectTyped;
    /// The tools it calls, all at once.
    calls: Vec<CallTyped>;
}

fn turn_rules() -> Map<String, Value> {
    let says = ["say", "fail", "call", "calls"].map(|key| json!({ "required": [key] }));
    let rules = json!({
        "anyOf": says,
        "allOf": [
            { "not": { "required": ["call", "calls"] } },
            { "not": { "required": ["fail", "call"] } },
            { "not": { "required": ["fail", "calls"] } },
        ],
        "dependentRequired": { "arguments": ["call"], "expect": ["call"] },
    });
    match rules {
        Value::Object(rules) => rules,
        _ => Map::new(),
    }
}

object! {
    /// One tool call.
    pub(super) struct CallTyped;
    /// The tool.
    tool: Located<String>, required;
    /// What it is given.
    arguments: JsonObject;
    /// What must come back.
    expect: ExpectTyped;
}

object! {
    /// What must come back from a call; what is not said is not looked at.
    pub(super) struct ExpectTyped;
    /// Text that must be in the answer, or several.
    contains: Texts;
    /// Whether the tool failed; `false` when absent.
    error: bool;
    /// The call is refused, or there is no such tool.
    refused: bool;
}
