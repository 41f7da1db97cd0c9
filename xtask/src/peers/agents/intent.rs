//! A step on the intent surface: the agent has four tools, finds the others, and may not take the wrong door.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::{
    agent::Agent,
    crew::{Checks, checks_of},
    seen::{INTENT_TOOLS, Seen, judge_offered},
    setup::MODEL,
    stage::Tools,
};

const ANSWER: &str = "found and read";
const REASON: &str = "to see the marker";

/// A call the model makes, and what must come of it.
struct Planned {
    tool: &'static str,
    arguments: Value,
    /// What the model must see.
    result: &'static str,
    /// The server and the tool of the record, its status and the decision, unless it calls nothing.
    recorded: Option<[&'static str; 4]>,
}

pub(super) fn check(tools: &Tools<'_>, agent: Agent) -> Checks {
    let name = format!("{} intent", agent.provider());
    checks_of(&name, || {
        let stage = tools.stage(&name.replace(' ', "-"))?;
        let planned = planned(agent);
        let seen = stage.run_workflow(&workflow(agent), scenario(&planned))?;
        Ok(vec![
            (format!("{name}: the answer, exit 0"), judge_end(&seen)),
            (
                format!("{name}: the model is offered the four tools only"),
                judge_offer(&seen, agent),
            ),
            (format!("{name}: the results are back at the model"), judge_results(&seen, &planned)),
            (
                format!("{name}: each call is recorded with variant, intent and decision"),
                judge_records(&seen, &planned),
            ),
        ])
    })
}

fn planned(agent: Agent) -> Vec<Planned> {
    let call = |name: &str, arguments: Value| {
        let mut call = json!({"name": name, "args": arguments});
        // Gemini is shown the flat form.
        if agent == Agent::Gemini {
            call["intent_operation_type"] = json!("read");
            call["intent_reason"] = json!(REASON);
        } else {
            call["intent"] = json!({"operation_type": "read", "reason": REASON});
        }
        call
    };
    vec![
        Planned {
            tool: "retrieve_tools",
            arguments: json!({"query": "read a file"}),
            result: "builtin:Read",
            recorded: None,
        },
        Planned {
            tool: "call_tool_read",
            arguments: call("builtin:Read", json!({"file_path": "marker.txt"})),
            result: "the marker is 7731",
            recorded: Some(["builtin", "Read", "success", "allow"]),
        },
        Planned {
            tool: "call_tool_read",
            arguments: call("fixture:test_simple_text", json!({})),
            result: "a simple text response for testing",
            recorded: Some(["fixture", "test_simple_text", "success", "allow"]),
        },
        Planned {
            tool: "call_tool_read",
            arguments: call("builtin:Bash", json!({"command": "touch leaked"})),
            result: "is marked destructive by server, use call_tool_destructive",
            recorded: Some(["builtin", "Bash", "denied", "deny"]),
        },
    ]
}

fn workflow(agent: Agent) -> String {
    let mut step = json!({
        "type": "agent",
        "provider": agent.provider(),
        "prompt": "Go",
        "timeout": 120,
        "mcp_proxy": {"enable": true},
        "tools": {"surface": "intent", "servers": ["fixture"]},
        "on_success": "done",
    });
    if agent == Agent::Endpoint {
        step["options"] = json!({"base_url": format!("{MODEL}/v1"), "model": "scripted"});
    }
    let done = json!({"type": "terminal", "message": "{{.states.ask.Output}}"});
    json!({"name": "w", "states": {"initial": "ask", "ask": step, "done": done}}).to_string()
}

fn scenario(planned: &[Planned]) -> Value {
    let calls = planned.iter().map(
        |call| json!({"calls": [{"wanted": {"offered": call.tool}, "arguments": call.arguments}]}),
    );
    let turns: Vec<_> = calls.chain([json!({"text": ANSWER})]).collect();
    json!({"turns": turns, "last": "nothing more to say"})
}

fn judge_end(seen: &Seen) -> Result<()> {
    let end = seen.end()?;
    let message = end["message"].as_str().unwrap_or_default().replace('\n', "");
    ensure!(message == ANSWER, "it says `{message}`, {}: {}", end["error"], seen.last_words());
    ensure!(seen.outcome.code == Some(0), "exit {:?}: {}", seen.outcome.code, seen.last_words());
    ensure!(seen.outcome.left.is_empty(), "left behind: {:?}", seen.outcome.left);
    Ok(())
}

fn judge_offer(seen: &Seen, agent: Agent) -> Result<()> {
    seen.judge_asked()?;
    judge_offered(agent, &seen.offered(0..u64::MAX), &INTENT_TOOLS)
}

fn judge_results(seen: &Seen, planned: &[Planned]) -> Result<()> {
    for call in planned {
        ensure!(
            seen.has_result(call.result),
            "no result has `{}`: {:?}",
            call.result,
            seen.last_results()
        );
    }
    ensure!(!seen.exists("project/leaked"), "what was refused has happened");
    Ok(())
}

fn judge_records(seen: &Seen, planned: &[Planned]) -> Result<()> {
    let run = &seen.end()?["run"];
    for call in planned {
        let Some([server, tool, status, outcome]) = call.recorded else { continue };
        let ours = |record: &&Value| record["server_name"] == server && record["tool_name"] == tool;
        let record = seen.records.iter().find(ours);
        let record = record.with_context(|| format!("no record of {server}:{tool}"))?;
        let told = &record["metadata"];
        ensure!(record["run_id"] == *run && record["step"] == "ask", "{record}");
        ensure!(record["status"] == status && told["decision"]["outcome"] == outcome, "{record}");
        ensure!(told["tool_variant"] == call.tool, "{record}");
        let intent = &told["intent"];
        ensure!(intent["operation_type"] == "read" && intent["reason"] == REASON, "{record}");
    }
    Ok(())
}
