//! Sightings, and what they come to.

use awf_core::AgentKind;

use super::{Finding, finding};
use crate::{commands::doctor::trial::Sighting, proofs::Verdict};

fn seen(offered: &[&str]) -> Sighting {
    let offered = offered.iter().map(|tool| (*tool).to_owned()).collect();
    Sighting { offered, answered: true, ..Sighting::default() }
}

fn of(plain: &Sighting, hostile: &Sighting) -> Finding {
    finding(AgentKind::Codex, plain, hostile)
}

#[test]
fn only_ours_is_proven_and_what_reaches_nothing_is_named() {
    let plain = seen(&["mcp__awf_proxy/Read", "list_mcp_resources"]);
    let found = of(&plain, &plain);
    assert_eq!((found.verdict, found.offered), (Verdict::Proven, 1));
    assert_eq!(found.remains, ["list_mcp_resources"]);
    let bare = finding(AgentKind::OpenAiCompatible, &seen(&["Read", "Bash"]), &seen(&["Read"]));
    assert_eq!((bare.verdict, bare.offered), (Verdict::Proven, 2));
}

#[test]
fn another_tool_on_offer_is_a_residue() {
    let found = of(&seen(&["mcp__awf_proxy/Read"]), &seen(&["mcp__awf_proxy/Read", "clock"]));
    assert_eq!((found.verdict, found.remains), (Verdict::Residual, vec!["clock".to_owned()]));
}

#[test]
fn a_trace_or_a_server_of_the_project_is_a_leak_whatever_else_is_seen() {
    let traced = Sighting {
        traces: vec!["LEAKED-bash".to_owned()],
        failure: Some("timeout".to_owned()),
        ..seen(&["awf-proxy_Read"])
    };
    let found = of(&seen(&["awf-proxy_Read"]), &traced);
    assert_eq!((found.verdict, found.leaks), (Verdict::Leaking, vec!["LEAKED-bash".to_owned()]));
    let found = of(&seen(&["awf-proxy_Read"]), &seen(&["hostile_wipe"]));
    assert_eq!(
        (found.verdict, found.leaks),
        (Verdict::Leaking, vec!["offered hostile_wipe".to_owned()])
    );
}

#[test]
fn a_trial_that_came_to_nothing_proves_nothing() {
    let unanswered = Sighting { answered: false, ..seen(&["awf-proxy_Read"]) };
    assert_eq!(of(&unanswered, &seen(&["awf-proxy_Read"])).verdict, Verdict::Failed);
    let failed = Sighting { failure: Some("no".to_owned()), ..seen(&[]) };
    let found = of(&seen(&["awf-proxy_Read"]), &failed);
    assert_eq!((found.verdict, found.reason.as_deref()), (Verdict::Failed, Some("no")));
}

#[test]
fn a_name_that_only_holds_ours_is_not_ours() {
    for tool in
        ["mcp__awf-proxy__Read", "mcp_awf-proxy_Bash", "mcp__awf_proxy/Grep", "awf-proxy_Edit"]
    {
        assert!(super::is_ours(AgentKind::Claude, tool), "{tool}");
    }
    for tool in
        ["mcp__awf-proxy-evil__Read", "mcp__awf-proxy__evil__Read", "awf_proxy", "Bash_awf-proxy"]
    {
        assert!(!super::is_ours(AgentKind::Claude, tool), "{tool}");
    }
}
