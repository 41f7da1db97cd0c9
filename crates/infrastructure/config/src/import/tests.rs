//! Files as other programs write them.

use std::path::Path;

use super::{Importable, ImportedServer, parse_import};
use crate::ServerTransport;

fn read(file: &str, text: &str) -> Vec<ImportedServer> {
    parse_import(Path::new(file), text).unwrap()
}

/// One line for each server: its name, what becomes of it, and what is lost.
fn told(file: &str, text: &str) -> Vec<String> {
    let line = |server: ImportedServer| {
        let outcome = match server.outcome {
            Importable::Ready(new) => match new.transport {
                ServerTransport::Stdio { command, args, env, cwd } => {
                    format!("{command} {args:?} {env:?} {}", cwd.unwrap_or_default())
                }
                ServerTransport::Http { url, headers } => format!("{url} {headers:?}"),
            },
            Importable::Off => "off".to_owned(),
            Importable::Itself => "itself".to_owned(),
            Importable::Unusable(found) => format!("! {}", found[0].message),
        };
        let warnings: Vec<String> = server.warnings.into_iter().map(|one| one.message).collect();
        let within = server.within.unwrap_or_default();
        format!("{within} {}: {outcome} {}", server.name, warnings.join("; ")).trim().to_owned()
    };
    read(file, text).into_iter().map(line).collect()
}

#[test]
fn every_program_is_understood() {
    let rows: [(&str, &str, &[&str]); 6] = [
        (
            ".claude.json",
            r#"{"numStartups": 3, "mcpServers": {"a": {"type": "stdio", "command": "x", "args": ["y"], "env": {}}, "awf": {"command": "/usr/bin/awf", "args": ["mcp", "serve"]}},
               "projects": {"/p": {"mcpServers": {"b": {"type": "http", "url": "https://h/mcp", "headers": {"A": "b"}}}}, "/q": {}}}"#,
            &["a: x [\"y\"] []", "awf: itself", "/p b: https://h/mcp [(\"A\", \"b\")]"],
        ),
        (
            "config.toml",
            "model = 'x'\n[mcp_servers.a]\ncommand = 'x'\nenv_vars = ['T']\nstartup_timeout_sec = 3\n[mcp_servers.a.env]\nK = 'v'\n[mcp_servers.b]\nurl = 'https://h'\nbearer_token_env_var = 'T'\nenv_http_headers = {X = 'Y'}\nhttp_headers = {Z = 'z'}\n[mcp_servers.c]\ncommand = 'x'\nenabled = false\n",
            &[
                "a: x [] [(\"K\", \"v\"), (\"T\", \"${T}\")]  unknown key `startup_timeout_sec`",
                "b: https://h [(\"Authorization\", \"Bearer ${T}\"), (\"X\", \"${Y}\"), (\"Z\", \"z\")]",
                "c: off",
            ],
        ),
        (
            "settings.json",
            r#"{"mcpServers": {"a": {"httpUrl": "https://h/mcp"}, "b": {"url": "https://h/sse"}, "c": {"command": "x", "cwd": "/d", "trust": true}}}"#,
            &[
                "a: https://h/mcp []",
                "b: ! `type`: `sse` is not supported by awf",
                "c: x [] [] /d unknown key `trust`",
            ],
        ),
        (
            "mcp.json",
            "{\n  // of VS Code\n  \"inputs\": [{\"id\": \"k\"}],\n  \"servers\": {\n    \"a\": {\"type\": \"stdio\", \"command\": \"x\", \"env\": {\"K\": \"${input:k}\", \"E\": \"${env:E}\"},}, /* end */\n  },\n}",
            &[
                "a: x [] [(\"E\", \"${E}\"), (\"K\", \"${input:k}\")]  `${input:…}` is not filled in by awf",
            ],
        ),
        (
            "opencode.json",
            r#"{"$schema": "https://h", "mcp": {"a": {"type": "local", "command": ["x", "y"], "environment": {"K": "{env:K}"}, "enabled": true}, "b": {"type": "remote", "url": "https://h/mcp", "enabled": false}}}"#,
            &["a: x [\"y\"] [(\"K\", \"${K}\")]", "b: off"],
        ),
        (
            "mcp_config.json",
            r#"{"mcpServers": [{"name": "a", "url": "https://h/mcp", "protocol": "streamable-http", "oauth": {}}, {"name": "b c", "command": "x"}, {"name": "d", "command": "x", "disabled": true}]}"#,
            &[
                "a: ! `a`: `oauth` is not supported by awf",
                "b c: ! `b c` is no name for a server",
                "d: off",
            ],
        ),
    ];
    for (file, text, expected) in rows {
        assert_eq!(told(file, text), expected, "{file}");
    }
}

#[test]
fn what_is_no_such_file_is_told() {
    for (file, text) in [("a.json", "{}"), ("a.json", "{"), ("a.json", "[]"), ("a.toml", "a = [")] {
        let found = parse_import(Path::new(file), text).unwrap_err();
        assert_eq!(found[0].code.as_str(), "USER.CONFIG.INVALID", "{text}: {found:?}");
        assert!(found[0].message.starts_with(&format!("`{file}`: ")), "{found:?}");
    }
}

#[test]
fn strings_keep_what_looks_like_a_comment() {
    let text = r#"{"mcpServers": {"a": {"url": "https://h//x", "headers": {"K": "/* \" */,]"}}}}"#;
    assert_eq!(told("mcp.json", text), [r#"a: https://h//x [("K", "/* \" */,]")]"#]);
}
