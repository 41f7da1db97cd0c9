//! Runs as they went: what REST tells of them against the run's journal, `awf status` and the activity log.

use std::fs;

use serde_json::{Value, json};

use crate::{
    intent::Web,
    processes::wait_until,
    workflow::{Ran, Running},
    world::World,
};

mod file;
mod page;

/// Branches, a loop, an agent that reads twice at once, writes, and may not delete; all it says is hostile.
const WORKFLOW: &str = r#"
name: w
states:
  initial: both
  both: {type: parallel, parallel: [left, right], strategy: all_succeed, on_success: each}
  left: {type: step, command: "until [ -e right ]; do sleep 0.02; done", timeout: 60s}
  right: {type: step, command: "touch right"}
  each: {type: for_each, items: [a, b], body: [item], on_complete: fix}
  item: {type: step, command: "true"}
  fix:
    type: agent
    provider: scripted:turns.yaml
    prompt: Do it
    mcp_proxy: {enable: true}
    tools: {allow: write}
    on_success: flaky
  flaky: {type: step, command: "[ -e again ] || { touch again; exit 1; }", retry: {max_attempts: 2, initial_delay: 1ms}}
"#;
const TURNS: &str = r#"
turns:
  - say: "<script>alert('turn')</script>"
    calls:
      - {tool: Read, arguments: {file_path: notes.txt}}
      - {tool: Read, arguments: {file_path: "</pre><img src=x onerror=alert(1)>"}, expect: {error: true}}
  - call: Write
    arguments: {file_path: new.txt, content: "key sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}
  - call: Bash
    arguments: {command: "rm -rf /"}
    expect: {refused: true}
  - say: finished
"#;

/// A world in which that was run, and the run.
pub(crate) fn ran(args: &[&str]) -> (World, Ran) {
    let world = World::new();
    world.file("turns.yaml", TURNS);
    world.file("notes.txt", "one\n");
    let ran = world.run(WORKFLOW, args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    (world, ran)
}

fn get(web: &mut Web, path: &str) -> Value {
    let reply = web.get(path);
    assert_eq!(reply.status, 200, "{path}: {}", reply.body);
    serde_json::from_str(&reply.body).unwrap()
}

fn web(world: &World) -> Web {
    Web::start(world, &world.config(json!({})))
}

/// All of `key` in every attempt.
fn all(timeline: &Value, key: &str) -> Vec<Value> {
    let steps = timeline["steps"].as_array().unwrap().iter();
    let attempts = steps.flat_map(|step| step["attempts"].as_array().unwrap());
    attempts.flat_map(|attempt| attempt[key].as_array().unwrap()).cloned().collect()
}

/// Events of one kind in the journal of a run.
fn journaled(world: &World, id: &str, kind: &str) -> Vec<Value> {
    let journal = fs::read_to_string(world.home().join(format!("runs/{id}.jsonl"))).unwrap();
    let lines = journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["kind"] == kind).map(|mut line| line["event"].take()).collect()
}

#[test]
fn a_timeline_has_every_step_of_the_journal() {
    let (world, ran) = ran(&[]);
    let timeline = get(&mut web(&world), &format!("/api/v1/runs/{}", ran.id()));
    let status = world.awf_json(["status", ran.id(), "-o", "json"]);
    for key in ["id", "workflow", "status", "began", "ended", "duration_ms", "exit_code", "state"] {
        assert_eq!(timeline[key], status[key], "{key}");
    }
    let steps = |document: &Value, key: &str| -> Vec<Value> {
        let steps = document["steps"].as_array().unwrap().iter();
        steps.map(|step| json!([step["name"], step["status"], step["began"], step[key]])).collect()
    };
    assert_eq!(steps(&timeline, "duration_ms"), steps(&status, "elapsed_ms"));
    let names: Vec<&str> = status["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["both.left", "both.right", "each[0].item", "each[1].item", "fix", "flaky"]);
    let attempts: Vec<usize> = timeline["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["attempts"].as_array().unwrap().len())
        .collect();
    assert_eq!(attempts, [1, 1, 1, 1, 1, 2]);

    // Branches are under way at the same time: the first of them waits for the other.
    let span = |at: usize| {
        let step = &timeline["steps"][at];
        let began = step["began"].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
        (began, began + jiff::SignedDuration::from_millis(step["duration_ms"].as_i64().unwrap()))
    };
    assert!(span(0).0 <= span(1).1 && span(1).0 <= span(0).1, "{timeline}");
}

#[test]
fn a_timeline_has_every_turn_and_call_of_the_journals() {
    let (world, ran) = ran(&[]);
    let timeline = get(&mut web(&world), &format!("/api/v1/runs/{}", ran.id()));
    let turns = all(&timeline, "turns");
    let kept = journaled(&world, ran.id(), "turn");
    let texts = |turns: &[Value], key: &str| -> Vec<Value> {
        turns.iter().map(|turn| json!([turn["number"], turn[key]])).collect()
    };
    assert_eq!(texts(&turns, "text"), texts(&kept, "head"));
    assert_eq!(turns.len(), 4);
    assert_eq!(turns[0]["text"], "<script>alert('turn')</script>");
    assert!(turns.iter().all(|turn| turn["usage"]["estimated"] == true), "{turns:?}");

    let calls = all(&timeline, "calls");
    let told: Vec<Value> = calls
        .iter()
        .map(|call| {
            json!([
                call["id"],
                call["tool_name"],
                call["server_name"],
                call["status"],
                call["duration_ms"],
                call["began"],
                call["request_id"],
                call["decision"]
            ])
        })
        .collect();
    let mut records = world.activity();
    records.reverse();
    let recorded: Vec<Value> = records
        .iter()
        .map(|record| {
            json!([
                record["id"],
                record["tool_name"],
                record["server_name"],
                record["status"],
                record["duration_ms"],
                record["timestamp"],
                record["request_id"],
                record["metadata"]["decision"]
            ])
        })
        .collect();
    assert_eq!(told, recorded);
    let made: Vec<Value> =
        calls.iter().map(|call| json!([call["tool_name"], call["turn"], call["status"]])).collect();
    assert_eq!(
        made,
        [
            json!(["Read", 1, "success"]),
            json!(["Read", 1, "error"]),
            json!(["Write", 2, "success"]),
            json!(["Bash", 3, "denied"]),
        ]
    );
    assert_eq!(timeline["tool_calls"], json!({"made": 4, "denied": 1, "bypassed": 0}));
    assert_eq!((&timeline["other_calls"], &timeline["loss"]), (&json!([]), &Value::Null));
}

#[test]
fn the_list_is_what_history_says_with_numbers() {
    let (world, ran) = ran(&[]);
    world.run("name: w\nstates: {initial: a, a: {type: step, command: exit 4}}\n", &[]);
    let mut web = web(&world);
    let listed = get(&mut web, "/api/v1/runs");
    let history = world.awf_json(["history", "-o", "json"]);
    let runs = listed["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 2);
    for (run, line) in runs.iter().zip(history["runs"].as_array().unwrap()) {
        for (key, value) in line.as_object().unwrap() {
            assert_eq!(&run[key], value, "{key}");
        }
    }
    assert_eq!((&runs[1]["id"], &runs[1]["steps"]), (&json!(ran.id()), &json!(6)));
    assert_eq!(runs[1]["tool_calls"], json!({"made": 4, "denied": 1, "bypassed": 0}));
    let failed = get(&mut web, "/api/v1/runs?status=failed&workflow=w&limit=1");
    assert_eq!((&failed["runs"][0], &failed["next_cursor"]), (&runs[0], &Value::Null));

    // Damage is told, and what was before it shown.
    let journal = world.home().join(format!("runs/{}.jsonl", ran.id()));
    let text = fs::read_to_string(&journal).unwrap();
    let at = text.lines().position(|line| line.contains("each[1].item")).unwrap();
    let lines = text.lines().enumerate();
    let spoilt: Vec<String> = lines
        .map(|(line, text)| if line == at { "{".to_owned() } else { text.to_owned() })
        .collect();
    fs::write(&journal, spoilt.join("\n") + "\n").unwrap();
    let listed = get(&mut web, "/api/v1/runs");
    assert_eq!(listed["runs"].as_array().unwrap().len(), 2);
    assert_eq!(listed["runs"][1]["loss"]["damaged"]["line"], at + 1);
    let shown = get(&mut web, &format!("/api/v1/runs/{}", ran.id()));
    assert_eq!(shown["loss"]["damaged"]["line"], at + 1);
    assert_eq!(shown["steps"].as_array().unwrap().len(), 3);
}

#[test]
fn a_run_that_was_killed_shows_how_far_it_came() {
    let world = World::new();
    world.file(
        "turns.yaml",
        "turns: [{say: I wait., call: Bash, arguments: {command: touch begun; sleep 600}}]\n",
    );
    world.workflow(
        "w",
        "name: w\nstates:\n  initial: ask\n  ask: {type: agent, provider: 'scripted:turns.yaml', prompt: x, mcp_proxy: {enable: true}, tools: {allow: destructive}}\n",
    );
    let run = Running::start(world.command(["run", "w", "--format", "quiet"]));
    wait_until("the call", || world.root().join("begun").exists());
    let mut web = web(&world);
    let id =
        get(&mut web, "/api/v1/runs?status=running")["runs"][0]["id"].as_str().unwrap().to_owned();
    let told = |web: &mut Web| {
        let timeline = get(web, &format!("/api/v1/runs/{id}"));
        let (step, call) = (&timeline["steps"][0]["attempts"][0], &all(&timeline, "calls")[0]);
        let turn = &all(&timeline, "turns")[0];
        let took = |value: &Value| value["duration_ms"].as_u64();
        assert!(took(step) >= took(turn), "{timeline}");
        json!([
            timeline["status"],
            timeline["ended"],
            timeline["stopped_at"],
            step["status"],
            turn["text"],
            call["status"],
            call["turn"],
            call["duration_ms"]
        ])
    };
    assert_eq!(
        told(&mut web),
        json!(["running", null, [], "running", "I wait.", "started", 1, null])
    );
    run.kill();
    wait_until("the end of its process", || {
        world.awf_json(["status", &id, "-o", "json"])["status"] == "interrupted"
    });
    assert_eq!(
        told(&mut web),
        json!(["interrupted", null, ["ask"], "interrupted", "I wait.", "interrupted", 1, null])
    );
}
