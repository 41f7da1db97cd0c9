//! A server at an address: the same tools over every way in, its token kept to itself, its moods borne.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

use serde_json::{Value, json};

use crate::{
    intent::{
        stage::{Upstream, code, in_order, tool, upstream},
        web::Web,
    },
    server::{Server, failed, text},
    world::{World, program},
};

const TOKEN: &str = "s3cr3t-of-the-remote-server";
const READ: &str = r#"{"readOnlyHint":true}"#;

/// A scripted server that listens.
struct Remote {
    child: Child,
    url: String,
}

impl Remote {
    /// At an address of its own, or at one that was somebody's before.
    fn start(script: &Upstream, listen: &str) -> Self {
        let mut command = program(upstream());
        command.arg(script.file("script.json")).args(["--http", listen]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Self { child, url: url.trim().to_owned() }
    }

    fn listen(&self) -> &str {
        self.url.trim_start_matches("http://").trim_end_matches("/mcp")
    }

    /// Another at the same address.
    fn replaced(mut self, script: &Upstream) -> Self {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        Self::start(script, self.listen())
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        drop((self.child.kill(), self.child.wait()));
    }
}

/// What it does over HTTP, as JSON members.
fn script(http: &str) -> String {
    let tells = format!(
        r#""behaviours":{{"tells":{{"result":{{"content":[{{"type":"text","text":"given: {TOKEN}"}}]}}}}}}"#
    );
    let tools = [tool("look", READ), tool("tells", READ)].join(",");
    format!(
        r#"{{"stages":[{{"tools":[{tools}]}}],{tells},"http":{{"headers":{{"authorization":"Bearer {TOKEN}"}}{http}}}}}"#
    )
}

/// A world whose user has the server `far`.
fn world(http: &str) -> (World, Upstream, Remote) {
    let world = World::new();
    let far = Upstream::new(&world, "far", &script(http));
    let remote = Remote::start(&far, "127.0.0.1:0");
    let entry = json!({"url": remote.url, "headers": {"Authorization": "Bearer ${TOKEN}"}});
    world.write_user(&json!({"mcpServers": {"far": entry}}));
    (world, far, remote)
}

fn awf(world: &World, words: &[&str]) -> Command {
    let mut command = world.by_user(&[&["--log-level", "trace"], words].concat());
    command.env("TOKEN", TOKEN);
    command
}

fn look(world: &World) -> Output {
    awf(world, &["call", "tool-read", "far:look", "--args", "{}", "-o", "json"]).output().unwrap()
}

fn gateway(world: &World) -> Server {
    let mut gateway = Server::start(awf(world, &["mcp", "serve"]));
    gateway.handshake();
    gateway
}

/// Everything that was written beneath a folder.
fn written(folder: &Path) -> Vec<u8> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    // A socket cannot be read, and keeps nothing.
    let content = |path: PathBuf| {
        if path.is_dir() { written(&path) } else { fs::read(path).unwrap_or_default() }
    };
    entries.flat_map(content).collect()
}

fn hidden(text: &[u8]) -> bool {
    !text.windows(TOKEN.len()).any(|window| window == TOKEN.as_bytes())
}

