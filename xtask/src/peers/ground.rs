//! What every peer stands on: the programs under test, a place for installed tools, and fresh folders.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result};
use serde_json::json;
use tempfile::TempDir;

use crate::{
    command::{cargo, command, succeed},
    tree,
};

pub(crate) struct Ground {
    target: PathBuf,
    scratch: TempDir,
    parts: Vec<String>,
}

impl Ground {
    /// Builds awf as it is shipped, and the server that the conformance suite calls. A peer that comes in parts tries
    /// these, or all if there are none.
    pub(crate) fn prepare(parts: &[&str]) -> Result<Self> {
        let xtask = std::env::current_exe().context("find this program")?;
        let target = xtask.ancestors().nth(2).context("find the target folder")?.to_owned();
        succeed(cargo(&["build", "--quiet", "--locked", "--release", "--package", "awf"]))?;
        let scratch = tempfile::Builder::new()
            .prefix("awf-peers-")
            .tempdir()
            .context("make a scratch folder")?;
        let parts = parts.iter().map(|part| (*part).to_owned()).collect();
        let ground = Self { target, scratch, parts };
        ground.example("awf-mcp", "conformance_fixture")?;
        Ok(ground)
    }

    pub(crate) fn fixture(&self) -> PathBuf {
        self.target.join("debug/examples/conformance_fixture")
    }

    /// Where tools are installed; it outlives the run, so that the next one is quick.
    pub(crate) fn tools(&self) -> PathBuf {
        self.target.join("peers")
    }

    /// Whether a part of a peer is to be tried.
    pub(crate) fn has_part(&self, part: &str) -> bool {
        self.parts.is_empty() || self.parts.iter().any(|wanted| wanted == part)
    }

    /// The program under test.
    pub(crate) fn awf(&self) -> PathBuf {
        self.target.join("release/awf")
    }

    /// A program that a crate keeps for tests, built.
    pub(crate) fn example(&self, package: &str, name: &str) -> Result<PathBuf> {
        let mut build = cargo(&["build", "--quiet", "--locked"]);
        build.args(["--package", package, "--example", name]);
        succeed(build)?;
        Ok(self.target.join("debug/examples").join(name))
    }

    /// The plugin of the examples, built.
    pub(crate) fn plugin(&self) -> Result<PathBuf> {
        succeed(cargo(&["build", "--quiet", "--locked", "--package", "awf-plugin-example"]))?;
        Ok(self.target.join("debug/awf-plugin-example"))
    }

    /// A fresh folder.
    pub(crate) fn folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.scratch.path().join(name);
        fs::create_dir(&folder).with_context(|| format!("make {}", folder.display()))?;
        Ok(folder)
    }

    /// A fresh place for one session.
    pub(crate) fn place(&self, name: &str) -> Result<Place> {
        let place = Place { awf: self.awf(), folder: self.scratch.path().join(name) };
        fs::create_dir_all(place.root())?;
        fs::create_dir(place.home())?;
        fs::write(place.config(), json!({"root": place.root()}).to_string())?;
        Ok(place)
    }
}

/// A root for awf's file tools, and a home that belongs to nobody.
pub(crate) struct Place {
    awf: PathBuf,
    folder: PathBuf,
}

impl Place {
    pub(crate) fn root(&self) -> PathBuf {
        self.folder.join("root")
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// awf as an agent starts it: the program and its arguments.
    pub(crate) fn server(&self) -> [PathBuf; 4] {
        [self.awf.clone(), "mcp-serve".into(), "--config".into(), self.config()]
    }

    /// The program started here, away from the settings of the person who runs it.
    pub(crate) fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = command(program.as_ref());
        command.current_dir(self.root()).envs(self.environment());
        command
    }

    pub(crate) fn environment(&self) -> [(&'static str, PathBuf); 3] {
        let home = self.home();
        [("AWF_HOME", self.awf_home()), ("XDG_CONFIG_HOME", home.join("config")), ("HOME", home)]
    }

    /// Where awf keeps what is its own.
    pub(crate) fn awf_home(&self) -> PathBuf {
        self.home().join("awf")
    }

    fn home(&self) -> PathBuf {
        self.folder.join("home")
    }

    fn config(&self) -> PathBuf {
        self.folder.join("awf.json")
    }
}

/// The folder with the scripts and tables the peers need.
pub(crate) fn scripts() -> PathBuf {
    tree::root().join("tests/peers")
}
