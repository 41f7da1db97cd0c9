//! What two sightings of an agent come to.

use awf_core::AgentKind;

use crate::{commands::doctor::trial::Sighting, proofs::Verdict};

/// Entries that agents keep and that reach nothing: a placeholder that is never called, and readers of what MCP servers
/// call resources, of which awf has none and no other server is there.
const HARMLESS: [&str; 4] = [
    "DeferredToolPlaceholder",
    "list_mcp_resources",
    "list_mcp_resource_templates",
    "read_mcp_resource",
];

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) verdict: Verdict,
    /// How many of awf's tools were offered.
    pub(super) offered: usize,
    /// Other tools that were offered.
    pub(super) remains: Vec<String>,
    /// What went past awf.
    pub(super) leaks: Vec<String>,
    /// Why nothing is known.
    pub(super) reason: Option<String>,
}

/// Judges an agent by what was seen of it on both grounds.
pub(super) fn finding(kind: AgentKind, plain: &Sighting, hostile: &Sighting) -> Finding {
    let mut remains = Vec::new();
    let mut leaks: Vec<String> = plain.traces.iter().chain(&hostile.traces).cloned().collect();
    for tool in plain.offered.iter().chain(&hostile.offered) {
        if tool.contains("hostile") {
            leaks.push(format!("offered {tool}"));
        } else if !is_ours(kind, tool) && !remains.contains(tool) {
            remains.push(tool.clone());
        }
    }
    leaks.sort_unstable();
    leaks.dedup();
    let offered = plain.offered.iter().filter(|tool| is_ours(kind, tool)).count();
    let reason = [plain, hostile].into_iter().find_map(unfinished);
    let harmless = remains.iter().all(|tool| HARMLESS.contains(&tool.as_str()));
    let verdict = match (leaks.is_empty(), &reason, harmless) {
        (false, _, _) => Verdict::Leaking,
        (true, Some(_), _) => Verdict::Failed,
        (true, None, false) => Verdict::Residual,
        (true, None, true) => Verdict::Proven,
    };
    Finding { verdict, offered, remains, leaks, reason }
}

/// Why a trial shows nothing.
fn unfinished(sighting: &Sighting) -> Option<String> {
    match &sighting.failure {
        Some(failure) => Some(failure.clone()),
        None if !sighting.answered => Some("awf's tools were offered and not called".to_owned()),
        None => None,
    }
}

/// Whether a name a model sees is one of awf's tools. The loop in this process puts nothing before them.
fn is_ours(kind: AgentKind, tool: &str) -> bool {
    match kind {
        AgentKind::OpenAiCompatible => {
            ["Read", "Write", "Edit", "Bash", "Glob", "Grep"].contains(&tool)
        }
        AgentKind::Claude
        | AgentKind::Gemini
        | AgentKind::Codex
        | AgentKind::OpenCode
        | AgentKind::Scripted => tool.contains("awf-proxy") || tool.contains("awf_proxy"),
    }
}

#[cfg(test)]
mod tests;
