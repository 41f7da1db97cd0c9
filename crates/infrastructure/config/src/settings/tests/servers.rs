//! Servers from all the files that may name them.

use std::{fs, path::Path, time::Duration};

use awf_core::{Mode, Strictness};
use tempfile::TempDir;

use super::told;
use crate::{
    ServerOrigin, ServerTransport, Settings, SettingsFiles, Switch, Unusable, load_settings,
};

/// What files of these names mean together, or the findings.
fn load(files: &[(&str, &str)]) -> Result<Settings, Vec<String>> {
    let dir = TempDir::new().unwrap();
    let base = format!("{}/", dir.path().display());
    for (name, text) in files {
        let file = dir.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    let project = dir.path().join("work");
    let files = SettingsFiles::find(Some(&dir.path().join("home")), &project, &project);
    load_settings(&files)
        .map_err(|findings| findings.iter().map(|one| told(one).replace(&base, "")).collect())
}

fn origin(origin: &ServerOrigin) -> (&'static str, String) {
    let kind = match origin {
        ServerOrigin::User(_) => "user",
        ServerOrigin::Project(_) => "project",
        ServerOrigin::Given(_) => "given",
    };
    (kind, origin.file().file_name().unwrap().to_string_lossy().into_owned())
}

const PROGRAM: &str = "{\"mcpServers\": {\"NAME\": {\"command\": \"x\"}}}";

fn named(name: &str) -> String {
    PROGRAM.replace("NAME", name)
}

#[test]
fn every_file_names_servers_and_the_users_hide_the_projects() {
    let settings = load(&[
        ("home/config.yaml", "mcpServers: {one: {command: x}, off: {command: x, enabled: false}}"),
        ("home/mcp_config.json", &named("two")),
        ("work/.awf/config.yaml", "mcpServers: {three: {url: 'http://127.0.0.1:1/mcp'}}"),
        ("work/.mcp.json", &named("four")),
        ("work/mcp_config.json", "{\"mcpServers\": [{\"name\": \"TWO\", \"command\": \"y\"}]}"),
    ])
    .unwrap();
    let told: Vec<_> =
        settings.servers.iter().map(|one| (one.name.as_str(), origin(&one.origin))).collect();
    let row = |name, side, file: &str| (name, (side, file.to_owned()));
    assert_eq!(
        told,
        [
            row("one", "user", "config.yaml"),
            row("off", "user", "config.yaml"),
            row("two", "user", "mcp_config.json"),
            row("three", "project", "config.yaml"),
            row("four", "project", ".mcp.json"),
        ]
    );
    assert_eq!(settings.server("off").unwrap().switch, Switch::Off);
    assert!(settings.server("one").unwrap().ground.is_none());
    assert!(settings.server("four").unwrap().ground.is_some());
    let [shadowed] = settings.shadowed.as_slice() else { panic!("{settings:?}") };
    assert_eq!((shadowed.name.as_str(), shadowed.place.line), ("TWO", 1));
    assert_eq!(settings.server("TWO"), None);
}

#[test]
fn one_side_names_a_server_once() {
    let twice = load(&[("work/.mcp.json", &named("a-b")), ("work/mcp_config.json", &named("A.b"))]);
    assert_eq!(
        twice.unwrap_err(),
        [
            "work/mcp_config.json:1:17 USER.MCP_PROXY.NAME_COLLISION the servers `A.b` and `a-b`, on line 1 of `work/.mcp.json`, would be taken for each other (rename or remove one of them)"
        ]
    );
    let twice = load(&[
        ("home/config.yaml", "mcpServers:\n  a: {command: x}\n"),
        ("home/mcp_config.json", &named("a")),
    ]);
    assert_eq!(
        twice.unwrap_err(),
        [
            "home/mcp_config.json:1:17 USER.MCP_PROXY.NAME_COLLISION the server `a` is named twice: on line 2 of `home/config.yaml` too (rename or remove one of them)"
        ]
    );
}

#[test]
fn what_belongs_to_other_programs_is_told_and_stops_nothing() {
    let text = r#"{"listen": ":8080", "mcpServers": [
        {"name": "good", "command": "x", "working_dir": "/d", "protocol": "stdio", "trust_mode": "a", "init_timeout": 3},
        {"name": "held", "command": "x", "quarantined": true},
        {"name": "old", "url": "http://h/sse", "protocol": "sse"},
        {"name": "locked", "url": "https://h/mcp", "oauth": {}},
        {"name": "two words", "command": "x"},
        {"name": "both", "command": "x", "url": "https://h"}
    ]}"#;
    let settings = load(&[("home/mcp_config.json", text)]).unwrap();
    let names: Vec<_> =
        settings.servers.iter().map(|one| (one.name.as_str(), one.switch)).collect();
    assert_eq!(names, [("good", Switch::On), ("held", Switch::Off)]);
    let ServerTransport::Stdio { cwd, .. } = &settings.servers[0].transport else { panic!() };
    assert_eq!(cwd.as_deref(), Some("/d"));
    let warned: Vec<&str> = settings.warnings.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(
        warned,
        [
            "awf does not read `listen` of this file",
            "`good`: `trust_mode` is not supported by awf",
            "unknown key `init_timeout`",
            "the server is quarantined by another program, so it is off",
        ]
    );
    let unusable: Vec<_> = settings
        .unusable
        .iter()
        .map(|one| (one.name.as_str(), one.why.findings()[0].code.as_str(), one.place.line))
        .collect();
    assert_eq!(
        unusable,
        [
            ("old", "USER.CONFIG.UNSUPPORTED", 4),
            ("locked", "USER.CONFIG.UNSUPPORTED", 5),
            ("two words", "USER.CONFIG.INVALID", 6),
            ("both", "USER.CONFIG.CONFLICT", 7),
        ]
    );
}

