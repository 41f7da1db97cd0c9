//! One call of a plugin: how long it may take, what it carries along, and what its failure means.

use std::{
    error::Error,
    time::{Duration, Instant},
};

use awf_core::{Redactor, TraceContext};
use tonic::{Code, Request, Status, TimeoutExpired, metadata::MetadataValue};

/// The largest answer that is taken.
pub(crate) const ANSWER_LIMIT: usize = 16 << 20;

/// How long something may take, from now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    /// The whole of it.
    pub(crate) whole: Duration,
    begun: Instant,
}

impl Limit {
    pub(crate) fn new(whole: Duration) -> Self {
        Self { whole, begun: Instant::now() }
    }

    /// What is left of it.
    pub(crate) fn rest(&self) -> Duration {
        self.whole.saturating_sub(self.begun.elapsed())
    }
}

/// A message with what goes beside it.
pub(crate) fn request<M>(message: M, limit: Limit, trace: Option<&TraceContext>) -> Request<M> {
    let mut request = Request::new(message);
    request.set_timeout(limit.rest());
    let state = trace.and_then(|trace| trace.tracestate.as_deref());
    let parent = trace.map(|trace| trace.traceparent.as_str());
    for (name, value) in [("traceparent", parent), ("tracestate", state)] {
        // What cannot be said in a header is not said.
        if let Some(value) = value.and_then(|value| MetadataValue::try_from(value).ok()) {
            request.metadata_mut().insert(name, value);
        }
    }
    request
}

/// What a failed call means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The plugin has no such call.
    Unimplemented,
    /// It took too long.
    Deadline,
    /// The answer was too large.
    TooLarge,
    /// The answer was no message.
    Undecodable(String),
    /// The plugin was not reached, or lost on the way.
    Transport(String),
    /// The plugin says no.
    Refused(Code, String),
}

impl Fault {
    /// The same without secrets: a plugin that is not content with its token may quote it.
    pub(crate) fn without(self, redactor: &Redactor) -> Self {
        let struck = |message: String| redactor.text(&message).into_owned();
        match self {
            Self::Undecodable(message) => Self::Undecodable(struck(message)),
            Self::Transport(message) => Self::Transport(struck(message)),
            Self::Refused(code, message) => Self::Refused(code, struck(message)),
            other @ (Self::Unimplemented | Self::Deadline | Self::TooLarge) => other,
        }
    }
}

impl From<Status> for Fault {
    fn from(status: Status) -> Self {
        let message = status.message().to_owned();
        if causes(&status).any(<dyn Error>::is::<TimeoutExpired>) {
            return Self::Deadline;
        }
        // Whatever has a cause was found on this side: what a plugin says has none.
        if let Some(cause) = causes(&status).last() {
            return Self::Transport(format!("{message}: {cause}"));
        }
        match status.code() {
            Code::Unimplemented => Self::Unimplemented,
            Code::DeadlineExceeded => Self::Deadline,
            Code::OutOfRange if message.starts_with("Error, decoded message length too large") => {
                Self::TooLarge
            }
            Code::Internal if UNDECODABLE.iter().any(|words| message.starts_with(words)) => {
                Self::Undecodable(message)
            }
            Code::Unknown if message.starts_with("Service was not ready") => {
                Self::Transport(message)
            }
            code => Self::Refused(code, message),
        }
    }
}

/// How tonic says that an answer is no message.
const UNDECODABLE: [&str; 4] = [
    "failed to decode Protobuf message",
    "protocol error: received message",
    "Unexpected EOF decoding stream",
    "Missing response message",
];

fn causes(status: &Status) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(status.source(), |&cause| cause.source())
}

#[cfg(test)]
mod tests;
