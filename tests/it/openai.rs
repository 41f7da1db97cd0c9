//! Steps of an endpoint that speaks chat completions, with a model server of the test's own: what the model is told, what is
//! recorded, where the key goes, how a run ends.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::{
    processes::wait_until,
    receiver::Receiver,
    snapshots::matches,
    upstream,
    workflow::{Ran, Running},
    world::World,
};

/// A key that must be seen nowhere but in the header of a request.
const CANARY: &str = "sk-canary-0a1b2c3d4e5f";

/// Answers one reply after the other, each on a connection of its own, and remembers what it was asked.
pub(crate) struct Model {
    pub(crate) base_url: String,
    /// Heads and bodies.
    asked: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Model {
    pub(crate) fn new(replies: Vec<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = Arc::<Mutex<Vec<(String, Value)>>>::default();
        let notes = asked.clone();
        thread::spawn(move || {
            let mut kept = Vec::new();
            for reply in replies {
                let (stream, _) = listener.accept().unwrap();
                kept.extend(answer(stream, &reply, &notes));
            }
        });
        Self { base_url, asked }
    }

    pub(crate) fn asked(&self) -> Vec<(String, Value)> {
        self.asked.lock().unwrap().clone()
    }

    /// Role and content of what the last request said last.
    fn last_message(&self) -> (String, String) {
        let asked = self.asked();
        let messages = asked.last().unwrap().1["messages"].as_array().unwrap().clone();
        let last = messages.last().unwrap();
        let text = |key: &str| last[key].as_str().unwrap_or_default().to_owned();
        (text("role"), text("content"))
    }
}

/// Gives the connection back where there is nothing to say on it.
fn answer(
    stream: TcpStream,
    reply: &str,
    notes: &Mutex<Vec<(String, Value)>>,
) -> Option<BufReader<TcpStream>> {
    let mut stream = BufReader::new(stream);
    let (mut head, mut line, mut length) = (String::new(), String::new(), 0);
    while line != "\r\n" {
        line.clear();
        stream.read_line(&mut line).unwrap();
        head.push_str(&line);
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).unwrap();
    notes.lock().unwrap().push((head, serde_json::from_slice(&body).unwrap()));
    if reply.is_empty() {
        return Some(stream);
    }
    stream.get_mut().write_all(reply.as_bytes()).unwrap();
    None
}

fn events(data: &[Value]) -> String {
    let events: Vec<String> = data.iter().map(|data| format!("data: {data}\n\n")).collect();
    let events = events.concat();
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n{events}data: [DONE]\n\n"
    )
}

fn answers(delta: &Value, reason: &str) -> String {
    let end = json!({"choices": [{"delta": {}, "finish_reason": reason}], "usage": {"prompt_tokens": 100, "completion_tokens": 11}});
    events(&[json!({"model": "m-1", "choices": [{"index": 0, "delta": delta}]}), end])
}

pub(crate) fn says(text: &str) -> String {
    answers(&json!({"content": text}), "stop")
}

pub(crate) fn calls(name: &str, arguments: &Value) -> String {
    let function = json!({"name": name, "arguments": arguments.to_string()});
    answers(&json!({"tool_calls": [{"index": 0, "id": "c1", "function": function}]}), "tool_calls")
}

fn refuses(status: &str, headers: &str) -> String {
    format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: 0\r\n{headers}\r\n")
}

/// A step `ask` with further keys.
pub(crate) fn workflow(keys: &str) -> String {
    format!(
        "name: w\nstates:\n  initial: ask\n  ask:\n    type: agent\n    provider: openai-compatible\n    prompt: Do it\n    mcp_proxy: {{enable: true}}\n{keys}    on_success: done\n  done: {{type: terminal, message: \"{{{{.states.ask.Output}}}} {{{{.states.ask.TokensUsed}}}}\"}}\n"
    )
}

/// `awf` in `world`, with the key of the environment bound to `base_url`.
fn awf(world: &World, base_url: &str, args: &[&str]) -> Command {
    let mut command = world.command(args);
    command
        .env("OPENAI_BASE_URL", base_url)
        .env("OPENAI_API_KEY", CANARY)
        .env("OPENAI_MODEL", "test-model")
        .env("AWF_CONFIG_HOME", world.beside("config"));
    command
}

