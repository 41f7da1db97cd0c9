//! Whoever means ill, against the built binary: the cases A01 to A11 of the security catalogue, as far as
//! `intent/endpoint.rs` (A01, A02, A03, A05) and `rest/events.rs` (A09) have not shown them.

use std::{
    collections::HashSet,
    fs,
    io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _},
    net::TcpStream,
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use crate::{intent::Web, rest::stream::Stream, world::World};

fn stage() -> (World, Web) {
    let world = World::new();
    world.file("a.txt", "hello\n");
    let web = Web::start(&world, &world.config(json!({})));
    (world, web)
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn read(web: &mut Web, path: &str) {
    let arguments = json!({"name": "builtin:Read", "args": {"file_path": path}, "intent": {"operation_type": "read"}});
    let body = json!({"tool_name": "call_tool_read", "arguments": arguments}).to_string();
    let reply = web.post("/api/v1/tools/call", &body);
    assert_eq!(reply.status, 200, "{}", reply.body);
}

/// A01, A02, A03, A04: streams, lists of tools, descriptions and runs are as closed as calls and records.
#[test]
fn every_path_is_closed_to_strangers_and_to_foreign_pages() {
    let (_world, web) = stage();
    let key = ("X-API-Key", web.key());
    let port = web.address().rsplit(':').next().unwrap();
    let next = format!("http://127.0.0.1:{}", port.parse::<u16>().unwrap().wrapping_add(1));
    let (twin, host) = (format!("127.0.0.1.evil:{port}"), web.address());
    for path in ["events", "tools", "activity", "activity/export", "runs", "openapi.json"] {
        let line = format!("GET /api/v1/{path}");
        let ask = |headers: &[(&str, &str)], status: u16| {
            let reply = web.raw(&line, headers, "");
            assert_eq!(reply.status, status, "{line} {headers:?}: {}", reply.body);
            assert!(!reply.body.contains("activities"), "{}", reply.body);
            assert!(reply.headers.iter().all(|(name, _)| !name.starts_with("access-control-")));
        };
        ask(&[("Host", host)], 401);
        ask(&[("Host", host), ("X-API-Key", "wrong")], 401);
        ask(&[key], 403);
        for foreign in ["evil.example", &twin] {
            ask(&[("Host", foreign), key], 403);
        }
        for origin in ["https://evil.example", "null", &next] {
            ask(&[("Host", host), key, ("Origin", origin)], 403);
        }
        let by_url = web.raw(&format!("{line}?key={}", web.key()), &[("Host", host)], "");
        assert_eq!(by_url.status, 401, "{}", by_url.body);
        let origin = ("Origin", "https://evil.example");
        let wanted = ("Access-Control-Request-Method", "GET");
        let asks =
            web.raw(&format!("OPTIONS /api/v1/{path}"), &[("Host", host), origin, wanted], "");
        assert_eq!(asks.status, 403, "{}", asks.body);
        assert!(asks.headers.iter().all(|(name, _)| !name.starts_with("access-control-")));
    }
}

/// A05: by itself it listens on loopback; where a word opens it to others, the key is needed all the same.
#[test]
fn an_open_address_needs_the_key_too() {
    let world = World::new();
    let config = world.config(json!({}));
    let words = ["serve", "--listen", "0.0.0.0:0", "--allow-remote", "--config"];
    let mut command = world.command(words);
    command.arg(&config).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut said = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut said).unwrap();
    let port = said.trim_end().strip_prefix("listening on http://0.0.0.0:").unwrap().to_owned();
    let mut connection = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    let request = format!(
        "GET /api/v1/activity HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
    );
    connection.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
    let own = Web::start(&world, &config);
    let (host, port) = own.address().split_once(':').unwrap();
    assert_eq!(host, "127.0.0.1");
    // The kernel's own list: one listener on this port, on 127.0.0.1.
    let port = format!(":{:04X} 00000000:0000 0A", port.parse::<u16>().unwrap());
    let listeners = fs::read_to_string("/proc/net/tcp").unwrap();
    let listeners: Vec<&str> = listeners.lines().filter(|line| line.contains(&port)).collect();
    assert_eq!(listeners.len(), 1, "{listeners:?}");
    assert!(listeners[0].contains(" 0100007F:"), "{listeners:?}");
}

