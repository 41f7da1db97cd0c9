//! An MCP client over a child's pipes that does nothing but ask, wait and look at the clock.

use std::{
    io::Write,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use memchr::memmem;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::lines::Lines;

/// No session of the bench takes this long; one that does hangs.
const PATIENCE: Duration = Duration::from_mins(5);

pub(crate) struct Client {
    child: Child,
    to: ChildStdin,
    from: Lines<ChildStdout>,
    watchdog: Watchdog,
}

/// A tool call to repeat, and what each reply must contain to count.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    request: Vec<u8>,
    wanted: Vec<u8>,
}

impl Call {
    pub(crate) fn new(tool: &str, arguments: &Value, wanted: &str) -> Self {
        let params = json!({"name": tool, "arguments": arguments});
        Self { request: request("tools/call", &params), wanted: wanted.as_bytes().to_vec() }
    }
}

/// Calls are told apart by order alone, so one id serves all of them and a request is built once.
fn request(method: &str, params: &Value) -> Vec<u8> {
    format!("{}\n", json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
        .into_bytes()
}

impl Client {
    /// Starts the server; nothing is said yet.
    pub(crate) fn start(mut server: Command) -> Result<Self> {
        server.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child =
            server.spawn().with_context(|| format!("start {}", server.get_program().display()))?;
        let to = child.stdin.take().context("the server's input")?;
        let from = Lines::new(child.stdout.take().context("the server's output")?);
        let watchdog = Watchdog::on(&child)?;
        Ok(Self { child, to, from, watchdog })
    }

    /// Starts the server and opens the session.
    pub(crate) fn open(server: Command) -> Result<Self> {
        let mut client = Self::start(server)?;
        client.initialize()?;
        Ok(client)
    }

    pub(crate) fn initialize(&mut self) -> Result<()> {
        let client = json!({"name": "bench", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        self.ask(&request("initialize", &params), b"\"protocolVersion\"")?;
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        self.to.write_all(format!("{ready}\n").as_bytes())?;
        Ok(())
    }

    pub(crate) fn list(&mut self) -> Result<()> {
        self.ask(&request("tools/list", &json!({})), b"\"inputSchema\"")?;
        Ok(())
    }

    /// One call: how long it took, and the reply.
    pub(crate) fn call(&mut self, call: &Call) -> Result<(Duration, &[u8])> {
        self.ask(&call.request, &call.wanted)
    }

    /// `count` calls one after the other, in microseconds each.
    pub(crate) fn repeat(&mut self, call: &Call, count: usize) -> Result<Vec<f64>> {
        (0..count).map(|_| Ok(microseconds(self.call(call)?.0))).collect()
    }

    /// `count` calls with `in_flight` of them always under way: microseconds a call.
    pub(crate) fn flood(&mut self, call: &Call, count: u32, in_flight: u32) -> Result<f64> {
        let start = Instant::now();
        let (mut asked, mut answered) = (0, 0);
        while answered < count {
            let more = (in_flight - (asked - answered)).min(count - asked);
            self.to.write_all(&call.request.repeat(more as usize))?;
            asked += more;
            loop {
                let reply = self.from.next_line()?.context("the server closed its output")?;
                check(reply, &call.wanted)?;
                answered += 1;
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
        let Self { mut child, to, from, watchdog } = self;
        drop((to, from));
        child.wait()?;
        drop(watchdog);
        Ok(())
    }

    fn ask(&mut self, request: &[u8], wanted: &[u8]) -> Result<(Duration, &[u8])> {
        let start = Instant::now();
        self.to.write_all(request)?;
        let reply = self.from.next_line()?.context("the server closed its output")?;
        let took = start.elapsed();
        check(reply, wanted)?;
        Ok((took, reply))
    }
}

pub(crate) fn microseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e6
}

/// A wrong reply is a broken measurement, not a fast one.
fn check(reply: &[u8], wanted: &[u8]) -> Result<()> {
    if memmem::find(reply, wanted).is_none() {
        let shown: String = String::from_utf8_lossy(reply).chars().take(300).collect();
        bail!("a reply without `{}`: {shown}", String::from_utf8_lossy(wanted));
    }
    Ok(())
}

/// Kills a server that hangs, so that the run fails instead of waiting for ever. Leaves when dropped.
struct Watchdog(#[expect(dead_code, reason = "held so that its drop is seen")] Sender<()>);

impl Watchdog {
    fn on(child: &Child) -> Result<Self> {
        let pid = Pid::from_child(child);
        let (leash, held) = mpsc::channel();
        thread::Builder::new().name("watchdog".to_owned()).spawn(move || {
            if held.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                eprintln!("bench: a server took longer than {PATIENCE:?} and is killed");
                // It may have ended meanwhile; then there is nothing to kill.
                kill_process(pid, Signal::KILL).ok();
            }
        })?;
        Ok(Self(leash))
    }
}
