//! What it is started with, which options it takes, and its stream as recorded from the program.

use awf_core::{AgentFailure, AgentKind, AgentOutcome, AgentRequest, OwnToolEnd, Reach, Usage};
use serde_json::{Value, json};

use super::inject;
use crate::cli::{
    injection::Injection,
    sample::{
        DESK, check_started, errand, failure, heard, page, refusal, request, said, server, used,
        with_options,
    },
};

const KIND: AgentKind = AgentKind::OpenCode;

macro_rules! stream {
    ($name:literal) => {
        include_str!(concat!("../../tests/streams/opencode-", $name, ".jsonl"))
    };
}

fn tried(request: &AgentRequest, reach: Option<Reach>) -> Result<Injection, AgentFailure> {
    let server = reach.map(server);
    inject(&errand(request, server.as_ref()), DESK.as_ref())
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
    let bare = AgentRequest { system_prompt: None, ..request() };
    let wanted = "arg  run\narg  --format\narg  json\nstdin \"Do it.\"\n";
    assert_eq!(page(&injected(&bare, None)), wanted);
}

#[test]
fn what_the_user_has_in_the_variable_stays() {
    let theirs = json!({"model": "a/b", "mcp": {"github": {"enabled": true}}, "instructions": ["x.md"], "permission": {"bash": "allow"}});
    let env = vec![("OPENCODE_CONFIG_CONTENT".into(), theirs.to_string().into())];
    let request = AgentRequest { env, ..request() };
    let config = |reach| -> Value {
        let injection = tried(&request, Some(reach)).unwrap();
        let (_, text) = injection.env.last().unwrap();
        serde_json::from_str(text.to_str().unwrap()).unwrap()
    };
    let additive = config(Reach::Additive);
    assert_eq!(additive["model"], "a/b");
    assert_eq!(additive["instructions"], json!(["x.md", "/run/desk/system-prompt"]));
    assert_eq!(additive["permission"], json!({"bash": "allow"}));
    assert_eq!(additive["mcp"].as_object().unwrap().len(), 2);
    let exclusive = config(Reach::Exclusive);
    assert_eq!(exclusive["model"], "a/b");
    assert_eq!(exclusive["permission"], json!({"*": "deny", "awf-proxy_*": "allow"}));
    assert_eq!(exclusive["mcp"].as_object().unwrap().len(), 1);
}

#[test]
fn options_are_flags_and_what_opens_tools_is_refused() {
    let options = json!({"model": "a/b", "dangerously_skip_permissions": true});
    let injection = tried(&with_options(options), None).unwrap();
    let mut args: Vec<&str> = injection.args.iter().map(|arg| arg.to_str().unwrap()).collect();
    args.sort_unstable();
    assert_eq!(args, ["--auto", "--format", "--model", "a/b", "json", "run"]);
    for options in [json!({"agent": "build"}), json!({"dangerously_skip_permissions": true})] {
        let refused = refusal(tried(&with_options(options), Some(Reach::Exclusive)));
        assert!(refused.contains("tools of its own"), "{refused}");
    }
    let refused = refusal(tried(&with_options(json!({"framework": "x"})), None));
    assert_eq!(
        refused,
        "option `framework` is not known to provider `opencode`; use `model`, `variant`, `agent`, `dangerously_skip_permissions`"
    );
}

#[test]
fn its_stream_is_read() {
    let (news, outcome) = heard(KIND, stream!("answer"), 0);
    assert_eq!(news, [said("RIG-DONE all good\n")]);
    let outcome = outcome.unwrap();
    assert!(outcome.session.is_some());
    let usage = Usage { input_tokens: 309, output_tokens: 21, ..Usage::default() };
    let (text, session) = ("RIG-DONE all good".to_owned(), outcome.session.clone());
    assert_eq!(outcome, AgentOutcome { text, session, usage, model: None });
}

#[test]
fn a_stream_that_stops_after_a_tool_is_no_answer() {
    let lines: Vec<&str> = stream!("answer").lines().take(6).collect();
    let (_, outcome) = heard(KIND, lines.join("\n"), 0);
    let wanted = "`opencode` ended without an answer".to_owned();
    assert_eq!(failure(outcome), (wanted, None));
}

#[test]
fn tools_of_its_own_are_told() {
    let bash = r#"{"command":"touch /project/LEAKED-Bash; echo LEAK"}"#;
    let (news, _) = heard(KIND, stream!("own"), 0);
    assert_eq!(news[0], used("bash", bash, OwnToolEnd::Ran));
    let (news, _) = heard(KIND, stream!("invented"), 0);
    let none = "Model tried to call unavailable tool 'invalid'. Available tools: awf-proxy_Bash, awf-proxy_Read.";
    let wanted = [used("Bash", bash, OwnToolEnd::Unavailable(none.to_owned())), said("RIG-DONE\n")];
    assert_eq!(news, wanted);
}

#[test]
fn its_failures_are_failures() {
    for (code, told) in [(1, "ended with exit code 1"), (0, "failed")] {
        let (_, outcome) = heard(KIND, stream!("refused"), code);
        let message = format!("`opencode` {told}: rig scripted error");
        assert_eq!(failure(outcome), (message, (code != 0).then_some(code)));
    }
}

#[test]
fn a_tool_that_ran_cannot_say_that_it_was_denied() {
    let stream = r#"{"type":"tool_use","part":{"tool":"read","callID":"c","state":{"status":"error","input":{},"error":"no such file: unavailable tool"}}}"#;
    let (news, _) = heard(KIND, stream, 0);
    assert_eq!(news, [used("read", "{}", OwnToolEnd::Ran)]);
}
