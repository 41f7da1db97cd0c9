//! Which keys belong to which kind of state: one table for the reader and for the schema.

use awf_core::Code;

use crate::{
    reader::{Findings, Word as _},
    workflow::typed::{StateTyped, TypeWord},
    yaml::Place,
};

mod schema;

pub(in crate::workflow) use schema::state_rules;

use TypeWord::{Agent, Call, Command, Custom, ForEach, Operation, Parallel, Terminal, While};

/// Keys that only some kinds of states have.
const OWNED: &[(&str, &[TypeWord])] = &[
    ("command", &[Command]),
    ("script_file", &[Command]),
    ("agent", &[Agent]),
    ("provider", &[Agent]),
    ("prompt", &[Agent]),
    ("prompt_file", &[Agent]),
    ("system_prompt", &[Agent]),
    ("role", &[Agent]),
    ("skills", &[Agent]),
    ("mode", &[Agent]),
    ("conversation", &[Agent]),
    ("output_format", &[Agent]),
    ("options", &[Agent]),
    ("mcp_proxy", &[Agent]),
    ("tools", &[Agent]),
    ("parallel", &[Parallel]),
    ("strategy", &[Parallel]),
    ("max_concurrent", &[Parallel]),
    ("items", &[ForEach]),
    ("while", &[While]),
    ("body", LOOPS),
    ("max_iterations", LOOPS),
    ("break_when", LOOPS),
    ("on_complete", LOOPS),
    ("operation", &[Operation]),
    ("inputs", &[Operation, Call]),
    ("operation_inputs", &[Operation]),
    ("config", &[Custom]),
    ("workflow", &[Call]),
    ("outputs", &[Call]),
    ("status", &[Terminal]),
    ("message", &[Terminal]),
];

/// Keys that every state may have and some kinds have no use for.
const USED: &[(&str, &[TypeWord])] = &[
    ("dir", &[Command, Agent]),
    ("env", &[Command, Agent]),
    ("capture", &[Command, Agent, Operation, Custom, Call]),
    ("timeout", WORKING),
    ("retry", WORKING),
    ("on_success", WORKING),
    ("on_failure", WORKING),
    ("transitions", WORKING),
    ("continue_on_error", WORKING),
];

const LOOPS: &[TypeWord] = &[ForEach, While];
const WORKING: &[TypeWord] = &[Command, Agent, Parallel, ForEach, While, Operation, Custom, Call];

/// Tells every key that no state can use, and what to write instead.
pub(super) fn judge_useless(typed: &StateTyped, findings: &mut Findings<'_>) {
    let useless = [
        ("when", typed.when.key(), "write `transitions: [{when: …, goto: …}]`"),
        ("next", typed.next.key(), "write `on_success: <state>`"),
        ("loop", typed.cycle.key(), "write `type: for_each` or `type: while` with a `body`"),
        ("branches", typed.branches.key(), "write `type: parallel` with `parallel: [<state>, …]`"),
        ("model", typed.model.key(), "write `options: {model: …}`"),
        ("max_tokens", typed.max_tokens.key(), "write `options: {max_tokens: …}`"),
        (
            "depends_on",
            typed.depends_on.key(),
            "lead to this state by `on_success` or `transitions`",
        ),
    ];
    for (key, place, hint) in useless {
        if let Some(place) = place {
            findings.hint(Code::ParseIgnoredKey, place, format!("`{key}` has no effect"), hint);
        }
    }
    let template = "write the state out, or put it into a workflow and use `type: call_workflow`";
    let unsupported = [
        ("use_template", typed.use_template.key(), template),
        ("parameters", typed.parameters.key(), template),
    ];
    for (key, place, hint) in unsupported {
        if let Some(place) = place {
            let message = format!("`{key}` is not supported");
            findings.hint(Code::ParseUnsupported, place, message, hint);
        }
    }
}

/// Tells every key that this kind of state cannot use.
pub(super) fn judge_keys(keys: &[(String, Place)], kind: TypeWord, findings: &mut Findings<'_>) {
    for (key, place) in keys {
        judge_key(key, *place, kind, findings);
    }
}

fn judge_key(key: &str, place: Place, kind: TypeWord, findings: &mut Findings<'_>) {
    let word = kind.as_str();
    if let Some(owners) = said(OWNED, key).filter(|owners| !owners.contains(&kind)) {
        let message = format!("`{key}` does not belong to a state of type `{word}`");
        let hint = instead(key, kind).map(|key| format!("write it under `{key}`"));
        let hint = hint.unwrap_or_else(|| format!("it is for {}", listed(owners)));
        findings.hint(Code::MisplacedField, place, message, hint);
    } else if said(USED, key).is_some_and(|users| !users.contains(&kind)) {
        let message = format!("`{key}` has no effect on a state of type `{word}`");
        findings.say(Code::ParseIgnoredKey, place, message);
    }
}

/// The key that means the same on another of a plugin's two kinds of state.
fn instead(key: &str, kind: TypeWord) -> Option<&'static str> {
    match (key, kind) {
        ("inputs" | "operation_inputs", Custom) => Some("config"),
        ("config", Operation) => Some("inputs"),
        _ => None,
    }
}

fn said<T: Copy>(table: &[(&str, T)], key: &str) -> Option<T> {
    table.iter().find(|(known, _)| *known == key).map(|(_, said)| *said)
}

fn listed(kinds: &[TypeWord]) -> String {
    let words: Vec<String> =
        kinds.iter().map(|kind| format!("`type: {}`", kind.as_str())).collect();
    words.join(", ")
}

impl TypeWord {
    /// The word in messages.
    fn as_str(self) -> &'static str {
        if self == Custom {
            return "plugin.type";
        }
        // `step` comes first of the two words for a command, and is what files say.
        Self::WORDS.iter().find(|(_, kind)| *kind == self).map_or("step", |(word, _)| *word)
    }
}
