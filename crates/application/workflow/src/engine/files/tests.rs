//! Files of bounded size, from the first place that has them.

use std::fs;

use super::*;

#[test]
fn text_is_read_up_to_its_limit() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("f");
    fs::write(&path, "12345").unwrap();
    assert_eq!(read(&path, 5).unwrap(), "12345");
    let message = read(&path, 4).unwrap_err().to_string();
    assert_eq!(message, format!("`{}` is longer than 4 bytes", path.display()));
    let message = read(dir.path(), 4).unwrap_err().to_string();
    assert_eq!(message, format!("`{}` is no regular file", dir.path().display()));
}

#[test]
fn the_first_place_with_a_file_counts() {
    let dir = tempfile::tempdir().unwrap();
    let (first, second) = (dir.path().join("first"), dir.path().join("second"));
    fs::write(&second, "here").unwrap();
    let found = read_first(vec![first.clone(), second.clone()], Code::InputMissingFile, "prompt");
    assert_eq!(found, Ok((second, "here".to_owned())));
    let missing = read_first(vec![first], Code::InputMissingFile, "prompt file `first`");
    assert_eq!(missing.unwrap_err().message, "there is no prompt file `first`");
}
