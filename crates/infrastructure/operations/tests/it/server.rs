//! A server on loopback that answers exactly as it is told, and remembers what it was asked.

use std::sync::{Arc, Mutex};

use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    sync::Notify,
    task::JoinHandle,
};

/// What it says to one request.
#[derive(Clone)]
pub(crate) enum Reply {
    /// These bytes, and the end.
    Bytes(Vec<u8>),
    /// These bytes, and then nothing, with the connection open.
    Begun(Vec<u8>),
    /// A body without end.
    Endless,
}

impl Reply {
    /// Nothing at all.
    pub(crate) const SILENCE: Self = Self::Begun(Vec::new());
}

/// What it was asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// Request line and headers, the names in small letters.
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Asked {
    /// The request line without the version.
    pub(crate) fn line(&self) -> &str {
        self.head.split(" HTTP/").next().unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

pub(crate) struct Server {
    pub(crate) port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
    /// Fires with each request.
    pub(crate) reached: Arc<Notify>,
    serving: JoinHandle<()>,
}

impl Server {
    /// Gives one reply per connection, in this order.
    pub(crate) async fn new(replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (asked, reached) = (Arc::<Mutex<Vec<Asked>>>::default(), Arc::<Notify>::default());
        let (notes, bell) = (asked.clone(), reached.clone());
        let serving = tokio::spawn(async move {
            let mut open = Vec::new();
            for reply in replies {
                let (stream, _) = listener.accept().await.unwrap();
                let mut stream = BufReader::new(stream);
                let asked = read(&mut stream).await;
                notes.lock().unwrap().push(asked);
                bell.notify_one();
                match reply {
                    // Whoever asked may have gone before the end.
                    Reply::Bytes(bytes) => drop(stream.write_all(&bytes).await),
                    Reply::Begun(bytes) => {
                        stream.write_all(&bytes).await.unwrap();
                        open.push(stream);
                    }
                    Reply::Endless => {
                        let mut sent = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
                        while sent.is_ok() {
                            sent = stream.write_all(&[b'x'; 8192]).await;
                        }
                    }
                }
            }
            std::future::pending::<()>().await;
        });
        Self { port, asked, reached, serving }
    }

    /// A server that gives one answer.
    pub(crate) async fn saying(status: &str, headers: &str, body: &str) -> Self {
        Self::new(vec![reply(status, headers, body)]).await
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// An answer: a status, headers that end their lines, a body.
pub(crate) fn reply(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Reply {
    let body = body.as_ref();
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n"
    );
    Reply::Bytes([head.as_bytes(), body].concat())
}

/// An answer that leads elsewhere.
pub(crate) fn moved(status: u16, location: &str) -> Reply {
    reply(&format!("{status} X"), &format!("location: {location}\r\n"), "")
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
    Asked { head, body: String::from_utf8(body).unwrap() }
}
