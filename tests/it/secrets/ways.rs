//! The ways secrets take: how each is planted, and who gets to see it.

use std::{
    fs::{self, Permissions},
    io::{BufRead as _, BufReader, Write as _},
    net::{TcpListener, TcpStream},
    os::unix::fs::PermissionsExt as _,
    process::Command,
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use serde_json::json;

use crate::{
    intent::{
        Web,
        stage::{Upstream, settings, tool},
    },
    openai::{Model, calls, says, workflow},
    plugin::binary,
    secrets::{Stage, Stdout, canary, forms, looks},
    server::{Server, text},
    world::logging_to,
};

/// Takes all of them.
pub(super) fn all(stage: &mut Stage) {
    stage.world.file("a.txt", "hello\n");
    calls_by_name(stage);
    calls_through_variants(stage);
    web(stage);
    given_servers(stage);
    dying_servers(stage);
    remote_server(stage);
    plugins(stage);
    workflows(stage);
    endpoints(stage);
    mistakes(stage);
    looks::commands(stage);
    looks::pages(stage);
}

fn percent(secret: &str) -> String {
    forms(secret)[1].clone()
}

/// The environment of awf, printed by the shell of its own tool, and arguments that hold secrets.
fn calls_by_name(stage: &mut Stage) {
    let config = stage.world.config(json!({}));
    let mut command = stage.awf(&["mcp-serve", "--config", config.to_str().unwrap()]);
    for way in ["plain", "base64", "hex", "in json", "percent", "failing", "client"] {
        let name = format!("ENV_{}_TOKEN", way.to_uppercase().replace(' ', "_"));
        command.env(name, canary(&format!("env {way}")));
    }
    let address = percent(&canary("env address"));
    command.env("STORE", format!("postgres://me:{address}@localhost/db"));
    let mut server = Server::start(command);
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
    stage.sinks.push(("stderr of mcp-serve".to_owned(), stderr));
    // Both got as far as the place where they would have been seen.
    assert!(answer.to_string().contains("[redacted]"), "{answer}");
    stage.sinks.push(("the answer to an unknown name".to_owned(), answer.to_string()));
    let record = &stage.world.activity()[0];
    assert_eq!(record["client"]["name"], "it [redacted]", "{record}");
    stage.arrived.extend([name, client.to_string()]);
}

/// Declarations, arguments and answers on the intent surface.
fn calls_through_variants(stage: &mut Stage) {
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
    stage.sinks.push(("stderr of mcp serve".to_owned(), stderr));
}

/// REST and MCP over HTTP, and all that can be read over REST.
fn web(stage: &mut Stage) {
    let fake = Upstream::of_tools(&stage.world, "fake", &[&tool("says", "-")]);
    let config = stage.world.config(settings(&[&fake], &json!({})));
    let own = stage.world.home().join("api-key");
    fs::write(&own, canary("own key")).unwrap();
    fs::set_permissions(&own, Permissions::from_mode(0o600)).unwrap();
    let log = stage.world.beside("serve.log");
    let mut web = Web::started(
        &stage.world,
        logging_to(
            &log,
            &stage.awf(&["serve", "--listen", "127.0.0.1:0", "--config", config.to_str().unwrap()]),
        ),
    );
    web.handshake();
    let events = listen(&web);
    let call = |way: &str| json!({"name": "fake:says", "args": {"private_key": canary(way)}, "intent": {"operation_type": "write"}});
    let body = json!({"tool_name": "call_tool_write", "arguments": call("arg rest")});
    stage.arrived.push(web.post("/api/v1/tools/call", &body.to_string()).body);
    let params = json!({"name": "call_tool_write", "arguments": call("arg http")});
    stage.arrived.push(web.ask("tools/call", &params.to_string()));
    // The key of awf itself, handed to a tool by somebody who should not.
    let stated = json!({"name": "fake:says", "args": {"note": canary("own key")}, "intent": {"operation_type": "write"}});
    let body = json!({"tool_name": "call_tool_write", "arguments": stated});
    stage.arrived.push(web.post("/api/v1/tools/call", &body.to_string()).body);
    for path in [
        "/activity?limit=100",
        "/activity/summary",
        "/activity/export?format=json",
        "/activity/export?format=csv",
        "/tools",
        "/runs",
    ] {
        let reply = web.get(&format!("/api/v1{path}"));
        stage.sinks.push((format!("REST {path}"), reply.body));
    }
    stage.sinks.push(("REST /events".to_owned(), heard(events, 3)));
    let said = fs::read_to_string(&log).unwrap();
    assert!(said.contains("tool call"), "{said}");
    stage.sinks.push(("stderr of serve".to_owned(), said));
}

/// A stream of events that has begun.
fn listen(web: &Web) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(web.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let (address, key) = (web.address(), web.key());
    write!(stream, "GET /api/v1/events HTTP/1.1\r\nHost: {address}\r\nX-API-Key: {key}\r\n\r\n")
        .unwrap();
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    while !line.starts_with("event: place") {
        line.clear();
        assert_ne!(stream.read_line(&mut line).unwrap(), 0);
    }
    stream
}

/// All it says up to the end of so many calls.
fn heard(mut stream: BufReader<TcpStream>, calls: usize) -> String {
    let mut text = String::new();
    while text.matches("event: activity").count() < calls || !text.ends_with("\n\n") {
        assert_ne!(stream.read_line(&mut text).unwrap(), 0, "{text}");
    }
    text
}

/// A server that is another awf, told secrets in its environment and its arguments.
fn given_servers(stage: &mut Stage) {
    let shelf = stage.world.beside("shelf");
    fs::create_dir_all(&shelf).unwrap();
    let config = stage.world.beside("fixture.json");
    fs::write(&config, json!({"root": shelf, "activity": {"enabled": false}}).to_string()).unwrap();
    let start = "exec \"$0\" mcp-serve --config \"$1\"";
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
    ] {
        let mut command = stage.awf(words);
        hidden(&mut command);
        stage.run(command, Stdout::Sink);
    }
    let typed = json!({"file_path": "b.txt", "content": format!("secret={}", canary("arg cli"))})
        .to_string();
    let command = stage.awf(&["call", "tool-write", "Write", "--args", &typed]);
    stage.run(command, Stdout::Sink);
    stage.arrived.push(fs::read_to_string(stage.world.root().join("b.txt")).unwrap());
}

