//! The loop with an endpoint: what it is sent, which calls are made, and how it ends.

use awf_core::{AgentFailure, AgentNews, StdioAccess, ToolAccess, Usage};
use serde_json::{Value, json};

use crate::{
    asking::{Asking, LONG_NAME, Toolkit},
    model::{Part, calls, delta, events, finish, head, says, status, stream},
};

fn schema() -> Value {
    json!({"type": "object", "properties": {"file_path": {"type": "string"}}})
}

fn told(id: &str, text: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": text})
}

#[tokio::test]
async fn the_request_offers_what_the_router_lists() {
    let options = json!({"temperature": 0.5, "top_p": 0.25, "max_tokens": 100});
    let mut asking = Asking::new(vec![says("ok")]).await.with(options);
    asking.toolkit = Toolkit::new(&["Read", LONG_NAME]);
    asking.run().await.unwrap();
    let short = "kubernetes_a_very_long_name_for_an_operation_that_nobod_7a052fb4";
    let tool = |name: &str| json!({"type": "function", "function": {"name": name, "description": "Does it", "parameters": schema()}});
    let expected = json!({
        "model": "test-model",
        "messages": [{"role": "system", "content": "Be brief"}, {"role": "user", "content": "Do it"}],
        "tools": [tool("Read"), tool(short)],
        "tool_choice": "auto",
        "stream": true,
        "stream_options": {"include_usage": true},
        "temperature": 0.5,
        "top_p": 0.25,
        "max_tokens": 100,
    });
    assert_eq!(asking.model.asked()[0].body, expected);
    let head = &asking.model.asked()[0].head;
    assert!(head.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("accept-encoding: identity\r\n"), "{head}");
}

#[tokio::test]
async fn without_tools_none_are_spoken_of() {
    let mut asking = Asking::new(vec![says("ok"), says("ok")]).await.with(json!({"model": "m"}));
    asking.request.system_prompt = None;
    asking.toolkit = Toolkit::new(&[]);
    asking.run().await.unwrap();
    asking.run_with(ToolAccess::Own).await.unwrap();
    let expected = json!({
        "model": "m",
        "messages": [{"role": "user", "content": "Do it"}],
        "stream": true,
        "stream_options": {"include_usage": true},
    });
    for asked in asking.model.asked() {
        assert_eq!(asked.body, expected);
    }
}

