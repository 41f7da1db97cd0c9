//! Secrets that MCP servers are given, and what the servers make of them.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    net::TcpListener,
    process::Command,
    sync::{Arc, Mutex},
    thread,
};

use serde_json::json;

use crate::{
    secrets::{Stage, Stdout, canary, percent},
    server::Server,
};

/// A server that is another awf, told secrets in its environment and its arguments.
pub(super) fn given(stage: &mut Stage) {
    let shelf = stage.world.beside("shelf");
    fs::create_dir_all(&shelf).unwrap();
    let config = stage.world.beside("fixture.json");
    fs::write(&config, json!({"root": shelf, "activity": {"enabled": false}}).to_string()).unwrap();
    let start = format!("{}; exec \"$0\" mcp-serve --config \"$1\"", stage.census("server"));
    let given = canary("server args");
    let words = json!(["-c", start, env!("CARGO_BIN_EXE_awf"), config, "--password", given]);
    let server = json!({
        "command": "sh", "args": words,
        "env": {
            "AWF_HOME": stage.world.beside("fixture-home"), "SERVER_TOKEN": canary("server env"),
            "WORKSPACE": canary("server env key"), "SERVER_SECRET": "${HIDDEN}", "TENANT": "${HIDDEN_TOO}",
            "GIVEN_TOKEN": given,
        },
    });
    stage.world.write_user(&json!({"mcpServers": {"fixture": server}}));
    let hidden = |command: &mut Command| {
        command.env("HIDDEN", canary("server variable"));
        command.env("HIDDEN_TOO", canary("server variable key"));
    };
    let script = "echo $SERVER_TOKEN $WORKSPACE $SERVER_SECRET $TENANT $GIVEN_TOKEN";
    let args = json!({"command": script}).to_string();
    let mut command = stage.awf(&["call", "tool-destructive", "fixture:Bash", "--args", &args]);
    hidden(&mut command);
    stage.run(command, Stdout::Answer);
    for words in [
        &["mcp", "list"][..],
        &["mcp", "list", "-o", "json"],
        &["mcp", "test", "fixture"],
        &["tools", "list"],
        &["tools", "list", "-o", "json"],
        &["tools", "search", "run", "a", "command"],
        &["tools", "search", "command", "-o", "json"],
    ] {
        let mut command = stage.awf(words);
        hidden(&mut command);
        stage.run(command, Stdout::Full);
    }
    let typed = json!({"file_path": "b.txt", "content": format!("secret={}", canary("arg cli"))})
        .to_string();
    let command = stage.awf(&["call", "tool-write", "Write", "--args", &typed]);
    stage.run(command, Stdout::Sink);
    stage.arrived.push(fs::read_to_string(stage.world.root().join("b.txt")).unwrap());
}

/// Servers that say their secrets when they die.
pub(super) fn dying(stage: &mut Stage) {
    let file = |name: &str| stage.world.beside(name);
    let pad = "x".repeat(2030);
    let scripts = [
        ("stderr plain", "echo \"bad key $LEAK_TOKEN\" >&2; exit 3".to_owned()),
        ("stderr base64", "printf %s \"u:$LEAK_TOKEN\" | base64 -w0 >&2; exit 3".to_owned()),
        // The kept end of it begins in the middle of the secret.
        ("stderr cut", format!("printf 'key %s{pad}' \"$LEAK_TOKEN\" >&2; exit 3")),
        ("stdout opening", "echo \"welcome, $LEAK_TOKEN\"; exit 0".to_owned()),
    ];
    let mut servers = serde_json::Map::new();
    for (way, script) in &scripts {
        let name = way.replace(' ', "-");
        let noted = format!("printf %s \"$LEAK_TOKEN\" > {}; {script}", file(&name).display());
        let env = json!({"LEAK_TOKEN": canary(way)});
        servers.insert(name, json!({"command": "sh", "args": ["-c", noted], "env": env}));
    }
    stage.world.write_user(&json!({"mcpServers": servers}));
    for (way, _) in scripts {
        let name = way.replace(' ', "-");
        let command = stage.awf(&["call", "tool-read", &format!("{name}:anything")]);
        stage.run(command, Stdout::Sink);
        let command = stage.awf(&["mcp", "test", &name]);
        stage.run(command, Stdout::Sink);
        stage.arrived_in(&name);
        let mut server = Server::start(stage.awf(&["mcp", "serve"]));
        server.handshake();
        let read = json!({"name": format!("{name}:anything"), "args": {}, "intent": {"operation_type": "read"}});
        let answer =
            server.request("tools/call", &json!({"name": "call_tool_read", "arguments": read}));
        // What awf says of a failure is for the model, too, and it is no answer of a tool.
        stage.sink(&format!("what a model is told of {name}"), answer.to_string());
        let found = server.call("retrieve_tools", &json!({"query": "anything"}));
        stage.sink(&format!("what a search tells of {name}"), found.to_string());
        stage.sink(&format!("stderr of mcp serve with {name}"), server.close().1);
    }
}

/// A server at an address that is given secrets, and repeats them in its refusal.
pub(super) fn remote(stage: &mut Stage) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let heads = Arc::<Mutex<String>>::default();
    let noted = heads.clone();
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut stream = BufReader::new(stream);
            let (mut head, mut line) = (String::new(), String::new());
            while line != "\r\n" && stream.read_line(&mut line).is_ok_and(|read| read > 0) {
                head.push_str(&line);
                if line != "\r\n" {
                    line.clear();
                }
            }
            noted.lock().unwrap().push_str(&head);
            let answer = format!(
                "HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{head}",
                head.len()
            );
            drop(stream.get_mut().write_all(answer.as_bytes()));
        }
    });
    let (user, query) = (percent(&canary("server user")), percent(&canary("server query")));
    let path = canary("server path key");
    let url = format!("http://me:{user}@{address}/s/{path}/mcp?key={query}&page=1");
    let whoever = json!({"X-Whoever": canary("server custom header")});
    let bearer = json!({"Authorization": format!("Bearer {}", canary("server header"))});
    stage.world.write_user(&json!({"mcpServers": {
        "remote": {"url": url, "headers": whoever},
        "bearer": {"url": format!("http://{address}/mcp"), "headers": bearer},
    }}));
    for words in [
        &["mcp", "list"][..],
        &["mcp", "test", "remote"],
        &["mcp", "test", "bearer"],
        &["call", "tool-read", "remote:x"],
        &["call", "tool-read", "bearer:x"],
        &["mcp", "list", "-o", "json"],
        &["tools", "list"],
        &["tools", "search", "anything"],
    ] {
        let command = stage.awf(words);
        stage.run(command, Stdout::Sink);
    }
    stage.arrived.push(heads.lock().unwrap().clone());
}
