//! Files that decide what is trusted.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use tempfile::TempDir;

use super::{Turn, VaultError, read};

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

#[test]
fn written_whole_and_closed_to_others() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("pins/x.json");
    assert!(read(&path).unwrap().is_none());
    for text in ["one", "two"] {
        Turn::take(&path).unwrap().write(text).unwrap();
        assert_eq!(read(&path).unwrap().as_deref(), Some(text));
    }
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    let mut left: Vec<_> =
        path.parent().unwrap().read_dir().unwrap().map(|it| it.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["x.json", "x.json.lock"]);
}

#[test]
fn what_a_killed_writer_left_is_no_hindrance() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("x.json");
    fs::write(home.path().join("x.json.new"), "half").unwrap();
    Turn::take(&path).unwrap().write("whole").unwrap();
    assert_eq!(read(&path).unwrap().as_deref(), Some("whole"));
}

#[test]
fn nothing_but_a_file_of_text_is_read() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("x.json");
    fs::create_dir(&path).unwrap();
    assert!(matches!(read(&path), Err(VaultError::Read { .. })));
    fs::remove_dir(&path).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
    assert!(matches!(read(&path), Err(VaultError::Read { .. })));
    fs::remove_file(&path).unwrap();
    fs::write(&path, b"\xff").unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(error.contains("x.json") && error.contains("is damaged: it is not UTF-8"), "{error}");
}
