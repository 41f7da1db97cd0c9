//! What a request of Codex offers, as one list.

use serde_json::Value;

use crate::models::conversation::{Offered, OfferedKind, items, word};

/// Codex puts plain tools into this namespace for some models; they are called without it.
const PLAIN: &str = "functions";

/// How the tool that runs scripts declares each function, in its description.
const DECLARED: &str = "declare const tools: { ";

pub(super) fn tools(list: &Value) -> Vec<Offered> {
    items(list).iter().flat_map(offered).collect()
}

fn offered(tool: &Value) -> Vec<Offered> {
    if tool["type"] != "namespace" {
        return plain(tool);
    }
    let space = word(&tool["name"]);
    let inner = items(&tool["tools"]).iter();
    if space == PLAIN {
        return inner.flat_map(plain).collect();
    }
    inner
        .map(|tool| {
            let name = word(&tool["name"]);
            let shown = format!("{space}/{name}");
            Offered { name: shown, kind: OfferedKind::Spaced { namespace: space.clone(), name } }
        })
        .collect()
}

fn plain(tool: &Value) -> Vec<Offered> {
    let kind = tool["type"].as_str().unwrap_or_default();
    let name = tool["name"].as_str().unwrap_or(kind).to_owned();
    match kind {
        "custom" if name == "exec" => {
            let runner = Offered { name, kind: OfferedKind::Script };
            let declared = declared(tool["description"].as_str().unwrap_or_default());
            std::iter::once(runner).chain(declared).collect()
        }
        "custom" => vec![Offered { name, kind: OfferedKind::Text }],
        "tool_search" => vec![Offered { name, kind: OfferedKind::Search }],
        _ => vec![Offered::function(name)],
    }
}

fn declared(description: &str) -> impl Iterator<Item = Offered> {
    let declarations = description.split(DECLARED).skip(1);
    declarations.filter_map(|text| text.split_once('(')).map(|(name, _)| nested(name.to_owned()))
}

/// A function in scripts.
pub(super) fn nested(name: String) -> Offered {
    Offered { name: format!("exec>{name}"), kind: OfferedKind::Nested { name } }
}
