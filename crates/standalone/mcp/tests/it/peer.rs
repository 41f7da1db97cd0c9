//! The other end of the stream: sends lines as text, reads answers as JSON.

use std::sync::Arc;

use awf_mcp::{Ended, Server};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf},
    task::JoinHandle,
    time::{Duration, timeout},
};
use tokio_util::sync::CancellationToken;

/// No answer within this time is a hang. Never waited for when things go well.
const HANG: Duration = Duration::from_secs(20);

pub(crate) struct Peer {
    pub(crate) input: Option<WriteHalf<DuplexStream>>,
    output: Lines<BufReader<ReadHalf<DuplexStream>>>,
    served: JoinHandle<std::io::Result<Ended>>,
    pub(crate) shutdown: CancellationToken,
}

impl Peer {
    pub(crate) fn new(server: Server) -> Self {
        Self::with_pipe(server, 64 * 1024)
    }

    /// A peer whose pipes hold only so many bytes.
    pub(crate) fn with_pipe(server: Server, capacity: usize) -> Self {
        let (ours, theirs) = tokio::io::duplex(capacity);
        let shutdown = CancellationToken::new();
        let stop = shutdown.clone();
        let server = Arc::new(server);
        let served = tokio::spawn(async move {
            let (reader, writer) = tokio::io::split(theirs);
            server.serve_until(reader, writer, stop).await
        });
        let (output, input) = tokio::io::split(ours);
        Self { input: Some(input), output: BufReader::new(output).lines(), served, shutdown }
    }

    /// A peer that has shaken hands in the legacy way.
    pub(crate) async fn legacy(server: Server) -> Self {
        let mut peer = Self::new(server);
        peer.greet().await;
        peer
    }

    pub(crate) async fn greet(&mut self) {
        self.send(INITIALIZE).await;
        assert_eq!(self.answer().await["result"]["protocolVersion"], "2025-11-25");
        self.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    }

    pub(crate) async fn send(&mut self, line: &str) {
        self.send_bytes(line.as_bytes()).await;
        self.send_bytes(b"\n").await;
    }

    pub(crate) async fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("input is open");
        timeout(HANG, input.write_all(bytes))
            .await
            .expect("the server reads")
            .expect("the stream is open");
    }

    /// The next line as text; `None` at the end of the stream.
    pub(crate) async fn line(&mut self) -> Option<String> {
        timeout(HANG, self.output.next_line()).await.expect("an answer").expect("a readable stream")
    }

    pub(crate) async fn answer(&mut self) -> Value {
        let line = self.line().await.expect("an answer before the end");
        serde_json::from_str(&line).expect("answers are JSON")
    }

    /// Sends a line that must be silent, proven by a ping whose answer comes first.
    pub(crate) async fn send_silent(&mut self, line: &str) {
        self.send(line).await;
        self.ping().await;
    }

    pub(crate) async fn ping(&mut self) {
        self.send(r#"{"jsonrpc":"2.0","id":"alive?","method":"ping"}"#).await;
        assert_eq!(self.answer().await, json!({"jsonrpc": "2.0", "id": "alive?", "result": {}}));
    }

    /// Closes our side and reads what is left.
    pub(crate) async fn finish(mut self) -> (Vec<String>, std::io::Result<Ended>) {
        self.close_input().await;
        let mut rest = Vec::new();
        while let Some(line) = self.line().await {
            rest.push(line);
        }
        (rest, self.ended().await)
    }

    pub(crate) async fn close_input(&mut self) {
        // A duplex stream has no half-close by drop: both halves share it.
        if let Some(mut input) = self.input.take() {
            input.shutdown().await.expect("the stream is open");
        }
    }

    /// Drops both directions at once, as a peer that was killed.
    pub(crate) async fn hang_up(self) -> std::io::Result<Ended> {
        let Self { input, output, served, shutdown: _ } = self;
        drop((input, output));
        timeout(HANG, served).await.expect("the server ends").expect("the server does not panic")
    }

    pub(crate) async fn ended(self) -> std::io::Result<Ended> {
        timeout(HANG, self.served)
            .await
            .expect("the server ends")
            .expect("the server does not panic")
    }
}

pub(crate) const INITIALIZE: &str = concat!(
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"#,
    r#""clientInfo":{"name":"peer","version":"7"}}}"#
);

/// The `_meta` of a modern request.
pub(crate) const MODERN: &str = concat!(
    r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
    r#""io.modelcontextprotocol/clientCapabilities":{}}"#
);
