//! What the user has in `~/.gemini`. Read, never changed; only the places of sessions are made, as Gemini itself would,
//! so that a later step finds the session of an earlier one.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, DirBuilder},
    io,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
};

use awf_core::AgentFailure;
use serde_json::{Map, Value};

use crate::cli::errand::Errand;

const SETTINGS: &str = "settings.json";
/// Where sessions are kept.
const KEPT: [&str; 2] = ["tmp", "history"];
/// Rewritten for each project by every run, and no part of what the user has set.
const LEFT: [&str; 2] = [SETTINGS, "projects.json"];
/// More settings than anybody has.
const LONGEST: u64 = 4 << 20;

/// The user's own.
#[derive(Debug, Default)]
pub(crate) struct House {
    /// The directory.
    pub(crate) path: PathBuf,
    /// What is in it, but for the settings.
    pub(crate) entries: Vec<OsString>,
    pub(crate) settings: Map<String, Value>,
}

impl House {
    /// Looks, if a step needs it.
    pub(crate) fn look(errand: &Errand<'_>) -> Result<Self, AgentFailure> {
        if errand.server.is_none() {
            return Ok(Self::default());
        }
        let path = home(errand)?.join(".gemini");
        let failed = |error: &dyn std::fmt::Display| {
            AgentFailure::Start(format!("`{}` cannot be used: {error}", path.display()))
        };
        let entries = entries(&path).map_err(|error| failed(&error))?;
        let settings = settings(&path.join(SETTINGS)).map_err(|error| failed(&error))?;
        Ok(Self { path, entries, settings })
    }
}

fn home(errand: &Errand<'_>) -> Result<PathBuf, AgentFailure> {
    let set = |name: &str| {
        let env = errand.request.env.iter().rev();
        let found = env.into_iter().find(|(variable, _)| variable == OsStr::new(name));
        found.map(|(_, value)| PathBuf::from(value)).filter(|path| path.is_absolute())
    };
    let home = set("GEMINI_CLI_HOME").or_else(|| set("HOME"));
    home.or_else(|| errand.home.map(Path::to_owned)).ok_or_else(|| {
        AgentFailure::Start("cannot tell where Gemini keeps its settings: set HOME".to_owned())
    })
}

fn entries(path: &Path) -> io::Result<Vec<OsString>> {
    for kept in KEPT {
        DirBuilder::new().recursive(true).mode(0o700).create(path.join(kept))?;
    }
    let names = fs::read_dir(path)?.map(|entry| Ok(entry?.file_name()));
    let mut names = names.collect::<io::Result<Vec<_>>>()?;
    names.retain(|name| LEFT.iter().all(|left| name != OsStr::new(left)));
    names.sort();
    Ok(names)
}

fn settings(path: &Path) -> io::Result<Map<String, Value>> {
    let text = match fs::metadata(path) {
        Ok(found) if found.len() > LONGEST => {
            return Err(io::Error::other(format!("`{SETTINGS}` is too long")));
        }
        Ok(_) => fs::read_to_string(path)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Map::new()),
        Err(error) => return Err(error),
    };
    let invalid = |error| io::Error::other(format!("`{SETTINGS}` is not valid: {error}"));
    serde_json::from_str(&uncommented(&text)).map_err(invalid)
}

/// JSON without the comments that Gemini allows in it.
fn uncommented(text: &str) -> String {
    let (mut kept, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(['"', '/']) {
        let (before, found) = rest.split_at(at);
        kept.push_str(before);
        let (taken, after) = if found.starts_with('"') {
            found.split_at(string_end(found))
        } else if found.starts_with("//") {
            ("", found.split_at(found.find('\n').unwrap_or(found.len())).1)
        } else if found.starts_with("/*") {
            ("", found.split_once("*/").map_or("", |(_, after)| after))
        } else {
            found.split_at(1)
        };
        kept.push_str(taken);
        rest = after;
    }
    kept + rest
}

/// Where the string at the beginning ends.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests;