/// A06: what is no filter is told; what means something to a database means nothing here.
#[test]
fn filters_of_ill_will_find_nothing_and_break_nothing() {
    let (_world, mut web) = stage();
    for _ in 0..3 {
        read(&mut web, "a.txt");
    }
    for query in [
        "limit=0",
        "limit=-1",
        "limit=101",
        "limit=1e9",
        "limit=",
        "limit=9999999999999999999999",
        "intent_type=delete",
        "intent_type=READ",
        "status=ok",
        "source=web",
        "since=yesterday",
        "until=2026-13-01T00:00:00Z",
        "cursor=%00",
        "cursor=01arz3ndektsv4rrffq69g5fav",
        "x=1",
        "tool=a&tool=b",
        "%00=1",
    ] {
        for path in ["activity", "activity/summary", "activity/export", "events"] {
            let reply = web.get(&format!("/api/v1/{path}?{query}"));
            assert_eq!(reply.status, 400, "{path}?{query}: {}", reply.body);
            assert_eq!(reply.header("content-type"), Some("application/problem+json"));
            assert_eq!(json_of(&reply.body)["code"], "INVALID_REQUEST", "{}", reply.body);
        }
    }
    for value in [
        "%27%20OR%201%3D1%20--",
        "Read%27",
        "%25",
        "Rea_",
        "Re%25",
        "a%00b",
        "%22%3B%20DROP%20TABLE%20calls",
        "%C2%80%E2%80%AE",
        "*",
        "NEAR(a%20b)",
        "%F0%9F%92%A9",
        "%FF",
    ] {
        for name in ["tool", "server", "run", "step", "request_id"] {
            let reply = web.get(&format!("/api/v1/activity?{name}={value}"));
            assert_eq!(reply.status, 200, "{name}={value}: {}", reply.body);
            assert_eq!(json_of(&reply.body)["activities"], json!([]), "{name}={value}");
        }
    }
    let all = json_of(&web.get("/api/v1/activity").body);
    assert_eq!(all["activities"].as_array().unwrap().len(), 3, "{all}");
}

/// A07: while records arrive, who goes through the pages sees each record of before once.
#[test]
fn pages_neither_repeat_nor_skip_while_records_arrive() {
    let (_world, mut web) = stage();
    for _ in 0..60 {
        read(&mut web, "a.txt");
    }
    let before: Vec<String> = ids(&mut web, "limit=100").0;
    let done = Arc::new(AtomicBool::new(false));
    let writers: Vec<_> = (0..2)
        .map(|_| {
            let (mut client, done) = (web.another(), done.clone());
            thread::spawn(move || {
                let mut calls = 0;
                while !done.load(Ordering::Relaxed) || calls < 20 {
                    read(&mut client, "a.txt");
                    calls += 1;
                }
            })
        })
        .collect();
    for _ in 0..5 {
        let (mut seen, mut cursor) = (Vec::new(), None);
        loop {
            let more = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
            let (page, next) = ids(&mut web, &format!("limit=7{more}"));
            seen.extend(page);
            cursor = next;
            if cursor.is_none() {
                break;
            }
        }
        let once: HashSet<&String> = seen.iter().collect();
        assert_eq!(once.len(), seen.len(), "a record came twice");
        assert!(seen.is_sorted_by(|one, other| one > other), "not in order");
        assert!(before.iter().all(|id| once.contains(id)), "a record was skipped");
    }
    done.store(true, Ordering::Relaxed);
    for writer in writers {
        writer.join().unwrap();
    }
}

fn ids(web: &mut Web, query: &str) -> (Vec<String>, Option<String>) {
    let page = json_of(&web.get(&format!("/api/v1/activity?{query}")).body);
    let ids = page["activities"].as_array().unwrap().iter();
    let ids = ids.map(|record| record["id"].as_str().unwrap().to_owned()).collect();
    (ids, page["next_cursor"].as_str().map(str::to_owned))
}

