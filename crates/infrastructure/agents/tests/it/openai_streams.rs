//! Streams as no server should send them, and as some do: each has a defined outcome, and no call is made twice.

use std::time::Duration;

use awf_core::{AgentNews, Usage};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::{
    asking::Asking,
    model::{
        Part, calls, delta, event, events, finish, head, portions, says, status, stream, usage,
    },
};

/// Text whose bytes and escapes have many places to be cut in.
const ARGUMENTS: &str = r#"{"file_path":"é𝄞\u00e9\n\"x\""}"#;

fn asks(arguments: &[&str]) -> Vec<Value> {
    let piece = |arguments: &str| {
        delta(&json!({"tool_calls": [{"index": 0, "function": {"arguments": arguments}}]}))
    };
    let first = delta(
        &json!({"tool_calls": [{"index": 0, "id": "c0", "function": {"name": "Read", "arguments": ""}}]}),
    );
    let pieces = arguments.iter().map(|arguments| piece(arguments));
    [first].into_iter().chain(pieces).chain([finish("tool_calls")]).collect()
}

/// The one call that comes of an answer.
async fn the_call(reply: Vec<Part>) -> String {
    let asking = Asking::new(vec![reply, says("ok")]).await;
    assert_eq!(asking.run().await.unwrap().text, "ok");
    let called = asking.toolkit.called();
    assert_eq!((called.len(), called[0].0.as_str()), (1, "Read"));
    called[0].1.clone()
}

#[tokio::test]
async fn arguments_cut_into_deltas_anywhere_make_the_same_call() {
    let cuts = ARGUMENTS.char_indices().map(|(place, _)| place);
    for place in cuts {
        let (one, two) = ARGUMENTS.split_at(place);
        assert_eq!(the_call(stream(events(&asks(&[one, two])))).await, ARGUMENTS, "{place}");
    }
    let letters: Vec<String> = ARGUMENTS.chars().map(String::from).collect();
    let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
    assert_eq!(the_call(stream(events(&asks(&letters)))).await, ARGUMENTS);
}

#[tokio::test]
async fn bytes_cut_anywhere_make_the_same_call() {
    let plain = events(&asks(&[ARGUMENTS]));
    // As escapes, too: a cut within `\u00e9` must be mended.
    let escaped = plain.replace('é', "\\u00e9").replace('𝄞', "\\ud834\\udd1e");
    for text in [&plain, &escaped] {
        for ending in ["\n", "\r\n", "\r"] {
            let noisy = text.replace("data:", ": ping\n\nevent: x\ndata:").replace('\n', ending);
            for size in [1, 2, 3, 7, noisy.len()] {
                assert_eq!(the_call(portions(noisy.as_bytes(), size)).await, ARGUMENTS, "{size}");
            }
        }
    }
    let several = "\u{feff}".to_owned() + &plain.replace("{\"choices\"", "{\ndata: \"choices\"");
    assert!(several.contains("data: {\ndata: "), "{several}");
    assert_eq!(the_call(portions(several.as_bytes(), 1)).await, ARGUMENTS);
}

/// Each answer of one long conversation is cut at another byte. What `count` gives is never the same, so nobody stops it.
#[tokio::test]
async fn every_single_cut_makes_the_same_call() {
    let bytes = events(&asks(&[ARGUMENTS])).replace("Read", "count").into_bytes();
    let cut = |place: usize| {
        let (one, two) = bytes.split_at(place);
        let mut reply = portions(one, one.len());
        let Part::Bytes(sent) = &mut reply[0] else { panic!("bytes") };
        sent.truncate(sent.len() - b"0\r\n\r\n".len());
        sent.extend(format!("{:x}\r\n", two.len()).bytes().chain(two.iter().copied()));
        sent.extend(b"\r\n0\r\n\r\n");
        reply
    };
    let replies = (1..bytes.len()).map(cut).chain([says("ok")]).collect();
    let asking = Asking::new(replies).await.with(json!({"max_turns": 1000}));
    assert_eq!(asking.run().await.unwrap().text, "ok");
    let called = asking.toolkit.called();
    assert_eq!(called.len(), bytes.len() - 1);
    assert!(called.iter().all(|(_, arguments)| arguments == ARGUMENTS));
}

