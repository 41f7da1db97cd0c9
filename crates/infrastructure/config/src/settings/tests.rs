//! Configurations of users and projects, as text.

use std::{fs, path::PathBuf};

use awf_core::{
    Ceiling, Diagnostic, IntentPolicy, Mode, OnBypass, Operation, Strictness, Unannotated,
};
use serde_json::json;
use tempfile::TempDir;

use super::{ActivitySetting, KeyGrant, Settings, SettingsFiles, TelemetrySettings, load_settings};
use crate::ServerTransport;

mod servers;

/// What the two files mean together, or the findings as `file:line:column code message (hint)`.
fn load(user: &str, project: &str) -> Result<Settings, Vec<String>> {
    let dir = TempDir::new().unwrap();
    let base = format!("{}/", dir.path().display());
    let user_file = dir.path().join("config.yaml");
    let project_file = dir.path().join("work/.awf/config.yaml");
    fs::create_dir_all(project_file.parent().unwrap()).unwrap();
    fs::write(&user_file, user).unwrap();
    fs::write(&project_file, project).unwrap();
    let files = SettingsFiles::find(Some(dir.path()), &dir.path().join("work"), "/ground".as_ref());
    let mut settings = load_settings(&files).map_err(|findings| {
        findings.iter().map(|finding| told(finding).replace(&base, "")).collect::<Vec<_>>()
    })?;
    for root in &mut settings.roots {
        *root = PathBuf::from(root.display().to_string().replace(&base, ""));
    }
    Ok(settings)
}

/// `file:line:column code message (hint)`.
fn told(finding: &Diagnostic) -> String {
    let span = finding.span.as_ref().unwrap();
    let hint = finding.hint.as_deref().unwrap_or_default();
    let (file, line, column) = (&span.file, span.line, span.column);
    format!("{file}:{line}:{column} {} {} ({hint})", finding.code, finding.message)
}

#[test]
fn nothing_configured_means_the_defaults() {
    assert_eq!(load_settings(&SettingsFiles::default()), Ok(Settings::default()));
    assert_eq!(load("", "# nothing\n"), Ok(Settings::default()));
}

#[test]
fn a_project_adds_and_tightens() {
    let user = "inputs: {region: eu, version: 1.10, none: ~}\ntelemetry: {exporter: 'http://localhost:4317'}\ntools: {allow: write, roots: [/data]}\nintent_declaration: {mode: inferred, strict_server_validation: false}\nmcpServers: {git: {command: git-mcp, args: [--repo, '${HOME}/r'], env: {TOKEN: '${GIT_TOKEN}'}}}\n";
    let project = "inputs: {region: us}\ntelemetry: {service_name: shop}\ntools: {allow: read, roots: [vendor, /data/shop]}\nintent_declaration: {mode: two_key, strict_server_validation: true, unannotated: write}\nactivity: {durability: power}\non_bypass: fail\n";
    let settings = load(user, project).unwrap();
    let [git] = settings.servers.as_slice() else { panic!("{settings:?}") };
    let transport = ServerTransport::Stdio {
        command: "git-mcp".to_owned(),
        args: vec!["--repo".to_owned(), "${HOME}/r".to_owned()],
        env: vec![("TOKEN".to_owned(), "${GIT_TOKEN}".to_owned())],
        cwd: None,
    };
    assert_eq!((git.name.as_str(), &git.transport), ("git", &transport));
    let expected = Settings {
        inputs: json!({"region": "us", "version": "1.10"}).as_object().unwrap().clone(),
        telemetry: TelemetrySettings {
            exporter: Some("http://localhost:4317".to_owned()),
            service_name: Some("shop".to_owned()),
        },
        ceiling: Ceiling(Operation::Read),
        roots: ["/data", "work/vendor", "/data/shop"].map(PathBuf::from).to_vec(),
        user_roots: vec![PathBuf::from("/data")],
        intent: IntentPolicy {
            mode: Mode::TwoKey,
            strictness: Strictness::Strict,
            unannotated: Unannotated::Write,
        },
        servers: settings.servers.clone(),
        on_bypass: OnBypass::Fail,
        activity: ActivitySetting::Power,
        ..Settings::default()
    };
    assert_eq!(settings, expected);
}

#[test]
fn a_user_may_loosen_what_is_theirs() {
    let user = "intent_declaration: {mode: inferred, strict_server_validation: false}\nactivity: {enabled: false}\n";
    let settings = load(user, "").unwrap();
    assert_eq!(settings.intent.mode, Mode::Inferred);
    assert_eq!(settings.intent.strictness, Strictness::Permissive);
    assert_eq!(settings.activity, ActivitySetting::Off);
}

#[test]
fn a_project_has_no_records_removed() {
    let own = "a project may only tighten: remove it here, or say it in the user's configuration";
    for limit in ["max_age: 1h", "max_records: 5", "max_bytes: 1MB"] {
        let (text, key) = (format!("activity: {{{limit}}}"), limit.split(':').next().unwrap());
        let refused = format!(
            "work/.awf/config.yaml:1:12 USER.CONFIG.CONFLICT `activity.{key}` removes records of the user ({own})"
        );
        assert_eq!(load(&text, &text), Err(vec![refused]));
        assert!(!load(&text, "").unwrap().retention.keeps_all());
    }
}