#[test]
fn awf_itself_is_known_in_the_files_of_others() {
    let text = r#"{"mcpServers": {"awf": {"command": "/opt/awf", "args": ["mcp", "serve"]}}}"#;
    let here = r#"{"mcpServers": {"AWF": {"url": "http://127.0.0.1:8080/mcp"}}}"#;
    for text in [text, here] {
        let settings = load(&[("work/.mcp.json", text)]).unwrap();
        assert_eq!(settings.unusable[0].why, Unusable::Itself, "{text}");
        assert_eq!(settings.servers, []);
    }
    let other = r#"{"mcpServers": {"awf": {"command": "other"}}}"#;
    let settings = load(&[("work/.mcp.json", other)]).unwrap();
    assert_eq!(
        settings.unusable[0].why.findings()[0].code.as_str(),
        "USER.MCP_PROXY.NAME_COLLISION"
    );
    assert!(load(&[("home/config.yaml", text)]).is_err());
}

#[test]
fn a_server_that_cannot_be_used_still_has_its_name() {
    let settings = load(&[
        ("home/mcp_config.json", r#"{"mcpServers": {"a": {"url": "http://h", "type": "sse"}}}"#),
        ("work/.mcp.json", &named("a")),
    ])
    .unwrap();
    assert_eq!(settings.servers, []);
    assert_eq!((settings.unusable.len(), settings.shadowed.len()), (1, 1));
}

#[test]
fn what_is_wrong_with_a_server_is_told_at_its_place() {
    let rows = [
        (
            "{a b: {command: x}}",
            "1:14 USER.CONFIG.INVALID `a b` is no name for a server (use up to 64 letters, digits, `-`, `_` and `.`)",
        ),
        (
            "{'a:b': {command: x}}",
            "1:14 USER.CONFIG.INVALID `a:b` is no name for a server (use up to 64 letters, digits, `-`, `_` and `.`)",
        ),
        (
            "{gіt: {command: x}}",
            "1:14 USER.CONFIG.INVALID `gіt` is no name for a server (use up to 64 letters, digits, `-`, `_` and `.`)",
        ),
        (
            "{Builtin: {command: x}}",
            "1:14 USER.MCP_PROXY.NAME_COLLISION the server `Builtin` takes a name of awf's own, `builtin` (give the server another name)",
        ),
        (
            "{a: {}}",
            "1:14 USER.CONFIG.INVALID `a` lacks `command` (add `command`, or `url` for a server behind HTTP)",
        ),
        (
            "{a: {command: x, url: 'http://h'}}",
            "1:30 USER.CONFIG.CONFLICT `a` has both `command` and `url` (keep one of them)",
        ),
        (
            "{a: {url: 'ftp://h'}}",
            "1:23 USER.CONFIG.INVALID `url` must be an address such as `https://host/mcp`, not `ftp://h` (mend the marked place)",
        ),
        (
            "{a: {url: 'http:///x'}}",
            "1:23 USER.CONFIG.INVALID `url` must be an address such as `https://host/mcp`, not `http:///x` (mend the marked place)",
        ),
        (
            "{a: {command: x, type: http}}",
            "1:30 USER.CONFIG.CONFLICT `a` has `command`, which is another protocol (keep one of them)",
        ),
        (
            "{a: {url: 'http://h', headers: {'a b': c}}}",
            "1:45 USER.CONFIG.INVALID `a b` is no name of a header (mend the marked place)",
        ),
        (
            "{a: {url: 'http://h', headers: {a: \"b\\nc\"}}}",
            "1:45 USER.CONFIG.INVALID `a` holds a control character (mend the marked place)",
        ),
        (
            "{a: {command: x, env: {'A=B': c}}}",
            "1:36 USER.CONFIG.INVALID `A=B` is no name of a variable (mend the marked place)",
        ),
        (
            "{a: {command: x, env: {A: [c]}}}",
            "1:39 USER.CONFIG.INVALID `A` must be text, not a list (mend the marked place)",
        ),
        (
            "{a: {command: x, type: sse}}",
            "1:36 USER.CONFIG.UNSUPPORTED `type`: `sse` is not supported by awf (give the server's streamable HTTP endpoint, with `type: http`)",
        ),
        (
            "{a: {command: x, oauth: {}}}",
            "1:30 USER.CONFIG.UNSUPPORTED `a`: `oauth` is not supported by awf (put a token into `headers`: `Authorization: Bearer ${TOKEN}`)",
        ),
        (
            "{a: {command: x, name: b}}",
            "1:36 USER.CONFIG.CONFLICT the server `a` calls itself `b` (remove `name`)",
        ),
    ];
    for (servers, expected) in rows {
        let text = format!("mcpServers: {servers}\n");
        let found = load(&[("home/config.yaml", &text)]).unwrap_err();
        assert_eq!(found, [format!("home/config.yaml:{expected}")], "{servers}");
    }
}

#[test]
fn intent_is_judged_as_the_strictest_file_says() {
    let user = r#"{"intent_declaration": {"strict_server_validation": false, "mode": "inferred", "annotations_max_age": "1m"}}"#;
    let settings = load(&[
        ("home/mcp_config.json", user),
        ("work/.awf/config.yaml", "intent_declaration: {annotations_max_age: 5s}"),
        (
            "work/mcp_config.json",
            r#"{"intent_declaration": {"mode": "two_key", "annotations_max_age": "2s"}}"#,
        ),
    ])
    .unwrap();
    assert_eq!(settings.intent.mode, Mode::TwoKey);
    assert_eq!(settings.intent.strictness, Strictness::Permissive);
    assert_eq!(settings.annotations_max_age, Duration::from_secs(2));
    let loosened = load(&[(
        "work/mcp_config.json",
        r#"{"intent_declaration": {"annotations_max_age": "1m"}}"#,
    )]);
    assert_eq!(
        loosened.unwrap_err(),
        [
            "work/mcp_config.json:1:25 USER.CONFIG.CONFLICT `intent_declaration.annotations_max_age: 60s` is looser than the default `10s` (a project may only tighten: remove it here, or say it in the user's configuration)"
        ]
    );
    let contradiction = load(&[
        ("home/config.yaml", "intent_declaration: {mode: two_key}"),
        ("home/mcp_config.json", user),
    ]);
    assert_eq!(
        contradiction.unwrap_err(),
        [
            "home/mcp_config.json:1:60 USER.CONFIG.CONFLICT `intent_declaration.mode: inferred` contradicts `two_key` on line 1 of `home/config.yaml` (keep one of them)"
        ]
    );
}

/// The server `a` of the project in `dir`.
fn setting(dir: &str, server: &str) -> crate::ServerSetting {
    let text = format!("mcpServers: {{a: {server}}}\n");
    let settings = load(&[("work/.awf/config.yaml", &text)]).unwrap();
    let server = settings.server("a").unwrap().clone();
    crate::ServerSetting { ground: Some(Path::new(dir).into()), ..server }
}

#[test]
fn a_server_stays_itself_whatever_it_is_given() {
    let of = |dir: &str, server: &str| setting(dir, server).identity();
    let one = of("/p", "{command: x, args: [y], env: {A: '1'}}");
    assert_eq!(one.len(), 64);
    for same in ["{command: x, args: [y]}", "{command: x, args: [y], env: {A: '2', DEBUG: '1'}}"] {
        assert_eq!(of("/p", same), one, "{same}");
    }
    for (dir, other) in [
        ("/q", "{command: x, args: [y]}"),
        ("/p", "{command: x, args: [z]}"),
        ("/p", "{command: x, args: [y], cwd: d}"),
        ("/p", "{command: z, args: [y]}"),
        ("/p", "{url: 'http://x'}"),
    ] {
        assert_ne!(of(dir, other), one, "{dir} {other}");
    }
    let url = |url: &str, token: &str| {
        of("/p", &format!("{{url: 'http://{url}', headers: {{Authorization: {token}}}}}"))
    };
    assert_eq!(url("h", "old"), url("h", "new"));
    assert_ne!(url("h", "old"), url("i", "old"));
}

#[test]
fn a_fingerprint_is_of_all_that_was_typed() {
    let of = |dir: &str, server: &str| setting(dir, server).fingerprint();
    let one = of("/p", "{command: x, args: [y], env: {A: '1', B: '2'}}");
    assert_eq!(one.len(), 64);
    assert_eq!(of("/p", "{env: {B: '2', A: '1'}, args: [y], command: x}"), one);
    for (dir, other) in [
        ("/q", "{command: x, args: [y], env: {A: '1', B: '2'}}"),
        ("/p", "{command: x, args: [y], env: {A: '1', B: '3'}}"),
        ("/p", "{command: x, args: [y, ''], env: {A: '1', B: '2'}}"),
        ("/p", "{command: xy, env: {A: '1', B: '2'}}"),
        ("/p", "{command: x, args: [y], cwd: d, env: {A: '1', B: '2'}}"),
        ("/p", "{url: 'http://x'}"),
    ] {
        assert_ne!(of(dir, other), one, "{dir} {other}");
    }
    let header = |value: &str| of("/p", &format!("{{url: 'http://h', headers: {{A: {value}}}}}"));
    assert_ne!(header("b"), header("c"));
}
