//! Programs xtask starts: the one place that does.

use std::{
    ffi::OsStr,
    process::{Command, Output, Stdio},
    time::Duration,
};

use anyhow::{Context, Result, bail};

use crate::watchdog::Watchdog;

/// A command that runs in the workspace root.
#[expect(
    clippy::disallowed_methods,
    reason = "xtask stands outside the product and waits for all it starts"
)]
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(crate::tree::root());
    command
}

pub(crate) fn cargo(words: &[&str]) -> Command {
    let mut command = command("cargo");
    command.args(words);
    command
}

/// Runs to the end, with its output shown.
pub(crate) fn succeed(mut command: Command) -> Result<()> {
    let line = line_of(&command);
    let status = command.status().with_context(|| format!("start `{line}`"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// Runs to the end without input, with its output kept; killed when it takes longer than `patience`.
pub(crate) fn output_within(patience: Duration, mut command: Command) -> Result<Output> {
    let line = line_of(&command);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().with_context(|| format!("start `{line}`"))?;
    let watchdog = Watchdog::on(&child, patience)?;
    let output = child.wait_with_output().with_context(|| format!("wait for `{line}`"))?;
    drop(watchdog);
    Ok(output)
}

/// Whether `cargo <tool>` is there, asked by its version.
pub(crate) fn has_cargo_tool(tool: &str) -> bool {
    let mut command = cargo(&[tool, "--version"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn line_of(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
