//! What it is started with, which options it takes, and its stream as recorded from the program.

use awf_core::{AgentKind, AgentOutcome, OwnToolEnd, Reach, Usage};
use serde_json::json;

use super::inject;
use crate::cli::{
    injection::Injection,
    sample::{
        DESK, check_started, errand, failure, heard, refusal, request, said, server, used,
        with_options,
    },
};

const KIND: AgentKind = AgentKind::Claude;

macro_rules! stream {
    ($name:literal) => {
        include_str!(concat!("../../tests/streams/claude-", $name, ".jsonl"))
    };
}

fn injected(request: &awf_core::AgentRequest, reach: Option<Reach>) -> Injection {
    let server = reach.map(server);
    inject(&errand(request, server.as_ref()), DESK.as_ref()).unwrap()
}

#[test]
fn what_it_is_started_with() {
    let pages = [
        include_str!("tests/own.txt"),
        include_str!("tests/intercept.txt"),
        include_str!("tests/additive.txt"),
        include_str!("tests/resume.txt"),
    ];
    check_started(injected, pages);
}

#[test]
fn a_prompt_that_begins_with_a_slash_is_no_command() {
    let slash = awf_core::AgentRequest { prompt: "/etc/hosts is wrong".into(), ..request() };
    assert_eq!(injected(&slash, None).stdin, " /etc/hosts is wrong");
}

#[test]
fn options_are_flags() {
    let options = json!({"model": "opus", "max_turns": "7", "allowed_tools": ["Read", "Bash(ls:*)"], "dangerously_skip_permissions": true, "effort": "high"});
    let injection = injected(&with_options(options), Some(Reach::Additive));
    let args: Vec<&str> = injection.args.iter().map(|arg| arg.to_str().unwrap()).collect();
    let flags = "--model opus --max-turns 7 --dangerously-skip-permissions --effort high";
    let mut wanted: Vec<&str> = flags.split(' ').collect();
    wanted.sort_unstable();
    let mut found = args[4..11].to_vec();
    found.sort_unstable();
    assert_eq!(found, wanted);
    assert_eq!(args[args.len() - 2..], ["--allowedTools", "mcp__awf-proxy,Read,Bash(ls:*)"]);
    let off = with_options(json!({"dangerously_skip_permissions": false}));
    assert_eq!(
        injected(&off, Some(Reach::Exclusive)),
        injected(&request(), Some(Reach::Exclusive))
    );
}

#[test]
fn what_cannot_be_honoured_is_refused() {
    let refused = |options| {
        let (request, server) = (with_options(options), server(Reach::Exclusive));
        refusal(inject(&errand(&request, Some(&server)), DESK.as_ref()))
    };
    assert_eq!(
        refused(json!({"max_tokens": 5})),
        "option `max_tokens` is not known to provider `claude`; use `model`, `fallback_model`, `effort`, `max_turns`, `allowed_tools`, `disallowed_tools`, `permission_mode`, `dangerously_skip_permissions`"
    );
    assert_eq!(
        refused(json!({"dangerously_skip_permissions": true})),
        "option `dangerously_skip_permissions` gives provider `claude` tools of its own, and `intercept_builtins: true` leaves it none; remove one of the two"
    );
    for options in [json!({"allowed_tools": "Bash"}), json!({"permission_mode": "plan"})] {
        assert!(refused(options).contains("tools of its own"));
    }
    for (options, reason) in [
        (json!({"model": 5}), "option `model` of provider `claude` must be a word, not `5`"),
        (
            json!({"model": "--help"}),
            "option `model` of provider `claude` must be a word, not `--help`",
        ),
        (
            json!({"max_turns": 0}),
            "option `max_turns` of provider `claude` must be a number above 0, not `0`",
        ),
        (
            json!({"disallowed_tools": []}),
            "option `disallowed_tools` of provider `claude` must be a word or a list of words, not `[]`",
        ),
        (
            json!({"dangerously_skip_permissions": 1}),
            "option `dangerously_skip_permissions` of provider `claude` must be true or false, not `1`",
        ),
        (
            json!({"permission_mode": "x"}),
            "option `permission_mode` of provider `claude` must be one of `default`, `acceptEdits`, `dontAsk`, `plan`, `auto`, `bypassPermissions`, not `x`",
        ),
    ] {
        assert_eq!(refused(options), reason);
    }
}