#[test]
fn a_server_at_an_address_is_called_over_every_way_in() {
    for http in ["", r#","sse":true"#, r#","sse":true,"session":"first""#] {
        let (world, far, _remote) = world(http);
        let called = look(&world);
        let said = String::from_utf8_lossy(&called.stderr).into_owned();
        assert_eq!(called.status.code(), Some(0), "{http}: {said}");
        assert!(hidden(said.as_bytes()), "{http}: {said}");
        let mut stdio = gateway(&world);
        for tool in ["far:look", "far:tells"] {
            let answer = stdio.through("call_tool_read", tool, &json!({"n": 1}));
            assert!(!failed(&answer), "{http}: {answer}");
        }
        let (_, said) = stdio.close();
        assert!(said.contains("far") && hidden(said.as_bytes()), "{http}: {said}");
        let mut web = Web::started(&world, awf(&world, &["serve", "--listen", "127.0.0.1:0"]));
        let arguments = in_order("call_tool_read", "far:look", "{}");
        let body = format!(r#"{{"tool_name":"call_tool_read","arguments":{arguments}}}"#);
        let reply = web.post("/api/v1/tools/call", &body);
        assert_eq!(reply.status, 200, "{http}: {}", reply.body);
        web.handshake();
        let params = format!(r#"{{"name":"call_tool_read","arguments":{arguments}}}"#);
        let answer: Value = serde_json::from_str(&web.ask("tools/call", &params)).unwrap();
        assert_eq!(answer["result"]["structuredContent"], json!({"echo": {}}), "{http}: {answer}");
        let names: Vec<_> = far.calls().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["look", "look", "tells", "look", "look"], "{http}");
        drop(web);
        assert_eq!(world.activity().len(), 5, "{http}");
        let kept = written(&world.home());
        assert!(kept.windows(6).any(|window| window == b"given:"), "the answer is in no record");
        assert!(hidden(&kept), "{http}: the token was written down");
    }
}

#[test]
fn a_token_that_is_wrong_or_not_set_is_told_without_it() {
    let (world, far, _remote) = world("");
    let mut command = awf(&world, &["call", "tool-read", "far:look", "--args", "{}"]);
    let refused = command.env("TOKEN", "wr0ng-t0ken").output().unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(3), "{said}");
    assert!(said.contains("401") && said.contains("headers"), "{said}");
    assert!(!said.contains("wr0ng-t0ken"), "{said}");
    let mut command = awf(&world, &["call", "tool-read", "far:look", "--args", "{}"]);
    let unset = command.env_remove("TOKEN").output().unwrap();
    let said = String::from_utf8(unset.stderr).unwrap();
    assert_eq!(unset.status.code(), Some(3), "{said}");
    assert!(said.contains("`TOKEN`"), "{said}");
    assert_eq!(far.calls(), []);
}

#[test]
fn a_session_that_is_lost_is_opened_again() {
    let (world, far, remote) = world(r#","session":"first""#);
    let mut stdio = gateway(&world);
    assert!(!failed(&stdio.through("call_tool_read", "far:look", &json!({"n": 1}))));
    far.rewrite(&script(r#","session":"second""#));
    let _remote = remote.replaced(&far);
    // A call that meets the loss was not taken, and is made once more.
    let first = stdio.through("call_tool_read", "far:look", &json!({"n": 2}));
    let second = stdio.through("call_tool_read", "far:look", &json!({"n": 3}));
    assert!(!failed(&first) && !failed(&second), "{first} {second}");
    let arrived: Vec<_> = far.calls().into_iter().map(|(_, arguments)| arguments).collect();
    let expected = ["1", "2", "3"].map(|n| format!(r#"{{"n":{n}}}"#));
    assert_eq!(arrived, expected, "{first}");
}

#[test]
fn a_server_in_trouble_has_an_outcome_and_recovers() {
    let (world, far, remote) = world(r#","status":503"#);
    let called = look(&world);
    let said = String::from_utf8(called.stderr).unwrap();
    assert_eq!(called.status.code(), Some(3), "{said}");
    assert!(said.contains("503") && hidden(said.as_bytes()), "{said}");
    far.rewrite(&script(""));
    let remote = remote.replaced(&far);
    let mut stdio = gateway(&world);
    assert!(!failed(&stdio.through("call_tool_read", "far:look", &json!({}))));
    far.rewrite(&script(r#","status":500"#));
    let remote = remote.replaced(&far);
    let ill = stdio.through("call_tool_read", "far:look", &json!({}));
    assert!(failed(&ill) && text(&ill).contains("500"), "{ill}");
    far.rewrite(&script(""));
    let _remote = remote.replaced(&far);
    let well = stdio.through("call_tool_read", "far:look", &json!({}));
    assert!(!failed(&well), "{well}");
    assert_eq!(far.calls().len(), 2);
}

#[test]
fn an_address_of_a_project_waits_for_approval_too() {
    let world = World::new();
    let far = Upstream::new(&world, "far", &script(""));
    let remote = Remote::start(&far, "127.0.0.1:0");
    let entry = json!({"url": remote.url, "headers": {"Authorization": "Bearer ${TOKEN}"}});
    world.file(".mcp.json", json!({"mcpServers": {"far": entry}}).to_string());
    world.write_user(&json!({}));
    let called = look(&world);
    assert_eq!(called.status.code(), Some(5));
    assert_eq!(code(&serde_json::from_slice(&called.stdout).unwrap()), "TOOL_NOT_APPROVED");
    assert_eq!(far.lists(), 0, "it was asked with the token");
    let approved = awf(&world, &["mcp", "approve", "far", "--yes"]).output().unwrap();
    let said = String::from_utf8(approved.stderr).unwrap();
    assert_eq!(approved.status.code(), Some(0), "{said}");
    assert!(said.contains(&remote.url) && hidden(said.as_bytes()), "{said}");
    assert_eq!(look(&world).status.code(), Some(0));
}
