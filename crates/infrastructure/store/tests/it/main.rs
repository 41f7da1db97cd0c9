//! The activity log from outside: many processes, kills, full disks, tampering, queries.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

mod damaged_index;
mod damaged_segment;
mod dice;
mod killed_writers;
mod many_readers;
mod many_writers;
mod newer_format;
mod news;
mod no_room;
mod paging;
mod records;
mod sample;
mod summary;
mod tampering;
mod torn_tail;
mod writer_process;

/// How often a random trial is repeated: few times by default, many with `AWF_SOAK=1` (`cargo xtask soak`).
fn trials(few: usize, many: usize) -> usize {
    #[expect(clippy::disallowed_methods, reason = "the soak run is asked for by the environment")]
    let soak = std::env::var_os("AWF_SOAK").is_some();
    if soak { many } else { few }
}

/// A test file that is not listed above would never run.
#[test]
fn every_file_is_listed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it");
    let listed = include_str!("main.rs");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(name == "main" || listed.contains(&format!("mod {name};")), "{name} is not listed");
    }
}