fn run(world: &World, model: &Model, text: &str) -> Ran {
    world.workflow("w", text);
    let args = ["--log-level", "trace", "run", "w", "--format", "json"];
    let output = awf(world, &model.base_url, &args).output().unwrap();
    let ran = Ran::of(&output);
    let shown = format!("{:?} {}", ran.events, ran.stderr);
    assert!(!shown.contains(CANARY), "{shown}");
    for file in files(&world.home()) {
        let bytes = fs::read(&file).unwrap();
        let found = bytes.windows(CANARY.len()).any(|part| part == CANARY.as_bytes());
        assert!(!found, "the key is in {}", file.display());
    }
    ran
}

/// Every file beneath `dir`.
pub(crate) fn files(dir: &Path) -> Vec<PathBuf> {
    let (mut files, mut dirs) = (Vec::new(), vec![dir.to_owned()]);
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() { dirs.push(path) } else { files.push(path) }
        }
    }
    files
}

fn code(ran: &Ran) -> &str {
    ran.end()["error"]["code"].as_str().unwrap_or_default()
}

fn has_key(head: &str) -> bool {
    head.contains(&format!("authorization: Bearer {CANARY}\r\n"))
}

#[test]
fn calls_go_through_the_router_and_the_model_reads_what_came_of_them() {
    let world = World::new();
    world.file("notes.txt", "one\ntwo\n");
    let bash = json!({"command": "echo \"[$OPENAI_API_KEY] [$GRANTED] ran\" | tee made.txt"});
    let model = Model::new(vec![
        calls("Read", &json!({"file_path": "notes.txt"})),
        calls("Bash", &bash),
        says("finished"),
    ]);
    let ran = run(&world, &model, &workflow(""));
    assert_eq!((ran.code, ran.message()), (0, "finished 333"), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(world.root().join("made.txt")).unwrap(), "[] [] ran\n");
    let asked = model.asked();
    assert!(asked.len() == 3 && asked.iter().all(|(head, _)| has_key(head)), "{asked:?}");
    let offered = asked[0].1["tools"].as_array().unwrap().iter();
    let mut offered: Vec<_> =
        offered.map(|tool| tool["function"]["name"].as_str().unwrap()).collect();
    offered.sort_unstable();
    assert_eq!(offered, ["Bash", "Edit", "Glob", "Grep", "Read", "Write"]);
    assert_eq!(asked[1].1["messages"][2]["content"], "1\tone\n2\ttwo\n");
    let (role, content) = model.last_message();
    assert!(role == "tool" && content.contains("[] [] ran"), "{content}");

    let ticks: Vec<_> =
        ran.all("tool_call").iter().map(|call| call["tool"].as_str().unwrap()).collect();
    assert_eq!((ticks, &ran.all("step_ended")[0]["calls"]), (vec!["Read", "Bash"], &json!(2)));
    let records = world.activity();
    assert_eq!(records.len(), 2);
    for record in &records {
        let place = (record["run_id"].as_str(), record["step"].as_str());
        assert_eq!(place, (Some(ran.id()), Some("ask")));
        assert_eq!((&record["source"], &record["status"]), (&json!("workflow"), &json!("success")));
    }
    let lines = ran.stderr.lines().filter(|line| line.contains("tool call")).count();
    assert_eq!(lines, 2, "{}", ran.stderr);
    assert_eq!(ran.printed("ask"), "finished\n");
}

