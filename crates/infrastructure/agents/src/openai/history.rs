//! Conversations: what was said so far, and the files that keep it for later.
//!
//! Endpoints remember nothing, so whoever goes on sends everything again. What a conversation holds may be secret: files are
//! the user's own, in a directory that is.

use std::{
    fs::{self, DirBuilder},
    io::{self, Write as _},
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    time::Duration,
};

use awf_core::{ActivityId, AgentFailure, AgentRequest, shown};
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::openai::delta::Answer;

/// Begins the name of every session.
const PREFIX: &str = "openai-";
/// The most bytes a conversation may have.
const LONGEST: usize = 32 * 1024 * 1024;
/// A session that nobody went on with for so long is removed when another is kept.
const KEPT_FOR: Duration = Duration::from_hours(30 * 24);

/// What was said so far.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct History {
    messages: Vec<Value>,
    bytes: usize,
}

/// There is more of it than is sent.
#[derive(Debug)]
pub(super) struct TooLong;

impl History {
    /// The conversation `request` begins or goes on with.
    pub(super) fn begin(sessions: &Path, request: &AgentRequest) -> Result<Self, AgentFailure> {
        let mut messages = match &request.session {
            Some(session) => load(sessions, session)?,
            None => Vec::new(),
        };
        if let Some(system) = &request.system_prompt {
            messages.retain(|message| message["role"] != "system");
            messages.insert(0, json!({"role": "system", "content": system}));
        }
        messages.push(json!({"role": "user", "content": request.prompt}));
        let bytes = messages.iter().map(|message| message.to_string().len()).sum();
        Ok(Self { messages, bytes })
    }

    pub(super) fn messages(&self) -> &[Value] {
        &self.messages
    }

    /// Its size, roughly.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds what the model answered.
    pub(super) fn answered(&mut self, answer: &Answer) -> Result<(), TooLong> {
        let calls: Vec<Value> = answer.calls.iter().map(Value::from).collect();
        if calls.is_empty() {
            return self.add(json!({"role": "assistant", "content": answer.text}));
        }
        let content = Some(&answer.text).filter(|text| !text.is_empty());
        self.add(json!({"role": "assistant", "content": content, "tool_calls": calls}))
    }

    /// Adds what came of a call.
    pub(super) fn result(&mut self, id: &str, text: &str) -> Result<(), TooLong> {
        self.add(json!({"role": "tool", "tool_call_id": id, "content": text}))
    }

    fn add(&mut self, message: Value) -> Result<(), TooLong> {
        self.bytes += message.to_string().len();
        self.messages.push(message);
        if self.bytes > LONGEST { Err(TooLong) } else { Ok(()) }
    }

    /// Keeps it under a name of its own: two may go on from the same point.
    pub(super) fn keep(&self, sessions: &Path) -> io::Result<String> {
        let session = format!("{PREFIX}{}", ActivityId::generate());
        DirBuilder::new().recursive(true).mode(0o700).create(sessions)?;
        let mut file = NamedTempFile::new_in(sessions)?;
        serde_json::to_writer(&mut file, &self.messages)?;
        file.flush()?;
        file.persist(path(sessions, &session))?;
        forget_old(sessions, &session);
        Ok(session)
    }
}

fn path(sessions: &Path, session: &str) -> PathBuf {
    sessions.join(format!("{session}.json"))
}

fn load(sessions: &Path, session: &str) -> Result<Vec<Value>, AgentFailure> {
    let unusable = |reason: &str| {
        AgentFailure::Unusable(format!("cannot go on with session `{}`: {reason}", shown(session)))
    };
    // The name becomes a file's, so it must be one that was given here.
    if session.strip_prefix(PREFIX).and_then(ActivityId::parse).is_none() {
        return Err(unusable("it is not of this provider"));
    }
    let text = fs::read(path(sessions, session)).map_err(|error| unusable(&error.to_string()))?;
    serde_json::from_slice(&text).map_err(|error| unusable(&error.to_string()))
}

/// Removes sessions much older than `newest`. What cannot be removed stays.
fn forget_old(sessions: &Path, newest: &str) {
    let modified = |path: &Path| fs::metadata(path).and_then(|data| data.modified());
    let (Ok(now), Ok(entries)) = (modified(&path(sessions, newest)), fs::read_dir(sessions)) else {
        return;
    };
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        let age = modified(&path).ok().and_then(|then| now.duration_since(then).ok());
        if age.is_some_and(|age| age > KEPT_FOR) {
            drop(fs::remove_file(path));
        }
    }
}

#[cfg(test)]
mod tests;
