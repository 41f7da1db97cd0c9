//! Plugins, declared and found.

use std::{fs, path::PathBuf, time::Duration};

use awf_core::{Annotations, Hint, PluginEntry, PluginOrigin};
use serde_json::json;
use tempfile::TempDir;

use super::{PluginPlaces, load_plugins};

/// A project and a data directory with the given files.
struct Ground(TempDir);

impl Ground {
    fn of(files: &[(&str, &str)]) -> Self {
        let dir = TempDir::new().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self(dir)
    }

    /// The plugins, and the findings as `file:line:column code message`.
    fn load(&self) -> (Vec<PluginEntry>, Vec<String>) {
        let base = format!("{}/", self.0.path().display());
        let data = self.0.path().join("data");
        let project = self.0.path().join("work");
        let (mut catalog, findings) = load_plugins(&PluginPlaces {
            project: &project,
            dirs: vec![project.join(".awf/plugins"), data.join("plugins")],
            included: Vec::new(),
            checksum: &|_| None,
        });
        for plugin in &mut catalog.plugins {
            for word in &mut plugin.command {
                *word = PathBuf::from(word.display().to_string().replace(&base, ""));
            }
        }
        let findings = findings.into_iter().map(|finding| {
            let span = finding.span.unwrap();
            format!(
                "{}:{}:{} {} {}",
                span.file, span.line, span.column, finding.code, finding.message
            )
            .replace(&base, "")
        });
        (catalog.plugins, findings.collect())
    }
}

fn manifest(name: &str) -> String {
    format!("name: {name}\nversion: 1.0.0\nawf_version: '>=0.1.0'\ncapabilities: [operations]\n")
}

#[test]
fn a_project_without_plugins_has_none() {
    assert_eq!(Ground::of(&[]).load(), (Vec::new(), Vec::new()));
}

#[test]
fn a_declared_plugin_says_all_there_is() {
    let text = format!(
        "plugins:\n  - name: kubernetes\n    path: bin/k8s\n    enabled: false\n    checksum: sha256:{}\n    config: {{context: dev}}\n    operations:\n      - kubectl_get\n      - name: kubectl_apply\n        description: applies\n        inputs: [{{name: file, type: string, required: true, default: a.yaml}}]\n        outputs: [{{name: applied, type: integer}}]\n    annotations:\n      kubectl_apply: {{destructiveHint: true}}\n  - {{name: slack, command: [node, slack.js]}}\n  - {{name: own, command: [tools/own, run]}}\n",
        "ab".repeat(32)
    );
    let (plugins, findings) = Ground::of(&[("work/.awf/plugins.yaml", &text)]).load();
    assert_eq!(findings, [""; 0]);
    let [kubernetes, slack, own] = plugins.as_slice() else { panic!("{plugins:?}") };
    assert_eq!(kubernetes.command, [PathBuf::from("work/bin/k8s")]);
    assert!(!kubernetes.enabled);
    assert_eq!(json!(kubernetes.config), json!({"context": "dev"}));
    let operations = kubernetes.operations.as_ref().unwrap();
    assert_eq!(operations[0].name, "kubectl_get");
    assert_eq!(operations[1].inputs[0].default, Some(json!("a.yaml")));
    assert_eq!(operations[1].outputs, [("applied".to_owned(), "integer".to_owned())]);
    let destructive = Annotations { destructive: Hint::Set(true), ..Annotations::default() };
    assert_eq!(kubernetes.annotations, [("kubectl_apply".to_owned(), destructive)]);
    assert_eq!(slack.command, ["node", "slack.js"].map(PathBuf::from));
    assert_eq!(slack.operations, None);
    assert_eq!(own.command, ["work/tools/own", "run"].map(PathBuf::from));
}

#[test]
fn manifests_are_found_and_complete_a_declaration() {
    let found = format!(
        "{}config: {{depth: {{type: integer, default: 3}}, token: {{required: true}}}}\n",
        manifest("git")
    );
    let (plugins, findings) = Ground::of(&[
        ("work/.awf/plugins.yaml", "plugins: [{name: git, config: {token: x}, operations: [log]}]"),
        ("work/.awf/plugins/git/plugin.yaml", &found),
        ("work/.awf/plugins/awf-plugin-web/plugin.yaml", &manifest("web")),
        ("work/.awf/plugins/empty/readme", ""),
        ("data/plugins/web/plugin.yaml", &manifest("web")),
        ("data/plugins/mail/plugin.yaml", &manifest("mail")),
    ])
    .load();
    assert_eq!(findings, [""; 0]);
    let shown: Vec<(&str, String)> = plugins
        .iter()
        .map(|plugin| (plugin.name.as_str(), plugin.command[0].display().to_string()))
        .collect();
    assert_eq!(
        shown,
        [
            ("git", "work/.awf/plugins/git/awf-plugin-git".to_owned()),
            ("web", "work/.awf/plugins/awf-plugin-web/awf-plugin-web".to_owned()),
            ("mail", "data/plugins/mail/awf-plugin-mail".to_owned()),
        ]
    );
    let place = |plugin: &PluginEntry| {
        let span = plugin.span.as_ref().unwrap();
        let file = span.file.rsplit("work/").next().unwrap().to_owned();
        (file, span.line, span.column)
    };
    assert_eq!(place(&plugins[0]), (".awf/plugins.yaml".to_owned(), 1, 12));
    let web = ".awf/plugins/awf-plugin-web/plugin.yaml".to_owned();
    assert_eq!(place(&plugins[1]), (web, 1, 1));
    assert_eq!(json!(plugins[0].config), json!({"token": "x", "depth": 3}));
    assert_eq!(plugins[0].operations.as_ref().unwrap()[0].name, "log");
}

