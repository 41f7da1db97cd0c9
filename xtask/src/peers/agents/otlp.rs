//! A receiver of spans over HTTP. It reads what it needs of the protocol buffers and skips the rest.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

/// More than any exporter sends at once.
const LARGEST_BODY: u64 = 64 << 20;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Span {
    pub(super) name: String,
    pub(super) id: Vec<u8>,
    pub(super) parent: Vec<u8>,
    /// Those that are texts.
    pub(super) attributes: BTreeMap<String, String>,
}

/// Collects spans as long as the program runs.
pub(super) struct Receiver {
    endpoint: String,
    spans: Arc<Mutex<Vec<Span>>>,
}

impl Receiver {
    pub(super) fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let endpoint = format!("http://{}", listener.local_addr()?);
        let spans = Arc::<Mutex<Vec<Span>>>::default();
        let sink = Arc::clone(&spans);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let sink = Arc::clone(&sink);
                // A connection that breaks has nothing more to tell.
                thread::spawn(move || serve(stream, &sink).ok());
            }
        });
        Ok(Self { endpoint, spans })
    }

    pub(super) fn endpoint(&self) -> &str {
        &self.endpoint
    }

    pub(super) fn spans(&self) -> Vec<Span> {
        self.spans.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn serve(stream: TcpStream, sink: &Mutex<Vec<Span>>) -> Result<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let mut length = 0;
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            if stream.read_line(&mut line)? == 0 {
                return Ok(());
            }
            let header = line
                .split_once(':')
                .filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
            if let Some((_, value)) = header {
                length = value.trim().parse::<u64>()?.min(LARGEST_BODY);
            }
        }
        let mut body = Vec::new();
        stream.by_ref().take(length).read_to_end(&mut body)?;
        let told = spans(&body).context("a request to export spans")?;
        sink.lock().unwrap_or_else(PoisonError::into_inner).extend(told);
        let reply =
            "HTTP/1.1 200 OK\r\ncontent-type: application/x-protobuf\r\ncontent-length: 0\r\n\r\n";
        stream.get_mut().write_all(reply.as_bytes())?;
    }
}

/// Request → resources (1) → scopes (2) → spans (2). Nothing of a message that is cut.
fn spans(request: &[u8]) -> Option<Vec<Span>> {
    let mut spans = Vec::new();
    for resource in field(request, 1)? {
        for scope in field(resource, 2)? {
            for span in field(scope, 2)? {
                spans.push(read(span)?);
            }
        }
    }
    Some(spans)
}

fn read(span: &[u8]) -> Option<Span> {
    let mut attributes = BTreeMap::new();
    for pair in field(span, 9)? {
        let value = first(pair, 2)?;
        attributes.insert(text(&first(pair, 1)?), text(&first(&value, 1)?));
    }
    Some(Span {
        name: text(&first(span, 5)?),
        id: first(span, 2)?,
        parent: first(span, 4)?,
        attributes,
    })
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The first of a field, or nothing in it.
fn first(message: &[u8], number: u64) -> Option<Vec<u8>> {
    Some(field(message, number)?.first().map(|bytes| bytes.to_vec()).unwrap_or_default())
}

/// All of a field whose content has a length: texts, bytes, messages.
fn field(mut message: &[u8], number: u64) -> Option<Vec<&[u8]>> {
    let mut found = Vec::new();
    while !message.is_empty() {
        let tag = varint(&mut message)?;
        let length = match tag & 7 {
            0 => {
                varint(&mut message)?;
                continue;
            }
            1 => 8,
            2 => usize::try_from(varint(&mut message)?).ok()?,
            5 => 4,
            _ => return None,
        };
        let (content, rest) = message.split_at_checked(length)?;
        if tag == number << 3 | 2 {
            found.push(content);
        }
        message = rest;
    }
    Some(found)
}

fn varint(message: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = message.split_first()?;
        *message = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests;
