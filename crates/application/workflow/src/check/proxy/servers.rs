//! `tools.servers`: names of servers that somebody has configured.
//!
//! A workflow travels, and the user's servers do not travel with it: one that is not here may be where the workflow is run.

use awf_core::{AgentState, Code, Diagnostic, Located, Severity, shown};

use crate::check::subject::Subject;

/// Servers that are listed at most.
const LISTED: usize = 10;

pub(super) fn check(subject: &Subject<'_>, agent: &AgentState) -> Vec<Diagnostic> {
    let Some(known) = subject.surroundings.servers else { return Vec::new() };
    let is_unknown = |server: &&Located<String>| !known.contains(&server.value);
    agent
        .tools
        .servers
        .iter()
        .filter(is_unknown)
        .map(|name| unknown(subject, name, known))
        .collect()
}

fn unknown(subject: &Subject<'_>, name: &Located<String>, known: &[String]) -> Diagnostic {
    let message = format!("no server `{}` is configured", shown(name.as_str()));
    let finding = Diagnostic::new(Code::ServerUnknown, message).at(name.span.clone());
    let finding = Diagnostic { severity: Severity::Warning, hint: None, ..finding };
    let finding = subject.suggest(finding, name.as_str(), known.iter().map(String::as_str));
    let near = finding.hint.as_ref().map(|near| format!("{near} ")).unwrap_or_default();
    let hint = format!("{near}{}", listed(known));
    finding.hinting(hint)
}

/// What there is.
fn listed(known: &[String]) -> String {
    let names: Vec<String> =
        known.iter().take(LISTED).map(|name| format!("`{}`", shown(name))).collect();
    match known.len() {
        0 => "there is none; `awf mcp add` writes one down".to_owned(),
        count if count > LISTED => format!("there are {}, …", names.join(", ")),
        1 => format!("there is {}", names.concat()),
        _ => format!("there are {}", names.join(", ")),
    }
}
