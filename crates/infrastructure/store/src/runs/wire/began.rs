//! The beginning of a run.

use std::{
    borrow::Cow,
    ffi::OsString,
    os::unix::ffi::{OsStrExt as _, OsStringExt as _},
    path::{Path, PathBuf},
};

use awf_core::{RecordedInput, RunBegan, RunEvent, RunId, WorkflowSource};
use serde::{Deserialize, Serialize};

use crate::{
    runs::wire::{
        Unreadable,
        json::{Json, Object},
    },
    wire::{nanos, time},
};

/// The order of the fields is part of the format: [`read_head`] stops at `sources`.
#[derive(Serialize, Deserialize)]
pub(super) struct Began<'a> {
    id: Cow<'a, str>,
    at: i64,
    workflow: Cow<'a, str>,
    #[serde(borrow)]
    sources: Vec<Source<'a>>,
    inputs: Vec<(Cow<'a, str>, Input<'a>)>,
    dir: Place<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    provider: Option<Cow<'a, str>>,
    presets: Vec<(Cow<'a, str>, Object<'a>)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    only: Option<Cow<'a, str>>,
    version: Cow<'a, str>,
}

#[derive(Serialize, Deserialize)]
struct Source<'a> {
    name: Cow<'a, str>,
    file: Cow<'a, str>,
    text: Cow<'a, str>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Input<'a> {
    #[serde(borrow)]
    Value(Json<'a>),
    Secret,
}

/// A path: text where it is text, else its bytes.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Place<'a> {
    Text(Cow<'a, str>),
    Bytes(Cow<'a, [u8]>),
}

/// The workflow's name and the time, from the first bytes of a journal. A quote within a string is escaped, so that
/// what [`SOURCES`] looks for can only be the field.
pub(super) fn read_head(head: &[u8]) -> Option<(String, i64)> {
    const SOURCES: &[u8] = b",\"sources\":";
    #[derive(Deserialize)]
    struct Line {
        v: u32,
        kind: String,
        event: Event,
    }
    #[derive(Deserialize)]
    struct Event {
        at: i64,
        workflow: String,
    }
    let end = head.windows(SOURCES.len()).position(|bytes| bytes == SOURCES)?;
    let line: Line = serde_json::from_slice(&[&head[..end], b"}}"].concat()).ok()?;
    let ours = line.v == super::VERSION && line.kind == super::BEGAN;
    ours.then_some((line.event.workflow, line.event.at))
}

impl<'a> From<&'a RunBegan> for Began<'a> {
    fn from(began: &'a RunBegan) -> Self {
        let inputs = began.inputs.iter().map(|(name, input)| (name.into(), input.into()));
        let presets = began.presets.iter().map(|(state, results)| (state.into(), results.into()));
        Self {
            id: Cow::Owned(began.id.to_string()),
            at: nanos(began.at),
            workflow: (&began.workflow).into(),
            sources: began.sources.iter().map(Source::from).collect(),
            inputs: inputs.collect(),
            dir: began.dir.as_path().into(),
            provider: began.provider.as_deref().map(Cow::Borrowed),
            presets: presets.collect(),
            only: began.only.as_deref().map(Cow::Borrowed),
            version: (&began.version).into(),
        }
    }
}

impl<'a> From<&'a WorkflowSource> for Source<'a> {
    fn from(source: &'a WorkflowSource) -> Self {
        Self {
            name: (&source.name).into(),
            file: (&source.file).into(),
            text: (&source.text).into(),
        }
    }
}

impl<'a> From<&'a RecordedInput> for Input<'a> {
    fn from(input: &'a RecordedInput) -> Self {
        match input {
            RecordedInput::Value(value) => Self::Value(Json::Value(value)),
            RecordedInput::Secret => Self::Secret,
        }
    }
}

impl<'a> From<&'a Path> for Place<'a> {
    fn from(path: &'a Path) -> Self {
        match path.to_str() {
            Some(text) => Self::Text(text.into()),
            None => Self::Bytes(path.as_os_str().as_bytes().into()),
        }
    }
}

impl TryFrom<Began<'_>> for RunEvent {
    type Error = Unreadable;

    fn try_from(began: Began<'_>) -> Result<Self, Unreadable> {
        let id = RunId::parse(&began.id);
        let no_id = || Unreadable::Word { what: "run id", found: began.id.to_string() };
        let inputs = began
            .inputs
            .into_iter()
            .map(|(name, input)| Ok((name.into_owned(), RecordedInput::try_from(input)?)));
        let presets = began
            .presets
            .into_iter()
            .map(|(state, results)| Ok((state.into_owned(), results.read()?)));
        Ok(Self::Began(Box::new(RunBegan {
            id: id.ok_or_else(no_id)?,
            at: time(began.at),
            workflow: began.workflow.into_owned(),
            sources: began.sources.into_iter().map(WorkflowSource::from).collect(),
            inputs: inputs.collect::<Result<_, Unreadable>>()?,
            dir: began.dir.into(),
            provider: began.provider.map(Cow::into_owned),
            presets: presets.collect::<Result<_, Unreadable>>()?,
            only: began.only.map(Cow::into_owned),
            version: began.version.into_owned(),
        })))
    }
}

impl From<Source<'_>> for WorkflowSource {
    fn from(source: Source<'_>) -> Self {
        Self {
            name: source.name.into_owned(),
            file: source.file.into_owned(),
            text: source.text.into_owned(),
        }
    }
}

impl TryFrom<Input<'_>> for RecordedInput {
    type Error = Unreadable;

    fn try_from(input: Input<'_>) -> Result<Self, Unreadable> {
        Ok(match input {
            Input::Value(value) => Self::Value(value.read()?),
            Input::Secret => Self::Secret,
        })
    }
}

impl From<Place<'_>> for PathBuf {
    fn from(place: Place<'_>) -> Self {
        match place {
            Place::Text(text) => text.into_owned().into(),
            Place::Bytes(bytes) => OsString::from_vec(bytes.into_owned()).into(),
        }
    }
}