/// A08: heads that never end, are too long, bodies that are too long, lengths with two meanings; others are answered
/// meanwhile.
#[test]
fn requests_that_never_end_or_mean_two_things_keep_nobody_waiting() {
    let (world, mut web) = stage();
    let half_open: Vec<TcpStream> = (0..200)
        .map(|_| {
            let mut stream = TcpStream::connect(web.address()).unwrap();
            stream.write_all(b"GET /api/v1/activity HTTP/1.1\r\nHost: x\r\nX-Slow: ").unwrap();
            stream
        })
        .collect();
    read(&mut web, "a.txt");
    let address = web.address().to_owned();
    let head = format!("Host: {address}\r\nX-API-Key: {}\r\n", web.key());
    let json = "Content-Type: application/json\r\n";
    let smuggled = "0\r\n\r\nPOST /api/v1/tools/call HTTP/1.1\r\nHost: x\r\n\r\n";
    let long = "a".repeat(1 << 20);
    let post = "POST /api/v1/tools/call HTTP/1.1\r\n";
    for (request, allowed) in [
        (
            format!("GET /api/v1/activity HTTP/1.1\r\n{head}X-Long: {long}\r\n\r\n"),
            &["431", ""][..],
        ),
        (format!("GET /api/v1/activity?tool={long} HTTP/1.1\r\n{head}\r\n"), &["414", "431", ""]),
        (
            format!("GET /api/v1/activity HTTP/1.1\r\n{head}{}\r\n", "X: y\r\n".repeat(5000)),
            &["431", ""],
        ),
        (format!("{post}{head}{json}Content-Length: 100000000\r\n\r\n"), &["413"]),
        (
            format!(
                "{post}{head}{json}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n{smuggled}"
            ),
            &["411"],
        ),
        (
            format!(
                "{post}{head}{json}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n{smuggled}"
            ),
            &["411"],
        ),
        (
            format!("{post}{head}{json}Content-Length: 4\r\nContent-Length: 5\r\n\r\n{smuggled}"),
            &["400"],
        ),
        (format!("{post}{head}{json}Content-Length: +4\r\n\r\n{smuggled}"), &["400"]),
        (
            format!(
                "{post}{head}{json}Transfer-Encoding: identity\r\nContent-Length: 4\r\n\r\n{smuggled}"
            ),
            &["400"],
        ),
    ] {
        let answer = raw(&address, request.as_bytes());
        let status = answer.split(' ').nth(1).unwrap_or_default();
        let line: String = request.chars().take(80).collect();
        assert!(allowed.contains(&status), "{line}: {answer}");
        assert!(answer.matches("HTTP/1.1 ").count() <= 1, "{line}: {answer}");
        read(&mut web, "a.txt");
    }
    assert_eq!(half_open.len(), 200);
    assert_eq!(world.activity().len(), 10, "only calls that were meant");
}

/// Sends bytes as they are; what comes back until the connection closes or falls silent.
fn raw(address: &str, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    // Whoever refuses a head may stop reading it.
    stream.write_all(bytes).ok();
    let (mut answer, mut piece) = (Vec::new(), [0; 4096]);
    while let Ok(count @ 1..) = stream.read(&mut piece) {
        answer.extend_from_slice(&piece[..count]);
        if answer.windows(4).any(|end| end == b"\r\n\r\n") {
            break;
        }
    }
    String::from_utf8_lossy(&answer).into_owned()
}

/// A10: an export holds a page of records, never all of them.
#[test]
fn an_export_takes_no_more_memory_than_a_page() {
    let (world, mut web) = stage();
    world.file("big.txt", "0123456789abcdef\n".repeat(3000));
    let calls = 1000;
    for _ in 0..calls {
        read(&mut web, "big.txt");
    }
    // The peak is counted from here on.
    web.get("/api/v1/activity?limit=100");
    fs::write(format!("/proc/{}/clear_refs", web.pid()), "5").unwrap();
    let before = peak(&web);
    let mut exported = TcpStream::connect(web.address()).unwrap();
    let (address, key) = (web.address(), web.key());
    let request = format!(
        "GET /api/v1/activity/export HTTP/1.1\r\nHost: {address}\r\nX-API-Key: {key}\r\nConnection: close\r\n\r\n"
    );
    exported.write_all(request.as_bytes()).unwrap();
    let (mut bytes, mut piece) = (0, vec![0; 64 * 1024]);
    while let Ok(count @ 1..) = exported.read(&mut piece) {
        bytes += count;
    }
    assert!(bytes > calls * 40_000, "{bytes} bytes are not all of it");
    let grown = peak(&web).saturating_sub(before);
    assert!(grown < 24 * 1024, "{grown} KiB more for an export of {} KiB", bytes / 1024);
}

