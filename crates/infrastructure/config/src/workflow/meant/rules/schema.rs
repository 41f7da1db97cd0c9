//! What the kinds of states need and cannot have, as a schema.

use serde_json::{Map, Value, json};

use crate::workflow::{
    meant::rules::OWNED,
    typed::{
        AgentTyped, TypeWord,
        TypeWord::{Agent, Call, Command, Custom, ForEach, Operation, Parallel, Terminal, While},
    },
};

/// For each kind, what it needs and what it cannot have.
pub(in crate::workflow) fn state_rules() -> Map<String, Value> {
    let mut rules = vec![json!({ "anyOf": [{ "required": ["type"] }, { "required": ["agent"] }] })];
    for kind in [Command, Agent, Parallel, ForEach, While, Operation, Custom, Call, Terminal] {
        rules.push(json!({ "if": is_of(kind), "then": { "allOf": [needs(kind), foreign(kind)] } }));
    }
    Map::from_iter([("allOf".to_owned(), json!(rules))])
}

fn is_of(kind: TypeWord) -> Value {
    let word = json!({
        "required": ["type"],
        "properties": { "type": { "type": "string", "pattern": kind.pattern() } },
    });
    let block = json!({ "required": ["agent"] });
    match kind {
        Command => json!({ "allOf": [word, { "not": block }] }),
        Agent => json!({ "anyOf": [word, block] }),
        Parallel | ForEach | While | Operation | Custom | Call | Terminal => word,
    }
}

fn needs(kind: TypeWord) -> Value {
    match kind {
        Command => one_of(&["command", "script_file"]),
        Agent => agent_needs(),
        Parallel => json!({
            "allOf": [filled("parallel")],
            "properties": { "max_concurrent": { "minimum": 0 } },
        }),
        ForEach => json!({ "allOf": [{ "required": ["items"] }, filled("body")] }),
        While => json!({ "allOf": [{ "required": ["while"] }, filled("body")] }),
        Operation => json!({
            "required": ["operation"],
            "not": { "required": ["inputs", "operation_inputs"] },
        }),
        Call => json!({ "required": ["workflow"] }),
        Custom | Terminal => json!({}),
    }
}

/// A provider and a prompt, each key in the `agent` block or beside it; `tools` only with a proxy.
fn agent_needs() -> Value {
    let mut rules = vec![one_place(&["provider"]), one_place(&["prompt", "prompt_file"])];
    let twice = |key: &&str| json!({ "not": { "allOf": [{ "required": [key] }, in_block(key)] } });
    rules.extend(AgentTyped::KEYS.iter().map(twice));
    let enabled = json!({ "required": ["enable"], "properties": { "enable": { "const": true } } });
    rules.push(json!({
        "if": { "required": ["tools"] },
        "then": { "required": ["mcp_proxy"], "properties": { "mcp_proxy": enabled } },
    }));
    json!({ "allOf": rules })
}

fn one_of(keys: &[&str]) -> Value {
    let each: Vec<Value> = keys.iter().map(|key| json!({ "required": [key] })).collect();
    json!({ "oneOf": each })
}

/// Exactly one of the keys, once: in the `agent` block or beside it.
fn one_place(keys: &[&str]) -> Value {
    let places = keys.iter().flat_map(|key| [json!({ "required": [key] }), in_block(key)]);
    json!({ "oneOf": places.collect::<Vec<_>>() })
}

fn in_block(key: &str) -> Value {
    json!({ "required": ["agent"], "properties": { "agent": { "required": [key] } } })
}

fn filled(key: &str) -> Value {
    json!({ "required": [key], "properties": { key: { "type": "array", "minItems": 1 } } })
}

fn foreign(kind: TypeWord) -> Value {
    let keys = OWNED.iter().filter(|(_, owners)| !owners.contains(&kind));
    let refused: Map<_, _> = keys.map(|(key, _)| ((*key).to_owned(), json!(false))).collect();
    json!({ "properties": refused })
}
