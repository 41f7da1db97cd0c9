//! A server at an address: streamable HTTP with the face of a byte stream, so that the same client speaks over it.
//!
//! Each line the client writes is posted; what is answered, whole or as events, comes back as lines. A request that cannot
//! be answered is answered with an error that says why. When the server has forgotten the session the stream ends.

use std::sync::{Arc, Mutex, PoisonError};

use awf_core::{Redactor, shown};
use tokio::io::{DuplexStream, ReadHalf, WriteHalf, duplex, split};

use crate::http::remote::Remote;

mod carrier;
mod events;
mod line;
mod remote;

/// The code of our own answer to what a server did not take because it had forgotten the session. None has it by accident.
pub(crate) const FORGOTTEN: i64 = i64::MIN + 404;
/// Bytes on their way, each way.
const WINDOW: usize = 64 * 1024;

/// An address, and what every request carries. Neither is ever logged: both may hold secrets.
pub(crate) struct HttpEndpoint<'a> {
    pub(crate) url: &'a str,
    pub(crate) headers: &'a [(String, String)],
    /// Strikes out of what the server says of a failure what may not be repeated.
    pub(crate) redactor: &'a Redactor,
}

/// Why an address cannot be spoken to.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HttpError {
    #[error("its `url` is no address: write one like `https://host/mcp`")]
    Url,
    #[error(
        "header `{}` cannot be sent: its name or its value has characters that no header may have",
        shown(name)
    )]
    Header { name: String },
    #[error("HTTP cannot be set up: {reason}")]
    Setup { reason: String },
}

/// Why the last request was not answered by the server itself, in words of our own.
#[derive(Clone, Default)]
pub(crate) struct Trouble(Arc<Mutex<Option<String>>>);

impl Trouble {
    pub(crate) fn told(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, reason: Option<&String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = reason.cloned();
    }
}

/// Makes ready to speak; nothing is sent before the client writes. Ends when the other side of the stream is dropped.
pub(crate) fn connect(
    endpoint: &HttpEndpoint<'_>,
    trouble: &Trouble,
) -> Result<(ReadHalf<DuplexStream>, WriteHalf<DuplexStream>), HttpError> {
    let remote = Remote::new(endpoint, trouble.clone())?;
    let (near, far) = duplex(WINDOW);
    // It sees the end of the stream when the client is gone, says goodbye within a fixed time, and ends.
    tokio::spawn(carrier::carry(far, remote));
    Ok(split(near))
}

#[cfg(test)]
mod tests;