/// The most memory it ever held, in KiB.
fn peak(web: &Web) -> usize {
    let status = fs::read_to_string(format!("/proc/{}/status", web.pid())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// A11: an id is an id, however it is written.
#[test]
fn an_id_leads_to_a_record_or_nowhere() {
    let (world, mut web) = stage();
    read(&mut web, "a.txt");
    let id = world.activity()[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(web.get(&format!("/api/v1/activity/{id}")).status, 200);
    for wrong in [
        "..%2F..%2Fetc%2Fpasswd",
        "%2e%2e%2fapi-key",
        "..",
        "%2e%2e",
        "%00",
        "%FF",
        "..%5c..%5cx",
        ".",
        &format!("{id}%2F"),
        &format!("{id}%00"),
        &format!("%20{id}"),
        &format!("../activity/{id}"),
        "index.sqlite",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        &"9".repeat(26),
        &"A".repeat(5000),
    ] {
        for path in ["activity", "runs"] {
            let reply = web.get(&format!("/api/v1/{path}/{wrong}"));
            assert!(
                [400, 404].contains(&reply.status),
                "{path}/{wrong}: {} {}",
                reply.status,
                reply.body
            );
            assert_eq!(reply.header("content-type"), Some("application/problem+json"), "{wrong}");
        }
    }
    assert_eq!(web.get(&format!("/api/v1/activity/{id}/")).status, 404);
    assert_eq!(web.get(&format!("/api/v1//activity/{id}")).status, 404);
}

/// A09: 250 clients that read, 250 that do not: calls go on, every record is there, who reads misses nothing, and who
/// does not is let go of.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_hundred_streams_of_which_half_do_not_read() {
    use tokio::io::{AsyncBufReadExt as _, BufReader};

    const EACH: usize = 250;
    const CALLS: usize = 420;
    let (world, mut web) = stage();
    world.file("some.txt", "0123456789abcdef\n".repeat(150));
    let stuck: Vec<TcpStream> = (0..EACH).map(|_| Stream::ask(&web, "", None)).collect();
    let mut readers = Vec::new();
    for _ in 0..EACH {
        let stream = Stream::ask(&web, "", None);
        stream.set_nonblocking(true).unwrap();
        let mut stream = BufReader::new(tokio::net::TcpStream::from_std(stream).unwrap());
        let mut line = Vec::new();
        while !line.starts_with(b"event: place") {
            line.clear();
            assert_ne!(stream.read_until(b'\n', &mut line).await.unwrap(), 0);
        }
        readers.push(tokio::spawn(async move {
            let (mut heard, mut line) = (0, Vec::new());
            while heard < CALLS {
                line.clear();
                if stream.read_until(b'\n', &mut line).await.unwrap() == 0 {
                    break;
                }
                assert!(!line.starts_with(b"event: gap"), "after {heard}");
                heard += usize::from(line.starts_with(b"event: activity"));
            }
            heard
        }));
    }
    let called = tokio::task::spawn_blocking(move || {
        // One more stream would leave too few connections for others, of whom there may be a hundred at once.
        let full = web.get("/api/v1/events");
        assert_eq!((full.status, &json_of(&full.body)["code"]), (503, &json!("TOO_MANY_STREAMS")));
        let mut others: Vec<Web> = (0..100).map(|_| web.another()).collect();
        for other in &mut others {
            assert_eq!(other.get("/api/v1/activity?limit=1").status, 200);
        }
        drop(others);
        for _ in 0..CALLS {
            read(&mut web, "some.txt");
        }
        web
    });
    // It goes on serving until the end.
    let _web = called.await.unwrap();
    assert_eq!(world.activity().len(), CALLS);
    for reader in readers {
        assert_eq!(reader.await.unwrap(), CALLS);
    }
    for mut stream in stuck {
        let mut rest = Vec::new();
        stream.set_read_timeout(Some(Duration::from_secs(40))).unwrap();
        let read = stream.read_to_end(&mut rest).map_err(|error| error.kind());
        let text = String::from_utf8_lossy(&rest);
        let heard = text.matches("event: activity").count();
        assert!(heard < CALLS, "who did not read was sent everything");
        match read {
            // Left behind with a word, or hung up on without one when it took nothing for long.
            Ok(_) => assert_eq!(text.ends_with("0\r\n\r\n"), text.contains("too_slow"), "{heard}"),
            Err(kind) => assert_eq!(kind, ErrorKind::ConnectionReset, "after {heard}"),
        }
    }
}
