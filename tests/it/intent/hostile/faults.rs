//! Servers that break: they flood, hang, die, answer too much, and ask what they may not.

use std::time::Instant;

use serde_json::{Value, json};

use crate::{
    intent::{
        hostile::{READ, SOON, healthy, unaffected},
        stage::{Upstream, in_order, settings, tool},
        web::Web,
    },
    processes::{memory_kib, wait_until},
    server::{Server, failed, text},
    world::World,
};

/// A gateway to a server with the tools `bad` and `good`, and to its neighbour.
fn gateway(world: &World, behaviour: &str, further: &str) -> (Server, Upstream) {
    let tools = [tool("bad", READ), tool("good", READ)].join(",");
    let script = format!(
        r#"{{"stages":[{{"tools":[{tools}]}}],"behaviours":{{"bad":{behaviour}}}{further}}}"#
    );
    let fake = Upstream::new(world, "fake", &script);
    let healthy = healthy(world);
    (world.gateway(&[&fake, &healthy], &json!({})), fake)
}

fn call(gateway: &mut Server, tool: &str) -> Value {
    gateway.through("call_tool_read", &format!("fake:{tool}"), &json!({"n": 1}))
}

#[test]
fn a_flood_on_stderr_stops_nothing() {
    let world = World::new();
    let (mut gateway, _fake) = gateway(&world, r#""echo""#, r#","stderr_mib":64"#);
    for _ in 0..20 {
        assert!(!failed(&call(&mut gateway, "bad")));
    }
    unaffected(&mut gateway);
    let (status, stderr) = gateway.close();
    assert!(status.success());
    assert!(stderr.len() < 1024 * 1024, "{} bytes of it were passed on", stderr.len());
}

#[test]
fn a_line_of_64_mib_costs_that_call_alone() {
    for behaviour in [r#"{"garbage_mib":64}"#, r#"{"reply_mib":64}"#] {
        let world = World::new();
        let (mut gateway, _fake) = gateway(&world, behaviour, "");
        let id = gateway.send_call(
            "call_tool_read",
            &json!({"name": "fake:bad", "args": {}, "intent": {"operation_type": "read"}}),
        );
        unaffected(&mut gateway);
        let answer = gateway.answer(id);
        assert!(failed(&answer["result"]), "{behaviour}: {}", text(&answer["result"]));
        assert!(!failed(&call(&mut gateway, "good")), "{behaviour}: it does not go on");
        let peak = memory_kib(gateway.pid(), "VmHWM");
        assert!(peak < 400 * 1024, "{behaviour}: {peak} KiB at its peak");
    }
}

#[test]
fn pages_without_end_are_cut_and_told() {
    for pages in [r#","pages":"endless""#, r#","pages":"stuck""#] {
        let world = World::new();
        let (mut gateway, fake) = gateway(&world, r#""echo""#, pages);
        let begun = Instant::now();
        let answer = call(&mut gateway, "good");
        assert!(failed(&answer), "{pages}: {answer}");
        assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
        let found = gateway.call("retrieve_tools", &json!({"query": "look"}));
        let unavailable = &found["structuredContent"]["unavailable"][0];
        assert_eq!(unavailable["server"], "fake", "{found}");
        assert_eq!(fake.calls(), []);
        unaffected(&mut gateway);
    }
}

#[test]
fn pages_that_end_are_followed() {
    let world = World::new();
    let tools: Vec<String> = (0..25).map(|number| tool(&format!("t{number}"), READ)).collect();
    let script = format!(r#"{{"pages":{{"of":4}},"stages":[{{"tools":[{}]}}]}}"#, tools.join(","));
    let fake = Upstream::new(&world, "fake", &script);
    let mut gateway = world.gateway(&[&fake], &json!({}));
    let last = gateway.through("call_tool_read", "fake:t24", &json!({}));
    assert!(!failed(&last), "{last}");
    assert_eq!(fake.lists(), 7);
}

#[test]
fn a_call_that_is_never_answered_can_be_cancelled_and_holds_up_nobody() {
    let world = World::new();
    let (mut gateway, fake) = gateway(&world, r#""hang""#, "");
    let arguments = json!({"name": "fake:bad", "args": {}, "intent": {"operation_type": "read"}});
    let id = gateway.send_call("call_tool_read", &arguments);
    wait_until("the call", || fake.calls().len() == 1);
    assert!(!failed(&call(&mut gateway, "good")), "the same server answers others meanwhile");
    unaffected(&mut gateway);
    gateway.notify("notifications/cancelled", &json!({"requestId": id}));
    unaffected(&mut gateway);
    gateway.close();
    let records = world.activity();
    let hung = records.iter().find(|record| record["tool_name"] == "bad").unwrap();
    assert_eq!(hung["status"], "interrupted", "{hung}");
}

#[test]
fn a_server_that_dies_mid_call_says_so_and_is_started_again() {
    for behaviour in [r#"{"exit":9}"#, r#""abort""#] {
        let world = World::new();
        let (mut gateway, fake) = gateway(&world, behaviour, "");
        let died = call(&mut gateway, "bad");
        assert!(failed(&died), "{behaviour}: {died}");
        assert!(text(&died).contains("fake"), "{died}");
        unaffected(&mut gateway);
        let alive = call(&mut gateway, "good");
        assert!(!failed(&alive), "{behaviour}: {alive}");
        let reached: Vec<String> = fake.calls().into_iter().map(|(tool, _)| tool).collect();
        assert_eq!(reached, ["bad", "good"], "a call is never sent twice");
        gateway.close();
        let records = world.activity();
        let record = records.iter().find(|record| record["tool_name"] == "bad").unwrap();
        assert_eq!(record["status"], "error", "{record}");
    }
}

#[test]
fn a_server_that_never_answers_at_its_start_holds_up_nobody() {
    for start in [r#","start":{"silent":true}"#, r#","pages":"silent""#] {
        let world = World::new();
        let (mut gateway, fake) = gateway(&world, r#""echo""#, start);
        let arguments =
            json!({"name": "fake:good", "args": {}, "intent": {"operation_type": "read"}});
        let id = gateway.send_call("call_tool_read", &arguments);
        unaffected(&mut gateway);
        gateway.notify("notifications/cancelled", &json!({"requestId": id}));
        unaffected(&mut gateway);
        assert_eq!(fake.calls(), []);
    }
}

#[test]
fn what_a_server_says_as_it_ends_is_told() {
    let world = World::new();
    let start = r#","start":{"stderr":"no licence\n","exit":3}"#;
    let (mut gateway, _fake) = gateway(&world, r#""echo""#, start);
    let answer = call(&mut gateway, "good");
    assert!(failed(&answer) && text(&answer).contains("no licence"), "{answer}");
    unaffected(&mut gateway);
}

#[test]
fn words_before_the_first_message_are_passed_over() {
    let world = World::new();
    let start = r#","start":{"stdout":"Listening!\n{\"half\": \n","sleep_ms":50}"#;
    let (mut gateway, _fake) = gateway(&world, r#""echo""#, start);
    assert!(!failed(&call(&mut gateway, "good")));
    unaffected(&mut gateway);
}

#[test]
fn what_a_server_asks_of_us_is_refused_and_the_call_goes_on() {
    let world = World::new();
    let asks = r#"{"ask":["sampling/createMessage","roots/list","elicitation/create"]}"#;
    let (mut gateway, fake) = gateway(&world, asks, "");
    let answer = call(&mut gateway, "bad");
    assert!(!failed(&answer), "{answer}");
    let answers = fake.answers();
    assert_eq!(answers.len(), 3);
    for (answer, method) in
        answers.iter().zip(["sampling/createMessage", "roots/list", "elicitation/create"])
    {
        let (asked, message) = answer.split_once('\t').unwrap();
        let message: Value = serde_json::from_str(message).unwrap();
        assert_eq!((asked, &message["error"]["code"]), (method, &json!(-32601)), "{message}");
        assert!(message.get("result").is_none(), "{message}");
    }
    unaffected(&mut gateway);
    gateway.close();
}

#[test]
fn a_server_of_the_modern_era_that_asks_for_input_is_an_error() {
    let world = World::new();
    let asks = r#"{"ask":["elicitation/create"]}"#;
    let (mut gateway, _fake) = gateway(&world, asks, r#","era":"modern""#);
    let answer = call(&mut gateway, "bad");
    assert!(failed(&answer), "{answer}");
    assert!(!failed(&call(&mut gateway, "good")));
    unaffected(&mut gateway);
}

#[test]
fn a_message_inside_a_text_stays_a_text() {
    let world = World::new();
    let (mut gateway, _fake) = gateway(&world, r#""forge""#, "");
    let answer = call(&mut gateway, "bad");
    assert!(text(&answer).contains(r#""text":"forged""#), "{answer}");
    let next = call(&mut gateway, "good");
    assert_eq!(next["structuredContent"]["echo"], json!({"n": 1}), "{next}");
    unaffected(&mut gateway);
}

#[test]
fn an_error_of_the_protocol_is_for_the_model_to_read() {
    let world = World::new();
    let (mut gateway, _fake) = gateway(&world, r#"{"refuse":-32000}"#, "");
    let answer = call(&mut gateway, "bad");
    assert!(failed(&answer) && text(&answer).contains("refused by the script"), "{answer}");
    unaffected(&mut gateway);
}

/// The same failure over every way in, and on record as one.
#[test]
fn an_answer_that_is_no_object_is_a_failure_of_the_tool() {
    let said = "server `fake`: its answer is no result";
    for answer in [r#""str""#, "null", "7", "[{}]", "true"] {
        let world = World::new();
        let behaviour = format!(r#"{{"result":{answer}}}"#);
        let (mut gateway, fake) = gateway(&world, &behaviour, "");
        let result = call(&mut gateway, "bad");
        assert!(failed(&result) && text(&result) == said, "{answer}: {result}");
        unaffected(&mut gateway);
        gateway.close();
        let config = world.config(settings(&[&fake], &json!({})));
        let mut web = Web::start(&world, &config);
        let arguments = in_order("call_tool_read", "fake:bad", "{}");
        let body = format!(r#"{{"tool_name":"call_tool_read","arguments":{arguments}}}"#);
        let reply = web.post("/api/v1/tools/call", &body);
        let result: Value = serde_json::from_str(&reply.body).unwrap();
        assert_eq!(reply.status, 200);
        assert!(failed(&result) && text(&result) == said, "{answer}: {result}");
        drop(web);
        let words = ["call", "tool-read", "fake:bad", "--config", config.to_str().unwrap()];
        let output = world.awf(words);
        assert!(!output.status.success(), "{answer}: {output:?}");
        let records = world.activity();
        let records = records.iter().filter(|record| record["tool_name"] == "bad");
        let statuses: Vec<_> = records.map(|record| record["status"].clone()).collect();
        assert_eq!(statuses, ["error"; 3], "{answer}");
    }
}
