//! Many who have no key, against the built binary: they keep nobody waiting, are shown out, and leave a trace in the log.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpStream,
    time::{Duration, Instant},
};

use serde_json::json;

use crate::{
    intent::Web,
    page::visitor::log_in,
    world::{World, logging_to},
};

/// More than there is room for.
const CROWD: usize = 700;

fn stage() -> (World, Web) {
    let world = World::new();
    let web = Web::start(&world, &world.config(json!({})));
    (world, web)
}

/// Sends a request and reads until the connection ends, which it must by itself and at once.
fn to_the_end(address: &str, head: &str) -> String {
    let mut connection = TcpStream::connect(address).unwrap();
    // Less than an idle connection is kept.
    connection.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    connection.write_all(format!("{head}\r\n").as_bytes()).unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap_or_else(|error| panic!("{head}: {error}"));
    answer
}

#[test]
fn a_crowd_without_a_key_keeps_nobody_waiting() {
    let (_world, web) = stage();
    let mut friend = web.another();
    assert_eq!(friend.get("/api/v1/activity").status, 200);
    let crowd: Vec<TcpStream> = (0..CROWD)
        .map(|number| {
            let mut stream = TcpStream::connect(web.address()).unwrap();
            if number % 2 == 0 {
                stream.write_all(b"GET /api/v1/activity HTTP/1.1\r\nX-Slow: ").unwrap();
            }
            stream
        })
        .collect();
    let began = Instant::now();
    assert_eq!(web.another().get("/api/v1/activity").status, 200);
    // Who has shown the key was not hung up on for the crowd's sake.
    assert_eq!(friend.get("/api/v1/activity").status, 200);
    let waited = began.elapsed();
    assert!(waited < Duration::from_secs(10), "{waited:?} behind {} strangers", crowd.len());
}

#[test]
fn who_is_turned_away_is_shown_out() {
    let (_world, web) = stage();
    let (address, key) = (web.address(), web.key());
    let origin = "Origin: https://evil.example\r\n";
    for (request, status) in [
        (format!("GET /api/v1/activity HTTP/1.1\r\nHost: {address}\r\n"), "401"),
        (format!("GET /mcp HTTP/1.1\r\nHost: {address}\r\nX-API-Key: wrong\r\n"), "401"),
        (format!("GET /nowhere HTTP/1.1\r\nHost: {address}\r\n"), "401"),
        (format!("GET /runs HTTP/1.1\r\nHost: evil.example\r\nX-API-Key: {key}\r\n"), "403"),
        (format!("GET /login HTTP/1.1\r\nHost: {address}\r\n{origin}"), "403"),
        (format!("POST /login HTTP/1.1\r\nHost: {address}\r\nContent-Length: 0\r\n"), "403"),
        (format!("GET /login?x=1 HTTP/1.1\r\nHost: {address}\r\n"), "400"),
        (format!("PUT /login HTTP/1.1\r\nHost: {address}\r\n"), "405"),
    ] {
        let answer = to_the_end(address, &request);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{request}: {answer}");
        assert!(answer.contains("\r\nconnection: close\r\n"), "{request}: {answer}");
    }
    // Who may be here can go on after a mistake.
    let mut friend = web.another();
    for path in ["/api/v1/activity?x=1", "/api/v1/nowhere", "/api/v1/activity"] {
        assert_eq!(friend.get(path).header("connection"), None, "{path}");
    }
}

#[test]
fn refusals_are_in_the_log_once_a_second_and_without_what_was_tried() {
    const TRIES: usize = 40;
    let world = World::new();
    let (config, log) = (world.config(json!({})), world.beside("serve.log"));
    let words = ["serve", "--listen", "127.0.0.1:0", "--config", config.to_str().unwrap()];
    let mut command = world.command(words);
    command.args(["--log-format", "json"]);
    let web = Web::started(&world, logging_to(&log, &command));
    let near = format!("{}0", &web.key()[..63]);
    let began = Instant::now();
    for _ in 0..TRIES {
        let headers =
            [("Host", web.address()), ("X-API-Key", near.as_str()), ("X-Request-Id", &near)];
        assert_eq!(web.raw(&format!("GET /api/v1/{near}"), &headers, "").status, 401);
    }
    assert_eq!(log_in(&web, "a-code-that-is-none").status, 403);
    let seconds = began.elapsed().as_secs() + 1;
    web.close();
    let said = fs::read_to_string(&log).unwrap();
    let lines: Vec<serde_json::Value> = said
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .filter(|line: &serde_json::Value| line["level"] == "WARN")
        .collect();
    let one = |line: &&serde_json::Value| line["message"] == "a request was refused";
    let told: u64 =
        lines.iter().map(|line| if one(&line) { 1 } else { line["count"].as_u64().unwrap() }).sum();
    assert_eq!(told, TRIES as u64 + 1, "{said}");
    // One a second, and what is left when it ends.
    assert!(lines.len() as u64 <= seconds + 1, "{said}");
    let first = lines.iter().find(one).unwrap();
    assert_eq!(first["code"], "UNAUTHORIZED", "{first}");
    assert!(first["peer"].as_str().unwrap().starts_with("127.0.0.1:"), "{first}");
    for tried in [&near[..32], "a-code-that-is-none", web_key(&world).as_str()] {
        assert!(!said.contains(tried), "{said}");
    }
}

fn web_key(world: &World) -> String {
    fs::read_to_string(world.home().join("api-key")).unwrap().trim().to_owned()
}

/// Whoever puts the key where it does not belong is not shown it again.
#[test]
fn the_key_is_in_no_answer() {
    let (_world, mut web) = stage();
    let key = web.key().to_owned();
    for (path, status) in [
        ("/api/v1/activity/{}", 404),
        ("/api/v1/runs/{}", 404),
        ("/api/v1/activity?{}=1", 400),
        ("/api/v1/tools?servers={}", 404),
        ("/api/v1/{}", 404),
        ("/activity/{}", 404),
        ("/runs/{}", 404),
        ("/activity?{}=1", 400),
        ("/activity?status=ok&tool={}", 400),
    ] {
        // Where there is more of it than a message holds, too.
        for given in [key.clone(), format!("{key}aa"), format!("aa{key}")] {
            let reply = web.get(&path.replace("{}", &given));
            assert_eq!(reply.status, status, "{path}: {}", reply.body);
            assert!(!reply.body.contains(&key[..16]), "{path}: {}", reply.body);
        }
    }
    let body = serde_json::json!({"tool_name": key, "arguments": {}}).to_string();
    let reply = web.post("/api/v1/tools/call", &body);
    assert!(reply.status >= 400 && !reply.body.contains(&key[..32]), "{}", reply.body);
}
