//! Text that ties the repository to one machine or one mirror.

use crate::{tree::TextFile, violation::Violation};

/// Home and build folders of single machines. Written in two parts, so that this file passes its own check.
const MACHINE_FOLDERS: [&str; 3] =
    [concat!("/wor", "k/"), concat!("/far", "m/"), concat!("/roo", "t/")];

/// How lock files name where a package came from, and the only place it may come from.
const SOURCES: [(&str, &str); 2] = [
    ("source = \"", "registry+https://github.com/rust-lang/crates.io-index"),
    ("\"resolved\": \"", "https://registry.npmjs.org/"),
];

/// Settings that would send a fresh clone to a mirror.
const MIRRORS: [&str; 4] = [
    concat!("replace", "-with"),
    concat!("index", "-url"),
    concat!("[regis", "tries"),
    concat!("npm_config_", "registry"),
];

pub(crate) fn check(file: &TextFile) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (number, line) in (1..).zip(file.text.lines()) {
        violations
            .extend(fault(line).map(|message| Violation::at_line(&file.path, number, message)));
    }
    violations
}

fn fault(line: &str) -> Option<String> {
    if let Some(folder) = MACHINE_FOLDERS.iter().find(|folder| begins_path(line, folder)) {
        return Some(format!("`{folder}…` is a place on one machine: use a relative path"));
    }
    if let Some(mirror) = MIRRORS.iter().find(|mirror| line.contains(*mirror)) {
        return Some(format!(
            "`{mirror}` ties the build to one mirror: keep it out of the repository"
        ));
    }
    SOURCES.iter().find_map(|(before, registry)| {
        let source = line.trim_start().strip_prefix(before)?;
        (!source.starts_with(registry))
            .then(|| format!("packages come from `{registry}` only: regenerate the lock file"))
    })
}

/// An absolute path, not the middle of a longer one or of an address.
fn begins_path(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = line.get(..at).and_then(|head| head.chars().next_back());
        !before.is_some_and(|letter| letter.is_alphanumeric() || "/._-}~*".contains(letter))
    })
}
