//! `GET /api/v1/events`: every call that is over, once, also to who comes back later.

use std::{collections::HashSet, thread};

use serde_json::{Value, json};

use crate::{
    intent::Web,
    rest::stream::{Event, Stream},
    world::World,
};

fn stage() -> (World, Web) {
    let world = World::new();
    world.file("a.txt", "hello\n");
    let web = Web::start(&world, &world.config(json!({})));
    (world, web)
}

fn awf_call(world: &World, variant: &str, tool: &str, args: &Value) {
    let output = world.awf(["call", variant, tool, "--args", &args.to_string()]);
    assert!(matches!(output.status.code(), Some(0 | 5)), "{output:?}");
}

fn read(world: &World) {
    awf_call(world, "tool-read", "Read", &json!({"file_path": "a.txt"}));
}

fn call(web: &mut Web, path: &str) {
    let arguments = json!({"name": "builtin:Read", "args": {"file_path": path}, "intent": {"operation_type": "read"}});
    let body = json!({"tool_name": "call_tool_read", "arguments": arguments}).to_string();
    let reply = web.post("/api/v1/tools/call", &body);
    assert_eq!(reply.status, 200, "{}", reply.body);
}

fn activity(stream: &mut Stream) -> Event {
    let event = stream.event().unwrap();
    assert_eq!(event.name, "activity", "{event:?}");
    event
}

#[test]
fn a_call_of_any_process_is_told_when_it_is_over_as_its_record() {
    let (world, mut web) = stage();
    read(&world);
    let (mut stream, _) = Stream::open(&web, "", None);
    call(&mut web, "a.txt");
    let first = activity(&mut stream);
    read(&world);
    let second = activity(&mut stream);
    awf_call(&world, "tool-read", "Bash", &json!({"command": "true"}));
    let third = activity(&mut stream);
    let told: Vec<Value> = [third, second, first].map(|event| event.data).into();
    assert_eq!(told, world.activity()[..3], "what was over before is not told");
}

#[test]
fn who_comes_back_misses_nothing_and_hears_nothing_twice() {
    let (world, mut web) = stage();
    let (mut stream, place) = Stream::open(&web, "", None);
    let mut last = place.clone();
    let mut told: Vec<Value> = Vec::new();
    for round in 0..3 {
        for _ in 0..7 {
            call(&mut web, "a.txt");
        }
        // It reads some of them, leaves, and comes back with the id of the last one it read.
        for _ in 0..4 + round {
            let event = activity(&mut stream);
            last = event.id.unwrap();
            told.push(event.data["id"].clone());
        }
        drop(stream);
        read(&world);
        (stream, _) = Stream::open(&web, "", Some(&last));
    }
    while told.len() < 24 {
        told.push(activity(&mut stream).data["id"].clone());
    }
    let ids: Vec<Value> =
        world.activity().into_iter().rev().map(|record| record["id"].clone()).collect();
    assert_eq!(told, ids);
    let (mut again, _) = Stream::open(&web, "", Some(&place));
    let repeated: Vec<Value> = (0..24).map(|_| activity(&mut again).data["id"].clone()).collect();
    assert_eq!(repeated, ids);
    // Another process with the same home goes on where the first one was.
    drop(web);
    let web = Web::start(&world, &world.config(json!({})));
    let (mut after, _) = Stream::open(&web, "", Some(&last));
    assert_eq!(activity(&mut after).data["id"], ids[15], "15 were read before");
}

#[test]
fn filters_are_those_of_the_list() {
    let (world, mut web) = stage();
    let (mut denied, place) = Stream::open(&web, "?status=denied&intent_type=read", None);
    let (mut written, _) = Stream::open(&web, "?tool=Write&source=cli", None);
    call(&mut web, "a.txt");
    awf_call(&world, "tool-write", "Write", &json!({"file_path": "b", "content": "b"}));
    awf_call(&world, "tool-read", "Bash", &json!({"command": "true"}));
    assert_eq!(activity(&mut denied).data["tool_name"], "Bash");
    assert_eq!(activity(&mut written).data["tool_name"], "Write");
    // The same from the index, for who was away.
    let (mut late, _) = Stream::open(&web, "?status=denied&intent_type=read", Some(&place));
    assert_eq!(activity(&mut late).data["tool_name"], "Bash");
}

#[test]
fn what_cannot_be_asked_is_told_and_a_lost_place_is_a_gap() {
    let (world, mut web) = stage();
    read(&world);
    for (query, detail) in [
        ("status=ok", "`status` must be started, success, error"),
        ("status=started", "`status` must be one in which a call is over"),
        ("limit=5", "unknown parameter `limit`: there are `since`"),
        ("last_event_id=1.1", "unknown parameter `last_event_id`"),
    ] {
        let reply = web.get(&format!("/api/v1/events?{query}"));
        assert_eq!(reply.status, 400, "{query}: {}", reply.body);
        let problem: Value = serde_json::from_str(&reply.body).unwrap();
        assert!(problem["detail"].as_str().unwrap().starts_with(detail), "{problem}");
    }
    let headers =
        [("Host", web.address()), ("X-API-Key", web.key()), ("Last-Event-ID", "yesterday")];
    let reply = web.raw("GET /api/v1/events", &headers, "");
    assert_eq!(reply.status, 400, "{}", reply.body);
    assert!(reply.body.contains("`Last-Event-ID` must be the id of an event"), "{}", reply.body);
    let (mut stream, _) = Stream::open(&web, "", Some("12345.1"));
    let gap = stream.event().unwrap();
    assert_eq!((gap.name.as_str(), &gap.data), ("gap", &json!({"reason": "index_rebuilt"})));
    assert!(gap.id.is_some());
    call(&mut web, "a.txt");
    assert_eq!(activity(&mut stream).data["tool_name"], "Read");
}

/// A client that stops reading is left behind with a gap, comes back, and has everything; the others never wait.
#[test]
fn who_is_too_slow_is_left_behind_and_can_come_back() {
    let (world, mut web) = stage();
    world.file("big.txt", "0123456789abcdef\n".repeat(3800));
    let (mut slow, _) = Stream::open(&web, "", None);
    // Told of calls one by one, it is past all that it could catch up on.
    for _ in 0..3 {
        call(&mut web, "a.txt");
        activity(&mut slow);
    }
    let (mut quick, _) = Stream::open(&web, "", None);
    let calls = 400;
    let reading = thread::spawn(move || {
        (0..calls).map(|_| activity(&mut quick).data["id"].clone()).collect::<Vec<_>>()
    });
    for _ in 0..calls {
        call(&mut web, "big.txt");
    }
    let told = reading.join().unwrap();
    assert_eq!(told.iter().map(Value::to_string).collect::<HashSet<_>>().len(), calls);
    let (mut heard, mut last, mut gap) = (Vec::new(), None, None);
    while let Some(event) = slow.event() {
        match event.name.as_str() {
            "activity" => {
                last = event.id;
                heard.push(event.data["id"].clone());
            }
            _ => gap = Some(event),
        }
    }
    let gap = gap.unwrap_or_else(|| panic!("no gap after {} calls", heard.len()));
    assert_eq!((&gap.id, &gap.data), (&None, &json!({"reason": "too_slow"})));
    assert!(heard.len() < calls);
    let (mut back, _) = Stream::open(&web, "", last.as_deref());
    while heard.len() < calls {
        heard.push(activity(&mut back).data["id"].clone());
    }
    assert_eq!(heard, told);
}
