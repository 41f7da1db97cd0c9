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

/// How agents name the tools of a server to their models; some write `_` for `-`.
const BEFORE_OURS: [&str; 4] =
    ["mcp__awf_proxy__", "mcp_awf_proxy_", "mcp__awf_proxy/", "awf_proxy_"];

/// Whether a name a model sees is one of awf's tools, to the letter: a name that merely holds ours is somebody else's. The
/// loop in this process puts nothing before them.
fn is_ours(kind: AgentKind, tool: &str) -> bool {
    let ours = |name: &str| ["Read", "Write", "Edit", "Bash", "Glob", "Grep"].contains(&name);
    match kind {
        AgentKind::OpenAiCompatible => ours(tool),
        AgentKind::Claude
        | AgentKind::Gemini
        | AgentKind::Codex
        | AgentKind::OpenCode
        | AgentKind::Scripted => {
            let tool = tool.replace('-', "_");
            let tool = tool.strip_prefix("exec>").unwrap_or(&tool);
            BEFORE_OURS.iter().any(|before| tool.strip_prefix(before).is_some_and(ours))
        }
    }
}

#[cfg(test)]
mod tests;
