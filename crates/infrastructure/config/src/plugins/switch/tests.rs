//! Layouts that people write, before and after.

use std::fs;

use awf_core::{PluginEntry, PluginOrigin};
use tempfile::TempDir;

use super::{PluginSwitch, Switched, set_enabled};
use crate::plugins::PluginPlaces;

const MANIFEST: &str = "name: found\nversion: 1.0.0\nawf_version: '>=0.1.0'\n";

/// What becomes of the declaration, or what is told.
fn switched(text: Option<&str>, name: &str, switch: PluginSwitch) -> Result<String, String> {
    let dir = TempDir::new().unwrap();
    let home = dir.path().join(".awf/plugins");
    fs::create_dir_all(home.join("found")).unwrap();
    fs::write(home.join("found/plugin.yaml"), MANIFEST).unwrap();
    let file = dir.path().join(".awf/plugins.yaml");
    if let Some(text) = text {
        fs::write(&file, text).unwrap();
    }
    let included = PluginEntry {
        name: "http".to_owned(),
        origin: PluginOrigin::Included,
        enabled: true,
        ..PluginEntry::default()
    };
    let places = PluginPlaces {
        project: dir.path(),
        dirs: vec![home],
        included: vec![included],
        checksum: &|_| None,
    };
    let done = set_enabled(&places, name, switch);
    let after = fs::read_to_string(&file).unwrap_or_default();
    match done {
        Ok(Switched::Changed) => {
            assert_eq!(set_enabled(&places, name, switch), Ok(Switched::Already));
            Ok(after)
        }
        Ok(Switched::Already) => Err("already".to_owned()),
        Err(finding) => {
            assert_eq!(after, text.unwrap_or_default(), "nothing is written");
            Err(format!("{} ({})", finding.message, finding.hint.unwrap_or_default()))
        }
    }
}

#[test]
fn a_plugin_is_switched_off_in_any_layout() {
    let rows = [
        (
            "plugins:\n  - name: a # ours\n    path: x\n",
            "plugins:\n  - name: a # ours\n    enabled: false\n    path: x\n",
        ),
        (
            "plugins:\n- path: x\n  name: \"a\"\n- name: b\n  path: y",
            "plugins:\n- path: x\n  name: \"a\"\n  enabled: false\n- name: b\n  path: y",
        ),
        ("plugins:\n- path: x\n  name: a", "plugins:\n- path: x\n  name: a\n  enabled: false"),
        (
            "plugins:\r\n  - name: a\r\n    path: x\r\n",
            "plugins:\r\n  - name: a\r\n    enabled: false\r\n    path: x\r\n",
        ),
        (
            "# top\nplugins:\n  - name: a\n    path: x\n    # why\n    enabled: true  # for now\n",
            "# top\nplugins:\n  - name: a\n    path: x\n    # why\n    enabled: false  # for now\n",
        ),
        (
            "plugins: [{name: b, path: y}, {path: x, name: 'a', operations: [q]}]\n",
            "plugins: [{name: b, path: y}, {path: x, name: 'a', enabled: false, operations: [q]}]\n",
        ),
        (
            "plugins:\n  - {name: a, enabled: true, path: x}\n",
            "plugins:\n  - {name: a, enabled: false, path: x}\n",
        ),
        (
            "{\"plugins\": [{\"name\": \"a\", \"path\": \"x\"}]}",
            "{\"plugins\": [{\"name\": \"a\", \"enabled\": false, \"path\": \"x\"}]}",
        ),
        (
            "plugins:\n  -   name: a\n      path: \"é\"\n  - name: ü-no\n",
            "plugins:\n  -   name: a\n      enabled: false\n      path: \"é\"\n  - name: ü-no\n",
        ),
        (
            "\u{feff}plugins:\n  - name: a\n    path: x\n",
            "\u{feff}plugins:\n  - name: a\n    enabled: false\n    path: x\n",
        ),
    ];
    for (before, after) in rows {
        let done = switched(Some(before), "a", PluginSwitch::Off);
        assert_eq!(done, Ok(after.to_owned()), "{before}");
    }
    let on = switched(
        Some("plugins:\n  - name: a\n    enabled: false\n    path: x\n"),
        "a",
        PluginSwitch::On,
    );
    assert_eq!(on, Ok("plugins:\n  - name: a\n    enabled: true\n    path: x\n".to_owned()));
}

#[test]
fn one_that_is_only_found_gets_an_entry() {
    let rows = [
        (None, "plugins:\n  - name: found\n    enabled: false\n"),
        (Some("# none yet\n"), "# none yet\nplugins:\n  - name: found\n    enabled: false\n"),
        (Some("plugins:\n"), "plugins:\n  - name: found\n    enabled: false\n"),
        (
            Some("plugins:\n- name: a\n  path: x"),
            "plugins:\n- name: a\n  path: x\n- name: found\n  enabled: false\n",
        ),
        (
            Some("plugins:\n    - name: a\n      path: x\n# end\n"),
            "plugins:\n    - name: a\n      path: x\n# end\n    - name: found\n      enabled: false\n",
        ),
        (Some("plugins: []\n"), "plugins: [{name: found, enabled: false}]\n"),
        (
            Some("plugins: [{name: a, path: x}]\n"),
            "plugins: [{name: a, path: x}, {name: found, enabled: false}]\n",
        ),
    ];
    for (before, after) in rows {
        let done = switched(before, "found", PluginSwitch::Off);
        assert_eq!(done, Ok(after.to_owned()), "{before:?}");
    }
}

#[test]
fn what_cannot_be_done_is_told_and_changes_nothing() {
    let by_hand = "`.awf/plugins.yaml` is laid out in a way that cannot be edited safely (write `enabled: false` beside `name: a` in it by hand)";
    let rows = [
        ("plugins:\n  - &one {name: a, path: x}\n  - {<<: *one, name: b}\n", "a", by_hand),
        (
            "plugins:\n  - name: >-\n      a\n    path: x\n",
            "b",
            "no plugin `b` (run `awf plugin list` for the names)",
        ),
        (
            "plugins: []\n",
            "http",
            "`http` is part of awf and is always on (leave its operations out of your workflows)",
        ),
        ("plugins: [{name: alpha, path: x}]\n", "alpa", "no plugin `alpa` (did you mean `alpha`?)"),
        ("plugins: [{name: a, path: x, enabled: false}]\n", "a", "already"),
    ];
    for (text, name, expected) in rows {
        let done = switched(Some(text), name, PluginSwitch::Off);
        assert_eq!(done, Err(expected.to_owned()), "{text}");
    }
}
