//! The same server over streamable HTTP, by hand: one thread for each connection.

use std::{
    collections::HashMap,
    io::{BufRead, BufReader, Read, Write, stdin, stdout},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex, mpsc},
    thread,
};

use serde_json::value::RawValue;

use crate::{
    message::Message,
    upstream::{Out, Upstream},
};

/// A request as it came in; header names in lower case.
struct Request {
    method: String,
    headers: HashMap<String, String>,
    body: String,
}

/// Serves until stdin closes. Prints its address first.
pub(crate) fn serve(upstream: &Arc<Upstream>, address: &str) {
    let listener = TcpListener::bind(address).unwrap();
    let address = format!("http://{}/mcp\n", listener.local_addr().unwrap());
    stdout().write_all(address.as_bytes()).unwrap();
    let upstream = Arc::clone(upstream);
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let upstream = Arc::clone(&upstream);
            thread::spawn(move || converse(&upstream, &stream));
        }
    });
    drop(stdin().read_to_end(&mut Vec::new()));
}

fn converse(upstream: &Arc<Upstream>, stream: &TcpStream) {
    let mut reader = BufReader::new(stream);
    while let Some(request) = read(&mut reader) {
        if let Some(status) = fault(upstream, &request) {
            respond(stream, &status, "", "");
            continue;
        }
        match request.method.as_str() {
            "POST" => post(upstream, stream, &request),
            "GET" => return listen(upstream, stream),
            _ => respond(stream, "200 OK", "", ""),
        }
    }
}

fn read(reader: &mut BufReader<&TcpStream>) -> Option<Request> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let method = line.split(' ').next()?.to_owned();
    let mut headers = HashMap::new();
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Request { method, headers, body: String::from_utf8(body).ok()? })
}

/// Why a request is not heard.
fn fault(upstream: &Upstream, request: &Request) -> Option<String> {
    let http = &upstream.script.http;
    if let Some(status) = http.status {
        return Some(format!("{status} As Told"));
    }
    let missing = |(name, value)| request.headers.get(name) != Some(value);
    if http.headers.iter().any(missing) {
        return Some("401 Unauthorized".to_owned());
    }
    let opens = request.body.contains(r#""method":"initialize""#);
    let held = request.headers.get("mcp-session-id");
    (http.session.is_some() && !opens && held != http.session.as_ref())
        .then(|| "404 Not Found".to_owned())
}

fn post(upstream: &Arc<Upstream>, stream: &TcpStream, request: &Request) {
    let Ok(message) = serde_json::from_str::<Message<'_>>(&request.body) else {
        return respond(stream, "400 Bad Request", "", "");
    };
    let (Some(id), Some(method)) = (message.id, message.method) else {
        let silence: Out = Arc::new(|_| {});
        upstream.take(&request.body, &silence);
        return respond(stream, "202 Accepted", "", "");
    };
    let (send, lines) = mpsc::channel::<String>();
    let out: Out = Arc::new(move |line: &str| drop(send.send(line.to_owned())));
    upstream.take(&request.body, &out);
    let streams = upstream.script.http.sse || method == "subscriptions/listen";
    let session = upstream.script.http.session.as_ref().filter(|_| method == "initialize");
    let session = session.map(|id| format!("Mcp-Session-Id: {id}\r\n")).unwrap_or_default();
    drop(out);
    if streams {
        stream_events(stream, id, &lines, &session);
    } else {
        plain(stream, id, &lines, &session);
    }
}

/// The first line that answers `id`, as JSON. What cannot be said that way is lost.
fn plain(stream: &TcpStream, id: &RawValue, lines: &mpsc::Receiver<String>, head: &str) {
    let answer = lines.iter().find(|line| answers(line, id)).unwrap_or_default();
    respond(stream, "200 OK", &format!("Content-Type: application/json\r\n{head}"), &answer);
}

/// Every line as an event, until `id` is answered.
fn stream_events(stream: &TcpStream, id: &RawValue, lines: &mpsc::Receiver<String>, head: &str) {
    open_events(stream, head);
    for line in lines {
        if !event(stream, &line) || answers(&line, id) {
            break;
        }
    }
    drop((&*stream).write_all(b"0\r\n\r\n"));
}

/// The stream on which a legacy client hears of changes.
fn listen(upstream: &Arc<Upstream>, stream: &TcpStream) {
    open_events(stream, "");
    let held = Mutex::new(stream.try_clone().unwrap());
    let out: Out = Arc::new(move |line: &str| {
        event(&held.lock().unwrap(), line);
    });
    upstream.watch(&out);
}

fn open_events(mut stream: &TcpStream, head: &str) {
    let opening = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n{head}Transfer-Encoding: chunked\r\n\r\n"
    );
    drop(stream.write_all(opening.as_bytes()));
}

fn event(mut stream: &TcpStream, line: &str) -> bool {
    let event = format!("event: message\ndata: {line}\n\n");
    stream.write_all(format!("{:x}\r\n{event}\r\n", event.len()).as_bytes()).is_ok()
}

fn answers(line: &str, id: &RawValue) -> bool {
    serde_json::from_str::<Message<'_>>(line).is_ok_and(|message| {
        message.method.is_none() && message.id.is_some_and(|given| given.get() == id.get())
    })
}

fn respond(mut stream: &TcpStream, status: &str, head: &str, body: &str) {
    let length = body.len();
    let answer = format!("HTTP/1.1 {status}\r\n{head}Content-Length: {length}\r\n\r\n{body}");
    drop(stream.write_all(answer.as_bytes()));
}
