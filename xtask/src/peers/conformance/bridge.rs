//! The suite knows servers by address only, so ours, which speaks over stdio, gets a front.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, ChildStdin, Stdio},
    time::Duration,
};

use anyhow::{Context, Result, ensure};

use crate::{
    peers::{ground::scripts, install::Node},
    watchdog::Watchdog,
};

/// Longer than all scenarios of a suite together.
const PATIENCE: Duration = Duration::from_mins(15);

pub(crate) struct Bridge {
    child: Child,
    /// It serves until this closes.
    input: ChildStdin,
    watchdog: Watchdog,
    address: String,
}

impl Bridge {
    pub(crate) fn open(node: &Node, server: &Path) -> Result<Self> {
        let mut command = node.run(scripts().join("bridge.mjs"));
        command.arg(server).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().context("start the bridge")?;
        let watchdog = Watchdog::on(&child, PATIENCE)?;
        let input = child.stdin.take().context("the bridge's input")?;
        let output = child.stdout.take().context("the bridge's output")?;
        let mut address = String::new();
        BufReader::new(output).read_line(&mut address)?;
        let address = address.trim_end().to_owned();
        ensure!(address.starts_with("http://127.0.0.1:"), "the bridge said `{address}`");
        Ok(Self { child, input, watchdog, address })
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn close(self) -> Result<()> {
        let Self { mut child, input, watchdog, address: _ } = self;
        drop(input);
        let status = child.wait()?;
        drop(watchdog);
        ensure!(status.success(), "the bridge ended with {status}");
        Ok(())
    }
}
