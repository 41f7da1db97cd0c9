//! A new plugin is whole: the library is all there, and cargo understands the manifests.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::{scaffold, sdk};

const LIBRARY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../standalone/plugin-sdk");

/// Every file beneath a folder, or the file itself.
fn beneath(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let entries = fs::read_dir(path).unwrap();
    entries.flat_map(|entry| beneath(&entry.unwrap().path())).collect()
}

#[test]
fn the_library_is_taken_along_whole() {
    let root = Path::new(LIBRARY);
    let parts = ["Cargo.toml", "build.rs", "proto", "src"].map(|part| root.join(part));
    let on_disk = parts.iter().flat_map(|part| beneath(part));
    let on_disk: BTreeSet<PathBuf> =
        on_disk.map(|path| path.strip_prefix(root).unwrap().to_owned()).collect();
    let listed: BTreeSet<PathBuf> = sdk::FILES.iter().map(|(path, _)| path.into()).collect();
    assert_eq!(listed, on_disk);
}

#[test]
fn its_name_stands_wherever_it_must() {
    let files = scaffold("k8s");
    let text = |path: &str| &files.iter().find(|(at, _)| at == Path::new(path)).unwrap().1;
    assert!(text("Cargo.toml").contains("name = \"awf-plugin-k8s\""));
    assert!(text("plugin.yaml").starts_with("name: \"k8s\"\n"));
    assert!(text("src/main.rs").contains("Plugin::new(\"k8s\","));
    for (path, text) in files.iter().filter(|(path, _)| !path.starts_with("sdk")) {
        // `{{.states…}}` is a workflow's own.
        assert!(!text.replace("{{.", "").contains("{{"), "{} has a gap", path.display());
    }
}

#[test]
fn cargo_understands_it() {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in scaffold("k8s") {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    #[expect(clippy::disallowed_methods, reason = "cargo reads manifests, and starts nothing")]
    let mut cargo = Command::new(env!("CARGO"));
    let asked = cargo.args(["metadata", "--offline", "--no-deps", "--format-version", "1"]);
    let answer = asked.current_dir(folder.path()).output().unwrap();
    assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&answer.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap().iter();
    let names: BTreeSet<&str> = packages.map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, BTreeSet::from(["awf-plugin-k8s", "awf-plugin-sdk"]));
}
