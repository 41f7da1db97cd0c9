//! Agents: the provider must be one there is, and the step must suit it.

use awf_core::{
    AgentKind, AgentMode, AgentState, Code, Diagnostic, PromptSource, StateKind, shown,
};
use awf_template::Template;

use crate::check::subject::{Subject, is_missing};

pub(super) fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for state in &subject.workflow.states {
        if let StateKind::Agent(agent) = &state.kind {
            if !is_missing(state, &agent.provider.value, &agent.provider.span) {
                findings.extend(provider(subject, agent));
            }
            findings.extend(conversation(agent));
        }
    }
    findings
}

/// What a template will give is not known here.
fn provider(subject: &Subject<'_>, agent: &AgentState) -> Option<Diagnostic> {
    let name = &agent.provider.value;
    if !Template::parse(name).is_ok_and(|template| template.is_literal()) {
        return None;
    }
    let finding = match AgentKind::parse(name) {
        None => {
            let message = format!("provider `{}` is not known", shown(name));
            let known = AgentKind::ALL.map(AgentKind::as_str);
            subject.unknown(Code::UnknownProvider, message, name, known)
        }
        Some(kind) if kind.coexists() && intercepts(agent) => {
            let message = format!("`{}` may use its own tools beside the proxy's", kind.as_str());
            Diagnostic::new(Code::ProxyUnsupportedProvider, message)
        }
        Some(_) => missing_script(subject, name)?,
    };
    Some(finding.at(agent.provider.span.clone()))
}

/// What a scripted agent says is in a file, beneath the project's directory.
fn missing_script(subject: &Subject<'_>, provider: &str) -> Option<Diagnostic> {
    let file = provider.strip_prefix("scripted:")?;
    let around = subject.surroundings;
    let path = around.dir.join(file);
    if (around.file_exists)(&path) {
        return None;
    }
    let message = format!("script `{}` of the agent does not exist", shown(file));
    let looked = shown(&path.display().to_string());
    let finding = Diagnostic::new(Code::InputMissingFile, message);
    Some(finding.hinting(format!("it was looked for at `{looked}`")))
}

/// Whether the agent is to have no tools but the proxy's.
pub(super) fn intercepts(agent: &AgentState) -> bool {
    agent.proxy.as_ref().is_some_and(|proxy| proxy.enable && proxy.intercept_builtins)
}

fn conversation(agent: &AgentState) -> Option<Diagnostic> {
    match (agent.mode, &agent.prompt) {
        (AgentMode::Conversation, PromptSource::File(path)) => Some(
            Diagnostic::new(
                Code::ConflictingFields,
                "a conversation cannot begin with `prompt_file`",
            )
            .at(path.span.clone())
            .hinting("write the beginning as `prompt`, or use `mode: single`"),
        ),
        (AgentMode::Conversation, PromptSource::Inline(_))
        | (AgentMode::Single, PromptSource::Inline(_) | PromptSource::File(_)) => None,
    }
}

#[cfg(test)]
mod tests;