#[test]
fn calls_that_go_wrong_are_told_to_the_model_and_recorded() {
    let world = World::new();
    let call = |id: usize, name: &str, arguments: &str| json!({"index": id, "id": format!("c{id}"), "function": {"name": name, "arguments": arguments}});
    let asked = json!({"tool_calls": [
        call(0, "Read", "{\"file_path\""),
        call(1, "Read", "{\"file_path\": 5}"),
        call(2, "Fly", "{}"),
        call(3, "Bash", "{\"command\": \"touch ran\"}"),
    ]});
    let model = Model::new(vec![answers(&asked, "stop"), says("went on")]);
    let ran = run(&world, &model, &workflow("    tools: {allow: read}\n"));
    assert_eq!((ran.code, ran.message()), (0, "went on 222"), "{}", ran.stderr);
    assert!(!world.root().join("ran").exists());
    let requests = model.asked();
    let offered = requests[0].1["tools"].as_array().unwrap().len();
    assert_eq!(offered, 3, "Read, Glob and Grep");
    let results = requests[1].1["messages"].as_array().unwrap()[2..].iter();
    let results: Vec<_> = results.map(|it| it["content"].as_str().unwrap()).collect();
    assert!(results[0].starts_with("error: the arguments are not valid JSON: EOF"), "{results:?}");
    assert!(results[1].starts_with("error: ") && results[1].contains("file_path"), "{results:?}");
    assert!(results[2].contains("Fly") && results[3].contains("Bash"), "{results:?}");
    let records = world.activity();
    let statuses: Vec<_> = records.iter().map(|it| it["status"].as_str().unwrap()).collect();
    assert!(statuses.len() == 4 && !statuses.contains(&"success"), "{records:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn tool_spans_are_children_of_the_step_span() {
    let receiver = Receiver::grpc().await;
    let world = World::new();
    world.file("notes.txt", "one\n");
    let both = json!({"tool_calls": [
        {"index": 0, "id": "a", "function": {"name": "Read", "arguments": "{\"file_path\":\"notes.txt\"}"}},
        {"index": 1, "id": "b", "function": {"name": "Bash", "arguments": "{\"command\":\"true\"}"}},
    ]});
    let model = Model::new(vec![answers(&both, "tool_calls"), says("ok")]);
    world.workflow("w", &workflow(""));
    let mut command = awf(&world, &model.base_url, &["run", "w", "--format", "json"]);
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.endpoint());
    let ran = Ran::of(&command.output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let spans = receiver.spans();
    assert!(!format!("{spans:?}").contains(CANARY));
    let named = |name: &str| spans.iter().find(|span| span.name == name).unwrap();
    let step = named("step.ask");
    for name in ["tool.call.Read", "tool.call.Bash"] {
        let call = named(name);
        assert_eq!((&call.trace_id, &call.parent_span_id), (&step.trace_id, &step.span_id));
    }
}

/// AC-7 of F099.
#[test]
fn tool_calls_without_any_are_an_error_after_one_request() {
    let world = World::new();
    let model = Model::new(vec![answers(&json!({"content": "hm"}), "tool_calls"), says("never")]);
    let ran = run(&world, &model, &workflow(""));
    assert_eq!((ran.code, code(&ran)), (3, "USER.MCP_PROXY.INFINITE_LOOP_GUARD"), "{}", ran.stderr);
    assert_eq!(model.asked().len(), 1);
}

#[test]
fn a_model_that_never_stops_calling_is_stopped() {
    let world = World::new();
    let call = calls("Bash", &json!({"command": "echo x >> log; wc -l < log"}));
    let model = Model::new(vec![call; 6]);
    let ran = run(&world, &model, &workflow("    options: {max_turns: 4}\n"));
    assert_eq!((ran.code, code(&ran)), (3, "USER.MCP_PROXY.INFINITE_LOOP_GUARD"), "{}", ran.stderr);
    assert_eq!(model.asked().len(), 4);
    assert_eq!(fs::read_to_string(world.root().join("log")).unwrap(), "x\nx\nx\n");
}

#[test]
fn a_redirect_ends_the_step_and_is_not_followed() {
    let world = World::new();
    let other = Model::new(vec![says("trap")]);
    let to = format!("location: {}/chat/completions\r\n", other.base_url);
    let model = Model::new(vec![refuses("307 Temporary Redirect", &to)]);
    let ran = run(&world, &model, &workflow(""));
    let message = ran.end()["error"]["message"].as_str().unwrap();
    assert!(ran.code == 3 && message.contains("which is not followed"), "{message}");
    assert_eq!((model.asked().len(), other.asked().len()), (1, 0));
}

#[test]
fn a_busy_server_is_asked_again() {
    let world = World::new();
    let busy = refuses("429 Too Many Requests", "retry-after: 0\r\n");
    let call = calls("Bash", &json!({"command": "echo x >> log"}));
    let model = Model::new(vec![busy.clone(), call, busy, says("ok")]);
    let ran = run(&world, &model, &workflow(""));
    assert_eq!((ran.code, ran.message()), (0, "ok 222"), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(world.root().join("log")).unwrap(), "x\n");
}

#[test]
fn another_origin_gets_a_key_only_where_the_user_granted_one() {
    let world = World::new();
    let model = Model::new(vec![]);
    let other = Model::new(vec![refuses("401 Unauthorized", ""), says("ok")]);
    let text = workflow(&format!("    options: {{base_url: '{}'}}\n", other.base_url));
    let ran = run(&world, &model, &text);
    let message = ran.end()["error"]["message"].as_str().unwrap();
    assert!(ran.code == 3 && message.contains("`agents.keys`"), "{message}");

    let grant = format!(
        "agents: {{keys: [{{origin: '{}', env: GRANTED}}]}}\n",
        other.base_url.trim_end_matches("/v1")
    );
    world.file(".awf/config.yaml", &grant);
    let refused =
        awf(&world, &model.base_url, &["run", "w"]).env("GRANTED", "own").output().unwrap();
    let stderr = String::from_utf8_lossy(&refused.stderr);
    assert!(
        refused.status.code() == Some(1) && stderr.contains("a project may only tighten"),
        "{stderr}"
    );
    fs::remove_file(world.root().join(".awf/config.yaml")).unwrap();

    fs::create_dir(world.beside("config")).unwrap();
    fs::write(world.beside("config").join("config.yaml"), &grant).unwrap();
    let mut command = awf(&world, &model.base_url, &["run", "w", "--format", "json"]);
    let ran = Ran::of(&command.env("GRANTED", "granted-key").output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let heads: Vec<String> = other.asked().into_iter().map(|(head, _)| head).collect();
    assert!(!heads[0].contains("authorization"), "{}", heads[0]);
    assert!(heads[1].contains("authorization: Bearer granted-key\r\n"), "{}", heads[1]);
}

#[test]
fn a_granted_key_is_kept_from_commands_and_records() {
    let world = World::new();
    let leak = calls("Bash", &json!({"command": "echo \"[$GRANTED] granted-key-xyz\""}));
    let model = Model::new(vec![leak, says("ok")]);
    fs::create_dir(world.beside("config")).unwrap();
    let grant = "agents: {keys: [{origin: 'https://models.invalid', env: GRANTED}]}\n";
    fs::write(world.beside("config").join("config.yaml"), grant).unwrap();
    world.workflow("w", &workflow(""));
    let mut command = awf(&world, &model.base_url, &["run", "w", "--format", "json"]);
    let ran = Ran::of(&command.env("GRANTED", "granted-key-xyz").output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(model.last_message().1.starts_with("[] "), "{:?}", model.last_message());
    let records = world.activity();
    assert!(!format!("{records:?}").contains("granted-key-xyz"), "{records:?}");
}

const TALK: &str = "name: w\nstates:\n  initial: first\n  first: {type: agent, provider: openai_compatible, prompt: One, on_success: second}\n  second: {type: agent, provider: openai_compatible, prompt: Two, conversation: {continue_from: first}, on_success: done}\n  done: {type: terminal, message: \"{{.states.second.Output}}\"}\n";

/// What was said in the request, oldest first.
fn said(body: &Value) -> Vec<&str> {
    let messages = body["messages"].as_array().unwrap().iter();
    messages.map(|message| message["content"].as_str().unwrap()).collect()
}

#[test]
fn a_conversation_goes_on_in_a_later_step_and_after_a_failure() {
    let world = World::new();
    let model = Model::new(vec![says("eins"), refuses("400 Bad Request", ""), says("zwei")]);
    let ran = run(&world, &model, TALK);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    let args = ["resume", ran.id(), "--from", "second", "--format", "json"];
    let ran = Ran::of(&awf(&world, &model.base_url, &args).output().unwrap());
    assert_eq!((ran.code, ran.message()), (0, "zwei"), "{}", ran.stderr);
    let asked = model.asked();
    assert_eq!(said(&asked[1].1), ["One", "eins", "Two"]);
    assert_eq!(asked[2].1, asked[1].1);
    assert!(asked[0].1.get("tools").is_none());
}

#[test]
fn an_interrupted_answer_ends_the_run_at_once() {
    let world = World::new();
    let model = Model::new(vec![String::new()]);
    world.workflow("w", &workflow(""));
    let mut command = awf(&world, &model.base_url, &["run", "w", "--format", "quiet"]);
    command.stderr(Stdio::null());
    let mut run = Running::start(command);
    wait_until("the request", || !model.asked().is_empty());
    let begun = Instant::now();
    kill_process(Pid::from_child(&run.0), Signal::INT).unwrap();
    assert_eq!(run.0.wait().unwrap().code(), Some(130));
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
}

/// What the model is sent by a step whose tools are those of a server of the user's, with the built-ins or without them.
#[test]
fn the_requests_of_both_modes_are_as_they_were() {
    for (mode, proxy) in
        [("intercept", "{enable: true}"), ("additive", "{enable: true, intercept_builtins: false}")]
    {
        let model = Model::new(vec![says("ok")]);
        let world = upstream::world("turns: []\n");
        let text =
            workflow("    system_prompt: Be brief\n    tools: {servers: [fixture], allow: read}\n");
        world.workflow("w", &text.replace("{enable: true}", proxy));
        let mut command = awf(&world, &model.base_url, &["run", "w", "--format", "json"]);
        let ran = Ran::of(&upstream::of_user(&mut command, &world).output().unwrap());
        assert_eq!(ran.code, 0, "{} {:?}", ran.stderr, ran.end());
        let body = &model.asked()[0].1;
        matches(&format!("request-{mode}.json"), &format!("{body:#}\n"));
    }
}
