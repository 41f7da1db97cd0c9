//! Servers from outside, as real processes, through the port.

#![expect(clippy::unwrap_used, clippy::panic, reason = "in a test, to fail is to panic")]

mod calls;
mod hostile;
mod life;
mod stage;
mod trust;

use std::{collections::BTreeSet, fs, path::Path};

/// How often a random trial is repeated: few times by default, many with `AWF_SOAK=1` (`cargo xtask soak`).
fn trials(few: usize, many: usize) -> usize {
    #[expect(clippy::disallowed_methods, reason = "the soak run is asked for by the environment")]
    let soak = std::env::var_os("AWF_SOAK").is_some();
    if soak { many } else { few }
}

#[test]
fn every_test_file_is_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    let files: BTreeSet<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .filter(|name| name != "main")
        .collect();
    let listed = include_str!("main.rs")
        .lines()
        .filter_map(|line| Some(line.strip_prefix("mod ")?.strip_suffix(';')?.to_owned()))
        .collect();
    assert_eq!(files, listed);
}
