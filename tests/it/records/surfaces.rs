//! The surfaces, each with the way its calls are made.

use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::{
    intent::{
        Web,
        stage::{Upstream, settings},
    },
    openai::{Model, calls, workflow},
    processes::wait_until,
    records::{BY_NAME, Call, STATED, Surface, TYPED},
    server::Server,
    workflow::Running,
    world::World,
};

pub(super) fn all() -> [Surface; 7] {
    let client = |name: &str, version: &str| json!({"name": name, "version": version});
    let own = client("awf", env!("CARGO_PKG_VERSION"));
    let none = Value::Null;
    let step = |name, source, play, session: &str, client| Surface {
        name,
        source,
        run: json!("<run>"),
        step: json!("ask"),
        session: if session.is_empty() { Value::Null } else { json!(session) },
        client,
        calls: &BY_NAME,
        play,
    };
    let alone = |name, source, session: &str, client, calls, play| Surface {
        name,
        source,
        run: none.clone(),
        step: none.clone(),
        session: if session.is_empty() { Value::Null } else { json!(session) },
        client,
        calls,
        play,
    };
    let it = client("it", "1.2");
    [
        alone("direct stdio", "mcp", "<id>", it.clone(), &BY_NAME, direct),
        alone("intent stdio", "mcp", "<id>", it.clone(), &STATED, over_stdio),
        alone("intent http", "mcp", "<id>", it.clone(), &STATED, over_http),
        alone("call", "cli", "", own, &TYPED, typed),
        alone("rest", "api", "", it, &STATED, over_rest),
        step(
            "openai",
            "workflow",
            by_model as fn(&World, &Upstream, &Surface),
            "",
            client("awf-openai-compatible", env!("CARGO_PKG_VERSION")),
        ),
        step(
            "scripted",
            "mcp",
            by_script,
            "<id>",
            client("awf-scripted", env!("CARGO_PKG_VERSION")),
        ),
    ]
}

/// The reason that is given beside a call.
pub(super) fn reason(call: &Call) -> String {
    if call.code == "REASON_TOO_LONG" { "é".repeat(1001) } else { "to see".to_owned() }
}

/// What every step and every server may at most do where nothing is stated.
fn ceiling() -> Value {
    json!({"tools": {"allow": "write"}})
}

/// Waits until the last call of a surface, which is never answered, has reached the server.
fn reached(fake: &Upstream, surface: &Surface) {
    let from = format!("\"{}\"", surface.name);
    wait_until("the last call", || {
        fake.calls().iter().any(|(tool, args)| tool == "stuck" && args.contains(&from))
    });
}

fn interrupt(run: &mut Running, fake: &Upstream, surface: &Surface) {
    reached(fake, surface);
    kill_process(Pid::from_child(&run.0), Signal::INT).unwrap();
    assert_eq!(run.0.wait().unwrap().code(), Some(130));
}

/// Makes the calls over the pipes of a server; the last one is cancelled.
fn over_pipes(mut server: Server, fake: &Upstream, surface: &Surface, named: fn(&Call) -> String) {
    for call in surface.calls {
        let arguments = match call.variant {
            "" => call.arguments(surface),
            _ => call.stated(surface),
        };
        let id = server.send_call(&named(call), &arguments);
        if call.status == "interrupted" {
            reached(fake, surface);
            server.notify("notifications/cancelled", &json!({"requestId": id}));
        } else {
            server.answer(id);
        }
    }
    server.close();
}

fn direct(world: &World, fake: &Upstream, surface: &Surface) {
    let server = world.serve_with(settings(&[fake], &ceiling()));
    over_pipes(server, fake, surface, |call| format!("fake_{}", call.tool));
}

fn over_stdio(world: &World, fake: &Upstream, surface: &Surface) {
    let server = world.gateway(&[fake], &json!({}));
    over_pipes(server, fake, surface, |call| format!("call_tool_{}", call.variant));
}

