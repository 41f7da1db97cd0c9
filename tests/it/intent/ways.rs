//! The four ways to the variants (MCP on stdio, MCP over HTTP, REST, an agent's step), each played with the same calls.

use std::{fmt::Write as _, fs};

use serde_json::{Value, json};

use crate::{
    intent::{
        stage::{Upstream, settings},
        web::Web,
    },
    workflow::Ran,
    world::World,
};

/// How calls get in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Stdio,
    Http,
    Rest,
    Step,
}

impl Way {
    pub(crate) const ALL: [Self; 4] = [Self::Stdio, Self::Http, Self::Rest, Self::Step];
}

/// A call of a variant: its arguments as JSON text, and what must become of it.
pub(crate) struct Case {
    /// Sent along as `args: {"case": number}`, which tells its record.
    pub(crate) number: usize,
    /// The tool of the server `fake` that is meant.
    pub(crate) tool: String,
    pub(crate) label: String,
    pub(crate) variant: String,
    pub(crate) arguments: String,
    pub(crate) expected: Expected,
}

/// What must become of a call.
pub(crate) enum Expected {
    /// It reaches the tool. `intent` is how it is kept, `warnings` are code and message.
    Goes { intent: Value, warnings: Vec<(String, String)> },
    /// It is refused. `intent` is how it is kept, of a faulty one what can be read.
    Refused { code: String, message: String, intent: Value },
}

/// What was answered to a call.
#[derive(Debug)]
pub(crate) struct Seen {
    /// The refusal's code.
    pub(crate) code: Option<String>,
    pub(crate) text: String,
    pub(crate) warnings: Value,
    /// The status over REST.
    pub(crate) status: Option<u16>,
}

impl Seen {
    /// An MCP result.
    pub(crate) fn of_result(result: &Value) -> Self {
        let refused = result["isError"] == true;
        let code = result["structuredContent"]["code"].as_str().filter(|_| refused);
        if let (Some(_), message) = (code, &result["structuredContent"]["message"]) {
            // Beside the message a text may hold what mends the call.
            let text = result["content"][0]["text"].as_str().unwrap();
            assert!(text.starts_with(message.as_str().unwrap()), "{result}");
            assert!(result["structuredContent"]["request_id"].is_string(), "{result}");
        }
        Self {
            code: code.map(str::to_owned),
            text: result["content"][0]["text"].as_str().unwrap_or_default().to_owned(),
            warnings: result["_meta"]["awf/warnings"].clone(),
            status: None,
        }
    }

    fn of_rest(status: u16, body: &Value) -> Self {
        if status == 200 {
            return Self { status: Some(status), ..Self::of_result(body) };
        }
        let word = |key: &str| body[key].as_str().map(str::to_owned);
        Self {
            code: word("code"),
            text: word("detail").unwrap_or_default(),
            warnings: Value::Null,
            status: Some(status),
        }
    }
}

/// Plays all cases, in order, and gives what was answered. Under a step the script itself holds the text against what is
/// expected; what was answered is then read from the record.
pub(crate) fn play(
    world: &World,
    way: Way,
    (upstreams, policy): (&[&Upstream], &Value),
    cases: &[Case],
) -> Vec<Seen> {
    let further = json!({"intent_declaration": policy});
    match way {
        Way::Stdio => {
            let mut server = world.gateway(upstreams, &further);
            let seen = cases.iter().enumerate().map(|(number, case)| {
                let id = 100_000 + number;
                let Case { variant, arguments, .. } = case;
                server.line(&format!(
                    r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{variant}","arguments":{arguments}}}}}"#
                ));
                Seen::of_result(&result(&server.raw_answer(id)))
            });
            let seen = seen.collect();
            server.close();
            seen
        }
        Way::Http => {
            let mut web = Web::start_mcp(world, &world.config(settings(upstreams, &further)));
            let seen = cases.iter().map(|case| {
                let Case { variant, arguments, .. } = case;
                let params = format!(r#"{{"name":"{variant}","arguments":{arguments}}}"#);
                Seen::of_result(&result(&web.ask("tools/call", &params)))
            });
            seen.collect()
        }
        Way::Rest => {
            let mut web = Web::start(world, &world.config(settings(upstreams, &further)));
            let seen = cases.iter().map(|case| {
                let Case { variant, arguments, .. } = case;
                let body = format!(r#"{{"tool_name":"{variant}","arguments":{arguments}}}"#);
                let reply = web.post("/api/v1/tools/call", &body);
                let body = serde_json::from_str(&reply.body);
                let body = body.unwrap_or_else(|error| panic!("{error}: {}", reply.body));
                Seen::of_rest(reply.status, &body)
            });
            seen.collect()
        }
        Way::Step => play_step(world, upstreams, &further, cases),
    }
}

fn result(answer: &str) -> Value {
    let answer: Value = serde_json::from_str(answer).unwrap();
    assert!(answer.get("result").is_some(), "no result: {answer}");
    answer["result"].clone()
}

/// One step of a scripted agent that makes every call, and expects of each what the case expects.
fn play_step(world: &World, upstreams: &[&Upstream], further: &Value, cases: &[Case]) -> Vec<Seen> {
    let mut turns = String::from("turns:\n");
    for case in cases {
        let expect = match &case.expected {
            Expected::Goes { .. } => json!({"refused": false}),
            Expected::Refused { message, .. } => json!({"refused": true, "contains": message}),
        };
        let Case { variant, arguments, .. } = case;
        writeln!(turns, "  - {{call: {variant}, arguments: {arguments}, expect: {expect}}}")
            .unwrap();
    }
    turns.push_str("  - {say: done}\n");
    world.file("turns.yaml", turns);
    fs::create_dir_all(world.beside("user")).unwrap();
    let user = settings(upstreams, further).to_string();
    fs::write(world.beside("user/config.yaml"), user).unwrap();
    let names: Vec<&str> = upstreams.iter().map(|upstream| upstream.name.as_str()).collect();
    let text = format!(
        "name: w\nstates:\n  initial: ask\n  ask:\n    type: agent\n    provider: scripted:turns.yaml\n    prompt: x\n    timeout: 300\n    mcp_proxy: {{enable: true, intercept_builtins: false}}\n    tools: {{surface: intent, servers: {}}}\n",
        json!(names)
    );
    world.workflow("w", &text);
    let mut command = world.command(["run", "w", "--format", "json"]);
    let ran = Ran::of(&command.env("AWF_CONFIG_HOME", world.beside("user")).output().unwrap());
    assert_eq!(ran.code, 0, "{} {:?}", ran.stderr, ran.end());
    let records = by_case(world);
    records.iter().map(|record| Seen::of_result(&record["response"])).collect()
}

/// The records in the order of their cases; those of one millisecond have none of their own.
pub(crate) fn by_case(world: &World) -> Vec<Value> {
    let mut records = world.activity();
    records.reverse();
    // What could not be read as arguments is kept as it was given.
    let case = |record: &Value| {
        let arguments = &record["arguments"];
        arguments["case"].as_u64().or_else(|| arguments["args"]["case"].as_u64())
    };
    records.sort_by_key(case);
    records
}