/// Servers that say their secrets when they die.
fn dying_servers(stage: &mut Stage) {
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
        stage.sinks.push((format!("what a model is told of {name}"), answer.to_string()));
        let found = server.call("retrieve_tools", &json!({"query": "anything"}));
        stage.sinks.push((format!("what a search tells of {name}"), found.to_string()));
        stage.sinks.push((format!("stderr of mcp serve with {name}"), server.close().1));
    }
}

/// A server at an address that is given secrets, and repeats them in its refusal.
fn remote_server(stage: &mut Stage) {
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
        &["tools", "list"],
    ] {
        let command = stage.awf(words);
        stage.run(command, Stdout::Sink);
    }
    stage.arrived.push(heads.lock().unwrap().clone());
}

fn plugins(stage: &mut Stage) {
    let config = json!({
        "token": canary("plugin token"), "login": {"password": canary("plugin nested")},
        "mark": canary("plugin key"),
    });
    stage.world.declare(&[
        json!({"name": "example", "path": binary("awf-plugin-example"), "config": config}),
    ]);
    let tools = json!([{"plugin": "example", "expose": ["greet", "echo"]}]);
    let file = stage.world.config(json!({"intercept_builtins": false, "plugin_tools": tools}));
    let mut server = Server::start(stage.awf(&["mcp-serve", "--config", file.to_str().unwrap()]));
    server.handshake();
    let name = format!("{} {}", canary("plugin token"), canary("plugin nested"));
    let greeted = server.call("example_greet", &json!({"name": name}));
    stage.arrived.push(text(&greeted).to_owned());
    stage.sinks.push(("stderr of mcp-serve with a plugin".to_owned(), server.close().1));
    let command = stage.awf(&["plugin", "list"]);
    stage.run(command, Stdout::Sink);
    fs::remove_file(stage.world.root().join(".awf/plugins.yaml")).unwrap();
}

