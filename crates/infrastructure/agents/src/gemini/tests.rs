//! What it is started with, which options it takes, and its stream as recorded from the program.

use awf_core::{AgentFailure, AgentKind, AgentOutcome, AgentRequest, OwnToolEnd, Reach, Usage};
use serde_json::json;

use super::{House, inject};
use crate::cli::{
    injection::Injection,
    sample::{
        DESK, check_started, errand, failure, heard, refusal, resumed, said, server, used,
        with_options,
    },
};

const KIND: AgentKind = AgentKind::Gemini;

macro_rules! stream {
    ($name:literal) => {
        include_str!(concat!("../../tests/streams/gemini-", $name, ".jsonl"))
    };
}

fn tried(request: &AgentRequest, reach: Option<Reach>) -> Result<Injection, AgentFailure> {
    let server = reach.map(server);
    let settings = json!({"security": {"auth": {"selectedType": "oauth-personal"}}, "mcpServers": {"github": {"command": "gh"}}, "mcp": {"allowed": ["github"]}});
    let house = House {
        path: "/home/ann/.gemini".into(),
        entries: vec!["oauth_creds.json".into(), "tmp".into()],
        settings: settings.as_object().unwrap().clone(),
    };
    inject(&errand(request, server.as_ref()), &house, DESK.as_ref())
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
fn a_file_that_the_prompt_names_is_not_gemini_s_to_read() {
    let asked = || AgentRequest { prompt: "See @/etc/passwd, \\@x".into(), ..resumed() };
    let stdin = |reach| tried(&asked(), reach).unwrap().stdin;
    assert_eq!(stdin(Some(Reach::Exclusive)), "See \\@/etc/passwd, \\\\@x");
    assert_eq!(stdin(Some(Reach::Additive)), asked().prompt);
    assert_eq!(stdin(None), asked().prompt);
}

#[test]
fn options_are_flags_and_what_opens_tools_is_refused() {
    let injection = tried(&with_options(json!({"model": "gemini-x", "yolo": true})), None).unwrap();
    let args: Vec<&str> = injection.args.iter().map(|arg| arg.to_str().unwrap()).collect();
    assert_eq!(args[3..], ["-m", "gemini-x", "--approval-mode", "yolo"]);
    for options in [
        json!({"yolo": true}),
        json!({"approval_mode": "auto_edit"}),
        json!({"dangerously_skip_permissions": true}),
    ] {
        let refused = refusal(tried(&with_options(options), Some(Reach::Exclusive)));
        assert!(refused.contains("tools of its own"), "{refused}");
    }
    let refused = refusal(tried(&with_options(json!({"sandbox": true})), None));
    assert!(refused.starts_with("option `sandbox` is not known to provider `gemini`; use `model`"));
}

#[test]
fn its_stream_is_read() {
    let (news, outcome) = heard(KIND, stream!("answer"), 0);
    assert_eq!(news, ["RIG-DO", "NE all", " good", "\n"].map(said));
    let outcome = outcome.unwrap();
    assert!(outcome.session.is_some());
    let usage = Usage { input_tokens: 410, output_tokens: 28, ..Usage::default() };
    let (text, session) = ("RIG-DONE all good".to_owned(), outcome.session.clone());
    let model = Some("gemini-3.8-flash".to_owned());
    assert_eq!(outcome, AgentOutcome { text, session, usage, model });
}

#[test]
fn what_is_said_before_a_tool_is_told_and_is_not_the_answer() {
    let say =
        |text: &str| json!({"type": "message", "role": "assistant", "content": text}).to_string();
    let call =
        json!({"type": "tool_use", "tool_name": "mcp_awf-proxy_Read", "tool_id": "1"}).to_string();
    let end = json!({"type": "result", "status": "success"}).to_string();
    let (news, outcome) =
        heard(KIND, [say("I look"), call.clone(), say("done"), end.clone()].join("\n"), 0);
    assert_eq!(news, ["I look", "\n", "done", "\n"].map(said));
    assert_eq!(outcome.unwrap().text, "done");
    let (_, outcome) = heard(KIND, [say("I look"), call, end].join("\n"), 0);
    assert_eq!(outcome.unwrap().text, "I look");
}

#[test]
fn tools_of_its_own_are_told() {
    let (news, _) = heard(KIND, stream!("own"), 0);
    let shell = r#"{"command":"touch /project/LEAKED-run_shell_command"}"#;
    let wanted = [used("run_shell_command", shell, OwnToolEnd::Ran), said("NE"), said("\n")];
    assert_eq!(news, wanted);
    let (news, _) = heard(KIND, stream!("invented"), 0);
    let bash = r#"{"command":"touch /project/LEAKED-Bash; echo LEAK"}"#;
    let none = "Tool \"Bash\" not found. Did you mean one of: \"mcp_awf-proxy_Bash\", \"mcp_awf-proxy_Read\"?";
    assert_eq!(news[0], used("Bash", bash, OwnToolEnd::Unavailable(none.to_owned())));
}

#[test]
fn its_failures_are_failures() {
    for (code, told) in [(144, "ended with exit code 144"), (0, "failed")] {
        let (_, outcome) = heard(KIND, stream!("refused"), code);
        let (message, exit_code) = failure(outcome);
        assert!(message.starts_with(&format!("`gemini` {told}: [API Error: ")), "{message}");
        assert_eq!(exit_code, (code != 0).then_some(code));
    }
}
