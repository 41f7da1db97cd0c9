//! A raw MCP client over the pipes of a started server: lines out, lines in, nothing hidden.

use std::{
    collections::VecDeque,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// How long a test waits for something that should come at once.
const PATIENCE: Duration = Duration::from_secs(30);

/// A started server.
pub(crate) struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    unread: VecDeque<Value>,
    stderr: Option<JoinHandle<String>>,
    next_id: u64,
}

impl Server {
    /// Starts it; nothing is said yet.
    pub(crate) fn start(mut command: Command) -> Self {
        command.stderr(Stdio::piped());
        Self::start_with_own_stderr(command)
    }

    /// Starts it with the stderr the command already has; a piped one is collected.
    pub(crate) fn start_with_own_stderr(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let stdout = child.stdout.take().unwrap();
        let (send, lines) = channel();
        thread::spawn(move || {
            BufReader::new(stdout)
                .lines()
                .map_while(Result::ok)
                .try_for_each(|line| send.send(line))
        });
        let stderr = child.stderr.take().map(|mut stderr| {
            thread::spawn(move || {
                let mut text = Vec::new();
                drop(stderr.read_to_end(&mut text));
                String::from_utf8_lossy(&text).into_owned()
            })
        });
        let stdin = child.stdin.take();
        Self { child, stdin, lines, unread: VecDeque::new(), stderr, next_id: 0 }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The 2025-06-18 handshake.
    pub(crate) fn handshake(&mut self) -> Value {
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "it", "version": "1.2"}});
        let answer = self.request("initialize", &hello);
        self.notify("notifications/initialized", &json!({}));
        answer
    }

    /// Writes one line as it is.
    pub(crate) fn line(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(line.as_bytes()).and_then(|()| stdin.write_all(b"\n")).unwrap();
    }

    pub(crate) fn notify(&mut self, method: &str, params: &Value) {
        self.line(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string());
    }

    /// Sends a request and returns its id.
    pub(crate) fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.next_id += 1;
        let id = self.next_id;
        self.line(
            &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string(),
        );
        id
    }

    /// Sends a request and waits for its answer.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.send(method, params);
        self.answer(id)
    }

    /// Sends a `tools/call` and returns its id.
    pub(crate) fn send_call(&mut self, tool: &str, arguments: &Value) -> u64 {
        self.send("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    /// Calls a tool and gives the MCP result.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let id = self.send_call(tool, arguments);
        let answer = self.answer(id);
        assert!(answer.get("result").is_some(), "no result: {answer}");
        answer["result"].clone()
    }

    /// Waits for the answer to `id`; other messages are kept for later.
    pub(crate) fn answer(&mut self, id: u64) -> Value {
        let deadline = Instant::now() + PATIENCE;
        if let Some(at) = self.unread.iter().position(|message| message["id"] == id) {
            return self.unread.remove(at).unwrap();
        }
        loop {
            let message = self
                .next_message(deadline)
                .unwrap_or_else(|| panic!("no answer to {id}: {}", self.last_words()));
            if message["id"] == id {
                return message;
            }
            self.unread.push_back(message);
        }
    }

    /// Waits for the answer to `id`, as it was written. For ids that no other message holds.
    pub(crate) fn raw_answer(&mut self, id: usize) -> String {
        let deadline = Instant::now() + PATIENCE;
        let wanted = format!("\"id\":{id}");
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left);
            let line = line.unwrap_or_else(|_| panic!("no answer to {id}: {}", self.last_words()));
            if line.contains(&wanted) {
                return line;
            }
        }
    }

    fn next_message(&self, deadline: Instant) -> Option<Value> {
        match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => Some(
                serde_json::from_str(&line)
                    .unwrap_or_else(|_| panic!("not JSON on stdout: {line}")),
            ),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Everything the server still says until it closes stdout.
    pub(crate) fn rest(&mut self) -> Vec<Value> {
        let deadline = Instant::now() + PATIENCE;
        let mut messages: Vec<Value> = self.unread.drain(..).collect();
        while let Some(message) = self.next_message(deadline) {
            messages.push(message);
        }
        messages
    }

    /// Ends the conversation the polite way, waits for the exit, and gives what stderr said.
    pub(crate) fn close(mut self) -> (ExitStatus, String) {
        drop(self.stdin.take());
        self.finish()
    }

    /// Closes stdin and leaves the server running down.
    pub(crate) fn close_stdin(&mut self) {
        drop(self.stdin.take());
    }

    /// Kills it the hard way.
    pub(crate) fn kill(mut self) -> (ExitStatus, String) {
        self.child.kill().unwrap();
        self.finish()
    }

    /// Waits for the exit, and gives what stderr said.
    pub(crate) fn finish(&mut self) -> (ExitStatus, String) {
        let status = self.child.wait().unwrap();
        (status, self.stderr.take().map(|stderr| stderr.join().unwrap()).unwrap_or_default())
    }

    fn last_words(&mut self) -> String {
        drop(self.child.kill());
        self.finish().1
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The text of a result's first block.
pub(crate) fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {result}"))
}

/// Whether a result is an error, by its flag.
pub(crate) fn failed(result: &Value) -> bool {
    result["isError"] == json!(true)
}
