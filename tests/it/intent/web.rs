//! `awf serve` and a client for it: HTTP by hand, so that every byte that is sent and received is seen.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc::{Sender, channel},
    thread,
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::world::World;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A started `awf serve`, and one connection to it.
pub(crate) struct Web {
    /// Absent in a further client of one that another started.
    child: Option<Child>,
    address: String,
    key: String,
    connection: BufReader<TcpStream>,
    /// Where MCP is spoken: the path, and what narrows the view.
    mcp: String,
    session: Option<String>,
    next_id: u64,
}

/// An answer: status, headers in lower case, body.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(given, _)| given == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The JSON-RPC message with this id, from a body or from an event stream.
    fn message(&self, id: u64) -> String {
        // The rest may hold what no value can, such as 1E400.
        #[derive(serde::Deserialize)]
        struct Numbered {
            id: u64,
        }
        let wanted = |text: &str| {
            serde_json::from_str::<Numbered>(text).is_ok_and(|message| message.id == id)
        };
        if wanted(&self.body) {
            return self.body.clone();
        }
        let events = self.body.lines().filter_map(|line| line.strip_prefix("data:"));
        let found = events.map(str::trim).find(|data| wanted(data));
        found
            .unwrap_or_else(|| panic!("no answer to {id}: {} {}", self.status, self.body))
            .to_owned()
    }
}

impl Web {
    /// Starts it on a port of its own with this configuration.
    pub(crate) fn start(world: &World, config: &Path) -> Self {
        let words = ["serve", "--listen", "127.0.0.1:0", "--config", config.to_str().unwrap()];
        Self::started(world, world.command(words))
    }

    /// Starts this command, which is one that serves.
    pub(crate) fn started(world: &World, mut command: Command) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (send, lines) = channel();
        forward(child.stdout.take().unwrap(), send.clone());
        forward(child.stderr.take().unwrap(), send);
        let mut said = Vec::new();
        let address = loop {
            let line = lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("no address: {said:?}"));
            if let Some(address) = address_in(&line) {
                break address;
            }
            said.push(line);
        };
        // What it says later is taken as well, so that a full pipe never stops it.
        thread::spawn(move || lines.iter().for_each(drop));
        let key = fs::read_to_string(world.home().join("api-key")).unwrap().trim().to_owned();
        let connection = connect(&address);
        let mcp = "/mcp".to_owned();
        let child = Some(child);
        Self { child, address, key, connection, mcp, session: None, next_id: 0 }
    }

    /// A further client, with a connection of its own.
    pub(crate) fn another(&self) -> Self {
        let (address, key, mcp) = (self.address.clone(), self.key.clone(), self.mcp.clone());
        let connection = connect(&address);
        Self { child: None, address, key, connection, mcp, session: None, next_id: 0 }
    }

    /// The process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.as_ref().unwrap().id()
    }

    /// With the MCP handshake done.
    pub(crate) fn start_mcp(world: &World, config: &Path) -> Self {
        let mut web = Self::start(world, config);
        web.handshake();
        web
    }

    /// Makes the MCP handshake at the address in use.
    pub(crate) fn handshake(&mut self) {
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "it", "version": "1.2"}});
        self.ask("initialize", &hello.to_string());
        let told = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        let reply = self.post(&self.mcp.clone(), told);
        assert_eq!(reply.status, 202, "{}", reply.body);
    }

    /// Speaks MCP at this address from now on, as a client of its own.
    pub(crate) fn turn_to(&mut self, mcp: &str) {
        mcp.clone_into(&mut self.mcp);
        self.session = None;
    }

    /// Asks over MCP; the whole answer, as it came.
    pub(crate) fn ask(&mut self, method: &str, params: &str) -> String {
        self.next_id += 1;
        let id = self.next_id;
        let body =
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#);
        let reply = self.post(&self.mcp.clone(), &body);
        if let Some(session) = reply.header("mcp-session-id") {
            self.session = Some(session.to_owned());
        }
        reply.message(id)
    }

    /// Posts with the key.
    pub(crate) fn post(&mut self, path: &str, body: &str) -> Reply {
        self.exchange("POST", path, body)
    }

    /// Gets with the key.
    pub(crate) fn get(&mut self, path: &str) -> Reply {
        self.exchange("GET", path, "")
    }

    /// Posts with the key on a connection of its own, which is open for as long as it is held, and waits for nothing.
    pub(crate) fn sent(&self, path: &str, body: &str) -> TcpStream {
        let mut connection = TcpStream::connect(&self.address).unwrap();
        connection.write_all(self.request("POST", path, body).as_bytes()).unwrap();
        connection
    }

    fn exchange(&mut self, method: &str, path: &str, body: &str) -> Reply {
        let request = self.request(method, path, body);
        self.connection.get_mut().write_all(request.as_bytes()).unwrap();
        let reply = read(&mut self.connection);
        if reply.header("connection") == Some("close") {
            self.connection = connect(&self.address);
        }
        reply
    }

    fn request(&self, method: &str, path: &str, body: &str) -> String {
        let session = self.session.as_ref().map(|id| format!("Mcp-Session-Id: {id}\r\n"));
        let session = session.unwrap_or_default();
        let (address, key, length) = (&self.address, &self.key, body.len());
        format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nUser-Agent: it/1.2\r\nX-API-Key: {key}\r\n{session}MCP-Protocol-Version: 2025-06-18\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )
    }

    /// Sends a request on a connection of its own, with these headers and no others.
    pub(crate) fn raw(&self, line: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let headers = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n"));
        let head: String = headers.collect();
        let request =
            format!("{line} HTTP/1.1\r\n{head}Content-Length: {}\r\n\r\n{body}", body.len());
        let mut connection = connect(&self.address);
        connection.get_mut().write_all(request.as_bytes()).unwrap();
        read(&mut connection)
    }

    /// Asks for the head of an answer, on a connection of its own that must close after it.
    pub(crate) fn head(&self, path: &str, headers: &[(&str, &str)]) -> Reply {
        let headers = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n"));
        let request = format!("HEAD {path} HTTP/1.1\r\n{}\r\n", headers.collect::<String>());
        let mut connection = connect(&self.address);
        connection.get_mut().write_all(request.as_bytes()).unwrap();
        let mut all = String::new();
        connection.read_to_string(&mut all).unwrap();
        let (head, body) = all.split_once("\r\n\r\n").unwrap();
        let mut reply = read_head(&head.lines().map(str::to_owned).collect::<Vec<_>>());
        body.clone_into(&mut reply.body);
        reply
    }

    /// Told to end, it ends in order: what it has to say to others is said.
    pub(crate) fn close(mut self) {
        let child = self.child.as_mut().unwrap();
        kill_process(Pid::from_child(child), Signal::TERM).unwrap();
        assert!(child.wait().unwrap().success());
    }

    /// Host and port.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Waits until it ends by itself; gives its exit code.
    pub(crate) fn wait(&mut self) -> Option<i32> {
        self.child.as_mut().unwrap().wait().unwrap().code()
    }

    pub(crate) fn key(&self) -> &str {
        &self.key
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            drop(child.kill());
            drop(child.wait());
        }
    }
}

