//! What may be offered, and what not.

use super::{judge_additive, judge_intercepted};
use crate::peers::agents::agent::Agent;

const OURS: [&str; 6] = ["Bash", "Edit", "Glob", "Grep", "Read", "Write"];

fn offer(prefix: &str, others: &[&str]) -> Vec<String> {
    let ours = OURS.iter().map(|name| format!("{prefix}{name}"));
    ours.chain(others.iter().map(|name| (*name).to_owned())).collect()
}

#[test]
fn only_awfs_tools_may_be_offered_when_intercepting() {
    let rows = [
        (Agent::Claude, "mcp__awf-proxy__", &["DeferredToolPlaceholder"][..], true),
        (Agent::Claude, "mcp__awf-proxy__", &["Bash"], false),
        (Agent::Claude, "mcp__awf-proxy__", &["mcp__evil__Read"], false),
        (Agent::Codex, "mcp__awf_proxy/", &["read_mcp_resource"], true),
        (Agent::Codex, "mcp__awf_proxy/", &["exec"], false),
        (Agent::Gemini, "mcp_awf-proxy_", &[], true),
        (Agent::Gemini, "mcp_awf-proxy_", &["read_file"], false),
        (Agent::OpenCode, "awf-proxy_", &["webfetch"], false),
        (Agent::Endpoint, "", &[], true),
        (Agent::Endpoint, "", &["shell"], false),
        (Agent::OpenCode, "mcp_", &[], false),
    ];
    for (agent, prefix, others, wanted) in rows {
        let offered = offer(prefix, others);
        let offered: Vec<_> = offered.iter().map(String::as_str).collect();
        assert_eq!(judge_intercepted(agent, &offered).is_ok(), wanted, "{agent:?} {offered:?}");
        assert!(judge_intercepted(agent, &offered[1..]).is_err(), "one is missing");
    }
}

#[test]
fn an_agent_keeps_its_own_tools_when_adding() {
    let rows = [
        (Agent::Claude, &["Bash", "mcp__awf-proxy__fixture_x"][..], true),
        (Agent::Claude, &["mcp__awf-proxy__fixture_x"], false),
        (Agent::Claude, &["Bash", "mcp__awf-proxy__fixture_x", "mcp__awf-proxy__Read"], false),
        (Agent::Claude, &["Bash"], false),
        (Agent::Codex, &["exec", "exec>mcp__awf_proxy__fixture_x"], true),
        (Agent::Endpoint, &["fixture_x"], true),
    ];
    for (agent, offered, wanted) in rows {
        assert_eq!(judge_additive(agent, offered, "fixture_x").is_ok(), wanted, "{offered:?}");
    }
}
