//! Script files: the part of an agent, written down.

use awf_core::{Code, Diagnostic, Expectation, Located, Script, ScriptedCall, Turn};
use serde_json::Value;

use crate::{
    reader::{CONFIG, Field, Findings, Shape as _},
    schema,
    yaml::parse_tree,
};

mod typed;

use typed::{CallTyped, ExpectTyped, ScriptTyped, TurnTyped};

/// Reads a script, or tells everything that is wrong with it. `file` is what the user called it.
pub fn parse_script(file: &str, text: &str) -> Result<Script, Vec<Diagnostic>> {
    let mut findings = Findings::new(file, &CONFIG, "the script");
    let typed =
        parse_tree(text, &mut findings).and_then(|tree| ScriptTyped::read(&tree, &mut findings));
    let script = typed.map(|typed| script(typed, &mut findings));
    let findings = findings.sorted();
    match script {
        Some(script) if findings.is_empty() => Ok(script),
        Some(_) | None => Err(findings),
    }
}

/// The JSON Schema of script files.
pub fn script_schema() -> Value {
    schema::document::<ScriptTyped>("awf script")
}

fn script(typed: ScriptTyped, findings: &mut Findings<'_>) -> Script {
    if typed.turns.key().is_none() && typed.steps.key().is_none() {
        let message = "the script has no turns";
        findings.hint(
            Code::ConfigInvalid,
            findings.subject_place(),
            message,
            "add `turns` or `steps`",
        );
    }
    let steps = typed.steps.given().map(|steps| steps.0).unwrap_or_default();
    Script {
        turns: turns(typed.turns.given().unwrap_or_default(), findings),
        steps: steps
            .into_iter()
            .map(|(value, place, typed)| {
                (Located { value, span: findings.span(place) }, turns(typed, findings))
            })
            .collect(),
    }
}

fn turns(typed: Vec<Located<TurnTyped>>, findings: &mut Findings<'_>) -> Vec<Turn> {
    typed.into_iter().map(|typed| turn(typed, findings)).collect()
}

fn turn(typed: Located<TurnTyped>, findings: &mut Findings<'_>) -> Turn {
    judge(&typed, findings);
    let TurnTyped { say, fail, call, arguments, expect, calls } = typed.value;
    let mut calls: Vec<ScriptedCall> =
        calls.given().unwrap_or_default().into_iter().filter_map(scripted_call).collect();
    calls.extend(scripted_call(CallTyped { tool: call, arguments, expect }));
    Turn { say: say.given(), calls, fail: fail.given() }
}

/// Tells keys of a turn that exclude or need each other.
fn judge(typed: &Located<TurnTyped>, findings: &mut Findings<'_>) {
    let turn = &typed.value;
    if let (Some(_), Some(place)) = (turn.call.key(), turn.calls.key()) {
        findings.say(Code::ConfigConflict, place, "a turn has both `call` and `calls`");
    }
    let calls = turn.call.key().or(turn.calls.key());
    if let (Some(place), Some(_)) = (turn.fail.key(), calls) {
        findings.say(Code::ConfigConflict, place, "a turn that fails calls nothing");
    }
    for (key, place) in [("arguments", turn.arguments.key()), ("expect", turn.expect.key())] {
        if let (Some(place), None) = (place, turn.call.key()) {
            let message = format!("`{key}` belongs to a `call`, and the turn has none");
            findings.hint(
                Code::ConfigInvalid,
                place,
                message,
                "add `call`, or put it into `calls`",
            );
        }
    }
    let says = turn.say.key().or(turn.fail.key()).or(calls);
    if says.is_none() {
        let nothing = Diagnostic::new(Code::ConfigInvalid, "a turn does nothing");
        findings
            .add_at(nothing.hinting("add `say`, `call`, `calls` or `fail`"), typed.span.clone());
    }
}

fn scripted_call(typed: CallTyped) -> Option<ScriptedCall> {
    Some(ScriptedCall {
        tool: typed.tool.given()?,
        arguments: typed.arguments.given().map(|arguments| arguments.0).unwrap_or_default(),
        expect: expectation(typed.expect),
    })
}

fn expectation(typed: Field<ExpectTyped>) -> Expectation {
    let Some(typed) = typed.given() else { return Expectation::default() };
    Expectation {
        contains: typed.contains.given().map(|texts| texts.0).unwrap_or_default(),
        error: typed.error.given(),
        refused: typed.refused.given().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests;
