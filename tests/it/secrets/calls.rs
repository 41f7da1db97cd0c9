//! Secrets in the environment of awf, and in the arguments, declarations and answers of calls.

use std::fs;

use serde_json::json;

use crate::{
    intent::stage::{Upstream, settings, tool},
    secrets::{Stage, canary, percent},
    server::{Server, text},
    world::behind,
};

/// The environment of awf, printed by the shell of its own tool, and arguments that hold secrets.
pub(super) fn by_name(stage: &mut Stage) {
    let config = stage.world.config(json!({}));
    let mut command = stage.awf(&["mcp-serve", "--config", config.to_str().unwrap()]);
    for way in ["plain", "base64", "hex", "in json", "percent", "failing", "client"] {
        let name = format!("ENV_{}_TOKEN", way.to_uppercase().replace(' ', "_"));
        command.env(name, canary(&format!("env {way}")));
    }
    let address = percent(&canary("env address"));
    command.env("STORE", format!("postgres://me:{address}@localhost/db"));
    let heard = stage.world.beside("heard");
    let mut server = Server::start(behind(r#"tee "$0" | "$@""#, &heard, &command));
    let client = json!({"name": format!("it {}", canary("env client")), "version": "1"});
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    server.request("initialize", &hello);
    server.notify("notifications/initialized", &json!({}));
    let assignment = format!("echo password={}", canary("arg assignment"));
    let header = format!("echo 'Authorization: Bearer {}'", canary("arg header"));
    let flag = format!("echo --api-key {}", canary("arg flag"));
    for command in [
        "echo \"$ENV_PLAIN_TOKEN\"",
        "printf %s \"$ENV_BASE64_TOKEN\" | base64 -w0",
        "printf %s \"$ENV_HEX_TOKEN\" | od -An -tx1 | tr -d ' \\n'",
        "printf '{\"a\":[\"%s\"]}' \"$ENV_IN_JSON_TOKEN\"",
        "echo \"$STORE\" | sed 's,.*me:,,; s,@.*,,'",
        "echo \"$ENV_FAILING_TOKEN is wrong\" >&2; exit 3",
        &format!("{}; echo noted", stage.census("bash")),
        &assignment,
        &header,
        &flag,
    ] {
        stage.arrived.push(text(&server.call("Bash", &json!({"command": command}))).to_owned());
    }
    let asked =
        json!({"command": format!("echo 'https://h/?q={}'", percent(&canary("env percent")))});
    stage.arrived.push(text(&server.call("Bash", &asked)).to_owned());
    let name = format!("sk-{}", canary("arg name"));
    let id = server.send_call(&name, &json!({}));
    let answer = server.answer(id);
    let (_, stderr) = server.close();
    stage.sink("stderr of mcp-serve", stderr);
    // Both reached awf as they are, and got as far as the place where they would have been seen.
    let heard = fs::read_to_string(heard).unwrap();
    assert!(heard.contains(&name) && heard.contains(&client.to_string()), "{heard}");
    stage.arrived.push(heard);
    assert!(answer.to_string().contains("[redacted]"), "{answer}");
    stage.sink("the answer to an unknown name", answer.to_string());
    let record = &stage.world.activity()[0];
    assert_eq!(record["client"]["name"], "it [redacted]", "{record}");
    let told = record["tool_name"].as_str().unwrap();
    assert!(told.starts_with("[redacted]"), "{record}");
}

/// Declarations, arguments and answers on the intent surface.
pub(super) fn through_variants(stage: &mut Stage) {
    let result = json!({
        "content": [{"type": "text", "text": format!("token: {}", canary("result text"))}],
        "structuredContent": {"client_secret": canary("result structured")},
    });
    let error = format!("401: Authorization: Bearer {}", canary("result error"));
    let refused = format!("password={} was refused", canary("result refused"));
    let tools: Vec<String> =
        ["gives", "fails", "says", "refuses"].map(|name| tool(name, "-")).into();
    let script = json!({"behaviours": {"gives": {"result": result}, "fails": {"error": error}, "refuses": {"error": refused}}});
    let script = script.to_string().replacen(
        '{',
        &format!(r#"{{"stages":[{{"tools":[{}]}}],"#, tools.join(",")),
        1,
    );
    let fake = Upstream::new(&stage.world, "fake", &script);
    let config = stage.world.config(settings(&[&fake], &json!({})));
    let mut server =
        Server::start(stage.awf(&["mcp", "serve", "--config", config.to_str().unwrap()]));
    server.handshake();
    let reason = format!("login with password={}", canary("arg reason"));
    let intent = json!({"operation_type": "write", "reason": reason});
    for name in ["fake:gives", "fake:fails", "fake:refuses"] {
        let arguments = json!({"name": name, "args": {}, "intent": intent});
        let answer = server.call("call_tool_write", &arguments);
        stage.arrived.push(format!("{answer} {arguments}"));
    }
    let keyed =
        json!({"name": "fake:says", "args": {"api_key": canary("arg key")}, "intent": intent});
    stage.arrived.push(text(&server.call("call_tool_write", &keyed)).to_owned());
    let inner = json!({"login": {"password": canary("arg json text")}}).to_string();
    let answer = server.call(
        "call_tool_write",
        &json!({"name": "fake:says", "args_json": inner, "intent": intent}),
    );
    stage.arrived.push(text(&answer).to_owned());
    let (_, stderr) = server.close();
    stage.sink("stderr of mcp serve", stderr);
}
