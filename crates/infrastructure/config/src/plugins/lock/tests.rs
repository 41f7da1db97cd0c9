//! What is locked: written, read, and relied on only while the binary is the same.

use std::fs;

use awf_core::{
    Annotations, Hint, OperationInput, OperationSchema, PluginEntry, Severity, StepType,
};
use serde_json::json;
use tempfile::TempDir;

use super::{Lock, LockedPlugin, read_lock, write_lock};
use crate::plugins::{PluginPlaces, load_plugins};

fn lock() -> Lock {
    let scope = OperationInput {
        name: "scope".to_owned(),
        kind: "string".to_owned(),
        required: true,
        default: Some(json!("all")),
        description: "which".to_owned(),
        validation: Some("url".to_owned()),
        choices: vec![json!("all"), json!(9_007_199_254_740_993_i64)],
    };
    let get = OperationSchema {
        name: "get".to_owned(),
        description: "gets".to_owned(),
        inputs: vec![scope],
        outputs: vec![("items".to_owned(), "what there is".to_owned())],
        annotations: Annotations { read_only: Hint::Set(true), ..Annotations::default() },
    };
    let plain = OperationSchema { name: "apply".to_owned(), ..OperationSchema::default() };
    let watch = StepType { name: "watch".to_owned(), description: "watches".to_owned() };
    let plugin = |name: &str| LockedPlugin {
        name: name.to_owned(),
        checksum: format!("sha256:{}", "ab".repeat(32)),
        version: Some("1.2.0".to_owned()),
        operations: vec![plain.clone(), get.clone()],
        step_types: vec![watch.clone()],
    };
    Lock { plugins: vec![plugin("alpha"), plugin("k8s")] }
}

/// A project with this declaration, and the lock above.
fn project(declared: &str) -> TempDir {
    let dir = TempDir::new().unwrap();
    write_lock(dir.path(), &lock()).unwrap();
    fs::write(dir.path().join(".awf/plugins.yaml"), declared).unwrap();
    dir
}

/// The first plugin, and what is told, with a binary of this checksum.
fn load(dir: &TempDir, checksum: Option<&str>) -> (PluginEntry, Vec<String>) {
    let checksum = |_: &PluginEntry| checksum.map(str::to_owned);
    let (catalog, findings) = load_plugins(&PluginPlaces {
        project: dir.path(),
        dirs: Vec::new(),
        included: Vec::new(),
        checksum: &checksum,
    });
    let told = findings.into_iter().map(|finding| {
        assert_eq!(finding.severity, Severity::Warning);
        assert!(finding.span.unwrap().file.ends_with(".awf/plugins.lock"));
        finding.message
    });
    (catalog.plugins.into_iter().next().unwrap(), told.collect())
}

#[test]
fn what_is_written_is_read_and_the_same_plugins_give_the_same_bytes() {
    let dir = TempDir::new().unwrap();
    assert_eq!(read_lock(dir.path()), Ok(None));
    write_lock(dir.path(), &lock()).unwrap();
    let first = fs::read(dir.path().join(".awf/plugins.lock")).unwrap();
    assert_eq!(read_lock(dir.path()), Ok(Some(lock())));
    let mut turned = lock();
    turned.plugins.reverse();
    turned.plugins[0].operations.reverse();
    write_lock(dir.path(), &turned).unwrap();
    assert_eq!(fs::read(dir.path().join(".awf/plugins.lock")).unwrap(), first);
    let text = String::from_utf8(first).unwrap();
    assert!(text.starts_with("{\n  \"format\": 1,\n  \"plugins\": [\n"), "{text}");
    let left: Vec<_> = fs::read_dir(dir.path().join(".awf")).unwrap().collect();
    assert_eq!(left.len(), 1);
}

#[test]
fn a_locked_plugin_is_known_while_its_binary_is_the_same() {
    let same = format!("sha256:{}", "ab".repeat(32));
    let dir = project("plugins: [{name: k8s, path: bin/k8s}]");
    let (plugin, told) = load(&dir, Some(&same));
    assert_eq!(told, [""; 0]);
    assert!(!plugin.doubted);
    let locked = lock().plugins.remove(1);
    assert_eq!(plugin.operations, Some(locked.operations));
    assert_eq!(plugin.step_types, Some(locked.step_types));
    assert_eq!((plugin.version, plugin.checksum), (locked.version, Some(same)));

    let rows = [
        (Some("sha256:other"), "the binary of plugin `k8s` is not the one that was locked"),
        (
            None,
            "the binary of plugin `k8s` cannot be read, so it may not be the one that was locked",
        ),
    ];
    for (actual, expected) in rows {
        let (plugin, told) = load(&dir, actual);
        assert_eq!(told, [expected]);
        assert_eq!((plugin.operations, plugin.step_types), (None, None));
        assert!(plugin.doubted, "told once, not at each use");
        assert_eq!(plugin.checksum, Some(format!("sha256:{}", "ab".repeat(32))));
    }
}

#[test]
fn a_list_of_names_is_completed_by_what_is_locked() {
    let same = format!("sha256:{}", "ab".repeat(32));
    let dir = project(
        "plugins: [{name: k8s, path: bin/k8s, operations: [get, {name: own, description: mine}, new], step_types: [watch]}]",
    );
    let locked = lock().plugins.remove(1);
    let (plugin, told) = load(&dir, Some(&same));
    assert_eq!(told, [""; 0]);
    let operations = plugin.operations.unwrap();
    let names: Vec<&str> = operations.iter().map(|operation| operation.name.as_str()).collect();
    assert_eq!(names, ["get", "own", "new"]);
    assert_eq!(operations[0], locked.operations[1]);
    assert_eq!(operations[1].description, "mine");
    assert!(operations[2].inputs.is_empty());
    assert_eq!(plugin.step_types.unwrap(), locked.step_types);

    let (plugin, told) = load(&dir, Some("sha256:other"));
    assert_eq!(told, ["the binary of plugin `k8s` is not the one that was locked"]);
    assert!(plugin.operations.unwrap()[0].inputs.is_empty());
}

#[test]
fn what_the_project_says_goes_before_what_is_locked() {
    let own = format!("sha256:{}", "cd".repeat(32));
    let dir = project(&format!(
        "plugins: [{{name: k8s, path: bin/k8s, checksum: '{own}', operations: [own], step_types: []}}]"
    ));
    let (plugin, told) = load(&dir, None);
    assert_eq!(told, [""; 0]);
    assert_eq!(plugin.operations.unwrap()[0].name, "own");
    assert_eq!((plugin.step_types, plugin.checksum), (Some(Vec::new()), Some(own)));
}

#[test]
fn a_lock_that_cannot_be_read_is_told() {
    let rows = [
        ("{", "the lock file is damaged: EOF while parsing an object at line 1 column 1"),
        (
            "{\"plugins\": []}",
            "the lock file is damaged: missing field `format` at line 1 column 15",
        ),
        (
            "{\"format\": 1, \"plugins\": [{\"name\": 5}]}",
            "the lock file is damaged: invalid type: integer `5`, expected a string at line 1 column 36",
        ),
        (
            "{\"format\": 2, \"more\": true}",
            "the lock file has format 2, and this version of awf knows format 1",
        ),
    ];
    for (text, expected) in rows {
        let dir = project("");
        fs::write(dir.path().join(".awf/plugins.lock"), text).unwrap();
        let finding = read_lock(dir.path()).unwrap_err();
        assert_eq!(finding.message, expected);
        assert!(finding.hint.unwrap().contains("awf plugin lock"));
    }
}
