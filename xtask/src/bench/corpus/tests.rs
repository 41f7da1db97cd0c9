//! The corpus has the sizes it promises and never changes.

use std::{fs, path::Path};

use super::{NEEDLE, grow, text};

#[test]
fn text_has_its_size_and_a_marked_end() {
    for size in [64, 1 << 10, 1 << 20] {
        let text = text(size);
        assert_eq!(text.len(), size);
        assert!(text.ends_with(&format!(" end_{size}\n")));
    }
}

fn files(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn a_tree_has_its_files_and_needles() {
    let folder = tempfile::tempdir().unwrap();
    grow(folder.path(), 400).unwrap();
    let mut found = Vec::new();
    files(folder.path(), &mut found);
    assert_eq!(found.len(), 400);
    assert_eq!(found.iter().filter(|(_, text)| text.contains(NEEDLE)).count(), 1);
    assert_eq!(found.iter().filter(|(path, _)| path.contains("/handler_")).count(), 10);
}
