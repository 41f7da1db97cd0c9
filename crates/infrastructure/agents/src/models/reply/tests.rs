//! Which call is made of what is offered.

use hyper::StatusCode;
use serde_json::{Value, json};

use super::{Call, Reply, decide, ends_in, script};
use crate::models::{
    conversation::{Conversation, Offered, OfferedKind, TurnKind},
    scenario::{ModelCall, ModelTurn, Scenario},
};

fn answer(scenario: &Scenario, talk: &Conversation) -> Reply {
    match decide(scenario, talk) {
        TurnKind::Answer(reply) => reply,
        TurnKind::Refuse(_) | TurnKind::Silence => panic!("no answer"),
    }
}

fn calls(call: ModelCall, tools: Vec<Offered>) -> Reply {
    let scenario = Scenario { turns: vec![ModelTurn::call(call)], last: String::new() };
    answer(&scenario, &Conversation { tools, ..Conversation::default() })
}

fn function(name: &str) -> Call {
    Call::Function { namespace: None, name: name.to_owned(), arguments: json!({"a": 1}) }
}

#[test]
fn a_name_ends_in_a_suffix_at_a_words_edge_only() {
    let rows = [
        ("Read", "Read", true),
        ("mcp__awf-proxy__Read", "Read", true),
        ("mcp__awf_proxy/Read", "Read", true),
        ("awf-proxy_Read", "Read", true),
        ("BulkRead", "Read", false),
        ("Reader", "Read", false),
    ];
    for (name, suffix, wanted) in rows {
        assert_eq!(ends_in(name, suffix), wanted, "{name}");
    }
}

#[test]
fn the_turn_is_the_number_of_answers_given() {
    let scenario =
        Scenario { turns: vec![ModelTurn::say("one"), ModelTurn::say("two")], last: "last".into() };
    let said = |turn| answer(&scenario, &Conversation { turn, ..Conversation::default() }).text;
    assert_eq!([said(0), said(1), said(2), said(9)], ["one", "two", "last", "last"]);
}

#[test]
fn an_offered_tool_is_called_by_its_whole_name() {
    let tools = vec![
        Offered::function("DeferredToolPlaceholder"),
        Offered::function("mcp__awf-proxy__Read"),
    ];
    let reply = calls(ModelCall::offered("Read", json!({"a": 1})), tools);
    assert_eq!(reply.calls, [function("mcp__awf-proxy__Read")]);
}

#[test]
fn a_tool_that_is_not_offered_is_told_and_not_called() {
    let reply = calls(ModelCall::offered("Read", json!({})), vec![Offered::function("Write")]);
    assert_eq!(
        (reply.text.as_str(), reply.calls),
        ("no tool is offered whose name ends in Read", vec![])
    );
}

#[test]
fn an_invented_tool_is_called_all_the_same() {
    assert_eq!(
        calls(ModelCall::named("shell", json!({"a": 1})), Vec::new()).calls,
        [function("shell")]
    );
    let call =
        ModelCall { custom: true, ..ModelCall::named("apply_patch", json!({"input": "*** x"})) };
    let wanted = Call::Text { name: "apply_patch".into(), input: "*** x".into() };
    assert_eq!(calls(call, Vec::new()).calls, [wanted]);
}

#[test]
fn a_tool_in_a_script_is_called_by_a_script_that_tells_what_there_is() {
    let runner = Offered { name: "exec".into(), kind: OfferedKind::Script };
    let reply = calls(ModelCall::offered("Read", json!({"a": 1})), vec![runner]);
    let [Call::Text { name, input }] = reply.calls.as_slice() else { panic!("{reply:?}") };
    assert_eq!(name, "exec");
    assert!(input.contains(r#"tools[name]({"a":1})"#), "{input}");
    let said = "Output:\ncallable here: [\"apply_patch\",\"mcp__awf_proxy__Read\"]\nand more";
    assert_eq!(script::callable(said), ["apply_patch", "mcp__awf_proxy__Read"]);
    assert_eq!(script::callable("nothing"), Vec::<String>::new());
}

#[test]
fn a_tool_that_must_be_found_is_searched_for_once() {
    let search = Offered { name: "tool_search".into(), kind: OfferedKind::Search };
    let mut talk = Conversation { tools: vec![search], ..Conversation::default() };
    let call = ModelCall::offered("fixture_stamp", json!({}));
    let scenario = Scenario { turns: vec![ModelTurn::call(call)], last: String::new() };
    let query = "fixture stamp".to_owned();
    assert_eq!(answer(&scenario, &talk).calls, [Call::Search { query: query.clone() }]);
    talk.searches.push(query);
    assert_eq!(answer(&scenario, &talk).calls, []);
}

#[test]
fn a_side_request_gets_the_form_it_asks_for() {
    let schema = Some(json!({"type": "OBJECT", "properties": {"score": {"type": "INTEGER"}}}));
    let talk = Conversation { schema, ..Conversation::default() };
    let scenario = Scenario { turns: vec![ModelTurn::say("hello")], last: String::new() };
    let text = answer(&scenario, &talk).text;
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), json!({"score": 1}));
}

#[test]
fn a_turn_may_refuse_or_be_silent() {
    let turn = |turn| Scenario { turns: vec![turn], last: String::new() };
    let talk = Conversation::default();
    let refuses = turn(ModelTurn { http_error: Some(429), ..ModelTurn::default() });
    assert!(matches!(decide(&refuses, &talk), TurnKind::Refuse(StatusCode::TOO_MANY_REQUESTS)));
    let silent = turn(ModelTurn { hang: true, ..ModelTurn::default() });
    assert!(matches!(decide(&silent, &talk), TurnKind::Silence));
}
