//! What it is started with, which options it takes, and its stream as recorded from the program.

use awf_core::{
    AgentFailure, AgentKind, AgentNews, AgentOutcome, AgentRequest, OwnToolEnd, Reach, Usage,
};
use serde_json::{Value, json};

use super::{Lore, bare, inject};
use crate::cli::{
    dialect::Dialect,
    injection::Injection,
    sample::{
        DESK, check_started, errand, failure, heard, refusal, said, server, used, with_options,
    },
    story::Story,
};

const KIND: AgentKind = AgentKind::Codex;

macro_rules! stream {
    ($name:literal) => {
        include_str!(concat!("../../tests/streams/codex-", $name, ".jsonl"))
    };
}

fn tried(request: &AgentRequest, reach: Option<Reach>) -> Result<Injection, AgentFailure> {
    let server = reach.map(server);
    let lore = Lore {
        catalogue: Some("{\"models\":[]}".into()),
        servers: vec!["github".into(), "we \"ird\"".into()],
    };
    let lore = if reach == Some(Reach::Exclusive) { lore } else { Lore::default() };
    inject(&errand(request, server.as_ref()), &lore, DESK.as_ref())
}

#[test]
fn what_it_is_started_with() {
    let injected = |request: &AgentRequest, reach| tried(request, reach).unwrap();
    let pages = [
        include_str!("tests/own.txt"),
        include_str!("tests/intercept.txt"),
        include_str!("tests/additive.txt"),
        include_str!("tests/resume.txt"),
    ];
    check_started(injected, pages);
}

#[test]
fn options_are_flags_and_what_opens_tools_is_refused() {
    let options =
        json!({"model": "gpt-6", "reasoning_effort": "high", "sandbox": "workspace-write"});
    let injection = tried(&with_options(options), None).unwrap();
    let args: Vec<&str> = injection.args.iter().map(|arg| arg.to_str().unwrap()).collect();
    let wanted = [
        "-m",
        "gpt-6",
        "-c",
        "model_reasoning_effort=\"high\"",
        "-c",
        "sandbox_mode=\"workspace-write\"",
    ];
    assert_eq!(args[3..9], wanted);
    for options in [
        json!({"sandbox": "read-only"}),
        json!({"dangerously_skip_permissions": true}),
        json!({"profile": "mine"}),
    ] {
        let refused = refusal(tried(&with_options(options), Some(Reach::Exclusive)));
        assert!(refused.contains("tools of its own"), "{refused}");
    }
    let refused = refusal(tried(&with_options(json!({"max_turns": 1})), None));
    assert_eq!(
        refused,
        "option `max_turns` is not known to provider `codex`; use `model`, `reasoning_effort`, `profile`, `sandbox`, `dangerously_skip_permissions`"
    );
}

#[test]
fn models_lose_their_tools_and_nothing_else() {
    let models = json!({"models": [{
        "slug": "gpt-6",
        "base_instructions": "You are Codex.",
        "apply_patch_tool_type": "freeform",
        "shell_type": "shell_command",
        "tool_mode": "code",
        "supports_search_tool": true,
        "experimental_supported_tools": ["x"],
        "multi_agent_version": 2,
        "multi_agent_reasoning_effort": "low",
    }], "etag": 1});
    let bare: Value = serde_json::from_str(&bare(&models.to_string()).unwrap()).unwrap();
    let wanted = json!({"models": [{
        "slug": "gpt-6",
        "base_instructions": "You are Codex.",
        "apply_patch_tool_type": null,
        "shell_type": "disabled",
        "tool_mode": "direct",
        "supports_search_tool": false,
        "experimental_supported_tools": [],
    }], "etag": 1});
    assert_eq!(bare, wanted);
    for text in ["", "[]", "{\"models\": 1}", "{\"models\": [1]}"] {
        assert_eq!(super::bare(text), None, "{text}");
    }
}

#[test]
fn its_stream_is_read() {
    let (news, outcome) = heard(KIND, stream!("answer"), 0);
    assert_eq!(news, [said("RIG-DONE all good\n")]);
    let outcome = outcome.unwrap();
    assert!(outcome.session.is_some());
    let usage = Usage { input_tokens: 306, output_tokens: 21, ..Usage::default() };
    let text = "RIG-DONE all good".to_owned();
    let session = outcome.session.clone();
    assert_eq!(outcome, AgentOutcome { text, session, usage, model: None });
}

#[test]
fn tools_of_its_own_are_told() {
    let (news, _) = heard(KIND, stream!("own"), 0);
    let command = r#"{"command":"/bin/bash -lc 'touch /project/LEAKED-exec_command'"}"#;
    let change = r#"{"changes":[{"kind":"add","path":"/project/LEAKED-apply_patch"}]}"#;
    let wanted = [
        used("command_execution", command, OwnToolEnd::Ran),
        used("file_change", change, OwnToolEnd::Ran),
        said("RIG-DONE\n"),
    ];
    assert_eq!(news, wanted);
    let call = |server: &str, tool: &str| {
        let item = json!({"id": "1", "type": "mcp_tool_call", "server": server, "tool": tool, "arguments": {"a": 1}});
        let event = json!({"type": "item.completed", "item": item}).to_string();
        heard(KIND, event, 0).0
    };
    assert_eq!(call("github", "Read"), [used("github:Read", "{\"a\":1}", OwnToolEnd::Ran)]);
    assert_eq!(call("awf-proxy", "Read"), []);
    assert_eq!(call("codex", "list_mcp_resources"), []);
}

#[test]
fn a_call_it_cannot_make_is_in_its_complaints_only() {
    let mut story = Story::default();
    for line in [
        "2026-11-16T14:08:50Z ERROR codex_core::tools::router: error=unsupported call: bash",
        "2026-11-16T14:08:50Z ERROR codex_core::tools::router: error=unsupported custom tool call: apply_patch",
        "WARNING: proceeding",
    ] {
        Dialect::Codex.complaint(line, &mut story);
    }
    let none = |tool: &str| {
        let reason = format!("unsupported call: {tool}");
        used(tool, "{}", OwnToolEnd::Unavailable(reason))
    };
    assert_eq!(story.take_news(), [none("bash"), none("apply_patch")]);
}

#[test]
fn its_failures_are_failures() {
    let (_, outcome) = heard(KIND, stream!("refused"), 1);
    let (message, code) = failure(outcome);
    assert!(
        message.starts_with("`codex` ended with exit code 1: {") && code == Some(1),
        "{message}"
    );
    let (news, outcome) = heard(KIND, stream!("reconnect"), 0);
    let reason = "We’re currently experiencing high demand, which may cause temporary errors.";
    assert_eq!(failure(outcome), (format!("`codex` failed: {reason}"), None));
    let retry = format!("Reconnecting... 1/1 ({reason})");
    assert_eq!(news, [retry, reason.to_owned()].map(AgentNews::Complaint));
}
