//! `rg` and `fd` as installed here, with their versions, for versions differ.

use std::path::PathBuf;

use anyhow::{Result, anyhow};

use crate::command::command;

pub(crate) struct Tools {
    pub(crate) rg: Tool,
    pub(crate) fd: Tool,
}

pub(crate) struct Tool {
    pub(crate) program: PathBuf,
    pub(crate) version: String,
}

impl Tools {
    pub(crate) fn find() -> Result<Self> {
        // Debian had another `fd` before.
        let fd = Tool::named("fd").or_else(|| Tool::named("fdfind"));
        Ok(Self {
            rg: Tool::named("rg").ok_or_else(|| missing("rg", "ripgrep"))?,
            fd: fd.ok_or_else(|| missing("fd", "fd-find"))?,
        })
    }
}

impl Tool {
    fn named(program: &str) -> Option<Self> {
        let output = command(program).arg("--version").output().ok()?;
        let said = String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned)?;
        output.status.success().then(|| Self { program: program.into(), version: said })
    }
}

fn missing(program: &str, package: &str) -> anyhow::Error {
    anyhow!(
        "`{program}` is not on PATH: `apt-get install {package}` on Debian, `cargo install {package}` elsewhere"
    )
}
