//! The tree is the same everywhere and holds what it promises.

use std::{collections::BTreeSet, os::unix::ffi::OsStrExt};

use super::{FILES, content, path};
use crate::numbers::Numbers;

#[test]
fn no_two_files_share_a_path() {
    let mut numbers = Numbers::from_seed(1);
    let paths: BTreeSet<_> = (0..FILES).map(|number| path(&mut numbers, number)).collect();
    assert_eq!(paths.len(), FILES);
    assert!(paths.iter().any(|path| path.to_str().is_none()), "a name that is no UTF-8");
    assert!(paths.iter().any(|path| path.as_os_str().as_bytes().contains(&b'\t')));
}

#[test]
fn the_same_seed_grows_the_same_tree() {
    let grown = || {
        let mut numbers = Numbers::from_seed(2);
        (0..500).map(|number| content::of(&mut numbers, number)).collect::<Vec<_>>()
    };
    assert_eq!(grown(), grown());
}

#[test]
fn every_kind_of_content_is_there() {
    let mut numbers = Numbers::from_seed(3);
    let files: Vec<_> = (0..500).map(|number| content::of(&mut numbers, number)).collect();
    let some = |kind: fn(&Vec<u8>) -> bool| files.iter().any(kind);
    assert!(some(Vec::is_empty));
    assert!(some(|file| file.contains(&0)));
    assert!(some(|file| file.windows(2).any(|pair| pair == b"\r\n")));
    assert!(some(|file| str::from_utf8(file).is_err() && !file.contains(&0)));
    assert!(some(|file| file.last().is_some_and(|byte| *byte != b'\n')));
    assert!(some(|file| file.split(|byte| *byte == b'\n').any(|line| line.len() > 65_536)));
    let late = content::late_nul(&mut numbers, 0);
    assert!(late.iter().position(|byte| *byte == 0) > Some(65_536));
}
