//! Carries lines between a session and its server, until the client leaves, falls silent, or serving ends.

use std::{sync::Arc, time::Duration};

use awf_mcp::RequestId;
use awf_tools::McpFront;
use tokio::{
    io::{
        AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader, duplex, split,
    },
    sync::mpsc,
    time::sleep,
};

use crate::mcp::session::{Feed, Session};

/// Bytes on their way, each way.
const WINDOW: usize = 64 * 1024;

pub(super) async fn run(
    front: McpFront,
    session: Arc<Session>,
    fed: mpsc::UnboundedReceiver<Feed>,
    idle: Duration,
) {
    let (near, far) = duplex(WINDOW);
    let ((reader, writer), (far_reader, far_writer)) = (split(near), split(far));
    let stop = session.stop.clone();
    let serving = async {
        if let Err(error) = front.serve(far_reader, far_writer, stop.clone()).await {
            tracing::warn!(%error, "an MCP session broke");
        }
        stop.cancel();
    };
    let feeding = async {
        // The writer stays open until the server has ended: closed earlier, it would end calls that could still clean up.
        stop.run_until_cancelled(feed(writer, fed)).await;
    };
    tokio::join!(serving, feeding, deliver(reader, &session), watch(&session, idle));
    session.end();
}

async fn feed(mut writer: impl AsyncWrite + Unpin, mut fed: mpsc::UnboundedReceiver<Feed>) {
    while let Some(feed) = fed.recv().await {
        let line = match feed {
            Feed::Line(line) => line,
            Feed::Withdrawn(id) => cancellation(&id),
        };
        if writer.write_all(&line).await.is_err() {
            return;
        }
    }
}

fn cancellation(id: &RequestId) -> Vec<u8> {
    let id = id.as_json();
    let head = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"#;
    format!("{head}{id}}}}}\n").into_bytes()
}

async fn deliver(reader: impl AsyncRead + Unpin, session: &Session) {
    let mut reader = BufReader::with_capacity(WINDOW, reader);
    loop {
        let mut line = Vec::new();
        match reader.read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                line.pop();
                session.deliver(line);
            }
        }
    }
}

/// Ends a session that nobody has used for long.
async fn watch(session: &Session, idle: Duration) {
    loop {
        let left = session.unused().map_or(idle, |unused| idle.saturating_sub(unused));
        if left.is_zero() {
            session.end();
        }
        if session.stop.run_until_cancelled(sleep(left)).await.is_none() {
            return;
        }
    }
}
