//! Events as they stand in the journal. Field names and words are the format: once shipped they stay.

use std::{
    borrow::Cow,
    time::{Duration, SystemTime},
};

use awf_core::{ActivityEvent, ActivityId, CallEnded, CallStarted, Captured, RawJson, Status};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

mod started;

use started::Started;

/// The key an event stands under in its line.
pub(crate) const EVENT: &str = "event";

/// What a line holds whose event is a start.
const START: &[u8] = br#""event":{"started":"#;

/// Why a line's event cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unreadable {
    #[error("not a journal event: {0}")]
    Shape(#[from] serde_json::Error),
    #[error("`{found}` is no {what}")]
    Word { what: &'static str, found: String },
}

/// A whole line, its hash left aside.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    event: Event<'a>,
}

/// An event, borrowing from where it comes.
#[expect(
    clippy::large_enum_variant,
    reason = "lives on the stack for as long as one line is written or read"
)]
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Event<'a> {
    #[serde(borrow)]
    Started(Started<'a>),
    Ended(Ended<'a>),
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Ended<'a> {
    id: Cow<'a, str>,
    at: i64,
    status: Cow<'a, str>,
    duration_ms: u64,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    response: Option<Kept<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Cow<'a, str>>,
}

/// A captured value.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kept<'a> {
    /// The JSON itself.
    #[serde(borrow)]
    Whole(&'a RawValue),
    /// JSON that holds line breaks between its tokens; as a string, a line stays a line and no byte is lost.
    Text(Cow<'a, str>),
    /// The beginning.
    Cut { head: Cow<'a, str>, full_bytes: usize },
}

impl<'a> From<&'a ActivityEvent> for Event<'a> {
    fn from(event: &'a ActivityEvent) -> Self {
        match event {
            ActivityEvent::Started(started) => Self::Started(Started::from(&**started)),
            ActivityEvent::Ended(ended) => Self::Ended(Ended::from(&**ended)),
        }
    }
}

impl<'a> From<&'a CallEnded> for Ended<'a> {
    fn from(ended: &'a CallEnded) -> Self {
        Self {
            id: Cow::Owned(ended.id.to_string()),
            at: nanos(ended.at),
            status: ended.status.as_str().into(),
            duration_ms: ended.duration_ms,
            response: ended.response.as_ref().map(Kept::from),
            error: ended.error.as_deref().map(Cow::Borrowed),
        }
    }
}

impl<'a> From<&'a Captured> for Kept<'a> {
    fn from(captured: &'a Captured) -> Self {
        match captured {
            Captured::Whole(json) if json.get().contains('\n') => Self::Text(json.get().into()),
            Captured::Whole(json) => Self::Whole(json.as_raw()),
            Captured::Cut { head, full_bytes } => {
                Self::Cut { head: head.into(), full_bytes: *full_bytes }
            }
        }
    }
}

/// Whether a line is the start of a call. Looked for behind number and hash only, where no payload reaches.
pub(crate) fn is_start(line: &[u8]) -> bool {
    const BEHIND: usize = 128;
    let head = &line[..line.len().min(BEHIND)];
    head.windows(START.len()).any(|window| window == START)
}

/// Reads the event out of a line, given without its newline.
pub(crate) fn read_event(line: &[u8]) -> Result<ActivityEvent, Unreadable> {
    let Line { event } = serde_json::from_slice(line)?;
    Ok(match event {
        Event::Started(started) => {
            ActivityEvent::Started(Box::new(CallStarted::try_from(started)?))
        }
        Event::Ended(ended) => ActivityEvent::Ended(Box::new(CallEnded::try_from(ended)?)),
    })
}

impl TryFrom<Ended<'_>> for CallEnded {
    type Error = Unreadable;

    fn try_from(ended: Ended<'_>) -> Result<Self, Unreadable> {
        Ok(Self {
            id: word("activity id", &ended.id, ActivityId::parse)?,
            at: time(ended.at),
            status: word("status", &ended.status, Status::parse)?,
            duration_ms: ended.duration_ms,
            response: ended.response.map(Captured::try_from).transpose()?,
            error: ended.error.map(Cow::into_owned),
        })
    }
}

impl TryFrom<Kept<'_>> for Captured {
    type Error = Unreadable;

    fn try_from(kept: Kept<'_>) -> Result<Self, Unreadable> {
        Ok(match kept {
            Kept::Whole(raw) => Self::Whole(RawJson::from(raw.to_owned())),
            Kept::Text(text) => {
                let no_json = || Unreadable::Word { what: "JSON value", found: text.to_string() };
                Self::Whole(RawJson::parse(text.as_ref()).map_err(|_| no_json())?)
            }
            Kept::Cut { head, full_bytes } => Self::Cut { head: head.into_owned(), full_bytes },
        })
    }
}

/// Reads one word of a closed vocabulary.
fn word<T>(
    what: &'static str,
    found: &str,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<T, Unreadable> {
    parse(found).ok_or_else(|| Unreadable::Word { what, found: found.to_owned() })
}

/// Nanoseconds since 1970, as the journal and the index keep time. What lies beyond 2262 is kept as 2262.
pub(crate) fn nanos(at: SystemTime) -> i64 {
    let clamp = |span: Duration| i64::try_from(span.as_nanos()).unwrap_or(i64::MAX);
    match at.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => clamp(after),
        Err(before) => -clamp(before.duration()),
    }
}

/// What [`nanos`] gave, as a time again.
pub(crate) fn time(nanos: i64) -> SystemTime {
    let span = Duration::from_nanos(nanos.unsigned_abs());
    if nanos < 0 { SystemTime::UNIX_EPOCH - span } else { SystemTime::UNIX_EPOCH + span }
}

#[cfg(test)]
mod tests;
