//! A model server on loopback that answers exactly as it is told, byte by byte, and remembers what it was asked.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    sync::Notify,
    task::JoinHandle,
    time::sleep,
};

/// Part of a reply.
#[derive(Clone)]
pub(crate) enum Part {
    Bytes(Vec<u8>),
    /// These bytes as often as this.
    Again(usize, Vec<u8>),
    Wait(Duration),
    /// Nothing more, with the connection open.
    Silence,
}

pub(crate) type Reply = Vec<Part>;

/// What it was asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// Request line and headers.
    pub(crate) head: String,
    pub(crate) body: Value,
}

pub(crate) struct Model {
    pub(crate) base_url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    /// Fires with each request.
    pub(crate) reached: Arc<Notify>,
    serving: JoinHandle<()>,
}

impl Model {
    /// Gives one reply per connection, in this order.
    pub(crate) async fn new(replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let (asked, reached) = (Arc::<Mutex<Vec<Asked>>>::default(), Arc::<Notify>::default());
        let (notes, bell) = (asked.clone(), reached.clone());
        let serving = tokio::spawn(async move {
            let mut open = Vec::new();
            let unexpected = status(418, "", "no reply is left");
            for reply in replies.into_iter().chain(std::iter::repeat(unexpected)) {
                let (stream, _) = listener.accept().await.unwrap();
                let mut stream = BufReader::new(stream);
                let asked = read(&mut stream).await;
                notes.lock().unwrap().push(asked);
                bell.notify_one();
                open.push(tokio::spawn(send(stream.into_inner(), reply)));
            }
        });
        Self { base_url, asked, reached, serving }
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// The messages of the last request.
    pub(crate) fn last_messages(&self) -> Vec<Value> {
        self.asked().last().unwrap().body["messages"].as_array().unwrap().clone()
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn read(stream: &mut BufReader<TcpStream>) -> Asked {
    let (mut head, mut line, mut length) = (String::new(), String::new(), 0);
    while line != "\r\n" {
        line.clear();
        stream.read_line(&mut line).await.unwrap();
        head.push_str(&line);
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.unwrap();
    Asked { head, body: serde_json::from_slice(&body).unwrap() }
}

/// Whoever asked may have gone.
async fn send(mut stream: TcpStream, reply: Reply) -> Option<()> {
    for part in reply {
        match part {
            Part::Bytes(bytes) => stream.write_all(&bytes).await.ok()?,
            Part::Again(times, bytes) => {
                for _ in 0..times {
                    stream.write_all(&bytes).await.ok()?;
                }
            }
            Part::Wait(time) => sleep(time).await,
            Part::Silence => std::future::pending().await,
        }
    }
    stream.shutdown().await.ok()
}

const STREAM: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\nconnection: close\r\n";

/// The head of a stream that ends with the connection.
pub(crate) fn head() -> Part {
    Part::Bytes(format!("{STREAM}\r\n").into_bytes())
}

/// A stream of these bytes.
pub(crate) fn stream(bytes: impl Into<Vec<u8>>) -> Reply {
    vec![head(), Part::Bytes(bytes.into())]
}

/// A stream of these bytes in portions: each is one chunk, which the client reads as one.
pub(crate) fn portions(bytes: &[u8], size: usize) -> Reply {
    let mut all = format!("{STREAM}transfer-encoding: chunked\r\n\r\n").into_bytes();
    for portion in bytes.chunks(size) {
        all.extend(format!("{:x}\r\n", portion.len()).into_bytes());
        all.extend(portion);
        all.extend(b"\r\n");
    }
    all.extend(b"0\r\n\r\n");
    vec![Part::Bytes(all)]
}

/// One event.
pub(crate) fn event(data: &Value) -> String {
    format!("data: {data}\n\n")
}

/// Events and the end, as text.
pub(crate) fn events(data: &[Value]) -> String {
    data.iter().map(event).chain(["data: [DONE]\n\n".to_owned()]).collect()
}

pub(crate) fn delta(delta: &Value) -> Value {
    json!({"model": "m-1", "choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

pub(crate) fn finish(reason: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

pub(crate) fn usage(input: u64, output: u64) -> Value {
    json!({"choices": [], "usage": {"prompt_tokens": input, "completion_tokens": output}})
}

/// An answer in words.
pub(crate) fn says(text: &str) -> Reply {
    stream(events(&[delta(&json!({"content": text})), finish("stop"), usage(10, 1)]))
}

/// An answer that asks for calls: names and arguments.
pub(crate) fn calls(calls: &[(&str, &str)]) -> Reply {
    let calls: Vec<Value> = calls
        .iter()
        .enumerate()
        .map(|(index, (name, arguments))| {
            let function = json!({"name": name, "arguments": arguments});
            json!({"index": index, "id": format!("c{index}"), "type": "function", "function": function})
        })
        .collect();
    let asked = delta(&json!({"content": null, "tool_calls": calls}));
    stream(events(&[asked, finish("tool_calls"), usage(10, 1)]))
}

/// An answer that is none: a status, headers that end their lines, a body.
pub(crate) fn status(code: u16, headers: &str, body: &str) -> Reply {
    let length = body.len();
    let text = format!(
        "HTTP/1.1 {code} X\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
    );
    vec![Part::Bytes(text.into_bytes())]
}