#[tokio::test]
async fn interleaved_calls_are_taken_apart() {
    let piece =
        |index: u64, arguments: &str| json!({"index": index, "function": {"arguments": arguments}});
    let named = |index: u64, name: &str| json!({"index": index, "id": format!("i{index}"), "function": {"name": name}});
    let data = [
        delta(&json!({"tool_calls": [piece(1, "{\"b\""), piece(0, "{\"a\"")]})),
        delta(&json!({"tool_calls": [piece(0, ":1}")]})),
        delta(&json!({"tool_calls": [named(0, "Read"), piece(1, ":2}")]})),
        delta(&json!({"tool_calls": [named(1, "Read")]})),
        finish("stop"),
    ];
    let asking = Asking::new(vec![stream(events(&data)), says("ok")]).await;
    asking.run().await.unwrap();
    let called = asking.toolkit.called().into_iter().map(|(_, arguments)| arguments);
    assert_eq!(called.collect::<Vec<_>>(), ["{\"b\":2}", "{\"a\":1}"]);
    let messages = asking.model.last_messages();
    let ids: Vec<_> = messages[3..].iter().map(|it| it["tool_call_id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["i1", "i0"]);
}

#[tokio::test]
async fn servers_that_send_whole_calls_or_do_not_stream_are_understood() {
    let call = json!({"function": {"name": "Read", "arguments": {"file_path": "a"}}});
    let ollama = [
        json!({"model": "qwen3", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "", "reasoning": "hm", "tool_calls": [call]}}]}),
        finish("stop"),
    ];
    assert_eq!(the_call(stream(events(&ollama))).await, r#"{"file_path":"a"}"#);
    let whole = |message: &Value, reason: &str| {
        let body = json!({"model": "m-2", "choices": [{"message": message, "finish_reason": reason}], "usage": {"prompt_tokens": 3, "completion_tokens": 4}});
        status(200, "content-type: application/json\r\n", &body.to_string())
    };
    let asked =
        whole(&json!({"role": "assistant", "content": null, "tool_calls": [call]}), "tool_calls");
    let asking = Asking::new(vec![asked, whole(&json!({"content": "done"}), "stop")]).await;
    let outcome = asking.run().await.unwrap();
    assert_eq!((outcome.text.as_str(), outcome.model.as_deref()), ("done", Some("m-2")));
    let usage = Usage { input_tokens: 6, output_tokens: 8, estimated: false, cost: None };
    assert_eq!((outcome.usage, asking.toolkit.called().len()), (usage, 1));
}

#[tokio::test]
async fn a_stream_without_its_end_counts_when_the_model_had_said_why_it_stops() {
    let data = [delta(&json!({"content": "all"})), finish("stop"), usage(5, 1)];
    let endings = [
        (data.iter().map(event).collect::<String>(), 1),
        (events(&data[..1]), 1),
        (events(&data).trim_end().to_owned(), 1),
        (data.iter().map(event).collect::<String>() + "data: [DONE]\n\ndata: {broken", 1),
    ];
    for (text, requests) in endings {
        let asking = Asking::new(vec![stream(text.clone())]).await;
        assert_eq!(asking.run().await.unwrap().text, "all", "{text}");
        assert_eq!(asking.model.asked().len(), requests);
    }
}

#[tokio::test(start_paused = true)]
async fn a_cut_answer_is_asked_for_again_and_no_call_is_made_twice() {
    let whole = events(&asks(&[ARGUMENTS]));
    let cut = |end: usize| stream(&whole.as_bytes()[..end]);
    let mid_json = whole.find("tool_calls").unwrap();
    let before_reason = whole.rfind("data: {").unwrap();
    let chunked = {
        let mut reply = portions(whole.as_bytes(), 10);
        let Part::Bytes(sent) = &mut reply[0] else { panic!("bytes") };
        sent.truncate(sent.len() / 2);
        reply
    };
    for broken in [cut(mid_json), cut(before_reason), cut(0), chunked] {
        let asking =
            Asking::new(vec![broken.clone(), broken, stream(whole.clone()), says("ok")]).await;
        assert_eq!(asking.run().await.unwrap().text, "ok");
        assert_eq!((asking.model.asked().len(), asking.toolkit.called().len()), (4, 1));
        let complaints = asking.heard().into_iter().filter(|news| {
            matches!(news, AgentNews::Complaint(text) if text.contains("the answer was cut") && text.contains("asking again in"))
        });
        assert_eq!(complaints.count(), 2);
    }
    let asking = Asking::new(vec![cut(mid_json); 9]).await.with(json!({"max_retries": 2}));
    let expected = "the answer was cut in the middle of an event; asked 3 times";
    assert_eq!(asking.failure().await, expected);
    assert_eq!((asking.model.asked().len(), asking.toolkit.called().len()), (3, 0));
    // What was done in an earlier turn is not done again.
    let replies = vec![calls(&[("Read", "{}")]), cut(mid_json), status(500, "", ""), says("ok")];
    let asking = Asking::new(replies).await;
    assert_eq!(asking.run().await.unwrap().text, "ok");
    assert_eq!((asking.model.asked().len(), asking.toolkit.called().len()), (4, 1));
}

