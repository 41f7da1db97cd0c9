//! What a script expects of an answer, and how it says that it got another one.

use awf_core::ScriptedCall;

use crate::scripted::toolbox::Answer;

/// How much of an answer is shown, in characters.
const SHOWN: usize = 300;

/// Holds an answer against the script. The error names the place in the script, what was expected and what came.
pub(super) fn check(call: &ScriptedCall, answer: &Answer) -> Result<(), String> {
    let Some(wanted) = difference(call, answer) else { return Ok(()) };
    let (span, tool) = (&call.tool.span, &call.tool.value);
    Err(format!(
        "{}:{}:{}: expected `{tool}` {wanted}, but {}",
        span.file,
        span.line,
        span.column,
        described(answer)
    ))
}

/// What was wanted and did not come.
fn difference(call: &ScriptedCall, answer: &Answer) -> Option<String> {
    let expect = &call.expect;
    if expect.refused != answer.refused {
        return Some(if expect.refused { "to be refused" } else { "to be let through" }.to_owned());
    }
    // A call that is let through should succeed unless the script says otherwise; a refused one never does.
    let error = expect.error.unwrap_or(expect.refused);
    if error != answer.is_error {
        return Some(if error { "to fail" } else { "to succeed" }.to_owned());
    }
    let missing = expect.contains.iter().find(|part| !answer.text.contains(part.as_str()))?;
    Some(format!("to answer with `{}`", excerpt(missing)))
}

fn described(answer: &Answer) -> String {
    let what = match (answer.refused, answer.is_error) {
        (true, _) => "it was refused",
        (false, true) => "it failed",
        (false, false) => "it succeeded",
    };
    format!("{what}: `{}`", excerpt(&answer.text))
}

/// The beginning of a text on one line.
fn excerpt(text: &str) -> String {
    let mut shown: String = text.trim_end().chars().take(SHOWN).flat_map(escaped).collect();
    if text.trim_end().chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

/// Quotes stay as they are; what would move a cursor does not.
fn escaped(c: char) -> Vec<char> {
    match c {
        '"' | '\'' | '\\' => vec![c],
        _ => c.escape_debug().collect(),
    }
}

#[cfg(test)]
mod tests;
