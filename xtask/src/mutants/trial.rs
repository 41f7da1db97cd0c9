//! The test binaries of the damaged copy, and what a test says when it is run.

use std::{
    collections::BTreeSet,
    fmt, fs,
    io::BufReader,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use cargo_metadata::Message;

use crate::{
    command::{command, output_within},
    mutants::table::Mutant,
};

/// A mutant may make a test wait for what never comes.
const PATIENCE: Duration = Duration::from_mins(4);

/// What a test said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colour {
    Green,
    Red,
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Green => "GREEN",
            Self::Red => "red",
        })
    }
}

/// The built tests.
pub(crate) struct Binaries {
    built: Vec<Binary>,
}

struct Binary {
    /// Of its package, relative to the workspace's root.
    folder: String,
    /// `it` for integration tests; the rest is the package itself.
    integration: bool,
    program: PathBuf,
    directory: PathBuf,
}

impl Binaries {
    /// Builds, in the copy, the tests of every package that a mutant's test is in.
    pub(crate) fn build(copy: &Path, target: &Path, mutants: &[Mutant]) -> Result<Self> {
        let folders: BTreeSet<String> =
            mutants.iter().map(|mutant| folder_of(&mutant.test)).collect::<Result<_>>()?;
        let mut cargo = command("cargo");
        cargo.current_dir(copy).env("CARGO_TARGET_DIR", target).env("RUSTFLAGS", "-Awarnings");
        cargo.args(["test", "--no-run", "--locked", "--message-format=json-render-diagnostics"]);
        // The scripted server is an example of this one.
        cargo.args(["--package", "awf-mcp"]);
        for folder in &folders {
            cargo.args(["--package", &package_in(&copy.join(folder))?]);
        }
        Ok(Self { built: executables(cargo, copy)? })
    }

    /// Runs `path/of/file.rs::test`, with a mutant switched on or with none.
    pub(crate) fn run(&self, test: &str, mutant: Option<&str>) -> Result<Colour> {
        let (folder, integration) = (folder_of(test)?, is_integration(test));
        let binary = self
            .built
            .iter()
            .find(|binary| binary.folder == folder && binary.integration == integration);
        let binary = binary.with_context(|| format!("{test} is in no test that was built"))?;
        let mut run = command(&binary.program);
        run.current_dir(&binary.directory).args(["--exact", &name_of(test)?]);
        match mutant {
            Some(id) => run.env("AWF_MUTANT", id),
            None => run.env_remove("AWF_MUTANT"),
        };
        let output = output_within(PATIENCE, run)?;
        let said = String::from_utf8_lossy(&output.stdout);
        ensure!(said.contains("running 1 test"), "{test} is no test: {said}");
        if !output.status.success() && mutant.is_none() {
            println!("{said}");
        }
        Ok(if output.status.success() { Colour::Green } else { Colour::Red })
    }
}

fn executables(mut cargo: Command, copy: &Path) -> Result<Vec<Binary>> {
    let mut child = cargo.stdout(Stdio::piped()).spawn().context("start cargo")?;
    let stdout = child.stdout.take().context("hear cargo")?;
    let mut built = Vec::new();
    for message in Message::parse_stream(BufReader::new(stdout)) {
        let Message::CompilerArtifact(artifact) = message? else { continue };
        let Some(program) = artifact.executable.filter(|_| artifact.profile.test) else { continue };
        let directory = artifact.manifest_path.parent().context("a package's folder")?;
        let folder = Path::new(directory.as_str()).strip_prefix(copy).unwrap_or(Path::new(""));
        built.push(Binary {
            folder: folder.to_string_lossy().into_owned(),
            integration: artifact.target.is_test(),
            program: program.into(),
            directory: directory.into(),
        });
    }
    ensure!(child.wait()?.success(), "the damaged copy does not build");
    Ok(built)
}

/// The package whose test a file is part of: the black-box tests at the root are the binary's.
fn folder_of(test: &str) -> Result<String> {
    if test.starts_with("tests/it/") {
        return Ok("crates/interfaces/cli".to_owned());
    }
    let end = test.find("/src/").or_else(|| test.find("/tests/it/"));
    let end = end.with_context(|| format!("`{test}` is in no package"))?;
    Ok(test.get(..end).unwrap_or_default().to_owned())
}

fn is_integration(test: &str) -> bool {
    test.contains("tests/it/")
}

/// The name a test binary knows it by: `src/a/b/tests.rs::t` is `a::b::tests::t`.
fn name_of(test: &str) -> Result<String> {
    let (file, name) = test.split_once(".rs::").context("a test is `file.rs::name`")?;
    let cut = if is_integration(test) { "tests/it/" } else { "/src/" };
    let (_, module) = file.split_once(cut).context("a test is beneath `src` or `tests/it`")?;
    Ok(match module {
        "main" | "lib" => name.to_owned(),
        module => format!("{}::{name}", module.replace('/', "::")),
    })
}

fn package_in(folder: &Path) -> Result<String> {
    let path = folder.join("Cargo.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
    let manifest: toml::Table = text.parse()?;
    match manifest.get("package").and_then(|package| package.get("name")?.as_str()) {
        Some(name) => Ok(name.to_owned()),
        None => bail!("{} names no package", path.display()),
    }
}

#[cfg(test)]
mod tests;
