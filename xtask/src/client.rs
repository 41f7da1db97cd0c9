//! An MCP client over a child's pipes that asks, waits, looks at the clock, and only then at the reply.

use std::{
    collections::HashSet,
    io::Write,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use memchr::memmem;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{lines::Lines, watchdog::Watchdog};

/// No session of ours takes this long; one that does hangs.
const PATIENCE: Duration = Duration::from_mins(5);

pub(crate) struct Client {
    child: Child,
    to: ChildStdin,
    from: Lines<ChildStdout>,
    watchdog: Watchdog,
    /// The id of the latest request.
    latest: u32,
}

/// A request to repeat, but for its id, and what each reply must contain to count.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    after_id: String,
    wanted: Vec<u8>,
}

impl Call {
    pub(crate) fn new(tool: &str, arguments: &Value, wanted: &str) -> Self {
        Self::of("tools/call", &json!({"name": tool, "arguments": arguments}), wanted)
    }

    fn of(method: &str, params: &Value, wanted: &str) -> Self {
        let after_id = format!(r#","method":"{method}","params":{params}}}"#) + "\n";
        Self { after_id, wanted: wanted.as_bytes().to_vec() }
    }

    fn write(&self, id: u32, requests: &mut Vec<u8>) -> Result<()> {
        Ok(write!(requests, r#"{{"jsonrpc":"2.0","id":{id}{}"#, self.after_id)?)
    }

    /// The id a reply answers. A wrong reply is a broken measurement, not a fast one.
    fn answered(&self, reply: &[u8]) -> Result<u32> {
        let envelope: Reply = serde_json::from_slice(reply).context("parse a reply")?;
        if memmem::find(reply, &self.wanted).is_none() {
            let shown: String = String::from_utf8_lossy(reply).chars().take(300).collect();
            bail!("a reply without `{}`: {shown}", String::from_utf8_lossy(&self.wanted));
        }
        Ok(envelope.id)
    }
}

#[derive(Deserialize)]
struct Reply {
    id: u32,
}

impl Client {
    /// Starts the server; nothing is said yet.
    pub(crate) fn start(mut server: Command) -> Result<Self> {
        server.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child =
            server.spawn().with_context(|| format!("start {}", server.get_program().display()))?;
        let to = child.stdin.take().context("the server's input")?;
        let from = Lines::new(child.stdout.take().context("the server's output")?);
        let watchdog = Watchdog::on(&child, PATIENCE)?;
        Ok(Self { child, to, from, watchdog, latest: 0 })
    }

    /// Starts the server and opens the session.
    pub(crate) fn open(server: Command) -> Result<Self> {
        let mut client = Self::start(server)?;
        client.initialize()?;
        Ok(client)
    }

    pub(crate) fn initialize(&mut self) -> Result<()> {
        let client = json!({"name": "xtask", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        self.call(&Call::of("initialize", &params, "\"protocolVersion\""))?;
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        self.to.write_all(format!("{ready}\n").as_bytes())?;
        Ok(())
    }

    /// Asks for the tools: how many bytes that takes.
    pub(crate) fn list(&mut self) -> Result<usize> {
        let (_, reply) = self.call(&Call::of("tools/list", &json!({}), "\"inputSchema\""))?;
        Ok(reply.len())
    }

    /// One call: how long it took until the last byte of the reply, and the reply.
    pub(crate) fn call(&mut self, call: &Call) -> Result<(Duration, &[u8])> {
        self.latest += 1;
        let mut request = Vec::new();
        call.write(self.latest, &mut request)?;
        let start = Instant::now();
        self.to.write_all(&request)?;
        let reply = self.from.next_line()?.context("the server closed its output")?;
        let took = start.elapsed();
        let answered = call.answered(reply)?;
        ensure!(answered == self.latest, "asked {}, answered {answered}", self.latest);
        Ok((took, reply))
    }

    /// `count` calls one after the other, in microseconds each.
    pub(crate) fn repeat(&mut self, call: &Call, count: usize) -> Result<Vec<f64>> {
        (0..count).map(|_| Ok(microseconds(self.call(call)?.0))).collect()
    }

    /// `count` calls with up to `in_flight` of them under way: microseconds a call. Replies may come in any order,
    /// each exactly once.
    pub(crate) fn flood(&mut self, call: &Call, count: u32, in_flight: u32) -> Result<f64> {
        let mut waiting = HashSet::new();
        let mut requests = Vec::new();
        let mut left = count;
        let start = Instant::now();
        while left > 0 || !waiting.is_empty() {
            requests.clear();
            while left > 0 && waiting.len() < in_flight as usize {
                left -= 1;
                self.latest += 1;
                waiting.insert(self.latest);
                call.write(self.latest, &mut requests)?;
            }
            self.to.write_all(&requests)?;
            loop {
                let reply = self.from.next_line()?.context("the server closed its output")?;
                let answered = call.answered(reply)?;
                ensure!(waiting.remove(&answered), "{answered} was answered but not asked");
                if !self.from.has_line() {
                    break;
                }
            }
        }
        Ok(microseconds(start.elapsed()) / f64::from(count))
    }

    pub(crate) fn process(&self) -> u32 {
        self.child.id()
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

pub(crate) fn microseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e6
}
