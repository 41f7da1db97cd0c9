//! Which programs of agents this machine has.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, Read as _},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use awf_core::{AgentFailure, AgentKind};
use awf_process::Guard;
use sha2::{Digest as _, Sha256};
use tokio_util::sync::CancellationToken;

use crate::cli::{dialect::Dialect, query::Query};

/// A program that is installed, told apart from every other version of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// Which agent it is.
    pub kind: AgentKind,
    /// The file itself, links resolved.
    pub program: PathBuf,
    /// What it says of its version.
    pub version: String,
    /// The hash of the file, in hex.
    pub sha256: String,
}

/// The program of an agent; `None` for one that is no program.
pub fn program_of(kind: AgentKind) -> Option<&'static str> {
    Dialect::of(kind).map(Dialect::program)
}

/// Looks for the program in the `PATH` of `env`, asks it for its version and hashes it.
pub async fn installed(
    kind: AgentKind,
    env: &[(OsString, OsString)],
    guard: &Guard,
) -> Result<Installed, AgentFailure> {
    let program = find(kind, env)?;
    let cancel = CancellationToken::new();
    let query = Query { guard, program: &program, env, dir: Path::new("/"), cancel: &cancel };
    let answer = query.ask(&["--version".into()]).await?;
    let version = answer.lines().next().unwrap_or_default().trim().to_owned();
    let unreadable = |error: io::Error| {
        AgentFailure::Start(format!("`{}` cannot be read: {error}", program.display()))
    };
    let file = program.canonicalize().map_err(unreadable)?;
    let hashed = file.clone();
    let hash = tokio::task::spawn_blocking(move || hash(&hashed)).await;
    let sha256 = hash.map_err(io::Error::other).and_then(|hash| hash).map_err(unreadable)?;
    Ok(Installed { kind, program: file, version, sha256 })
}

/// The program of an agent in the `PATH` of `env`.
pub fn find(kind: AgentKind, env: &[(OsString, OsString)]) -> Result<PathBuf, AgentFailure> {
    let name =
        program_of(kind).ok_or_else(|| AgentFailure::Unsupported(kind.as_str().to_owned()))?;
    let paths = env.iter().rev().find(|(variable, _)| variable == OsStr::new("PATH"));
    let paths = paths.map(|(_, paths)| std::env::split_paths(paths)).into_iter().flatten();
    let named = paths.filter(|path| path.is_absolute()).map(|path| path.join(name));
    named.into_iter().find(|path| is_program(path)).ok_or_else(|| AgentFailure::Missing {
        provider: kind.as_str().to_owned(),
        program: name.to_owned(),
    })
}

fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

fn hash(path: &Path) -> io::Result<String> {
    let (mut file, mut hash) = (File::open(path)?, Sha256::new());
    let mut chunk = vec![0; 1 << 20];
    loop {
        match file.read(&mut chunk)? {
            0 => break,
            count => hash.update(chunk.get(..count).unwrap_or_default()),
        }
    }
    Ok(hash.finalize().iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}")))
}
