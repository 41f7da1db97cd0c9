//! A byte pump in front of the echo: what one more process costs when it does nothing.

use std::{
    fs::File,
    io::{Read, Write},
    process::Stdio,
    thread,
};

use anyhow::{Context, Result};

use crate::command::command;

pub(crate) fn relay(input: File, output: File) -> Result<()> {
    let this = std::env::current_exe().context("find this program")?;
    let mut child = command(&this)
        .args(["floor", "echo"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("start the echo")?;
    let to_child = child.stdin.take().context("the echo's input")?;
    let from_child = child.stdout.take().context("the echo's output")?;
    // Not joined: it ends with the input, and when the echo ends first there is nobody left to pump to.
    thread::spawn(move || pump(input, to_child));
    pump(from_child, output)?;
    child.wait()?;
    Ok(())
}

fn pump(mut from: impl Read, mut to: impl Write) -> Result<()> {
    let mut buffer = vec![0; 1 << 16];
    loop {
        match from.read(&mut buffer)? {
            0 => return Ok(()),
            read => to.write_all(&buffer[..read])?,
        }
    }
}
