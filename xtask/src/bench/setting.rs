//! What a run needs: the programs, a scratch folder with files and a home for the journal, and how often to measure.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::command::command;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Scale {
    pub(crate) rounds: usize,
    /// Sequential calls in a round.
    pub(crate) calls: usize,
    /// Calls of a round with many in flight.
    pub(crate) flood: u32,
    /// Where one run is long enough to be a round of its own.
    pub(crate) searches: usize,
    pub(crate) shells: usize,
    pub(crate) starts: usize,
    /// Records of the long activity log, and calls of each of the processes that write one together.
    pub(crate) records: usize,
    pub(crate) crowd: u32,
}

impl Scale {
    pub(crate) const FULL: Self = Self {
        rounds: 9,
        calls: 3_000,
        flood: 30_000,
        searches: 31,
        shells: 401,
        starts: 101,
        records: 1_000_000,
        crowd: 2_000,
    };
    pub(crate) const QUICK: Self = Self {
        rounds: 3,
        calls: 1_000,
        flood: 10_000,
        searches: 9,
        shells: 51,
        starts: 21,
        records: 50_000,
        crowd: 500,
    };
}

pub(crate) struct Setting {
    pub(crate) scale: Scale,
    awf: PathBuf,
    xtask: PathBuf,
    scratch: TempDir,
}

impl Setting {
    pub(crate) fn new(scale: Scale) -> Result<Self> {
        let xtask = std::env::current_exe().context("find this program")?;
        let awf = xtask.with_file_name("awf");
        if !awf.is_file() {
            bail!(
                "{} is missing: build it with `cargo build --release --package awf`",
                awf.display()
            );
        }
        let scratch = tempfile::Builder::new()
            .prefix("awf-bench-")
            .tempdir()
            .context("make a scratch folder")?;
        let setting = Self { scale, awf, xtask, scratch };
        fs::create_dir(setting.root())?;
        let config = json!({"root": setting.root()});
        fs::write(setting.config(), config.to_string())?;
        Ok(setting)
    }

    /// The folder awf's file tools work beneath.
    pub(crate) fn root(&self) -> PathBuf {
        self.scratch.path().join("root")
    }

    /// A server as an agent would start it, with its journal on.
    pub(crate) fn awf(&self) -> Command {
        let mut awf = self.awf_with(&["mcp-serve", "--config"]);
        awf.arg(self.config());
        awf
    }

    /// awf in front of `upstreams`, each a name and how it is started, with the intent surface and nothing of its own.
    /// `name` keeps the files of two of them apart.
    pub(crate) fn gateway<'a>(
        &self,
        name: &str,
        upstreams: impl IntoIterator<Item = (&'a str, Command)>,
    ) -> Result<Command> {
        let started = |server: &Command| {
            let words: Vec<_> = server.get_args().map(|word| word.to_string_lossy()).collect();
            json!({"command": server.get_program().to_string_lossy(), "args": words})
        };
        let servers: Map<String, Value> = upstreams
            .into_iter()
            .map(|(name, server)| (name.to_owned(), started(&server)))
            .collect();
        let config = json!({
            "root": self.root(),
            "intercept_builtins": false,
            "surface": "intent",
            "mcpServers": servers,
        });
        let file = self.scratch.path().join(format!("gateway-{name}.json"));
        fs::write(&file, config.to_string())?;
        let mut awf = self.awf_with(&["mcp-serve", "--config"]);
        awf.arg(file);
        Ok(awf)
    }

    /// Any command of awf.
    pub(crate) fn awf_with(&self, words: &[&str]) -> Command {
        let mut awf = command(&self.awf);
        awf.args(words).env("AWF_HOME", self.home());
        awf
    }

    pub(crate) fn floor(&self, words: &[&str]) -> Command {
        let mut floor = command(&self.xtask);
        floor.arg("floor").args(words);
        floor
    }

    /// A place of its own for a log.
    pub(crate) fn place(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// Another program that was built beside this one.
    pub(crate) fn sibling(&self, name: &str) -> PathBuf {
        self.xtask.with_file_name(name)
    }

    /// A figure measured with the journal off would be a lie.
    pub(crate) fn prove_the_journal_was_on(&self) -> Result<()> {
        let bytes = size_of_folder(&self.home()).unwrap_or(0);
        if bytes == 0 {
            bail!(
                "awf wrote nothing to its home: the journal was off, so the figures above do not count"
            );
        }
        println!("awf's journal took {} KB on the way", bytes / 1024);
        Ok(())
    }

    /// Where awf keeps its data, its journal among them.
    pub(crate) fn home(&self) -> PathBuf {
        self.scratch.path().join("home")
    }

    fn config(&self) -> PathBuf {
        self.scratch.path().join("bench.json")
    }
}

fn size_of_folder(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        bytes += if metadata.is_dir() { size_of_folder(&entry.path())? } else { metadata.len() };
    }
    Ok(bytes)
}
