//! A tree of 20,000 files that holds what makes searching hard: ignore files at several levels and against each other,
//! hidden and binary files, links, line breaks of both kinds, names and texts that are no UTF-8. The same everywhere.

mod content;
mod oddities;

use std::{
    ffi::OsString,
    fs::{self, File},
    os::unix::ffi::OsStringExt,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use anyhow::{Context, Result};

use crate::numbers::Numbers;

const FILES: usize = 20_000;

/// The folders of the root that are not hidden.
pub(crate) const FOLDERS: [&str; 16] = [
    "src", "lib", "internal", "pkg", "tests", "docs", "tools", "web", "app", "data", "infra",
    "scripts", "assets", "vendor", "lone", "naïve",
];
/// The one folder with a `.rgignore`.
pub(crate) const RIPGREP_ONLY: &str = "lone/";

/// The folder, hidden from searches of the whole, with files whose first NUL byte comes late.
pub(crate) const LATE: &str = ".late";

const NESTED: [&str; 10] =
    ["deep", "build", "api", ".cache", "core", "target", "gen", "deep", "with space", "net"];
const STEMS: [&str; 12] = [
    "alpha", "buffer", "cursor", "needle", "parser", "queue", "socket", "token", "secret", "keep",
    "vector", ".hidden",
];
const ENDINGS: [&str; 12] =
    ["rs", "rs", "py", "go", "md", "txt", "log", "tmp", "bak", "json", "RS", "rs"];

/// Makes the tree and says how many regular files it has.
pub(crate) fn grow(root: &Path) -> Result<usize> {
    let mut numbers = Numbers::from_seed(2026);
    oddities::plant_first(root)?;
    for number in 0..FILES {
        let path = root.join(path(&mut numbers, number));
        let folder = path.parent().context("a folder")?;
        fs::create_dir_all(folder)?;
        fs::write(&path, content::of(&mut numbers, number))
            .with_context(|| format!("write {}", path.display()))?;
        date(&path, number)?;
    }
    plant_late(root, &mut numbers)?;
    oddities::plant_last(root)?;
    Ok(FILES + oddities::COUNT)
}

/// Files that turn out binary late are kept apart. How much a searcher reads at once grows with the longest line it has
/// met, and what it finds before the NUL byte with it, so beside long lines ripgrep itself finds now more, now less.
fn plant_late(root: &Path, numbers: &mut Numbers) -> Result<()> {
    let folder = root.join(LATE);
    fs::create_dir(&folder)?;
    for number in 0..20 {
        let file = folder.join(format!("late_{number}.rs"));
        fs::write(file, content::late_nul(numbers, number))?;
    }
    Ok(())
}

fn path(numbers: &mut Numbers, number: usize) -> PathBuf {
    let mut path = PathBuf::from(numbers.pick(&FOLDERS));
    for _ in 0..numbers.below(4) {
        path.push(numbers.pick(&NESTED));
    }
    let mut name = format!("{}_{number}", numbers.pick(&STEMS)).into_bytes();
    match number % 500 {
        0 => name.extend(b"_\xff\xfe"),
        1 => name.extend("_é日".as_bytes()),
        2 => name.extend(b"_a\tb"),
        3 => name.extend(b"_caf\xe9_"),
        _ => {}
    }
    name.push(b'.');
    name.extend(numbers.pick(&ENDINGS).as_bytes());
    path.push(OsString::from_vec(name));
    path
}

/// No two files are of the same age, and their ages are in no order that a walk could meet them in.
fn date(path: &Path, number: usize) -> Result<()> {
    let age = u64::try_from(number * 7919 % (FILES + oddities::COUNT))?;
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + age);
    File::options().write(true).open(path)?.set_modified(time)?;
    Ok(())
}

#[cfg(test)]
mod tests;