/// A workflow with secret inputs and variables, one that it calls, and an agent that prints what it is given.
fn workflows(stage: &mut Stage) {
    let told = stage.world.beside("told");
    let tell = format!("tee -a {}", told.display());
    let turns = json!({"turns": [
        {"call": "Bash", "arguments": {"command": format!("echo $STATE_TOKEN $PLACE | {tell}")}}, {"say": "done"},
    ]});
    stage.world.file("turns.yaml", turns.to_string());
    stage.world.workflow("inner", &format!(
        "name: inner\ninputs: [{{name: deep, secret: true, required: true}}]\nstates:\n  initial: say\n  say: {{type: step, command: 'echo \"$DEEP\" | {tell}', env: {{DEEP: '{{{{.inputs.deep}}}}'}}}}\n"
    ));
    stage.world.workflow("outer", &format!(
        "name: outer\ninputs:\n  - {{name: first, secret: true, required: true}}\n  - {{name: second, secret: true, required: true}}\n  - {{name: third, secret: true, required: true}}\n  - {{name: fourth, secret: true, required: true}}\nstates:\n  initial: say\n  say: {{type: step, command: 'echo \"$A\" | {tell}; printf %s \"$B\" | base64 -w0 | {tell}', env: {{A: '{{{{.inputs.first}}}}', B: '{{{{.inputs.second}}}}'}}, on_success: fail}}\n  fail: {{type: step, command: 'echo \"$C is wrong\" | {tell} >&2; exit 4', env: {{C: '{{{{.inputs.third}}}}'}}, continue_on_error: true, on_success: call}}\n  call: {{type: call_workflow, workflow: inner, inputs: {{deep: '{{{{.inputs.fourth}}}}'}}, on_success: ask}}\n  ask: {{type: agent, provider: 'scripted:turns.yaml', prompt: x, mcp_proxy: {{enable: true}}, env: {{STATE_TOKEN: '{}', PLACE: '{}'}}}}\n",
        canary("state env"), canary("state env key")
    ));
    stage.world.write_user(&json!({}));
    let given = [
        ("first", "input secret"),
        ("second", "input base64"),
        ("third", "input failing"),
        ("fourth", "input called"),
    ];
    let given: Vec<String> =
        given.iter().map(|(name, way)| format!("{name}={}", canary(way))).collect();
    for format in ["json", "text"] {
        let mut command = stage.awf(&["run", "outer", "--format", format]);
        for input in &given {
            command.args(["--input", input]);
        }
        let html = stage.world.beside("run.html");
        command.arg("--html").arg(&html);
        let code = stage.run(command, Stdout::Sink);
        stage.sinks.push(("the file of a run".to_owned(), fs::read_to_string(&html).unwrap()));
        assert_eq!(code, Some(0), "{:?}", stage.sinks.iter().rev().take(2).collect::<Vec<_>>());
    }
    stage.arrived_in("told");
}

/// A model behind an endpoint that asks for a tool with a secret among its arguments.
fn endpoints(stage: &mut Stage) {
    stage.world.workflow("asked", &workflow(""));
    for (variable, way) in [("OPENAI_API_KEY", "endpoint key"), ("WHATEVER", "endpoint grant")] {
        let arguments =
            json!({"command": format!("echo password={}", canary("endpoint arguments"))});
        let model = Model::new(vec![calls("Bash", &arguments), says("ok")]);
        let mut command = stage.awf(&["run", "asked", "--format", "json"]);
        command
            .env(variable, canary(way))
            .env("OPENAI_MODEL", "m")
            .env("OPENAI_BASE_URL", &model.base_url);
        let origin = model.base_url.trim_end_matches("/v1");
        match way {
            "endpoint grant" => stage
                .world
                .write_user(&json!({"agents": {"keys": [{"origin": origin, "env": variable}]}})),
            _ => stage.world.write_user(&json!({})),
        }
        stage.run(command, Stdout::Sink);
        stage.arrived.push(format!("{:?}", model.asked()));
    }
}

/// Files and words that are wrong, and quoted in what is said of them.
fn mistakes(stage: &mut Stage) {
    let file = stage.world.beside("bad.yaml");
    fs::write(&file, format!("root: .\napi_key: {}\n", canary("own config"))).unwrap();
    stage.arrived_in("bad.yaml");
    let command = stage.awf(&["mcp-serve", "--config", file.to_str().unwrap()]);
    stage.run(command, Stdout::Sink);
    stage.world.workflow(
        "bad",
        &format!(
            "name: bad\nstates:\n  initial: a\n  a: {{type: step, comand: 'curl --token {}'}}\n",
            canary("own config")
        ),
    );
    for words in [&["validate", "bad"][..], &["run", "bad"]] {
        let command = stage.awf(words);
        stage.run(command, Stdout::Sink);
    }
}
