//! Contents as Gemini CLI sends them, and the chunks it reads.

use serde_json::{Value, json};

use super::{read, stream, whole};
use crate::models::{
    conversation::{Conversation, Form, Offered},
    http::Answer,
    reply::{Call, Reply},
    request::ToolResultSeen,
};

#[test]
fn a_request_of_gemini_is_read() {
    let body = json!({
        "systemInstruction": {"role": "user", "parts": [{"text": "You are Gemini CLI"}]},
        "tools": [{"functionDeclarations": [{"name": "mcp_awf-proxy_Read"}]}, {"googleSearch": {}}],
        "generationConfig": {"temperature": 1},
        "contents": [
            {"role": "user", "parts": [{"text": "<session_context>"}, {"text": "Go"}]},
            {"role": "model", "parts": [{"functionCall": {"name": "mcp_awf-proxy_Read", "args": {}}}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "mcp_awf-proxy_Read", "response": {"output": "<untrusted_context>\none\n"}}}]},
            {"role": "model", "parts": [{"functionCall": {"name": "shell", "args": {}}}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "shell", "response": {"error": "no such tool"}}}]},
        ],
    });
    let result = |name: &str, text: &str, is_error| ToolResultSeen {
        name: Some(name.to_owned()),
        text: text.to_owned(),
        is_error,
    };
    let wanted = Conversation {
        model: "gemini-3.8-flash".into(),
        form: Form::Stream,
        tools: ["mcp_awf-proxy_Read", "googleSearch"].map(Offered::function).into(),
        results: vec![
            result("mcp_awf-proxy_Read", "<untrusted_context>\none\n", false),
            result("shell", "no such tool", true),
        ],
        system: "You are Gemini CLI".into(),
        prompts: vec!["<session_context>".into(), "Go".into()],
        turn: 2,
        ..Conversation::default()
    };
    assert_eq!(read(&body, "/v1beta/models/gemini-3.8-flash:streamGenerateContent"), wanted);
}

#[test]
fn the_routers_question_is_a_side_request() {
    let schema = json!({"type": "OBJECT", "properties": {}});
    let body = json!({"generationConfig": {"responseMimeType": "application/json", "responseJsonSchema": schema}});
    let talk = read(&body, "/v1beta/models/gemini-3.5-flash-lite:generateContent");
    assert_eq!((talk.form, talk.schema), (Form::Whole, Some(schema)));
}

#[test]
fn the_events_build_the_answer_in_one_piece() {
    let call = Call::Function { namespace: None, name: "r".into(), arguments: json!({"a": 1}) };
    for (text, calls) in
        [("Hello you", vec![]), ("Hello you", vec![call.clone()]), ("", vec![call])]
    {
        let reply = Reply { text: text.into(), calls };
        let answer = Answer { number: 0, model: "m", form: Form::Stream, reply: &reply };
        let events: Vec<Value> = stream(&answer).iter().map(super::Event::value).collect();
        let parts =
            |event: &Value| event["candidates"][0]["content"]["parts"].as_array().unwrap().clone();
        let streamed: Vec<_> = events.iter().flat_map(parts).collect();
        let said: String = streamed.iter().filter_map(|part| part["text"].as_str()).collect();
        let called = |part: &&Value| part.get("functionCall").is_some();
        let whole = whole(&answer);
        assert_eq!(said, text);
        assert_eq!(
            streamed.iter().filter(called).collect::<Vec<_>>(),
            parts(&whole).iter().filter(called).collect::<Vec<_>>()
        );
        let (last, before) = events.split_last().unwrap();
        assert_eq!(last["usageMetadata"]["totalTokenCount"], 110);
        assert!(before.iter().all(|event| event["candidates"][0].get("finishReason").is_none()));
    }
}