fn connect(address: &str) -> BufReader<TcpStream> {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_nodelay(true).unwrap();
    BufReader::new(stream)
}

fn forward(stream: impl Read + Send + 'static, send: Sender<String>) {
    thread::spawn(move || {
        BufReader::new(stream).lines().map_while(Result::ok).try_for_each(|line| send.send(line))
    });
}

/// `127.0.0.1:port` in a line.
fn address_in(line: &str) -> Option<String> {
    let rest = line.split("127.0.0.1:").nth(1)?;
    let port: String = rest.chars().take_while(char::is_ascii_digit).collect();
    port.parse::<u16>().ok().filter(|port| *port != 0).map(|port| format!("127.0.0.1:{port}"))
}

fn read(connection: &mut BufReader<TcpStream>) -> Reply {
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        connection.read_line(&mut line).unwrap();
        if line.trim_end().is_empty() {
            break;
        }
        head.push(line.trim_end().to_owned());
    }
    let mut reply = read_head(&head);
    let body = match (reply.header("content-length"), reply.header("transfer-encoding")) {
        (Some(length), _) => exactly(connection, length.parse().unwrap()),
        (None, Some("chunked")) => chunks(connection),
        (None, _) => Vec::new(),
    };
    reply.body = String::from_utf8(body).unwrap();
    reply
}

fn read_head(head: &[String]) -> Reply {
    let status = head[0].split(' ').nth(1).unwrap().parse().unwrap();
    let headers = head[1..].iter().filter_map(|line| line.split_once(':'));
    let headers =
        headers.map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned())).collect();
    Reply { status, headers, body: String::new() }
}

fn exactly(connection: &mut BufReader<TcpStream>, length: usize) -> Vec<u8> {
    let mut body = vec![0; length];
    connection.read_exact(&mut body).unwrap();
    body
}

fn chunks(connection: &mut BufReader<TcpStream>) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let mut line = String::new();
        connection.read_line(&mut line).unwrap();
        let length = usize::from_str_radix(line.trim_end(), 16).unwrap();
        body.extend(exactly(connection, length));
        exactly(connection, 2);
        if length == 0 {
            return body;
        }
    }
}