#[test]
fn a_project_that_loosens_is_refused_and_both_places_are_named() {
    let own = "a project may only tighten: remove it here, or say it in the user's configuration";
    let line = "a project may only tighten: remove it here, or change line 1 of `config.yaml`";
    let rows = [
        (
            "tools: {allow: read}",
            "tools: {allow: write}",
            format!(
                "1:9 USER.CONFIG.CONFLICT `tools.allow: write` is looser than the user's `read` ({line})"
            ),
        ),
        (
            "",
            "activity:\n  enabled: false\n",
            format!(
                "2:3 USER.CONFIG.CONFLICT `activity.enabled: false` is looser than the default `true` ({own})"
            ),
        ),
        (
            "activity: {durability: power}",
            "activity: {durability: process}",
            format!(
                "1:12 USER.CONFIG.CONFLICT `activity.durability: process` is looser than the user's `power` ({line})"
            ),
        ),
        (
            "",
            "intent_declaration: {strict_server_validation: false}",
            format!(
                "1:22 USER.CONFIG.CONFLICT `intent_declaration.strict_server_validation: false` is looser than the default `true` ({own})"
            ),
        ),
        (
            "",
            "intent_declaration: {mode: inferred}",
            format!(
                "1:22 USER.CONFIG.CONFLICT `intent_declaration.mode: inferred` is looser than the default `two_key` ({own})"
            ),
        ),
        (
            "intent_declaration: {unannotated: destructive}",
            "intent_declaration: {unannotated: trust}",
            format!(
                "1:22 USER.CONFIG.CONFLICT `intent_declaration.unannotated: trust` is looser than the user's `destructive` ({line})"
            ),
        ),
        (
            "telemetry: {exporter: 'http://a'}",
            "telemetry: {exporter: 'http://b'}",
            format!(
                "1:13 USER.CONFIG.CONFLICT `telemetry.exporter: http://b` is not the user's `http://a` ({line})"
            ),
        ),
        (
            "tools: {roots: [/data]}",
            "tools: {roots: [/etc]}",
            format!(
                "1:17 USER.CONFIG.CONFLICT `/etc` in `tools.roots` is neither in the project nor in a root of the user ({own})"
            ),
        ),
        (
            "tools: {roots: [/data]}",
            "tools: {roots: [/data/../etc]}",
            format!(
                "1:17 USER.CONFIG.CONFLICT `/data/../etc` in `tools.roots` is neither in the project nor in a root of the user ({own})"
            ),
        ),
        (
            "",
            "tools: {roots: [../x]}",
            format!(
                "1:17 USER.CONFIG.CONFLICT `../x` in `tools.roots` is neither in the project nor in a root of the user ({own})"
            ),
        ),
    ];
    for (user, project, expected) in rows {
        let expected = format!("work/.awf/config.yaml:{expected}");
        assert_eq!(load(user, project), Err(vec![expected]), "{user} / {project}");
    }
}

#[test]
fn a_project_does_not_shut_its_eyes() {
    let refused = load("on_bypass: fail", "on_bypass: record").unwrap_err();
    let expected = "work/.awf/config.yaml:1:1 USER.CONFIG.CONFLICT `on_bypass: record` is looser than the user's `fail`";
    assert!(refused[0].starts_with(expected), "{refused:?}");
}

#[test]
fn a_user_grants_keys_to_origins() {
    let user = "agents:\n  keys:\n    - {origin: 'https://openrouter.ai', env: OPENROUTER_API_KEY}\n    - {origin: 'http://127.0.0.1:8080', env: LOCAL}\n";
    let grant = |origin: &str, env: &str| KeyGrant { origin: origin.into(), env: env.into() };
    let expected = [
        grant("https://openrouter.ai", "OPENROUTER_API_KEY"),
        grant("http://127.0.0.1:8080", "LOCAL"),
    ];
    assert_eq!(load(user, "").unwrap().keys, expected);
    for origin in
        ["openrouter.ai", "https://", "https://a/v1", "https://a@b", "ftp://a", "https://a b"]
    {
        let user = format!("agents: {{keys: [{{origin: '{origin}', env: X}}]}}\n");
        let found = load(&user, "").unwrap_err();
        assert!(
            found[0].contains("1:26 USER.CONFIG.INVALID `origin` must be an origin such as"),
            "{found:?}"
        );
    }
    let project = "agents: {keys: [{origin: 'https://evil.example', env: GROQ_API_KEY}]}";
    let expected = "work/.awf/config.yaml:1:10 USER.CONFIG.CONFLICT `agents.keys` gives keys of the user away (a project may only tighten: remove it here, or change line 2 of `config.yaml`)";
    assert_eq!(load(user, project), Err(vec![expected.to_owned()]));
    let found = load("agents: {keys: [{origin: 'https://a', key: sk-1}]}", "").unwrap_err();
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn what_is_wrong_in_either_file_is_told_together() {
    let user = "tols: {}\nnotify: {webhook: x}\ninputs: {a: [1]}\n";
    let project = "mcpServers: {a: {url: x}}\ntools: {allow: all}\n";
    assert_eq!(
        load(user, project),
        Err([
            "config.yaml:1:1 USER.CONFIG.UNKNOWN_KEY unknown key `tols` (did you mean `tools`?)",
            "config.yaml:2:1 USER.CONFIG.UNSUPPORTED `notify` is not supported by this version of awf (remove the setting, or use a version that has it)",
            "config.yaml:3:13 USER.CONFIG.INVALID `a` must be one value, not a list (mend the marked place)",
            "work/.awf/config.yaml:1:23 USER.CONFIG.INVALID `url` must be an address such as `https://host/mcp`, not `x` (mend the marked place)",
            "work/.awf/config.yaml:2:16 USER.CONFIG.INVALID `allow` cannot be `all` (use one of: read, write, destructive)",
        ]
        .map(str::to_owned)
        .to_vec())
    );
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let project = Some("/nowhere/.awf/config.yaml".into());
    let files = SettingsFiles { project, ..SettingsFiles::default() };
    let findings = load_settings(&files).unwrap_err();
    assert!(findings[0].message.contains("/nowhere/.awf/config.yaml"), "{findings:?}");
}
