//! The scripted server of `examples/upstream` does what its script says: others build their tests on it.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use serde_json::{Value, json};

/// A started server; what it counts and writes down is in a directory of its own.
struct Upstream {
    child: Child,
    folder: PathBuf,
}

impl Upstream {
    #[expect(clippy::disallowed_methods, reason = "the test waits for its child or kills it")]
    fn start(name: &str, script: &str, words: &[&str]) -> Self {
        let folder =
            std::env::temp_dir().join(format!("awf-upstream-{name}-{}", std::process::id()));
        drop(fs::remove_dir_all(&folder));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("script.json");
        let script = script.replace("FOLDER", folder.to_str().unwrap());
        fs::write(&path, script).unwrap();
        let test = std::env::current_exe().unwrap();
        let program =
            test.parent().and_then(|deps| deps.parent()).unwrap().join("examples/upstream");
        let mut command = Command::new(program);
        command.arg(path).args(words).stdin(Stdio::piped()).stdout(Stdio::piped());
        Self { child: command.spawn().unwrap(), folder }
    }

    /// Says `lines`, hangs up, and gives all that was answered.
    fn talk(&mut self, lines: &[&str]) -> Vec<String> {
        let mut stdin = self.child.stdin.take().unwrap();
        let mut stdout = BufReader::new(self.child.stdout.take().unwrap());
        let mut heard = Vec::new();
        for line in lines {
            writeln!(stdin, "{line}").unwrap();
            // Answers come in no order but this: each is awaited before the next is asked.
            let mut answer = String::new();
            while !answer.contains(r#""id":"#) && stdout.read_line(&mut answer).unwrap() > 0 {}
            heard.push(answer.trim_end().to_owned());
        }
        drop(stdin);
        heard
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.join(name)).unwrap_or_default()
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
        drop(fs::remove_dir_all(&self.folder));
    }
}

const LIST: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}"#;

fn call(id: u32, tool: &str, arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments},"_meta":{{"k": 1}}}}}}"#
    )
}

#[test]
fn lists_change_calls_are_counted_and_results_are_kept() {
    let script = r#"{"count":"FOLDER/count","stages":[{"tools":[{"name":"a", "x":1.10}]},
        {"tools":[{"name":"b"}],"on_call":2,"tell":true}],
        "behaviours":{"fixed":{"result":{"content":[], "n":12345678901234567890123}}}}"#;
    let mut upstream = Upstream::start("stages", script, &[]);
    let calls = [call(3, "a", r#"{"b":1, "a":9007199254740993}"#), call(4, "fixed", "{}")];
    let heard = upstream.talk(&[LIST, &calls[0], &calls[1], LIST]);
    assert_eq!(heard[0], r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a", "x":1.10}]}}"#);
    let echoed = r#""structuredContent":{"echo":{"b":1, "a":9007199254740993}}"#;
    assert!(heard[1].contains(echoed), "{}", heard[1]);
    assert!(heard[2].contains("notifications/tools/list_changed"), "{}", heard[2]);
    assert!(heard[2].ends_with(r#""result":{"content":[], "n":12345678901234567890123}}"#));
    assert!(heard[3].contains(r#"[{"name":"b"}]"#), "{}", heard[3]);
    let counted = "list\t\ncall\ta\t{\"b\":1, \"a\":9007199254740993}\t{\"k\": 1}\ncall\tfixed\t{}\t{\"k\": 1}\nlist\t\n";
    assert_eq!(upstream.read("count"), counted);
}

#[test]
fn pages_eras_and_openings_are_as_told() {
    let paged =
        r#"{"era":"modern","pages":{"of":1},"stages":[{"tools":[{"name":"a"},{"name":"b"}]}]}"#;
    let next = LIST.replace("{}}", r#"{"cursor":"1"}}"#);
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#;
    let heard = Upstream::start("pages", paged, &[]).talk(&[hello, LIST, &next]);
    assert!(heard[0].contains("-32601"), "{}", heard[0]);
    assert!(heard[1].contains(r#"[{"name":"a"}],"nextCursor":"1","resultType""#), "{}", heard[1]);
    assert!(heard[2].contains(r#"[{"name":"b"}],"resultType""#), "{}", heard[2]);
    let short = r#"{"stages":[],"start":{"stdout":"no licence\n","exit":3}}"#;
    let mut upstream = Upstream::start("short", short, &[]);
    assert_eq!(upstream.child.wait().unwrap().code(), Some(3));
    assert!(
        Upstream::start("dies", r#"{"stages":[{"tools":[]}],"behaviours":{"x":{"exit":9}}}"#, &[])
            .talk(&[&call(1, "x", "{}")])[0]
            .is_empty()
    );
}

#[test]
fn the_client_is_asked_and_its_answer_written_down() {
    let script = r#"{"answers":"FOLDER/answers","stages":[{"tools":[]}],"behaviours":{"x":{"ask":["roots/list"]}}}"#;
    let mut upstream = Upstream::start("asks", script, &[]);
    let reply =
        r#"{"jsonrpc":"2.0","id":"question-1-roots/list","error":{"code":-32601,"message":"no"}}"#;
    let heard = upstream.talk(&[&call(7, "x", "{}"), reply]);
    assert!(heard[0].contains(r#""method":"roots/list""#), "{}", heard[0]);
    assert!(heard[1].contains(r#""id":7"#), "{}", heard[1]);
    assert_eq!(upstream.read("answers"), format!("roots/list\t{reply}\n"));
}

fn post(address: &str, body: &str, head: &str) -> String {
    let place = address.trim_start_matches("http://").trim_end_matches("/mcp");
    let mut stream = TcpStream::connect(place).unwrap();
    let length = body.len();
    write!(stream, "POST /mcp HTTP/1.1\r\nHost: x\r\n{head}Content-Length: {length}\r\n\r\n{body}")
        .unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn http_answers_as_json_or_as_events() {
    for (sse, shape) in [(false, "Content-Type: application/json"), (true, "data: {\"jsonrpc\"")] {
        let script = json!({"stages": [{"tools": [{"name": "a"}]}],
            "http": {"sse": sse, "session": "s1", "headers": {"authorization": "Bearer t"}}});
        let mut upstream = Upstream::start(
            &format!("http-{sse}"),
            &script.to_string(),
            &["--http", "127.0.0.1:0"],
        );
        let mut address = String::new();
        BufReader::new(upstream.child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let address = address.trim_end();
        assert!(post(address, LIST, "").starts_with("HTTP/1.1 401"));
        assert!(post(address, LIST, "authorization: Bearer t\r\n").starts_with("HTTP/1.1 404"));
        let answer = post(address, LIST, "Authorization: Bearer t\r\nMcp-Session-Id: s1\r\n");
        assert!(answer.contains(shape) && answer.contains(r#"[{"name":"a"}]"#), "{answer}");
        let told: Value = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let answer =
            post(address, &told.to_string(), "Authorization: Bearer t\r\nMcp-Session-Id: s1\r\n");
        assert!(answer.starts_with("HTTP/1.1 202"), "{answer}");
    }
}