#[test]
fn a_plugin_that_nothing_says_how_to_start_is_told() {
    let declared = "plugins:\n  - name: a\n  - {name: b, enabled: false}\n  - name: c\n";
    let found = manifest("c");
    let files = [("work/.awf/plugins.yaml", declared), ("work/.awf/plugins/c/plugin.yaml", &found)];
    let expected = "work/.awf/plugins.yaml:2:5 USER.CONFIG.INVALID plugin `a` has neither `path` nor `command`, and no manifest was found for it";
    assert_eq!(Ground::of(&files).load().1, [expected]);
    // What is misspelt may be just that.
    let (_, findings) =
        Ground::of(&[("work/.awf/plugins.yaml", "plugins: [{name: a, comand: [x]}]")]).load();
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(findings[0].contains("USER.CONFIG.UNKNOWN_KEY"), "{findings:?}");
}

#[test]
fn two_of_a_name_collide_and_builtin_is_taken() {
    let (plugins, findings) = Ground::of(&[
        (
            "work/.awf/plugins.yaml",
            "plugins:\n  - {name: a, path: x}\n  - {name: a, path: y}\n  - {name: builtin, path: z}\n",
        ),
        ("work/.awf/plugins/a/plugin.yaml", &manifest("a")),
        ("work/.awf/plugins/b/plugin.yaml", &manifest("b")),
        ("work/.awf/plugins/c/plugin.yaml", &manifest("b")),
    ])
    .load();
    assert_eq!(plugins.iter().map(|plugin| plugin.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert!(plugins.iter().all(|plugin| plugin.doubted), "told once, not at each use");
    assert_eq!(
        findings,
        [
            "work/.awf/plugins.yaml:4:12 USER.MCP_PROXY.NAME_COLLISION `builtin` is the name of the built-in tools",
            "work/.awf/plugins.yaml:3:6 USER.MCP_PROXY.NAME_COLLISION the plugin `a` is declared twice",
            "work/.awf/plugins/a/plugin.yaml:1:1 USER.MCP_PROXY.NAME_COLLISION the plugin `a` is there already",
            "work/.awf/plugins/c/plugin.yaml:1:1 USER.MCP_PROXY.NAME_COLLISION the plugin `b` is there already",
        ]
    );
}

#[test]
fn what_is_wrong_is_told_and_the_rest_is_known() {
    let (plugins, findings) = Ground::of(&[
        (
            "work/.awf/plugins.yaml",
            "plugins:\n  - {nam: x}\n  - {name: 1x}\n  - {name: x, path: a, command: [b], checksum: md5}\n  - {name: y, command: []}\n  - {name: z, path: z, operations: [get], annotations: {gett: {readOnlyHint: yes}}}\n",
        ),
        ("work/.awf/plugins/m/plugin.yaml", "name: m\ncapabilities: [operation]\n"),
    ])
    .load();
    assert_eq!(
        plugins.iter().map(|plugin| plugin.name.as_str()).collect::<Vec<_>>(),
        ["x", "y", "z", "m"]
    );
    let file = "work/.awf/plugins.yaml";
    assert_eq!(
        findings,
        [
            format!("{file}:2:6 USER.CONFIG.UNKNOWN_KEY unknown key `nam`"),
            format!("{file}:3:12 USER.CONFIG.INVALID `1x` cannot be the name of a plugin"),
            format!("{file}:4:24 USER.CONFIG.CONFLICT a plugin has both `path` and `command`"),
            format!("{file}:4:48 USER.CONFIG.INVALID `md5` is no checksum"),
            format!("{file}:5:15 USER.CONFIG.INVALID `command` is empty"),
            format!("{file}:6:57 USER.CONFIG.INVALID the plugin has no operation `gett`"),
            format!("{file}:6:78 USER.CONFIG.INVALID `readOnlyHint` must be `true` or `false`, not the text `yes`"),
            "work/.awf/plugins/m/plugin.yaml:1:1 USER.CONFIG.INVALID the file lacks `version`".to_owned(),
            "work/.awf/plugins/m/plugin.yaml:1:1 USER.CONFIG.INVALID the file lacks `awf_version`".to_owned(),
            "work/.awf/plugins/m/plugin.yaml:2:16 USER.CONFIG.INVALID an item of `capabilities` cannot be `operation`".to_owned(),
        ]
    );
}

#[test]
fn what_a_manifest_says_is_known() {
    let found = "name: git\nversion: 1.2.3\nawf_version: '>=0.5.0, <2'\ndescription: reads history\nstep_types: [bisect, {name: blame, description: who}]\n";
    let declared = "plugins: [{name: git, timeout: 30s}, {name: own, path: x, step_types: [run], operations: [{name: go, inputs: [{name: how, enum: [fast, 2]}]}]}]";
    let (plugins, findings) = Ground::of(&[
        ("work/.awf/plugins.yaml", declared),
        ("work/.awf/plugins/git/plugin.yaml", found),
    ])
    .load();
    assert_eq!(findings, [""; 0]);
    let [git, own] = plugins.as_slice() else { panic!("{plugins:?}") };
    assert_eq!(git.version.as_deref(), Some("1.2.3"));
    assert_eq!(git.description.as_deref(), Some("reads history"));
    assert_eq!(git.timeout, Some(Duration::from_secs(30)));
    assert!(matches!(&git.origin, PluginOrigin::Found(dir) if dir.ends_with(".awf/plugins/git")));
    let types = git.step_types.as_deref().unwrap();
    let types: Vec<_> = types.iter().map(|kind| (kind.name.as_str(), &*kind.description)).collect();
    assert_eq!(types, [("bisect", ""), ("blame", "who")]);
    assert_eq!(own.origin, PluginOrigin::Declared);
    assert_eq!(own.step_types.as_ref().unwrap()[0].name, "run");
    let go = &own.operations.as_ref().unwrap()[0];
    assert_eq!(go.inputs[0].choices, [json!("fast"), json!(2)]);
}

#[test]
fn a_configuration_is_what_the_manifest_asks_for() {
    let asks = |name: &str| {
        format!(
            "{}config:\n  token: {{type: string, required: true}}\n  depth: {{type: integer}}\n  level: {{type: string, enum: [low, high]}}\n",
            manifest(name)
        )
    };
    let (_, findings) = Ground::of(&[
        (
            "work/.awf/plugins.yaml",
            "plugins:\n  - name: git\n    config: {depth: deep, level: mid}\n  - {name: off, enabled: false}\n",
        ),
        ("work/.awf/plugins/git/plugin.yaml", &asks("git")),
        ("work/.awf/plugins/off/plugin.yaml", &asks("off")),
        ("work/.awf/plugins/z/plugin.yaml", &asks("z")),
    ])
    .load();
    let file = "work/.awf/plugins.yaml";
    assert_eq!(
        findings,
        [
            format!("{file}:2:5 USER.CONFIG.INVALID the plugin `git` needs `token` in its `config`"),
            format!("{file}:3:21 USER.CONFIG.INVALID `depth` must be a whole number, not `deep`"),
            format!("{file}:3:34 USER.CONFIG.INVALID `level` cannot be `mid`"),
            "work/.awf/plugins/z/plugin.yaml:6:3 USER.CONFIG.INVALID the plugin `z` needs `token` in its `config`".to_owned(),
        ]
    );
}

#[test]
fn a_manifest_that_is_wrong_is_told() {
    let (plugins, findings) = Ground::of(&[
        ("work/.awf/plugins.yaml", "plugins: [{name: a, path: x, timeout: 0}, {name: b, path: x, timeout: soon}]"),
        (
            "work/.awf/plugins/m/plugin.yaml",
            "name: m\nversion: 1\nawf_version: latest\nconfig: {depth: {type: integer, default: x}, odd: {type: int}}\n",
        ),
        ("work/.awf/plugins/n/plugin.yaml", "[]"),
        ("work/.awf/plugins/notify/plugin.yaml", &manifest("notify")),
    ])
    .load();
    assert_eq!(plugins.len(), 3);
    let file = "work/.awf/plugins/m/plugin.yaml";
    assert_eq!(
        findings,
        [
            "work/.awf/plugins.yaml:1:39 USER.CONFIG.INVALID the timeout of 0 leaves no time at all".to_owned(),
            "work/.awf/plugins.yaml:1:71 USER.CONFIG.INVALID the timeout `soon` is no duration".to_owned(),
            format!("{file}:3:14 USER.CONFIG.INVALID `awf_version`: `latest` is no version"),
            format!("{file}:4:42 USER.CONFIG.INVALID `depth` must be a whole number, not `x`"),
            format!("{file}:4:58 USER.CONFIG.INVALID `type` cannot be `int`"),
            "work/.awf/plugins/n/plugin.yaml:1:1 USER.CONFIG.INVALID the file must be a mapping, not a list".to_owned(),
            "work/.awf/plugins/notify/plugin.yaml:1:7 USER.MCP_PROXY.NAME_COLLISION `notify` is the name of operations that are part of awf".to_owned(),
        ]
    );
}
