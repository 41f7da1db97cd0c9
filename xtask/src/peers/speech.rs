//! MCP in raw texts: what was said is kept as it was said, so that it can be compared to the byte.

use std::{
    io::Write as _,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Duration,
};

use anyhow::{Context as _, Result, bail, ensure};
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};

use crate::{lines::Lines, watchdog::Watchdog};

/// No session takes this long; one that does hangs.
const PATIENCE: Duration = Duration::from_mins(5);
/// More than any server has.
const MOST_PAGES: usize = 100;

/// What a request came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Its result, as it was written.
    Result(String),
    /// The message of an error.
    Error(String),
}

/// A message from the other side.
#[derive(Deserialize)]
pub(crate) struct Message<'a> {
    id: Option<Value>,
    method: Option<String>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<Fault>,
}

#[derive(Deserialize)]
struct Fault {
    message: String,
}

impl<'a> Message<'a> {
    pub(crate) fn read(text: &'a str) -> Result<Self> {
        let shown = || text.chars().take(300).collect::<String>();
        serde_json::from_str(text).with_context(|| format!("read {}", shown()))
    }

    /// What it says to the request `id`, if it is an answer to it.
    pub(crate) fn answer(&self, id: u32) -> Result<Option<Answer>> {
        if self.method.is_some() || self.id != Some(json!(id)) {
            return Ok(None);
        }
        match (self.result, &self.error) {
            (Some(result), None) => Ok(Some(Answer::Result(result.get().to_owned()))),
            (None, Some(fault)) => Ok(Some(Answer::Error(fault.message.clone()))),
            _ => bail!("an answer must have a result or an error"),
        }
    }

    /// What this side says to a request: like awf, that it knows no method.
    fn refusal(&self) -> Option<String> {
        let (id, method) = (self.id.as_ref()?, self.method.as_ref()?);
        let error = json!({"code": -32601, "message": format!("Method not found: {method}")});
        Some(json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string())
    }
}

/// Something that answers requests.
pub(crate) trait Asks {
    fn ask(&mut self, method: &str, params: &Value) -> Result<Answer>;

    fn tell(&mut self, method: &str) -> Result<()>;

    fn greet(&mut self) -> Result<()> {
        let params = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "xtask", "version": "1"},
        });
        let answer = self.ask("initialize", &params)?;
        ensure!(matches!(answer, Answer::Result(_)), "the greeting was answered {answer:?}");
        self.tell("notifications/initialized")
    }

    /// Every tool, as it was written.
    fn list(&mut self) -> Result<Vec<String>> {
        #[derive(Deserialize)]
        struct Page {
            tools: Vec<Box<RawValue>>,
            #[serde(rename = "nextCursor")]
            next_cursor: Option<String>,
        }
        let mut tools = Vec::new();
        let mut params = json!({});
        for _ in 0..MOST_PAGES {
            let page = match self.ask("tools/list", &params)? {
                Answer::Result(page) => page,
                Answer::Error(message) => bail!("the list was refused: {message}"),
            };
            let page: Page = serde_json::from_str(&page).context("read a list of tools")?;
            tools.extend(page.tools.into_iter().map(|tool| tool.get().to_owned()));
            let Some(cursor) = page.next_cursor else { return Ok(tools) };
            params = json!({"cursor": cursor});
        }
        bail!("the list does not end")
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Result<Answer> {
        self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))
    }
}

/// A server over the pipes of a child.
pub(crate) struct Piped {
    child: Child,
    to: ChildStdin,
    from: Lines<ChildStdout>,
    watchdog: Watchdog,
    latest: u32,
}

impl Piped {
    /// Starts the server and opens the session.
    pub(crate) fn open(mut server: Command) -> Result<Self> {
        server.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child =
            server.spawn().with_context(|| format!("start {}", server.get_program().display()))?;
        let to = child.stdin.take().context("the server's input")?;
        let from = Lines::new(child.stdout.take().context("the server's output")?);
        let watchdog = Watchdog::on(&child, PATIENCE)?;
        let mut session = Self { child, to, from, watchdog, latest: 0 };
        session.greet()?;
        Ok(session)
    }

    fn say(&mut self, message: &str) -> Result<()> {
        Ok(self.to.write_all(format!("{message}\n").as_bytes())?)
    }

    /// Closes the input, which ends a well-behaved server.
    pub(crate) fn close(self) -> Result<()> {
        let Self { mut child, to, from, watchdog, .. } = self;
        drop((to, from));
        child.wait()?;
        drop(watchdog);
        Ok(())
    }
}

impl Asks for Piped {
    fn ask(&mut self, method: &str, params: &Value) -> Result<Answer> {
        self.latest += 1;
        let id = self.latest;
        self.say(
            &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string(),
        )?;
        loop {
            let line = self.from.next_line()?.context("the server closed its output")?;
            let line = std::str::from_utf8(line)?.to_owned();
            let message = Message::read(&line)?;
            if let Some(answer) = message.answer(id)? {
                return Ok(answer);
            }
            if let Some(refusal) = message.refusal() {
                self.say(&refusal)?;
            }
        }
    }

    fn tell(&mut self, method: &str) -> Result<()> {
        self.say(&json!({"jsonrpc": "2.0", "method": method}).to_string())
    }
}

#[cfg(test)]
mod tests;
