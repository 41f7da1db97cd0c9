//! An MCP server that does what a script tells it, well or badly: the other side in tests of those who call servers.
//!
//! ```sh
//! upstream script.json                       # on stdin and stdout
//! upstream script.json --http 127.0.0.1:0    # streamable HTTP; prints its address, ends with its stdin
//! ```
//!
//! `script.rs` says what a script may hold. It uses nothing of the library, so that it can break every rule of it.

#![expect(clippy::unwrap_used, reason = "a script or a pipe that is broken shall fail the test")]

use std::{
    env, fs,
    io::{Write, stdin, stdout},
    sync::Arc,
    thread,
    time::Duration,
};

use crate::{
    script::{Script, Start},
    upstream::Upstream,
};

mod call;
mod http;
mod list;
mod message;
mod script;
mod upstream;

/// A mebibyte.
const MIB: usize = 1024 * 1024;

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let script: Script = serde_json::from_str(&fs::read_to_string(&words[0]).unwrap()).unwrap();
    begin(&script.start);
    thread::spawn({
        let mib = script.stderr_mib;
        move || flood(mib)
    });
    let upstream = Arc::new(Upstream::new(script));
    match words.get(1).map(String::as_str) {
        Some("--http") => http::serve(&upstream, &words[2]),
        _ => on_stdio(&upstream),
    }
}

/// What comes before the first message.
fn begin(start: &Start) {
    if let Some(text) = &start.stdout {
        stdout().write_all(text.as_bytes()).unwrap();
        stdout().flush().unwrap();
    }
    if let Some(text) = &start.stderr {
        std::io::stderr().write_all(text.as_bytes()).unwrap();
    }
    if let Some(code) = start.exit {
        leave(code);
    }
    thread::sleep(Duration::from_millis(start.sleep_ms));
}

fn on_stdio(upstream: &Arc<Upstream>) {
    let out: upstream::Out = Arc::new(|line: &str| {
        let mut stdout = stdout().lock();
        // The client may be gone already; then there is nobody to tell.
        drop(stdout.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdout.flush()));
    });
    upstream.watch(&out);
    for line in stdin().lines().map_while(Result::ok) {
        upstream.take(&line, &out);
    }
}

/// Complaints without end, or nearly.
fn flood(mib: usize) {
    let line = format!("{}\n", "all is lost ".repeat(85));
    for _ in 0..mib * (MIB / line.len()) {
        if std::io::stderr().write_all(line.as_bytes()).is_err() {
            return;
        }
    }
}

#[expect(
    clippy::exit,
    clippy::disallowed_methods,
    reason = "to die at once, with nothing put in order, is what is asked for"
)]
fn leave(code: i32) -> ! {
    std::process::exit(code)
}