fn over_http(world: &World, fake: &Upstream, surface: &Surface) {
    let mut web = Web::start_mcp(world, &world.config(settings(&[fake], &json!({}))));
    for call in surface.calls {
        let params = json!({"name": format!("call_tool_{}", call.variant), "arguments": call.stated(surface)});
        if call.status != "interrupted" {
            web.ask("tools/call", &params.to_string());
            continue;
        }
        let body = json!({"jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": params});
        let _open = web.sent("/mcp", &body.to_string());
        reached(fake, surface);
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 77}});
        assert_eq!(web.post("/mcp", &cancel.to_string()).status, 202);
        ended(world, surface);
    }
}

fn over_rest(world: &World, fake: &Upstream, surface: &Surface) {
    let mut web = Web::start(world, &world.config(settings(&[fake], &json!({}))));
    for call in surface.calls {
        let body = json!({"tool_name": format!("call_tool_{}", call.variant), "arguments": call.stated(surface)});
        if call.status == "interrupted" {
            let open = web.sent("/api/v1/tools/call", &body.to_string());
            reached(fake, surface);
            // The caller leaves.
            drop(open);
            ended(world, surface);
        } else {
            web.post("/api/v1/tools/call", &body.to_string());
        }
    }
}

/// Waits until no call of a surface is under way any more.
fn ended(world: &World, surface: &Surface) {
    wait_until("the end of the call", || {
        let records = world.activity();
        let mut own = records.iter().filter(|record| record["arguments"]["from"] == surface.name);
        own.all(|record| record["status"] != "started")
    });
}

fn typed(world: &World, fake: &Upstream, surface: &Surface) {
    let config = world.config(settings(&[fake], &json!({})));
    for call in surface.calls {
        let (variant, tool) = (format!("tool-{}", call.variant), format!("fake:{}", call.tool));
        let arguments = call.arguments(surface).to_string();
        let mut command = world.command(["call", &variant, &tool, "--args", &arguments]);
        command.args(["--sensitivity", "internal", "--reason", &reason(call), "--config"]);
        command.arg(&config).stdout(Stdio::null()).stderr(Stdio::null());
        let mut run = Running::start(command);
        match call.status {
            "interrupted" => interrupt(&mut run, fake, surface),
            _ => drop(run.0.wait().unwrap()),
        }
    }
}

/// The keys of a step that may use the server.
const STEP: &str = "    tools: {servers: [fake], allow: write}\n";

fn by_model(world: &World, fake: &Upstream, surface: &Surface) {
    let replies = surface
        .calls
        .iter()
        .map(|call| calls(&format!("fake_{}", call.tool), &call.arguments(surface)));
    let model = Model::new(replies.collect());
    world.workflow("asked", &workflow(STEP));
    world.write_user(&settings(&[fake], &json!({})));
    let mut command = world.by_user(&["run", "asked", "--format", "quiet"]);
    command.env("OPENAI_BASE_URL", &model.base_url).env("OPENAI_API_KEY", "sk-of-a-test");
    command.env("OPENAI_MODEL", "m").stderr(Stdio::null());
    interrupt(&mut Running::start(command), fake, surface);
}

fn by_script(world: &World, fake: &Upstream, surface: &Surface) {
    let turn = |call: &Call| {
        let expect = match call.status {
            "success" | "interrupted" => json!({"error": false}),
            "error" => json!({"error": true}),
            _ => json!({"refused": true}),
        };
        json!({"call": format!("fake_{}", call.tool), "arguments": call.arguments(surface), "expect": expect})
    };
    let turns: Vec<Value> = surface.calls.iter().map(turn).collect();
    world.file("turns.yaml", json!({"turns": turns}).to_string());
    let text = workflow(STEP).replace("openai-compatible", "scripted:turns.yaml");
    world.workflow("played", &text);
    world.write_user(&settings(&[fake], &json!({})));
    let mut command = world.by_user(&["run", "played", "--format", "quiet"]);
    command.stderr(Stdio::null());
    interrupt(&mut Running::start(command), fake, surface);
}
