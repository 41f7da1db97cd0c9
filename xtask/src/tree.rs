//! The files of the workspace, read once into memory so that every check is a pure function over them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

/// What holds nothing a person wrote. `.git` is a folder, and in a second worktree a file.
const SKIPPED: [&str; 4] = [".git", "target", "node_modules", ".venv"];

/// A text file; `path` is relative to the workspace root, with forward slashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl TextFile {
    pub(crate) fn is_rust(&self) -> bool {
        Path::new(&self.path).extension().is_some_and(|extension| extension == "rs")
    }
}

pub(crate) fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}

/// Every text file beneath `root`, sorted by path. What is not UTF-8 is not text and is left out.
pub(crate) fn read(root: &Path) -> Result<Vec<TextFile>> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("list {}", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            if SKIPPED.iter().any(|name| entry.file_name() == *name) {
                continue;
            }
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                files.extend(text_file(root, &entry.path())?);
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn text_file(root: &Path, path: &Path) -> Result<Option<TextFile>> {
    let bytes = fs::read(path).with_context(|| format!("read {}", path.display()))?;
    let relative = path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/");
    Ok(String::from_utf8(bytes).ok().map(|text| TextFile { path: relative, text }))
}