#[tokio::test]
async fn calls_are_made_and_what_came_of_them_goes_back_in_order() {
    let first = calls(&[("Read", r#"{"file_path":"é"}"#), ("count", "{}")]);
    let asking = Asking::new(vec![first, says("all done")]).await;
    let outcome = asking.run().await.unwrap();
    assert_eq!((outcome.text.as_str(), outcome.model.as_deref()), ("all done", Some("m-1")));
    let usage = Usage { input_tokens: 20, output_tokens: 2, estimated: false, cost: None };
    assert_eq!(outcome.usage, usage);
    let call = |id: &str, name: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
    let asked = [call("c0", "Read", r#"{"file_path":"é"}"#), call("c1", "count", "{}")];
    let expected = [
        json!({"role": "system", "content": "Be brief"}),
        json!({"role": "user", "content": "Do it"}),
        json!({"role": "assistant", "content": null, "tool_calls": asked}),
        told("c0", r#"did {"file_path":"é"}"#),
        told("c1", "2"),
    ];
    assert_eq!(asking.model.last_messages(), expected);
    assert_eq!(asking.heard(), [AgentNews::Text("all done\n".into())]);
    let turns = ["asked", r#""" Some((10, 1))"#, "asked", r#""all done" Some((10, 1))"#];
    assert_eq!(asking.turns(), turns);
}

#[tokio::test]
async fn calls_of_one_turn_run_at_once() {
    let asking = Asking::new(vec![calls(&[("meet", "{}"), ("meet", "{}")]), says("ok")]).await;
    assert_eq!(asking.run().await.unwrap().text, "ok");
    assert_eq!(asking.model.last_messages()[3..], [told("c0", "met"), told("c1", "met")]);
}

#[tokio::test]
async fn what_goes_wrong_with_a_call_is_for_the_model_to_read() {
    let rows = [
        (
            "Read",
            r#"{"a"#,
            "error: the arguments are not valid JSON: EOF while parsing a string at line 1 column 3\nerror: arguments must be an object",
        ),
        ("Read", "[1]", "error: arguments must be an object"),
        ("nope", "{}", "error: Unknown tool: nope"),
        ("refused", "{}", "error: not allowed"),
        ("broken", "{}", "error: no disk"),
        ("Read", "", "did {}"),
    ];
    let asked: Vec<(&str, &str)> = rows.iter().map(|(name, args, _)| (*name, *args)).collect();
    let asking = Asking::new(vec![calls(&asked), says("went on")]).await;
    assert_eq!(asking.run().await.unwrap().text, "went on");
    let messages = asking.model.last_messages();
    for (place, (_, _, text)) in rows.iter().enumerate() {
        assert_eq!(messages[3 + place], told(&format!("c{place}"), text));
    }
    // A server that reads the arguments of the history must find JSON there.
    let sent = messages[2]["tool_calls"].as_array().unwrap().iter();
    let sent: Vec<_> = sent.map(|call| call["function"]["arguments"].as_str().unwrap()).collect();
    assert_eq!(sent, ["{}"; 6]);
}

#[tokio::test]
async fn a_shortened_name_is_mapped_back() {
    let short = "kubernetes_a_very_long_name_for_an_operation_that_nobod_7a052fb4";
    let mut asking = Asking::new(vec![calls(&[(short, "{}")]), says("ok")]).await;
    asking.toolkit = Toolkit::new(&[LONG_NAME]);
    asking.run().await.unwrap();
    assert_eq!(asking.toolkit.called(), [(LONG_NAME.to_owned(), "{}".to_owned())]);
}

#[tokio::test]
async fn a_call_by_a_model_that_has_no_tools_is_answered() {
    let asking = Asking::new(vec![calls(&[("Read", "{}")]), says("well")]).await;
    assert_eq!(asking.run_with(ToolAccess::Own).await.unwrap().text, "well");
    assert_eq!(asking.model.last_messages()[3], told("c0", "error: there is no tool `Read`"));
}

#[tokio::test]
async fn tool_calls_without_any_end_it_after_one_request() {
    for reason in ["tool_calls", "function_call"] {
        let empty = stream(events(&[delta(&json!({"content": "hm"})), finish(reason)]));
        let asking = Asking::new(vec![empty]).await;
        let message = asking.endless().await;
        assert!(message.contains("`finish_reason: tool_calls`"), "{message}");
        assert_eq!(asking.model.asked().len(), 1);
    }
}

#[tokio::test]
async fn a_model_that_always_calls_is_stopped_at_the_limit_of_turns() {
    let replies = vec![calls(&[("count", "{}")]); 10];
    let asking = Asking::new(replies).await.with(json!({"max_turns": 4}));
    let failure = asking.run().await.unwrap_err();
    let usage = Usage { input_tokens: 40, output_tokens: 4, estimated: false, cost: None };
    let message =
        "the model still asks for tools after 4 turns (`max_turns`); they were not called".into();
    assert_eq!(failure, AgentFailure::Endless { message, usage });
    assert_eq!((asking.model.asked().len(), asking.toolkit.called().len()), (4, 3));
}

#[tokio::test]
async fn the_same_calls_with_the_same_results_are_stopped_the_third_time() {
    let same = calls(&[("Read", "{}"), ("refused", "{}")]);
    let other = calls(&[("count", "{}")]);
    let asking =
        Asking::new(vec![same.clone(), same.clone(), other, same.clone(), same.clone(), same])
            .await;
    let message = asking.endless().await;
    let expected = "the model made the same calls 3 times in a row, of `Read`, `refused`, with the same results";
    assert_eq!(message, expected);
    assert_eq!(asking.model.asked().len(), 6);
    // The same calls with other results lead somewhere.
    let replies = [vec![calls(&[("count", "{}")]); 5], vec![says("ok")]].concat();
    assert_eq!(Asking::new(replies).await.run().await.unwrap().text, "ok");
}

#[tokio::test]
async fn too_many_calls_at_once_are_not_made() {
    let asking =
        Asking::new(vec![calls(&[("Read", "{}"); 4])]).await.with(json!({"max_tool_calls": 3}));
    let expected = "the model asked for more than 3 tool calls at once (`max_tool_calls`)";
    assert_eq!(asking.endless().await, expected);
    assert_eq!((asking.model.asked().len(), asking.toolkit.called().len()), (1, 0));
}

#[tokio::test]
async fn a_session_is_gone_on_with_by_another_agent() {
    let mut asking = Asking::new(vec![calls(&[("Read", "{}")]), says("one"), says("two")]).await;
    let session = asking.run().await.unwrap().session.unwrap();
    assert!(session.starts_with("openai-"), "{session}");
    let before = asking.model.last_messages();
    asking.request.session = Some(session.clone());
    asking.request.system_prompt = None;
    asking.request.prompt = "And now?".into();
    let outcome = asking.run().await.unwrap();
    assert_eq!((outcome.text.as_str(), outcome.session != Some(session)), ("two", true));
    let more = [
        json!({"role": "assistant", "content": "one"}),
        json!({"role": "user", "content": "And now?"}),
    ];
    assert_eq!(asking.model.last_messages(), [before, more.to_vec()].concat());
}

#[tokio::test]
async fn what_cannot_be_used_is_told_before_anything_is_sent() {
    let unusable = |text: &str| Err(AgentFailure::Unusable(text.into()));
    let mut asking = Asking::new(vec![]).await;
    let access = StdioAccess {
        command: "/x".into(),
        args: vec![],
        env: vec![],
        reach: awf_core::Reach::Additive,
    };
    assert_eq!(
        asking.run_with(ToolAccess::Stdio(access)).await,
        unusable(
            "provider `openai_compatible` takes its tools from this process and starts no server"
        )
    );
    asking.settings.model = None;
    assert_eq!(
        asking.run().await,
        unusable("no model is named; write `options: {model: …}`, or set OPENAI_MODEL")
    );
    asking.request.session = Some("abc".into());
    let asking = asking.with(json!({"model": "m"}));
    let expected = "cannot go on with session `abc`: it is not of this provider";
    assert_eq!(asking.run().await, unusable(expected));
    let asking = asking.with(json!({"seed": 1}));
    let failure = asking.run().await.unwrap_err().to_string();
    assert!(failure.contains("option `seed` is not known to provider"), "{failure}");
    assert_eq!(asking.model.asked().len(), 0);
}

#[tokio::test]
async fn a_server_that_does_not_count_is_not_asked_to_again() {
    let refusal = r#"{"error": {"message": "unknown field: stream_options"}}"#;
    let replies = vec![status(400, "", refusal), calls(&[("count", "{}")]), says("ok")];
    let asking = Asking::new(replies).await;
    assert_eq!(asking.run().await.unwrap().text, "ok");
    let sent: Vec<bool> =
        asking.model.asked().iter().map(|it| it.body["stream_options"].is_null()).collect();
    assert_eq!(sent, [false, true, true]);
    let replies = vec![status(400, "", refusal), status(400, "", refusal)];
    let asking = Asking::new(replies).await;
    let expected =
        "`MODEL/chat/completions` answered 400 Bad Request; unknown field: stream_options";
    assert_eq!(asking.plain(&asking.failure().await), expected);
}

#[tokio::test]
async fn a_withheld_answer_is_a_failure_and_a_cut_one_is_told() {
    let ends = |reason: &str| stream(events(&[delta(&json!({"content": "so"})), finish(reason)]));
    let asking = Asking::new(vec![ends("content_filter"), ends("length")]).await;
    assert_eq!(asking.failure().await, "the answer was withheld by a content filter");
    let outcome = asking.run().await.unwrap();
    assert_eq!((outcome.text.as_str(), outcome.usage.estimated), ("so", true));
    let complaint = AgentNews::Complaint("the answer was cut at the limit of tokens".into());
    assert_eq!(asking.heard().last(), Some(&complaint));
}

#[tokio::test]
async fn cancelling_ends_an_answer_under_way() {
    let asking = Asking::new(vec![vec![head(), Part::Silence]]).await;
    let interrupted = async {
        asking.model.reached.notified().await;
        asking.cancel.cancel();
    };
    let (outcome, ()) = tokio::join!(asking.run(), interrupted);
    assert_eq!(outcome, Err(AgentFailure::Cancelled));
}

#[tokio::test]
async fn cancelling_tells_the_calls_under_way_and_makes_no_more() {
    let many = [[("stuck", "{}"); 8].as_slice(), &[("Read", "{}"); 4]].concat();
    let asking = Asking::new(vec![calls(&many)]).await;
    let interrupted = async {
        asking.toolkit.stuck.notified().await;
        asking.cancel.cancel();
    };
    let (outcome, ()) = tokio::join!(asking.run(), interrupted);
    assert_eq!(outcome, Err(AgentFailure::Cancelled));
    let called = asking.toolkit.called();
    assert_eq!(called.iter().filter(|(_, what)| what == "was told").count(), 8);
    assert!(called.iter().all(|(name, _)| name == "stuck"), "{called:?}");
}
