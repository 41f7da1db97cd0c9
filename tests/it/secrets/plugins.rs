//! Secrets in the configuration of plugins.

use std::fs;

use serde_json::json;

use crate::{
    plugin::binary,
    secrets::{Stage, Stdout, canary},
    server::{Server, text},
};

/// What a plugin is configured with, and is asked to repeat.
pub(super) fn configured(stage: &mut Stage) {
    let config = json!({
        "token": canary("plugin token"), "login": {"password": canary("plugin nested")},
        "mark": canary("plugin key"),
    });
    let start = format!("{}; exec \"$0\" \"$@\"", stage.census("plugin $*"));
    let command = json!(["sh", "-c", start, binary("awf-plugin-example")]);
    stage.world.declare(&[json!({"name": "example", "command": command, "config": config})]);
    let tools = json!([{"plugin": "example", "expose": ["greet", "echo"]}]);
    let file = stage.world.config(json!({"intercept_builtins": false, "plugin_tools": tools}));
    let mut server = Server::start(stage.awf(&["mcp-serve", "--config", file.to_str().unwrap()]));
    server.handshake();
    let name = format!("{} {}", canary("plugin token"), canary("plugin nested"));
    let greeted = server.call("example_greet", &json!({"name": name}));
    stage.arrived.push(text(&greeted).to_owned());
    stage.sink("stderr of mcp-serve with a plugin", server.close().1);
    for words in [&["plugin", "list"][..], &["plugin", "list", "-o", "json"]] {
        let command = stage.awf(words);
        stage.run(command, Stdout::Full);
    }
    fs::remove_file(stage.world.root().join(".awf/plugins.yaml")).unwrap();
}
