//! What a stream amounts to, whatever is in it.

use awf_core::{AgentKind, OwnToolEnd, Usage};
use awf_process::Exit;
use serde_json::json;

use super::{Ending, Story};
use crate::cli::{
    ledger::{Before, Ledger},
    sample::{failure, heard, said, turns, used},
};

fn ending(exit: Exit) -> Ending<'static> {
    Ending { exit, before: Before::New, complaints: "  no key\n" }
}

#[test]
fn junk_around_the_events_is_tolerated() {
    let good = r#"{"type":"result","subtype":"success","is_error":false,"result":"ok"}"#;
    let junk: [&[u8]; 7] = [
        b"",
        b"hook says hi",
        b"\0\0",
        b"\xff\xfe{",
        b"[1]",
        b"17",
        b"{\"type\":\"of the future\"}",
    ];
    let mut stream = junk.join(&b'\n');
    stream.extend_from_slice(b"\n{\"type\":\0\"assistant\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"a\xffb\"}]}}\r\n");
    stream.extend_from_slice(good.as_bytes());
    let (news, outcome) = heard(AgentKind::Claude, stream, 0);
    assert_eq!(news, [said("a\u{fffd}b\n")]);
    assert_eq!(outcome.unwrap().text, "ok");
}

#[test]
fn a_stream_without_an_end_is_a_failure_with_the_last_words() {
    for (exit, message, code) in [
        (Exit::Code(0), "`codex` ended without an answer: no key", None),
        (Exit::Code(7), "`codex` ended with exit code 7: no key", Some(7)),
        (Exit::Signal(9), "`codex` was ended by signal 9: no key", Some(137)),
    ] {
        let outcome = Story::default().conclude(AgentKind::Codex, &ending(exit));
        assert_eq!(failure(outcome), (message.to_owned(), code));
    }
    let (_, outcome) = heard(AgentKind::Claude, "error: unknown option\n", 1);
    let message = "`claude` ended with exit code 1: error: unknown option";
    assert_eq!(failure(outcome), (message.to_owned(), Some(1)));
}

#[test]
fn an_answer_does_not_count_when_the_exit_code_says_otherwise() {
    let mut story = Story::default();
    story.answer();
    let (message, code) = failure(story.conclude(AgentKind::Gemini, &ending(Exit::Code(3))));
    assert_eq!((message.as_str(), code), ("`gemini` ended with exit code 3: no key", Some(3)));
}

#[test]
fn a_failure_that_was_told_counts_whatever_the_exit_code() {
    let mut story = Story::default();
    story.fail("out of credit");
    story.answer();
    let (message, code) = failure(story.conclude(AgentKind::Claude, &ending(Exit::Code(0))));
    assert_eq!((message.as_str(), code), ("`claude` failed: out of credit", None));
    let mut story = Story::default();
    story.trouble("reconnecting");
    let (message, _) = failure(story.conclude(AgentKind::Codex, &ending(Exit::Code(0))));
    assert_eq!(message, "`codex` failed: reconnecting");
    let mut story = Story::default();
    story.trouble("reconnecting");
    story.answer();
    assert!(story.conclude(AgentKind::Codex, &ending(Exit::Code(0))).is_ok());
}

#[test]
fn uses_without_a_result_are_told_at_the_end_and_never_pile_up() {
    let mut story = Story::default();
    for number in 0..300 {
        story.begin_use(&number.to_string(), "Bash", &json!({"n": number}));
    }
    assert_eq!(story.take_news().len(), 300 - super::MOST_USES);
    story.end_use("299", OwnToolEnd::Unavailable("no".into()));
    story.end_use("unheard of", OwnToolEnd::Ran);
    let last = used("Bash", "{\"n\":299}", OwnToolEnd::Unavailable("no".into()));
    assert_eq!(story.take_news(), [last]);
    story.close();
    assert_eq!(story.take_news().len(), super::MOST_USES - 1);
    let long = "x".repeat(super::LONGEST_ARGUMENTS);
    story.begin_use("1", "Write", &json!({"content": long}));
    story.close();
    assert_eq!(story.take_news(), [used("Write", "{}", OwnToolEnd::Ran)]);
}

