//! Configuration files, good and bad, as text.

use std::{fs, path::PathBuf, time::Duration};

use awf_core::{
    Ceiling, IntentPolicy, Located, Mode, Operation, Retention, Strictness, Surface, Unannotated,
};
use tempfile::TempDir;

use super::{ActivitySetting, RelayConfig, ServeConfig, Served, load_served};
use crate::{ServerOrigin, ServerTransport};

/// The tools `text` stands for, or its findings.
fn load(text: &str) -> Result<ServeConfig, Vec<String>> {
    load_any(text).map(|served| match served {
        Served::Tools(config) => config,
        Served::Relay(relay) => panic!("no tools of its own: {relay:?}"),
    })
}

/// What `text` means, or its findings as `line:column code message (hint)`.
fn load_any(text: &str) -> Result<Served, Vec<String>> {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("serve.yaml");
    fs::write(&path, text).unwrap();
    load_served(&path).map_err(|findings| {
        let shown = findings.into_iter().map(|finding| {
            let span = finding.span.unwrap();
            let hint = finding.hint.unwrap_or_default();
            format!("{}:{} {} {} ({hint})", span.line, span.column, finding.code, finding.message)
                .replace(&span.file, "FILE")
        });
        shown.collect()
    })
}

#[test]
fn an_empty_file_or_object_means_the_defaults() {
    assert_eq!(load(""), Ok(ServeConfig::default()));
    assert_eq!(load("{}"), Ok(ServeConfig::default()));
}

#[test]
fn json_and_yaml_mean_the_same() {
    let json = "{\n\t\"root\": \"/srv\",\n\t\"intercept_builtins\": true,\n\t\"plugin_tools\": [],\n\t\"mcpServers\": {},\n\t\"surface\": \"direct\",\n\t\"tools\": {\"allow\": \"write\", \"roots\": [\"/data\"]},\n\t\"intent_declaration\": {\"mode\": \"inferred\", \"strict_server_validation\": false, \"unannotated\": \"destructive\"},\n\t\"activity\": {\"durability\": \"power\"}\n}";
    let yaml = "root: /srv\nintercept_builtins: true\nplugin_tools: []\ntools:\n  allow: write\n  roots: [/data]\nintent_declaration:\n  mode: inferred\n  strict_server_validation: false\n  unannotated: destructive\nactivity:\n  durability: power\n";
    let meant = ServeConfig {
        builtins: true,
        plugin_tools: Vec::new(),
        root: Some(PathBuf::from("/srv")),
        roots: vec![PathBuf::from("/data")],
        ceiling: Ceiling(Operation::Write),
        intent: IntentPolicy {
            mode: Mode::Inferred,
            strictness: Strictness::Permissive,
            unannotated: Unannotated::Destructive,
        },
        activity: ActivitySetting::Power,
        ..ServeConfig::default()
    };
    assert_eq!(load(json), Ok(meant.clone()));
    assert_eq!(load(yaml), Ok(meant));
}

