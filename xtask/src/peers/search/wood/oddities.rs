//! What a tree has once: ignore files, a repository within the repository, links, and what is no file at all.

use std::{
    fs,
    os::unix::{fs::symlink, net::UnixListener},
    path::Path,
};

use anyhow::{Context, Result};

use super::{FILES, date};

/// Ignore files with their rules. They are hidden, so neither side lists them.
const RULES: [(&str, &str); 12] = [
    (".gitignore", "# logs\n*.log\n!keep_*.log\nbuild/\n/docs/api/\n*.tmp\n\\!odd\n"),
    (".git/info/exclude", "secret_1*\n"),
    (".ignore", "*.bak\n!keep_*.bak\n"),
    ("src/.gitignore", "!*.log\ntarget\ngen/**/*.py\n"),
    ("src/core/.gitignore", "*.log\n*.go\n!/queue_*.go\n"),
    ("lib/.gitignore", "/deep/\n!build/\n**/net/*.md\n"),
    ("lib/.ignore", "!*.tmp\nalpha_[0-9][0-9]5*\n"),
    ("web/.ignore", "deep\n!deep/deep\n*.json\n"),
    ("web/api/.gitignore", "!*.json\n"),
    ("app/.ignore", "!.hidden_*\n!.cache\n"),
    ("tools/.gitignore", "*\n!*/\n!*.rs\n!*.md\n"),
    ("lone/.rgignore", "*.rs\n!vector_*.rs\n"),
];

/// Files beyond the numbered ones.
const PLANTED: [(&str, &str); 9] = [
    ("README.md", "the root's own needle_in_the_wood\n"),
    (".env", "needle_in_the_wood=hidden\n"),
    ("!odd", "needle_in_the_wood\n"),
    ("docs/crlf.txt", "one\r\ntwo\r\n\r\nlast word\r\n"),
    ("docs/new\nline.txt", ""),
    ("vendor/inner/kept.log", "in a repository of its own, so not ignored\n"),
    ("vendor/inner/left.out", "ignored by that repository\n"),
    ("vendor/inner/build/kept.rs", "needle_in_the_wood\n"),
    ("vendor/.gitignore", "*.out\n"),
];

/// How many regular files there are here, besides those with rules.
pub(super) const COUNT: usize = PLANTED.len();

pub(super) fn plant_first(root: &Path) -> Result<()> {
    // Both sides obey `.gitignore` only beneath a `.git`.
    for (path, text) in RULES {
        write(&root.join(path), text)?;
    }
    fs::create_dir_all(root.join("vendor/inner/.git"))?;
    write(&root.join("vendor/inner/.gitignore"), "left.*\n")
}

pub(super) fn plant_last(root: &Path) -> Result<()> {
    for (number, (path, text)) in (FILES..).zip(PLANTED) {
        let path = root.join(path);
        write(&path, text)?;
        date(&path, number)?;
    }
    symlink("../README.md", root.join("docs/link.md"))?;
    symlink("../lib", root.join("docs/folder"))?;
    symlink("..", root.join("docs/loop"))?;
    symlink("nowhere", root.join("docs/dangling.rs"))?;
    // The socket stays as an entry of the folder when the listener goes.
    drop(UnixListener::bind(root.join("docs/socket.rs")).context("make a socket")?);
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().context("a folder")?;
    fs::create_dir_all(folder)?;
    fs::write(path, text).with_context(|| format!("write {}", path.display()))
}
