//! Programs xtask starts: the one place that does.

use std::{
    ffi::OsStr,
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail};

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
