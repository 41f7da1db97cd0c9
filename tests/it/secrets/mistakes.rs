//! Files that are wrong, with a secret beside the mistake or in it, and quoted in what is said of them.

use std::fs;

use serde_json::json;

use crate::secrets::{Stage, Stdout, canary, percent};

/// Whatever reads them tells of them, in every format.
pub(super) fn told(stage: &mut Stage) {
    let file = stage.world.beside("bad.yaml");
    fs::write(&file, format!("root: .\napi_key: {}\n", canary("own config"))).unwrap();
    stage.arrived_in("bad.yaml");
    let config = file.to_str().unwrap();
    for words in [
        &["mcp-serve", "--config", config][..],
        &["serve", "--config", config],
        &["tools", "list", "--config", config],
    ] {
        let command = stage.awf(words);
        stage.run(command, Stdout::Sink);
    }
    workflows(stage);
    settings(stage);
    import(stage);
}

/// A key that is not known stands on the line of a secret, and one file is not even YAML.
fn workflows(stage: &mut Stage) {
    let step = format!("comand: 'curl --token {}'", canary("own config"));
    let env = format!("env: {{PLACE: {}}}", canary("quoted env key"));
    let text = format!("name: bad\nstates:\n  initial: a\n  a: {{type: step, {step}, {env}}}\n");
    stage.world.workflow("bad", &text);
    let broken = canary("quoted broken key");
    let broken = format!("name: broken\nstates:\n  a: {{env: {{PLACE: {broken}, B: [}}}}\n");
    stage.world.workflow("broken", &broken);
    let config = json!({"place": canary("quoted plugin key")});
    stage.world.declare(&[json!({"name": "p", "pth": "x", "config": config})]);
    stage.arrived.extend([text, broken, config.to_string()]);
    validated(stage, &["unknown key `comand`", "broken.yaml", "`pth`"]);
    for name in ["bad", "broken"] {
        for words in [["run", name], ["diagram", name]] {
            let command = stage.awf(&words);
            stage.run(command, Stdout::Sink);
        }
    }
    for name in [".awf/workflows/bad.yaml", ".awf/workflows/broken.yaml", ".awf/plugins.yaml"] {
        fs::remove_file(stage.world.root().join(name)).unwrap();
    }
}

/// The user's configuration, on one line: every mistake is shown with what stands around it.
fn settings(stage: &mut Stage) {
    let wrong = json!({"mcpServers": {
        "a": {"url": "http://h/", "headers": {"X-Whoever": canary("quoted header")}, "bogus": 1},
        "b": {"command": "x", "env": {"PLACE": canary("quoted server key"), "N": [1]}},
        "c": {"url": format!("ftp://me:{}@h/", percent(&canary("quoted address")))},
        "d": {"url": "http://h/", "headers": format!("X-Who: {}", canary("quoted text"))},
    }});
    stage.world.write_user(&wrong);
    stage.arrived.push(wrong.to_string());
    validated(stage, &["`bogus`", "`N` must be text", "`url` must be", "`headers` must be"]);
    for words in
        [&["mcp", "list"][..], &["mcp", "test", "a"], &["tools", "list"], &["tools", "search", "x"]]
    {
        let command = stage.awf(words);
        stage.run(command, Stdout::Sink);
    }
    stage.world.write_user(&json!({}));
}

/// What is wrong is told in every format, with its mistakes and without its secrets.
fn validated(stage: &mut Stage, mistakes: &[&str]) {
    for format in ["text", "json", "github", "sarif", "junit"] {
        let command = stage.awf(&["validate", "--format", format]);
        assert_eq!(stage.run(command, Stdout::Full), Some(2));
        let told = stage.sinks.iter().rev().find(|(name, _)| name.starts_with("stdout")).unwrap();
        for mistake in mistakes {
            assert!(told.1.contains(mistake), "no {mistake} in {}", told.1);
        }
        if matches!(format, "text" | "junit") {
            assert!(told.1.contains("****"), "no line is shown: {}", told.1);
        }
    }
}

/// Another program's servers, looked at before they are taken over. One of them cannot be.
fn import(stage: &mut Stage) {
    let env = json!({"A_TOKEN": canary("import env"), "PLACE": canary("import env key")});
    let wrong = format!("ftp://me:{}@h/", percent(&canary("import wrong address")));
    let servers = json!({
        "a": {"command": "x", "args": ["--token", canary("import args")], "env": env},
        "b": {
            "url": format!("http://h/s/{}/mcp", canary("import path key")),
            "headers": {"X-Whoever": canary("import header")},
        },
        "c": {"url": wrong},
    });
    let file = stage.world.beside("other.json");
    fs::write(&file, json!({"mcpServers": servers}).to_string()).unwrap();
    stage.arrived_in("other.json");
    let command = stage.awf(&["mcp", "import", file.to_str().unwrap()]);
    assert_eq!(stage.run(command, Stdout::Full), Some(0));
    // The same as a project brings them.
    let brought = stage.world.root().join(".mcp.json");
    fs::copy(&file, &brought).unwrap();
    for words in [
        &["mcp", "list"][..],
        &["mcp", "list", "-o", "json"],
        &["mcp", "approve", "a"],
        &["mcp", "approve", "b"],
        &["mcp", "approve", "c"],
        &["tools", "list"],
    ] {
        let command = stage.awf(words);
        stage.run(command, Stdout::Sink);
    }
    fs::remove_file(brought).unwrap();
}
