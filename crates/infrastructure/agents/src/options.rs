//! What can be said of a step's options before a run: by the tables that the run itself goes by.

use awf_core::{AgentKind, OptionFault, Reach};
use serde_json::Value;

use crate::{claude, cli::options::check, codex, gemini, openai, opencode};

/// Whether provider `kind` takes the option; no value is one that only the run knows. The script of a scripted agent
/// says all, and it has no options to be wrong about.
pub fn check_option(
    kind: AgentKind,
    reach: Reach,
    name: &str,
    value: Option<&Value>,
) -> Result<(), OptionFault> {
    let known: &[_] = match kind {
        AgentKind::Claude => &claude::OPTIONS,
        AgentKind::Gemini => &gemini::OPTIONS,
        AgentKind::Codex => &codex::OPTIONS,
        AgentKind::OpenCode => &opencode::OPTIONS,
        AgentKind::OpenAiCompatible => return openai::check_option(name, value),
        AgentKind::Scripted => return Ok(()),
    };
    check(kind, known, reach, name, value)
}

#[cfg(test)]
mod tests;
