//! awf over HTTP: the built `awf serve`, and clients that others wrote, with the key, at its `/mcp`.

mod clients;
mod http;

use std::{
    fs,
    io::{BufRead as _, BufReader, Read},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use anyhow::{Context as _, Result, bail, ensure};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::{
    ground::Place,
    speech::{Answer, Asks, Message},
};
use crate::watchdog::Watchdog;
use http::Reply;

pub(crate) use clients::check;

/// Longer than all calls together.
const PATIENCE: Duration = Duration::from_mins(10);

/// `awf serve` under way.
pub(crate) struct Served {
    child: Child,
    watchdog: Watchdog,
    /// Host and port.
    authority: String,
    key: String,
}

impl Served {
    /// Starts it and waits for its address.
    pub(crate) fn start(place: &Place, mut serve: Command) -> Result<Self> {
        serve.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = serve.spawn().context("start `awf serve`")?;
        let watchdog = Watchdog::on(&child, PATIENCE)?;
        let mut said = BufReader::new(child.stdout.take().context("the output of `awf serve`")?);
        let mut line = String::new();
        said.read_line(&mut line)?;
        let authority = line.trim_end().strip_prefix("listening on http://");
        let authority = authority.with_context(|| format!("`awf serve` said `{line}`"))?.to_owned();
        // What else it says is not asked for, and must not stop it.
        thread::spawn(move || said.read_to_end(&mut Vec::new()).ok());
        let key = fs::read_to_string(place.awf_home().join("api-key")).context("read the key")?;
        Ok(Self { child, watchdog, authority, key: key.trim_end().to_owned() })
    }

    /// Where it is, without a path.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.authority)
    }

    pub(crate) fn address(&self) -> String {
        format!("http://{}/mcp", self.authority)
    }

    /// Host and port.
    pub(crate) fn authority(&self) -> &str {
        &self.authority
    }

    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    pub(crate) fn post(&self, path: &str, more: &[(&str, &str)], body: &str) -> Result<Reply> {
        let headers = [&[("X-API-Key", self.key.as_str())], more].concat();
        http::post(&self.authority, path, &headers, body)
    }

    /// A session at `/mcp`.
    pub(crate) fn session(&self) -> Result<Session<'_>> {
        let mut session = Session { served: self, id: None, latest: 0 };
        session.greet()?;
        Ok(session)
    }

    /// Told to end, it does.
    pub(crate) fn close(self) -> Result<()> {
        let Self { mut child, watchdog, .. } = self;
        kill_process(Pid::from_child(&child), Signal::TERM)?;
        let status = child.wait()?;
        drop(watchdog);
        ensure!(status.code().is_some(), "`awf serve` ended with {status}");
        Ok(())
    }
}

/// Streamable HTTP, a request each.
pub(crate) struct Session<'a> {
    served: &'a Served,
    id: Option<String>,
    latest: u32,
}

impl Session<'_> {
    fn send(&mut self, message: &Value) -> Result<Reply> {
        let mut headers = vec![("Accept", "application/json, text/event-stream")];
        if let Some(id) = &self.id {
            headers
                .extend([("Mcp-Session-Id", id.as_str()), ("MCP-Protocol-Version", "2025-11-25")]);
        }
        let reply = self.served.post("/mcp", &headers, &message.to_string())?;
        ensure!(reply.status / 100 == 2, "status {}: {}", reply.status, reply.body);
        if let Some(id) = &reply.session {
            self.id = Some(id.clone());
        }
        Ok(reply)
    }
}

impl Asks for Session<'_> {
    fn ask(&mut self, method: &str, params: &Value) -> Result<Answer> {
        self.latest += 1;
        let id = self.latest;
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let reply = self.send(&request)?;
        for message in reply.messages() {
            if let Some(answer) = Message::read(message)?.answer(id)? {
                return Ok(answer);
            }
        }
        bail!("no answer in {}", reply.body)
    }

    fn tell(&mut self, method: &str) -> Result<()> {
        self.send(&json!({"jsonrpc": "2.0", "method": method}))?;
        Ok(())
    }
}