#[test]
fn a_socket_stands_for_the_tools_of_a_run() {
    let relay = RelayConfig {
        socket: "/run/x".into(),
        run: Some("01RUN".into()),
        step: Some("fix".into()),
    };
    assert_eq!(
        load_any(r#"{"socket": "/run/x", "run": "01RUN", "step": "fix"}"#),
        Ok(Served::Relay(relay.clone()))
    );
    assert_eq!(
        load_any("socket: /run/x"),
        Ok(Served::Relay(RelayConfig { run: None, step: None, ..relay }))
    );
}

#[test]
fn operations_of_plugins_are_served_beside_the_built_ins_or_alone() {
    let tools = "plugin_tools: [{plugin: k8s, expose: [get, apply]}]\n";
    for (text, builtins) in
        [(tools.to_owned(), true), (format!("intercept_builtins: false\n{tools}"), false)]
    {
        let config = load(&text).unwrap();
        assert_eq!(config.builtins, builtins);
        let [served] = config.plugin_tools.as_slice() else { panic!("{config:?}") };
        let names: Vec<&str> = served.expose.iter().map(Located::as_str).collect();
        assert_eq!((served.plugin.as_str(), names), ("k8s", vec!["get", "apply"]));
    }
}

#[test]
fn servers_are_served_on_either_surface_and_without_the_built_ins() {
    let text = "intercept_builtins: false\nsurface: intent\nintent_declaration: {annotations_max_age: 0}\nmcpServers:\n  - {name: git, url: 'https://h/mcp', headers: {X-Key: '${KEY}'}}\n";
    let config = load(text).unwrap();
    assert_eq!((config.builtins, config.surface), (false, Surface::Intent));
    assert_eq!(config.annotations_max_age, Duration::ZERO);
    let [git] = config.servers.as_slice() else { panic!("{config:?}") };
    let headers = vec![("X-Key".to_owned(), "${KEY}".to_owned())];
    assert_eq!(git.name, "git");
    assert_eq!(git.transport, ServerTransport::Http { url: "https://h/mcp".to_owned(), headers });
    assert!(matches!(&git.origin, ServerOrigin::Given(file) if file.ends_with("serve.yaml")));
}

#[test]
fn the_log_can_be_switched_off() {
    assert_eq!(load("activity: {enabled: false}").unwrap().activity, ActivitySetting::Off);
    let limits = load("activity: {max_age: 90d, max_records: 5000, max_bytes: 2MB}").unwrap();
    let days = |days: u64| Duration::from_hours(24 * days);
    let retention =
        Retention { max_age: Some(days(90)), max_records: Some(5000), max_bytes: Some(2 << 20) };
    assert_eq!((limits.activity, limits.retention), (ActivitySetting::Process, retention));
    let age =
        |age: &str| load(&format!("activity: {{max_age: {age}}}")).map(|of| of.retention.max_age);
    assert_eq!(age("36h"), Ok(Some(days(1) + days(1) / 2)));
    for bad in ["max_age: 0", "max_age: 1w", "max_age: d", "max_records: 0", "max_bytes: -1"] {
        assert!(load(&format!("activity: {{{bad}}}")).is_err(), "{bad}");
    }
}

#[test]
fn what_is_wrong_is_named_at_its_place() {
    let rows = [
        (
            "root: /srv\nintercept_builtin: true\n",
            "2:1 USER.CONFIG.UNKNOWN_KEY unknown key `intercept_builtin` (did you mean `intercept_builtins`?)",
        ),
        (
            "tools:\n  alow: read\n",
            "2:3 USER.CONFIG.UNKNOWN_KEY unknown key `alow` (did you mean `allow`?)",
        ),
        (
            "plugin_tools: [{plugin: k8s}]\n",
            "1:16 USER.CONFIG.INVALID an item of `plugin_tools` lacks `expose` (add `expose`)",
        ),
        (
            "intercept_builtins: false\nplugin_tools: [{plugin: k8s, expose: []}]\n",
            "1:21 USER.MCP_PROXY.EMPTY_PROXY `intercept_builtins: false` leaves no tools to serve (set `intercept_builtins: true`, list `plugin_tools` or `tools.servers`, or disable the proxy)",
        ),
        (
            "mcpServers:\n  a: {command: x, comand: y}\n",
            "2:19 USER.CONFIG.UNKNOWN_KEY unknown key `comand` (did you mean `command`?)",
        ),
        (
            "mcpServers:\n  a: {command: x}\n  A: {url: 'http://h'}\n",
            "3:3 USER.MCP_PROXY.NAME_COLLISION the servers `A` and `a`, on line 2 of `FILE`, would be taken for each other (rename or remove one of them)",
        ),
        (
            "intercept_builtins: false\nmcpServers: {a: {command: x, enabled: false}}\n",
            "1:21 USER.MCP_PROXY.EMPTY_PROXY `intercept_builtins: false` leaves no tools to serve (set `intercept_builtins: true`, list `plugin_tools` or `tools.servers`, or disable the proxy)",
        ),
        (
            "intent_declaration: {annotations_max_age: soon}\n",
            "1:43 USER.CONFIG.INVALID `annotations_max_age`: `soon` is no duration (write whole seconds (`30`) or a duration (`1500ms`, `2m`))",
        ),
        (
            "socket: /run/x\nroot: /srv\n",
            "2:1 USER.CONFIG.UNKNOWN_KEY unknown key `root` (known keys here: socket, run, step)",
        ),
        (
            "intercept_builtins: false\n",
            "1:21 USER.MCP_PROXY.EMPTY_PROXY `intercept_builtins: false` leaves no tools to serve (set `intercept_builtins: true`, list `plugin_tools` or `tools.servers`, or disable the proxy)",
        ),
    ];
    for (text, expected) in rows {
        assert_eq!(load(text), Err(vec![expected.to_owned()]), "{text}");
    }
}

#[test]
fn values_of_the_wrong_kind_are_refused() {
    for text in [
        "tools:\n  allow:\n",
        "root:\n",
        "activity: {enabled: ~}",
        "tools: {allow: everything}",
        "intercept_builtins: yes",
        "root: [1]",
        "socket: [1]",
        "activity: {durability: forever}",
        "root: /a\nroot: /b\n",
        "{",
        "- a",
    ] {
        let findings = load(text).unwrap_err();
        assert!(findings[0].contains("USER.CONFIG.INVALID"), "{text}: {findings:?}");
    }
}

#[test]
fn an_alias_bomb_is_refused() {
    let mut lines = vec!["a: &a [x, x, x, x, x, x, x, x, x, x]".to_owned()];
    for (name, of) in "bcdefghi".chars().zip("abcdefgh".chars()) {
        lines.push(format!("{name}: &{name} [{}]", vec![format!("*{of}"); 9].join(", ")));
    }
    assert!(load(&lines.join("\n")).is_err());
}

#[test]
fn a_missing_file_is_named() {
    let findings = load_served(&PathBuf::from("/nowhere/serve.yaml")).unwrap_err();
    assert!(findings[0].message.contains("/nowhere/serve.yaml"), "{findings:?}");
}