#[test]
fn an_endless_answer_is_a_failure() {
    let mut story = Story::default();
    let piece = "x".repeat(1 << 20);
    for _ in 0..17 {
        story.add_text(&piece);
    }
    story.answer();
    let (message, _) = failure(story.conclude(AgentKind::Gemini, &ending(Exit::Code(0))));
    assert_eq!(message, "`gemini` failed: its answer is longer than 16 MiB");
}

#[test]
fn a_session_that_goes_on_is_charged_once() {
    let usage = |input_tokens, cost| Usage { input_tokens, cost, ..Usage::default() };
    let ledger = Ledger::default();
    let (own, total) = (usage(5, None), Some(usage(30, Some(0.5))));
    assert_eq!(ledger.before(None).used(own, total), usage(30, Some(0.5)));
    assert_eq!(ledger.before(Some("s")).used(own, total), own);
    assert_eq!(ledger.before(Some("s")).used(own, None), own);
    ledger.note(Some("s"), Some(usage(20, Some(0.25))));
    assert_eq!(ledger.before(Some("s")).used(own, total), usage(10, Some(0.25)));
}

/// What is said and called, by each program's own words: one answer with two calls at once, then one that is the last.
#[test]
fn answers_of_the_model_are_told_one_by_one() {
    let claude = r#"{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"hm"}]}}
{"type":"assistant","message":{"content":[{"type":"text","text":"I look."}]}}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a","name":"mcp__awf-proxy__Read","input":{}}]}}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"b","name":"Bash","input":{}}]}}
{"type":"assistant","parent_tool_use_id":"b","message":{"content":[{"type":"tool_use","id":"c","name":"Read","input":{}}]}}
{"type":"user","parent_tool_use_id":"b","message":{"content":[{"type":"tool_result","tool_use_id":"c"}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a"}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"b"}]}}
{"type":"assistant","message":{"content":[{"type":"text","text":"Done."}]}}
{"type":"result","subtype":"success","is_error":false,"result":"Done."}
"#;
    let codex = r#"{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"I look."}}
{"type":"item.started","item":{"id":"2","type":"mcp_tool_call","server":"awf-proxy","tool":"Read"}}
{"type":"item.started","item":{"id":"3","type":"command_execution","command":"ls"}}
{"type":"item.completed","item":{"id":"2","type":"mcp_tool_call","server":"awf-proxy","tool":"Read"}}
{"type":"item.completed","item":{"id":"3","type":"command_execution","command":"ls"}}
{"type":"item.completed","item":{"id":"4","type":"agent_message","text":"Done."}}
{"type":"turn.completed","usage":{}}
"#;
    let gemini = r#"{"type":"message","role":"assistant","content":"I ","delta":true}
{"type":"message","role":"assistant","content":"look.","delta":true}
{"type":"tool_use","tool_id":"a","tool_name":"mcp_awf-proxy_Read","parameters":{}}
{"type":"tool_use","tool_id":"b","tool_name":"mcp_awf-proxy_Read","parameters":{}}
{"type":"tool_result","tool_id":"b","status":"success"}
{"type":"tool_result","tool_id":"a","status":"success"}
{"type":"message","role":"assistant","content":"Done.","delta":true}
{"type":"result","status":"success","stats":{}}
"#;
    let unknown = [r#""I look.\n" None"#, "asked", r#""Done.\n" None"#];
    for (kind, stream) in
        [(AgentKind::Claude, claude), (AgentKind::Codex, codex), (AgentKind::Gemini, gemini)]
    {
        assert_eq!(turns(kind, stream), unknown, "{kind:?}");
    }
    let opencode = r#"{"type":"step_start","part":{}}
{"type":"text","part":{"text":"I look."}}
{"type":"tool_use","part":{"callID":"a","tool":"awf-proxy_Read","state":{}}}
{"type":"step_finish","part":{"reason":"tool-calls","tokens":{"input":5,"output":2}}}
{"type":"step_start","part":{}}
{"type":"text","part":{"text":"Done."}}
{"type":"step_finish","part":{"reason":"stop","tokens":{"input":9,"output":1}}}
"#;
    let counted = ["asked", r#""I look.\n" Some((5, 2))"#, "asked", r#""Done.\n" Some((9, 1))"#];
    assert_eq!(turns(AgentKind::OpenCode, opencode), counted);
}
