//! The program of a plugin: where it is, and which one it is.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, Read as _},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use sha2::{Digest as _, Sha256};

/// Before the hex of a hash.
const PREFIX: &str = "sha256:";

/// Where the program is: a path as seen from `cwd`, or a name in the `PATH` of `env`.
pub fn locate(program: &OsStr, env: &[(OsString, OsString)], cwd: &Path) -> Option<PathBuf> {
    if program.as_encoded_bytes().contains(&b'/') {
        return Some(cwd.join(program)).filter(|path| path.is_file());
    }
    let paths = env.iter().rev().find(|(name, _)| name == "PATH");
    let paths = paths.map(|(_, paths)| env::split_paths(paths)).into_iter().flatten();
    // A relative entry would start whatever the project has lying there.
    let named = paths.filter(|path| path.is_absolute()).map(|path| path.join(program));
    named.into_iter().find(|path| is_program(path))
}

/// The hash of a program, as it is declared: `sha256:…`.
pub fn fingerprint(program: &Path) -> io::Result<String> {
    let (mut file, mut hash) = (File::open(program)?, Sha256::new());
    let mut chunk = vec![0; 1 << 20];
    loop {
        match file.read(&mut chunk)? {
            0 => break,
            count => hash.update(chunk.get(..count).unwrap_or_default()),
        }
    }
    let hex = hash.finalize().iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
    Ok(format!("{PREFIX}{hex}"))
}

/// Whether two fingerprints are of one program. Hex may be written either way.
pub(crate) fn same(declared: &str, actual: &str) -> bool {
    declared.trim().eq_ignore_ascii_case(actual)
}

fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests;
