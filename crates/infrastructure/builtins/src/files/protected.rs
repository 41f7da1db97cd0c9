//! What Write and Edit must not touch: awf's own files, and files whose content runs as code outside the tools' sight.
//! Judged on the place a path leads to, so that a link to a protected file is protected too.

use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

/// The protected places.
#[derive(Debug)]
pub(crate) struct Protected {
    given: Vec<PathBuf>,
}

/// Agents start the servers and hooks named in these with the user's rights, at their next start.
const AGENT_CONFIGS: [(Option<&str>, &str); 8] = [
    (None, ".mcp.json"),
    (None, "mcp_config.json"),
    (None, "opencode.json"),
    (None, "opencode.jsonc"),
    (Some(".cursor"), "mcp.json"),
    (Some(".vscode"), "mcp.json"),
    (Some(".gemini"), "settings.json"),
    (Some(".codex"), "config.toml"),
];

impl Protected {
    /// `given`: files and directories, with all that is beneath them.
    pub(crate) fn new(given: &[PathBuf]) -> Self {
        Self { given: given.iter().map(|path| without_links(path)).collect() }
    }

    /// Why the place `names` beneath `root` is protected, if it is.
    pub(crate) fn reason(&self, root: &Path, names: &[OsString]) -> Option<&'static str> {
        if names.iter().any(|name| is(name, ".awf")) {
            return Some("`.awf` holds awf's own files");
        }
        // Hooks, `core.hooksPath`, `core.fsmonitor`, filters; and a file of that name leads to another such directory.
        if names.iter().any(|name| is(name, ".git")) {
            return Some("git runs programs named beneath `.git`; change it with git or by hand");
        }
        if is_agent_config(names) {
            return Some("agents start programs named in this file; change it by hand");
        }
        let place: PathBuf =
            root.iter().map(OsStr::to_owned).chain(names.iter().cloned()).collect();
        let ours = self.given.iter().any(|own| place.starts_with(own));
        ours.then_some("it belongs to awf")
    }
}

/// The path as a resolved place names it; what does not exist yet is no link.
fn without_links(path: &Path) -> PathBuf {
    match (path.canonicalize(), path.parent(), path.file_name()) {
        (Ok(real), ..) => real,
        (Err(_), Some(above), Some(name)) => without_links(above).join(name),
        (Err(_), ..) => path.to_owned(),
    }
}

fn is_agent_config(names: &[OsString]) -> bool {
    let Some((file, above)) = names.split_last() else { return false };
    let within = |folder: &str| above.last().is_some_and(|last| is(last, folder));
    let named =
        AGENT_CONFIGS.iter().any(|(folder, config)| is(file, config) && folder.is_none_or(within));
    named || (within(".claude") && is_claude_settings(file))
}

/// `settings.json`, `settings.local.json` and whatever else Claude Code may come to read.
fn is_claude_settings(file: &OsStr) -> bool {
    let json = Path::new(file).extension().is_some_and(|extension| is(extension, "json"));
    json && file
        .as_bytes()
        .get(.."settings".len())
        .is_some_and(|start| start.eq_ignore_ascii_case(b"settings"))
}

/// Some file systems take `.AWF` for `.awf`; refusing one name too many costs less than writing one.
fn is(name: &OsStr, protected: &str) -> bool {
    name.eq_ignore_ascii_case(protected)
}
