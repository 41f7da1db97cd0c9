//! What `OpenCode` would run as soon as it is started in a directory. Neither `--pure` nor
//! `OPENCODE_DISABLE_PROJECT_CONFIG` keeps it from the plugins of a project (1.18.33): code of the project's, with the
//! user's keys, before there is any tool to deny. So an intercepted step is not taken there.

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use awf_core::AgentFailure;

use crate::cli::errand::Errand;

const DIRECTORIES: [&str; 2] = [".opencode/plugin", ".opencode/plugins"];
const FILES: [&str; 4] =
    ["opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"];
/// More configuration than anybody has.
const LONGEST: u64 = 4 << 20;

/// Refuses a step whose directory, or one above it, has plugins. The user's home and what is above that are the user's.
pub(crate) fn refuse_plugins(errand: &Errand<'_>) -> Result<(), AgentFailure> {
    if !errand.exclusive() {
        return Ok(());
    }
    let dir = &errand.request.dir;
    // As it sees it: a link may lead to a directory with other parents.
    let real = dir.canonicalize().unwrap_or_else(|_| dir.clone());
    let home = errand.home.map(|home| home.canonicalize().unwrap_or_else(|_| home.to_owned()));
    let strange = |dir: &&Path| home.as_ref().is_none_or(|home| !home.starts_with(dir));
    match real.ancestors().filter(strange).find_map(plugins) {
        None => Ok(()),
        Some(path) => Err(AgentFailure::Unusable(format!(
            "`opencode` runs the plugins of `{}` before it can be kept from anything; remove them, or use another \
             provider where awf is to intercept",
            path.display()
        ))),
    }
}

/// Where in `dir` plugins are, or may be.
fn plugins(dir: &Path) -> Option<PathBuf> {
    let full = |path: &PathBuf| match fs::read_dir(path) {
        Ok(mut entries) => entries.next().is_some(),
        Err(error) => !is_absent(&error),
    };
    let mut directories = DIRECTORIES.iter().map(|name| dir.join(name));
    let mut files = FILES.iter().map(|name| dir.join(name));
    directories.find(full).or_else(|| files.find(|file| may_name_plugins(file)))
}

/// By its letters, for its grammar is the program's own; an escape could hide any word.
fn may_name_plugins(file: &Path) -> bool {
    // What is no file could keep us waiting.
    if file.metadata().is_ok_and(|found| !found.is_file()) {
        return true;
    }
    let mut text = Vec::new();
    let read = File::open(file).and_then(|file| file.take(LONGEST + 1).read_to_end(&mut text));
    match read {
        Err(error) => !is_absent(&error),
        Ok(_) if u64::try_from(text.len()).is_ok_and(|length| length > LONGEST) => true,
        Ok(_) => {
            let text = String::from_utf8_lossy(&text);
            text.contains("plugin") || text.contains("\\u")
        }
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests;
