//! Names: those that would be mistaken for each other, and those that lead nowhere.

use serde_json::{Value, json};

use crate::{
    plugin::{binary, operation},
    world::World,
};

/// A workflow whose agent is offered these operations.
fn exposing(tools: &Value, more: &str) -> String {
    format!(
        "name: w\nstates:\n  initial: ask\n  ask:\n    type: agent\n    provider: scripted:turns.yaml\n    prompt: x\n    mcp_proxy: {{enable: true, plugin_tools: {tools}}}\n{more}"
    )
}

/// The findings of `awf validate`: code and message.
fn found(world: &World, args: &[&str]) -> Vec<(String, String, String)> {
    let output = world.awf([&["validate", "--format", "json", "w"], args].concat());
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let findings = told["diagnostics"].as_array().unwrap().iter();
    findings.map(|one| (text(one, "code"), text(one, "message"), text(one, "hint"))).collect()
}

/// A plugin that says it was started by leaving a file, and is none.
fn tattling(world: &World, name: &str, operations: &[&str]) -> Value {
    let mark = world.beside("started");
    json!({"name": name, "command": ["sh", "-c", format!("touch {}", mark.display())], "operations": operations})
}

#[test]
fn names_that_fold_into_one_are_refused_before_anything_is_started() {
    let cases = [
        // Two tools that a model would see under one name.
        (
            vec![("a", vec!["b_c"]), ("a_b", vec!["c"])],
            json!([{"plugin": "a", "expose": ["b_c"]}, {"plugin": "a_b", "expose": ["c"]}]),
            "",
        ),
        // A plugin that has the name of a server.
        (
            vec![("files", vec!["get"])],
            json!([{"plugin": "files", "expose": ["get"]}]),
            "    tools: {servers: [files]}\n",
        ),
    ];
    for (plugins, tools, more) in cases {
        let world = World::new();
        world.file("turns.yaml", "turns: [{say: ok}]\n");
        let plugins: Vec<Value> =
            plugins.iter().map(|(name, has)| tattling(&world, name, has)).collect();
        world.declare(&plugins);
        world.file(".awf/config.yaml", "mcpServers: {files: {command: 'false'}}\n");
        world.workflow("w", &exposing(&tools, more));
        let codes: Vec<String> = found(&world, &[]).into_iter().map(|(code, _, _)| code).collect();
        assert_eq!(codes, ["USER.MCP_PROXY.NAME_COLLISION"]);
        let output = world.awf(["run", "w"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("USER.MCP_PROXY.NAME_COLLISION"));
        // `awf mcp-serve` has no workflow to be checked before.
        if more.is_empty() {
            let config = world.config(json!({"plugin_tools": tools}));
            let output = world.serve_command(&config).output().unwrap();
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(told.contains("USER.MCP_PROXY.NAME_COLLISION"), "{told}");
        }
        assert!(!world.beside("started").exists(), "something was started");
    }
}

#[test]
fn an_unknown_plugin_or_operation_is_told_with_what_is_meant() {
    let declared = json!({"name": "example", "path": binary("awf-plugin-example"), "operations": ["echo", "greet"]});
    let silent = json!({"name": "example", "path": binary("awf-plugin-example")});
    let sources: [(&Value, &[&str], bool); 3] =
        [(&declared, &[], false), (&silent, &[], true), (&silent, &["--with-plugins"], false)];
    for (plugin, args, lock) in sources {
        let world = World::new();
        world.declare(std::slice::from_ref(plugin));
        world.file("turns.yaml", "turns: [{say: ok}]\n");
        if lock {
            let output = world.awf(["plugin", "lock"]);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        let tools = json!([{"plugin": "example", "expose": ["gret"]}, {"plugin": "exmple", "expose": ["echo"]}]);
        world.workflow("w", &exposing(&tools, ""));
        let findings = found(&world, args);
        let has = |code: &str, hint: &str| {
            findings.iter().any(|(given, _, said)| given == code && said == hint)
        };
        assert!(
            has("USER.MCP_PROXY.UNKNOWN_OPERATION", "did you mean `greet`?"),
            "{findings:?} {args:?}"
        );
        assert!(has("USER.MCP_PROXY.UNKNOWN_PLUGIN", "did you mean `example`?"), "{findings:?}");
    }
}

#[test]
fn a_configuration_that_names_what_is_not_there_starts_nothing() {
    let world = World::new();
    world.declare(&[
        tattling(&world, "files", &["get", "put it"]),
        tattling(&world, "other", &["go"]),
    ]);
    let rows = [
        (json!({"plugin": "fils", "expose": ["get"]}), "UNKNOWN_PLUGIN", "did you mean `files`?"),
        (
            json!({"plugin": "files", "expose": ["gett"]}),
            "UNKNOWN_OPERATION",
            "did you mean `get`?",
        ),
        (json!({"plugin": "files", "expose": ["put it"]}), "UNSUPPORTED_SCHEMA", "`put it`"),
    ];
    for (wrong, code, words) in rows {
        let sound = json!({"plugin": "other", "expose": ["go"]});
        let config = world.config(json!({"plugin_tools": [sound, wrong]}));
        let output = world.serve_command(&config).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains(&format!("USER.MCP_PROXY.{code}")) && told.contains(words), "{told}");
        assert_eq!(output.status.code(), Some(1), "{told}");
    }
    world.workflow("w", &exposing(&json!([{"plugin": "files", "expose": ["put it"]}]), ""));
    world.file("turns.yaml", "turns: [{say: ok}]\n");
    let codes: Vec<String> = found(&world, &[]).into_iter().map(|(code, _, _)| code).collect();
    assert_eq!(codes, ["USER.MCP_PROXY.UNSUPPORTED_SCHEMA"]);
    assert!(!world.beside("started").exists(), "something was started");
    world.declare(&[json!({"name": "bare"})]);
    let ran = world.run(&operation("bare.x", &json!({})), &[]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("has neither `path` nor `command`"), "{}", ran.stderr);
}

#[test]
fn hints_for_an_operation_that_is_not_locked_are_told() {
    let world = World::with_example();
    let annotations = json!({"delet": {"destructiveHint": true}, "echo": {"readOnlyHint": true}});
    world.declare(&[json!({"name": "example", "path": binary("awf-plugin-example"), "annotations": annotations})]);
    world.workflow("w", &operation("example.echo", &json!({"value": 1})));
    let wanted = ("USER.CONFIG.INVALID".to_owned(), "did you mean `delete`?".to_owned());
    let told = |args: &[&str]| -> Vec<_> {
        let findings = found(&world, args).into_iter();
        findings
            .map(|(code, _, hint)| (code, hint))
            .filter(|(code, _)| code.starts_with("USER"))
            .collect()
    };
    assert_eq!(told(&[]), []);
    assert_eq!(told(&["--with-plugins"]), std::slice::from_ref(&wanted));
    assert!(world.awf(["plugin", "lock"]).status.success());
    assert_eq!(told(&[]), [wanted]);
}

#[test]
fn what_nobody_knows_is_a_warning_until_it_is_locked() {
    let world = World::with_example();
    world.file("turns.yaml", "turns: [{say: ok}]\n");
    world.workflow("w", &exposing(&json!([{"plugin": "example", "expose": ["echo"]}]), ""));
    let codes = |world: &World| -> Vec<String> {
        found(world, &[]).into_iter().map(|(code, _, _)| code).collect()
    };
    assert_eq!(codes(&world), ["WORKFLOW.VALIDATION.UNVERIFIED_OPERATION"]);
    assert!(world.awf(["plugin", "lock"]).status.success());
    assert_eq!(codes(&world), [""; 0]);
}

#[test]
fn a_step_type_that_nobody_has_is_told_with_what_is_meant() {
    let world = World::with_example();
    world.workflow("w", "name: w\nstates:\n  initial: ask\n  ask: {type: example.qery}\n");
    let findings = found(&world, &["--with-plugins"]);
    let wanted = ("WORKFLOW.VALIDATION.UNKNOWN_STEP_TYPE", "did you mean `query`?");
    assert!(
        findings.iter().any(|(code, _, hint)| (code.as_str(), hint.as_str()) == wanted),
        "{findings:?}"
    );
}

/// Where tools are called by address, none of them needs another name: the plugins are asked.
#[test]
fn names_that_fold_into_one_are_no_matter_on_the_intent_surface() {
    let world = World::new();
    world.file("turns.yaml", "turns: [{say: ok}]\n");
    let plugins = [("a", "b_c"), ("a_b", "c")].map(|(name, has)| tattling(&world, name, &[has]));
    world.declare(&plugins);
    let tools = json!([{"plugin": "a", "expose": ["b_c"]}, {"plugin": "a_b", "expose": ["c"]}]);
    world.workflow("w", &exposing(&tools, "    tools: {surface: intent}\n"));
    assert_eq!(found(&world, &[]), []);
    let config = world.config(json!({"plugin_tools": tools, "surface": "intent"}));
    for mut command in [world.command(["run", "w"]), world.serve_command(&config)] {
        let output = command.output().unwrap();
        let told = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        // They are no plugins; what matters is that they were asked.
        assert!(told.contains("EXECUTION.PLUGIN.") && !told.contains("COLLISION"), "{told}");
        std::fs::remove_file(world.beside("started")).unwrap();
    }
}
