//! Where programs are found, and how they are told apart.

use std::fs;

use tempfile::TempDir;

use super::*;

#[test]
fn a_program_is_a_path_or_a_name_on_the_path() {
    let folder = TempDir::new().unwrap();
    let cwd = folder.path();
    let tool = cwd.join("tool");
    fs::write(&tool, "x").unwrap();
    let find = |program: &str, path: &OsStr| {
        locate(program.as_ref(), &[("PATH".into(), path.to_owned())], cwd)
    };
    let here = cwd.as_os_str();
    assert_eq!(find("./tool", OsStr::new("")), Some(cwd.join("./tool")));
    assert_eq!(find("./none", here), None);
    assert_eq!(find("tool", here), None, "not executable");
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(find("tool", here), Some(tool.clone()));
    assert_eq!(find("tool", OsStr::new(".:")), None, "a relative entry");
    assert_eq!(find(tool.to_str().unwrap(), OsStr::new("")), Some(tool));
}

#[test]
fn a_fingerprint_is_the_hash_of_the_whole_file() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), vec![b'a'; (1 << 20) + 1]).unwrap();
    let long = fingerprint(file.path()).unwrap();
    fs::write(file.path(), "abc").unwrap();
    let short = fingerprint(file.path()).unwrap();
    let known = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(short, known);
    assert_ne!(long, short);
    assert!(same(&known.to_uppercase(), &short));
    assert!(!same(&long, &short));
}
