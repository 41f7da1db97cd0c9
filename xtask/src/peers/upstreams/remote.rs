//! Servers that run already, and are reached by an address.

use std::{
    net::{Ipv4Addr, TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail};

use crate::{
    peers::{ground::scripts, install::Node},
    watchdog::Watchdog,
};

/// Longer than all calls together.
const PATIENCE: Duration = Duration::from_mins(10);
const START: Duration = Duration::from_secs(30);

/// Ends when dropped.
pub(super) struct Remote {
    child: Child,
    port: u16,
    _watchdog: Watchdog,
}

impl Remote {
    /// server-everything.
    pub(super) fn everything(node: &Node) -> Result<Self> {
        let entry = "@modelcontextprotocol/server-everything/dist/index.js";
        let port = free_port()?;
        let mut server = node.run(node.module(entry));
        server.arg("streamableHttp").env("PORT", port.to_string());
        Self::start(server, port)
    }

    /// The server of the Python SDK.
    pub(super) fn workshop(python: &Path) -> Result<Self> {
        let port = free_port()?;
        let mut server = crate::command::command(python);
        server.arg(scripts().join("python_server.py")).arg(port.to_string());
        Self::start(server, port)
    }

    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/mcp", self.port)
    }

    fn start(mut server: Command, port: u16) -> Result<Self> {
        server.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = server.spawn().context("start a server with an address")?;
        let watchdog = Watchdog::on(&child, PATIENCE)?;
        let mut remote = Self { child, port, _watchdog: watchdog };
        remote.await_answer()?;
        Ok(remote)
    }

    /// It does not tell when it listens, so this tries again and again.
    fn await_answer(&mut self) -> Result<()> {
        let end = Instant::now() + START;
        while TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_err() {
            if let Some(status) = self.child.try_wait()? {
                bail!("a server with an address ended: {status}");
            }
            if Instant::now() > end {
                bail!("a server with an address does not listen");
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        // One that has left already needs no end.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// A port that nobody listens at. These servers cannot choose one and tell.
fn free_port() -> Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}
