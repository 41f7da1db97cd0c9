//! Pieces as servers send them.

use awf_core::{RawJson, Usage};

use super::{Answer, Asked, MOST_KEPT, Misfit};
use crate::openai::wire::Chunk;

fn add(answer: &mut Answer, chunk: &str) -> Result<String, Misfit> {
    let chunk: Chunk<'_> = serde_json::from_str(chunk).unwrap();
    answer.add(chunk, 32)
}

/// The calls that deltas with these `tool_calls` make: id, name, arguments.
fn calls(deltas: &[&str]) -> Vec<(String, String, String)> {
    let mut answer = Answer::default();
    for delta in deltas {
        let chunk = format!(r#"{{"choices":[{{"delta":{{"tool_calls":{delta}}}}}]}}"#);
        add(&mut answer, &chunk).unwrap();
    }
    answer.settle(3);
    answer.calls.into_iter().map(|call| (call.id, call.name, call.arguments)).collect()
}

type Made = (&'static str, &'static str, &'static str);

const READ: Made = ("a", "Read", r#"{"x":1}"#);
const WRITE: Made = ("b", "Write", r#"{"y":2}"#);

/// A server's way, the `tool_calls` of its deltas, and the calls they make.
const WAYS: &[(&str, &[&str], &[Made])] = &[
    (
        "by index, in turn",
        &[
            r#"[{"index":0,"id":"a","type":"function","function":{"name":"Read","arguments":""}}]"#,
            r#"[{"index":0,"function":{"arguments":"{\"x\""}}]"#,
            r#"[{"index":0,"function":{"arguments":":1}"}}]"#,
            r#"[{"index":1,"id":"b","function":{"name":"Write","arguments":"{\"y\":2}"}}]"#,
        ],
        &[READ, WRITE],
    ),
    (
        "interleaved",
        &[
            r#"[{"index":1,"id":"b","function":{"name":"Write","arguments":"{"}},{"index":0,"id":"a","function":{"name":"Read","arguments":"{"}}]"#,
            r#"[{"index":0,"function":{"arguments":"\"x\":1}"}}]"#,
            r#"[{"index":1,"function":{"arguments":"\"y\":2}"}}]"#,
        ],
        &[WRITE, READ],
    ),
    (
        "id and name late",
        &[
            r#"[{"index":0,"function":{"arguments":""}}]"#,
            r#"[{"index":0,"function":{"name":"Read"}}]"#,
            r#"[{"index":0,"function":{"arguments":"{\"x\":1}"}}]"#,
            r#"[{"index":0,"id":"a"}]"#,
        ],
        &[READ],
    ),
    (
        "id and name with every piece",
        &[
            r#"[{"index":0,"id":"a","function":{"name":"Read","arguments":"{\"x\""}}]"#,
            r#"[{"index":0,"id":"a","function":{"name":"Read","arguments":":1}"}}]"#,
            r#"[{"index":0,"id":"a","function":{"name":"Read","arguments":""}}]"#,
        ],
        &[READ],
    ),
    (
        "another id with every piece",
        &[
            r#"[{"index":0,"id":"a","function":{"name":"Read","arguments":"{\"x\""}}]"#,
            r#"[{"index":0,"id":"z","function":{"arguments":":1}"}}]"#,
        ],
        &[READ],
    ),
    (
        "a name in pieces",
        &[
            r#"[{"index":0,"id":"a","function":{"name":"Re"}}]"#,
            r#"[{"index":0,"function":{"name":"ad","arguments":"{\"x\":1}"}}]"#,
        ],
        &[READ],
    ),
    (
        "whole calls without index or id, arguments not in a text",
        &[
            r#"[{"function":{"name":"Read","arguments":{"x":1}}}]"#,
            r#"[{"function":{"name":"Read","arguments":{"x":1}}},{"function":{"name":"Write","arguments":{"y":2}}}]"#,
        ],
        &[
            ("call_3_0", "Read", r#"{"x":1}"#),
            ("call_3_1", "Read", r#"{"x":1}"#),
            ("call_3_2", "Write", r#"{"y":2}"#),
        ],
    ),
    (
        "whole calls that all count as the first",
        &[
            r#"[{"index":0,"id":"a","function":{"name":"Read","arguments":"{\"x\":1}"}},{"index":0,"id":"b","function":{"name":"Write","arguments":"{\"y\":2}"}}]"#,
        ],
        &[READ, WRITE],
    ),
    (
        "and without ids",
        &[
            r#"[{"index":0,"function":{"name":"Read","arguments":"{}"}},{"index":0,"function":{"name":"Read","arguments":"{}"}}]"#,
        ],
        &[("call_3_0", "Read", "{}"), ("call_3_1", "Read", "{}")],
    ),
    (
        "two calls with one id",
        &[
            r#"[{"index":0,"id":"a","function":{"name":"Read","arguments":"{\"x\":1}"}}]"#,
            r#"[{"index":1,"id":"a","function":{"name":"Write","arguments":"{\"y\":2}"}}]"#,
        ],
        &[READ, ("call_3_1", "Write", r#"{"y":2}"#)],
    ),
    (
        "by id without index",
        &[
            r#"[{"id":"a","function":{"name":"Read","arguments":"{\"x\""}},{"id":"b","function":{"name":"Write","arguments":"{\"y\""}}]"#,
            r#"[{"id":"a","function":{"arguments":":1}"}},{"id":"b","function":{"arguments":":2}"}}]"#,
        ],
        &[READ, WRITE],
    ),
    (
        "null where nothing is said",
        &[r#"[{"index":null,"id":null,"function":{"name":"Read","arguments":null}}]"#],
        &[("call_3_0", "Read", "")],
    ),
    ("nothing at all", &[r#"[{"index":0,"type":"function","function":{}}]"#, "[]", "null"], &[]),
];

#[test]
fn calls_are_put_together_however_a_server_cuts_them() {
    for (case, deltas, expected) in WAYS {
        let made = calls(deltas);
        let made: Vec<_> = made.iter().map(|(id, name, args)| (&**id, &**name, &**args)).collect();
        assert_eq!(made, *expected, "{case}");
    }
}

#[test]
fn text_comes_in_pieces_parts_or_whole_and_other_choices_are_not_ours() {
    let mut answer = Answer::default();
    let chunks = [
        r#"{"model":"m-1","choices":[{"index":0,"delta":{"role":"assistant","content":"a"}}]}"#,
        r#"{"model":"m-2","choices":[{"index":1,"delta":{"content":"other"}},{"delta":{"content":[{"type":"text","text":"b"},{"type":"image"}]}}]}"#,
        r#"{"choices":[{"delta":{"content":null,"reasoning_content":"hm","refusal":"no"}}]}"#,
        r#"{"choices":[{"message":{"content":"c"},"finish_reason":"stop"}]}"#,
        r#"{"choices":[{"delta":{},"finish_reason":null}],"usage":null}"#,
        r#"{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2,"cost":0.5,"x":{}}}"#,
        "{}",
    ];
    let said: Vec<_> = chunks.iter().map(|chunk| add(&mut answer, chunk).unwrap()).collect();
    assert_eq!(said.concat(), "abnoc");
    let usage = Usage { input_tokens: 7, output_tokens: 2, estimated: false, cost: Some(0.5) };
    assert_eq!(
        (answer.text.as_str(), answer.finish.as_deref(), answer.usage(99), answer.model.as_deref()),
        ("abnoc", Some("stop"), usage, Some("m-1"))
    );
}

#[test]
fn what_the_server_does_not_count_is_guessed() {
    let mut answer = Answer::default();
    add(&mut answer, r#"{"choices":[{"delta":{"content":"12345"}}],"usage":{"total":1}}"#).unwrap();
    let usage = Usage { input_tokens: 25, output_tokens: 2, estimated: true, cost: None };
    assert_eq!(answer.usage(99), usage);
}

#[test]
fn errors_and_excess_are_told() {
    let errors = [
        (r#"{"error":{"message":"no room","code":500}}"#, "no room"),
        (r#"{"error":"gone","choices":[]}"#, "gone"),
        (r#"{"error":{"code":7}}"#, r#"{"code":7}"#),
    ];
    for (chunk, told) in errors {
        let misfit = add(&mut Answer::default(), chunk);
        assert_eq!(misfit, Err(Misfit::Error(told.into())));
    }
    assert_eq!(add(&mut Answer::default(), r#"{"error":null}"#), Ok(String::new()));
    let mut answer = Answer::default();
    let text = format!(r#"{{"choices":[{{"delta":{{"content":"{}"}}}}]}}"#, "x".repeat(1000));
    let added = (0..MOST_KEPT).find(|_| add(&mut answer, &text) == Err(Misfit::TooLong)).unwrap();
    assert_eq!(added, MOST_KEPT / 1000);
    let many: Vec<_> =
        (0..33).map(|n| format!(r#"{{"index":{n},"function":{{"name":"x"}}}}"#)).collect();
    let many = format!(r#"{{"choices":[{{"delta":{{"tool_calls":[{}]}}}}]}}"#, many.join(","));
    assert_eq!(add(&mut Answer::default(), &many), Err(Misfit::TooManyCalls));
}

#[test]
fn arguments_are_json_or_a_reason_and_go_back_as_objects() {
    let rows: [(&str, Result<&str, &str>, &str); 6] = [
        ("", Ok("{}"), "{}"),
        (" null ", Ok("{}"), "{}"),
        (r#" {"a":"é"} "#, Ok(r#"{"a":"é"}"#), r#"{"a":"é"}"#),
        ("[1]", Ok("[1]"), "{}"),
        (r#"{"a""#, Err("not valid JSON: EOF while parsing an object at line 1 column 4"), "{}"),
        ("{} {}", Err("not valid JSON: trailing characters at line 1 column 4"), "{}"),
    ];
    for (written, parsed, returned) in rows {
        let call = Asked { arguments: written.into(), ..Asked::default() };
        let read = call.parsed().map(RawJson::into_string).map_err(|error| error.to_string());
        assert_eq!(read, parsed.map(str::to_owned).map_err(str::to_owned));
        assert_eq!(call.returned(), returned);
    }
}