#[test]
fn its_stream_is_read() {
    let (news, outcome) = heard(KIND, stream!("answer"), 0);
    assert_eq!(news, [said("RIG-DONE all good\n")]);
    let outcome = outcome.unwrap();
    assert!(outcome.session.is_some());
    let usage =
        Usage { input_tokens: 306, output_tokens: 21, estimated: false, cost: Some(0.001_644) };
    let model = Some("claude-opus-5-5".to_owned());
    let text = "RIG-DONE all good".to_owned();
    assert_eq!(outcome, AgentOutcome { text, session: outcome.session.clone(), usage, model });
}

#[test]
fn tools_of_its_own_are_told() {
    let (news, _) = heard(KIND, stream!("own"), 0);
    let bash = r#"{"command":"touch /project/LEAKED-Bash; echo LEAK"}"#;
    let read = r#"{"file_path":"/project/marker.txt"}"#;
    assert_eq!(news, [used("Bash", bash, OwnToolEnd::Ran), used("Read", read, OwnToolEnd::Ran)]);
    let (news, _) = heard(KIND, stream!("invented"), 0);
    let none = |tool: &str| {
        OwnToolEnd::Unavailable(format!(
            "<tool_use_error>Error: No such tool available: {tool}. {tool} is disabled for this session, in subagents as well as here.</tool_use_error>"
        ))
    };
    let wanted =
        [used("Bash", bash, none("Bash")), used("Read", read, none("Read")), said("RIG-DONE\n")];
    assert_eq!(news, wanted);
}

#[test]
fn its_failures_are_failures() {
    let (news, outcome) = heard(KIND, stream!("refused"), 1);
    assert_eq!(news, []);
    let refused = "`claude` ended with exit code 1: API Error: 400 rig scripted error";
    assert_eq!(failure(outcome), (refused.to_owned(), Some(1)));
    // `is_error` counts, also with the subtype `success` and exit code 0.
    let (_, outcome) = heard(KIND, stream!("refused"), 0);
    let refused = "`claude` failed: API Error: 400 rig scripted error";
    assert_eq!(failure(outcome), (refused.to_owned(), None));
    let (_, outcome) = heard(KIND, stream!("turns"), 1);
    assert_eq!(outcome.as_ref().unwrap_err().usage().input_tokens, 101);
    let turns = "`claude` ended with exit code 1: it used all turns of `max_turns`";
    assert_eq!(failure(outcome), (turns.to_owned(), Some(1)));
}

#[test]
fn attempts_of_the_model_are_complaints_and_several_results_are_one_answer() {
    let stream = concat!(
        r#"{"type":"system","subtype":"api_retry","attempt":4,"max_retries":10,"error":"server_error"}"#,
        "\n",
        r#"{"type":"result","subtype":"success","is_error":false,"result":"one","usage":{"input_tokens":1,"cache_read_input_tokens":4,"output_tokens":2}}"#,
        "\n",
        r#"{"type":"result","subtype":"success","is_error":false,"result":"two","usage":{"input_tokens":1,"output_tokens":2}}"#,
    );
    let (news, outcome) = heard(KIND, stream, 0);
    let retry = "the model's server answered with `server_error`; attempt 4 of 10 follows";
    assert_eq!(news, [awf_core::AgentNews::Complaint(retry.to_owned())]);
    let outcome = outcome.unwrap();
    assert_eq!((outcome.text.as_str(), outcome.usage.input_tokens), ("two", 6));
}

#[test]
fn a_tool_that_ran_cannot_say_that_there_is_no_such_tool() {
    let stream = r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"Exit code 1\n<tool_use_error>Error: No such tool available: Bash"}]}}
"#;
    let (news, _) = heard(KIND, stream, 0);
    assert_eq!(news, [used("Bash", "{}", OwnToolEnd::Ran)]);
}
