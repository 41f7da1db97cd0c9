//! What the tests of this crate start: `guard` is the guard of their children, `serve FOLDER` a server as good or bad as
//! the files in that folder make it. They are looked at with every message, so that a test can change its manner.
//!
//! `tools.json` is its list, `next.json` the one that the tool `flip` puts in its place. `manner` is a word: see [`Manner`].
//! Every start adds a line to `starts`, every list one to `lists`.

#![expect(clippy::unwrap_used, reason = "a broken pipe or folder shall fail the test")]

use std::{
    env, fs,
    io::{self, BufRead as _, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
};

use serde_json::{Value, json, value::RawValue};

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["serve", folder] => Peer { folder: folder.into() }.serve(),
        _ => awf_process::guard_main(),
    }
}

/// How the server behaves.
#[derive(PartialEq, Eq)]
enum Manner {
    Good,
    /// It leaves with a complaint instead of starting.
    Fail,
    /// It knows the modern era only.
    Modern,
    /// Its list has always another page.
    Endless,
    /// It complains at length before it answers anything.
    Flood,
    /// It answers nothing.
    Mute,
    /// Its list is one line without end.
    Long,
}

struct Peer {
    folder: PathBuf,
}

impl Peer {
    fn serve(&self) -> ExitCode {
        self.note("starts");
        match self.manner() {
            Manner::Fail => {
                io::stderr().write_all(b"no licence\x1b[2J\n").unwrap();
                return ExitCode::from(3);
            }
            Manner::Flood => flood(),
            Manner::Good | Manner::Modern | Manner::Endless | Manner::Mute | Manner::Long => {}
        }
        let mut lines = io::stdin().lock().lines();
        while let Some(Ok(line)) = lines.next() {
            let message: Value = serde_json::from_str(&line).unwrap();
            if message.get("id").is_none() || self.manner() == Manner::Mute {
                continue;
            }
            let Some(body) = self.answer(&message, &line, &mut lines) else { continue };
            say(&format!(r#"{{"jsonrpc":"2.0","id":{},{body}}}"#, message["id"]));
        }
        ExitCode::SUCCESS
    }

    fn answer(
        &self,
        message: &Value,
        line: &str,
        lines: &mut io::Lines<io::StdinLock<'_>>,
    ) -> Option<String> {
        let method = message["method"].as_str().unwrap_or_default();
        let modern = self.manner() == Manner::Modern;
        Some(match method {
            "initialize" if !modern => r#""result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"peer","version":"1"}}"#.to_owned(),
            "server/discover" if modern => r#""result":{"supportedVersions":["2026-07-28"],"capabilities":{},"resultType":"complete"}"#.to_owned(),
            "tools/list" => self.list(),
            "tools/call" => return self.call(&message["params"], line, lines),
            _ => r#""error":{"code":-32601,"message":"Method not found"}"#.to_owned(),
        })
    }

    fn list(&self) -> String {
        self.note("lists");
        match self.manner() {
            Manner::Endless => {
                let page = fs::read_to_string(self.folder.join("lists")).unwrap().len();
                format!(r#""result":{{"tools":[],"nextCursor":"{page}"}}"#)
            }
            Manner::Long => format!(r#""result":{{"tools":["{}"]}}"#, "A".repeat(64 << 20)),
            Manner::Good | Manner::Modern | Manner::Flood | Manner::Fail | Manner::Mute => {
                let tools = fs::read_to_string(self.folder.join("tools.json")).unwrap();
                format!(r#""result":{{"tools":{tools},"resultType":"complete"}}"#)
            }
        }
    }

    fn call(
        &self,
        params: &Value,
        line: &str,
        lines: &mut io::Lines<io::StdinLock<'_>>,
    ) -> Option<String> {
        let text = |text: &str| {
            let block = json!({"content": [{"type": "text", "text": text}]});
            Some(format!(r#""result":{block}"#))
        };
        match params["name"].as_str().unwrap() {
            "die" => {
                io::stderr().write_all(b"out of memory\n").unwrap();
                std::process::abort()
            }
            "hang" => None,
            "long" => text(&"A".repeat(64 << 20)),
            "ask" => text(&ask(lines)),
            "quiet_flip" => {
                self.flip();
                text("flipped")
            }
            "flip" => {
                self.flip();
                say(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#);
                text("flipped")
            }
            "raw" => {
                Some(r#""result":{ "content":[{"type":"strange","n":1180591620717411303424}], "x":1.10 }"#.to_owned())
            }
            "refuse" => Some(r#""error":{"code":-32602,"message":"not so"}"#.to_owned()),
            _ => text(arguments(line)),
        }
    }

    fn flip(&self) {
        fs::rename(self.folder.join("next.json"), self.folder.join("tools.json")).unwrap();
    }

    fn manner(&self) -> Manner {
        match fs::read_to_string(self.folder.join("manner")).unwrap_or_default().as_str() {
            "fail" => Manner::Fail,
            "modern" => Manner::Modern,
            "endless" => Manner::Endless,
            "flood" => Manner::Flood,
            "mute" => Manner::Mute,
            "long" => Manner::Long,
            _ => Manner::Good,
        }
    }

    fn note(&self, file: &str) {
        append(&self.folder.join(file));
    }
}

/// The parameters, as they were sent.
fn arguments(line: &str) -> &str {
    #[derive(serde::Deserialize)]
    struct Call<'l> {
        #[serde(borrow)]
        params: &'l RawValue,
    }
    serde_json::from_str::<Call<'_>>(line).unwrap().params.get()
}

/// Asks what no server may, and tells what came back.
fn ask(lines: &mut io::Lines<io::StdinLock<'_>>) -> String {
    let mut codes = Vec::new();
    for method in ["sampling/createMessage", "roots/list", "elicitation/create"] {
        say(&format!(r#"{{"jsonrpc":"2.0","id":"q","method":"{method}","params":{{}}}}"#));
        let answer: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        codes.push(answer["error"]["code"].to_string());
    }
    codes.join(" ")
}

fn say(line: &str) {
    let mut out = io::stdout().lock();
    // Whoever asked may be gone.
    drop(
        out.write_all(line.as_bytes())
            .and_then(|()| out.write_all(b"\n"))
            .and_then(|()| out.flush()),
    );
}

fn flood() {
    let chunk = "all is lost\n".repeat(1 << 16);
    for _ in 0..64 {
        io::stderr().write_all(chunk.as_bytes()).unwrap();
    }
    io::stderr().write_all(b"that was all\n").unwrap();
}

fn append(path: &Path) {
    let mut file = fs::OpenOptions::new().append(true).create(true).open(path).unwrap();
    writeln!(file, "{}", std::process::id()).unwrap();
}
