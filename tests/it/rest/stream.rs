//! A client of `GET /api/v1/events`, by hand.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    time::Duration,
};

use serde_json::Value;

use crate::intent::Web;

/// How long an event may take.
const PATIENCE: Duration = Duration::from_mins(1);

/// An open stream of events.
pub(crate) struct Stream {
    connection: BufReader<TcpStream>,
    /// What has come and was not read yet.
    text: String,
}

/// One event.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) id: Option<String>,
    pub(crate) name: String,
    pub(crate) data: Value,
}

impl Stream {
    /// Asks for the stream, and reads nothing.
    pub(crate) fn ask(web: &Web, query: &str, last: Option<&str>) -> TcpStream {
        let (address, key) = (web.address(), web.key());
        let last = last.map(|id| format!("Last-Event-ID: {id}\r\n")).unwrap_or_default();
        let mut connection = TcpStream::connect(address).unwrap();
        connection.set_read_timeout(Some(PATIENCE)).unwrap();
        let request = format!(
            "GET /api/v1/events{query} HTTP/1.1\r\nHost: {address}\r\nX-API-Key: {key}\r\nConnection: close\r\n{last}\r\n"
        );
        connection.write_all(request.as_bytes()).unwrap();
        connection
    }

    /// The stream of a connection on which it was asked for.
    pub(crate) fn of(connection: TcpStream) -> Self {
        let mut connection = BufReader::new(connection);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(connection.read_line(&mut head).unwrap(), 0, "{head}");
        }
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        assert!(head.contains("content-type: text/event-stream\r\n"), "{head}");
        Self { connection, text: String::new() }
    }

    /// Open, the first event read: gives the place as well.
    pub(crate) fn open(web: &Web, query: &str, last: Option<&str>) -> (Self, String) {
        let mut stream = Self::of(Self::ask(web, query, last));
        let first = stream.event().unwrap();
        assert_eq!(first.name, "place", "{first:?}");
        let id = first.id.unwrap();
        assert_eq!(first.data["id"], id.as_str());
        (stream, id)
    }

    /// The next event; `None` when the stream has ended.
    pub(crate) fn event(&mut self) -> Option<Event> {
        loop {
            while let Some(end) = self.text.find("\n\n") {
                let rest = self.text.split_off(end + 2);
                let block = std::mem::replace(&mut self.text, rest);
                if let Some(event) = read(&block) {
                    return Some(event);
                }
            }
            let chunk = self.chunk()?;
            self.text.push_str(&chunk);
        }
    }

    fn chunk(&mut self) -> Option<String> {
        let mut line = String::new();
        self.connection.read_line(&mut line).ok().filter(|read| *read > 0)?;
        let length = usize::from_str_radix(line.trim_end(), 16).unwrap();
        let mut bytes = vec![0; length + 2];
        self.connection.read_exact(&mut bytes).ok()?;
        bytes.truncate(length);
        (length > 0).then(|| String::from_utf8(bytes).unwrap())
    }
}

/// An event of its lines; none if they are a comment.
fn read(block: &str) -> Option<Event> {
    let field = |name: &str| {
        block
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
            .map(str::to_owned)
    };
    let data = serde_json::from_str(&field("data")?).unwrap();
    Some(Event { id: field("id"), name: field("event").unwrap(), data })
}
