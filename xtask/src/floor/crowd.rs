//! A list of as many tools as one likes, always the same, each a little different.

use serde_json::{Value, json};

const VERBS: [&str; 8] =
    ["list", "create", "update", "delete", "search", "export", "approve", "archive"];
const NOUNS: [&str; 16] = [
    "invoice", "customer", "shipment", "ticket", "report", "calendar", "contract", "device",
    "alert", "branch", "message", "payment", "article", "folder", "booking", "sensor",
];

/// The result of `tools/list`: `echo`, and tools around it up to `count`.
pub(crate) fn list(count: usize) -> String {
    let echo = json!({
        "name": "echo",
        "description": "Says what it is told.",
        "inputSchema": {"type": "object", "properties": {"message": {"type": "string"}}},
        "annotations": {"readOnlyHint": true},
    });
    let tools: Vec<Value> = std::iter::once(echo).chain((1..count).map(tool)).collect();
    json!({"tools": tools}).to_string()
}

fn tool(number: usize) -> Value {
    let at = |words: &'static [&'static str], number: usize| {
        words.get(number % words.len()).copied().unwrap_or("")
    };
    let (verb, noun) = (at(&VERBS, number), at(&NOUNS, number / VERBS.len()));
    let other = at(&NOUNS, number / 7 + 3);
    json!({
        "name": format!("{verb}_{noun}_{number}"),
        "description": format!("Use this to {verb} the {noun} of unit {number}, beside its {other}."),
        "inputSchema": {
            "type": "object",
            "properties": {
                format!("{noun}_id"): {"type": "string", "description": format!("Identifier of the {noun}")},
                "limit": {"type": "integer", "description": "How many at most"},
            },
            "required": [format!("{noun}_id")],
        },
        "annotations": {"readOnlyHint": matches!(verb, "list" | "search" | "export"), "destructiveHint": verb == "delete"},
    })
}

#[cfg(test)]
mod tests;