#[tokio::test(start_paused = true)]
async fn what_passes_is_waited_for_as_long_as_the_server_says() {
    let rows = [
        ("retry-after: 7\r\n", 7.0, 7.1),
        (
            "date: Wed, 21 Oct 2026 07:28:00 GMT\r\nretry-after: Wed, 21 Oct 2026 07:28:09 GMT\r\n",
            9.0,
            9.1,
        ),
        ("retry-after: 86400\r\n", 60.0, 60.1),
        ("", 0.25, 0.6),
    ];
    for (headers, least, most) in rows {
        let asking =
            Asking::new(vec![status(429, headers, r#"{"error":"slow down"}"#), says("ok")]).await;
        let begun = Instant::now();
        assert_eq!(asking.run().await.unwrap().text, "ok");
        let took = begun.elapsed().as_secs_f64();
        assert!(least <= took && took <= most, "{headers}: {took}");
    }
    for code in [408, 409, 500, 502, 503, 529] {
        let asking = Asking::new(vec![status(code, "", "x"), says("ok")]).await;
        assert_eq!(asking.run().await.unwrap().text, "ok", "{code}");
    }
    let asking = Asking::new(vec![status(500, "", r#"{"error":{"message":"no\nroom"}}"#); 9]).await;
    let expected =
        "`MODEL/chat/completions` answered 500 Internal Server Error; no room; asked 4 times";
    assert_eq!(asking.plain(&asking.failure().await), expected);
    assert_eq!(asking.model.asked().len(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_not_there_is_tried_again() {
    let asking = Asking::new(vec![]).await;
    let asking = asking.with(json!({"base_url": "http://127.0.0.1:1/v1", "max_retries": 1}));
    let message = asking.failure().await;
    let expected = "cannot reach `http://127.0.0.1:1/v1/chat/completions`: Connection refused (os error 111); asked 2 times";
    assert_eq!(message, expected);
}

#[tokio::test]
async fn what_does_not_pass_is_told_at_once() {
    let json_type = "content-type: application/json\r\n";
    let error = events(&[json!({"error": {"message": "overloaded", "code": 503}})]);
    let rows = [
        (
            status(400, "", r#"{"error":{"message":"bad model"}}"#),
            "`MODEL/chat/completions` answered 400 Bad Request; bad model",
        ),
        (
            status(404, "content-type: text/html\r\n", "<h1>404</h1>"),
            "`MODEL/chat/completions` answered 404 Not Found; <h1>404</h1>",
        ),
        (status(204, "", ""), "`MODEL/chat/completions` answered 204 No Content"),
        (stream(error), "the server broke off: overloaded"),
        (status(200, json_type, r#"{"error":"overloaded"}"#), "the server broke off: overloaded"),
        (status(200, json_type, r#"{"object":"list"}"#), "the answer is JSON, but no completion"),
        (
            status(200, "content-type: text/html\r\n", "<html>"),
            "`MODEL/chat/completions` answered with `text/html`, not with a completion; is `base_url` right? it often ends in `/v1`",
        ),
        (
            status(200, "", ""),
            "`MODEL/chat/completions` answered with ``, not with a completion; is `base_url` right? it often ends in `/v1`",
        ),
        (
            status(200, "content-type: text/event-stream\r\ncontent-encoding: gzip\r\n", "x"),
            "`MODEL/chat/completions` answered in the encoding `gzip`, which it was not asked for",
        ),
        (
            stream("data: {nonsense}\n\n"),
            "the answer cannot be read: key must be a string at line 1 column 2: `{nonsense}`",
        ),
    ];
    for (reply, expected) in rows {
        let asking = Asking::new(vec![reply]).await;
        assert_eq!(asking.plain(&asking.failure().await), expected);
        assert_eq!(asking.model.asked().len(), 1, "{expected}");
    }
}

#[tokio::test(start_paused = true)]
async fn silence_is_noticed() {
    let seconds = Duration::from_secs;
    let first = "nothing came within 120s (`first_byte_timeout`)";
    let idle = "the answer stood still for 60s (`idle_timeout`)";
    let word = Part::Bytes(event(&delta(&json!({"content": "well"}))).into_bytes());
    let trickle: Vec<Part> = event(&delta(&json!({"content": "slow"})))
        .bytes()
        .flat_map(|byte| [Part::Bytes(vec![byte]), Part::Wait(seconds(20))])
        .collect();
    let blank = vec![vec![Part::Bytes(b"\n".to_vec()), Part::Wait(seconds(20))]; 50].concat();
    let json_head =
        Part::Bytes(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{".to_vec());
    let json_trickle = vec![vec![Part::Bytes(b" ".to_vec()), Part::Wait(seconds(20))]; 50].concat();
    let rows = [
        (vec![Part::Silence], first, 120),
        (vec![head(), Part::Silence], first, 120),
        ([vec![head()], trickle.clone()].concat(), first, 120),
        (vec![head(), word.clone(), Part::Silence], idle, 60),
        ([vec![head(), word.clone()], trickle].concat(), idle, 60),
        ([vec![head(), word.clone()], blank].concat(), idle, 60),
        ([vec![json_head], json_trickle].concat(), idle, 60),
    ];
    for (place, (reply, expected, after)) in rows.into_iter().enumerate() {
        let asking = Asking::new(vec![reply]).await;
        let begun = Instant::now();
        assert_eq!(asking.failure().await, expected, "{place}");
        assert_eq!(begun.elapsed().as_secs(), after, "{place}");
        assert_eq!(asking.model.asked().len(), 1);
    }
    let asking =
        Asking::new(vec![vec![Part::Silence]]).await.with(json!({"first_byte_timeout": "3s"}));
    assert_eq!(asking.failure().await, "nothing came within 3s (`first_byte_timeout`)");
    // Who has said why the model stops need not say more.
    let done = event(&delta(&json!({"content": "done"}))) + &event(&finish("stop"));
    let reply = vec![head(), Part::Bytes(done.into_bytes()), Part::Silence];
    let asking = Asking::new(vec![reply]).await;
    let begun = Instant::now();
    assert_eq!(asking.run().await.unwrap().text, "done");
    assert_eq!(begun.elapsed().as_secs(), 5);
    // A server that says it is still there is waited for.
    let alive =
        vec![vec![Part::Wait(seconds(50)), Part::Bytes(b": ping\n\n".to_vec())]; 20].concat();
    let end =
        Part::Bytes(events(&[delta(&json!({"content": "at last"})), finish("stop")]).into_bytes());
    let asking = Asking::new(vec![[vec![head()], alive, vec![end]].concat()]).await;
    assert_eq!(asking.run().await.unwrap().text, "at last");
}

#[tokio::test]
async fn floods_are_not_taken_in() {
    let too_long = "the answer is longer than any model's and is not read on";
    let mebibyte = vec![b'x'; 1024 * 1024];
    let chunk_head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n40000000\r\ndata: ";
    let small = event(&delta(&json!({"content": "word ".repeat(50)})));
    let whole = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{\"a\":\"".to_vec();
    let pings = format!(": {}\n", "ping".repeat(500)).repeat(30).into_bytes();
    let rows = [
        // A chunk of a gibibyte, a line of a gibibyte, more text than is kept, a body that is no stream, comments only.
        vec![Part::Bytes(chunk_head.as_bytes().to_vec()), Part::Again(1024, mebibyte.clone())],
        vec![head(), Part::Again(1024, mebibyte.clone())],
        vec![head(), Part::Again(2000, small.repeat(100).into_bytes())],
        vec![Part::Bytes(whole), Part::Again(1024, mebibyte)],
        vec![head(), Part::Again(2000, pings)],
    ];
    let before = resident();
    for (place, reply) in rows.into_iter().enumerate() {
        let asking = Asking::new(vec![reply]).await;
        assert_eq!(asking.failure().await, too_long, "{place}");
        assert_eq!(asking.model.asked().len(), 1);
    }
    let grown = resident().saturating_sub(before);
    assert!(grown < 64 * 1024, "{grown} KiB");
}

/// Memory of this process, in KiB, at its highest.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
