//! stdout is data. A reader that went away (`awf … | head`) ends the command quietly, not with a panic.

use std::{
    io::{self, Write as _},
    ops::ControlFlow,
};

use awf_core::{Code, RawJson, visible_json};
use serde::Serialize;

use crate::{report::CommandError, yaml};

/// The data a command prints.
pub(crate) struct Output(io::Stdout);

impl Output {
    pub(crate) fn stdout() -> Self {
        Self(io::stdout())
    }

    /// Writes all of it.
    pub(crate) fn write(&self, data: &[u8]) -> Result<(), CommandError> {
        self.offer(data).map(|_| ())
    }

    /// Writes all of it, and says whether anybody is left to read more.
    pub(crate) fn offer(&self, data: &[u8]) -> Result<ControlFlow<()>, CommandError> {
        let mut stdout = self.0.lock();
        match stdout.write_all(data).and_then(|()| stdout.flush()) {
            Ok(()) => Ok(ControlFlow::Continue(())),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ControlFlow::Break(())),
            Err(error) => Err(CommandError::of(
                Code::IoWriteFailed,
                format!("cannot write to stdout: {error}"),
            )),
        }
    }

    /// Writes a text, ended by one newline.
    pub(crate) fn line(&self, text: &str) -> Result<(), CommandError> {
        let end = if text.ends_with('\n') { "" } else { "\n" };
        self.write(format!("{text}{end}").as_bytes())
    }

    /// Writes a document as YAML.
    pub(crate) fn yaml(&self, document: &impl Serialize) -> Result<(), CommandError> {
        let text = serde_json::value::to_raw_value(document).map_err(|error| {
            CommandError::of(Code::InternalUnmapped, format!("cannot print YAML: {error}"))
        })?;
        self.line(&yaml::from_json(&RawJson::from(text)))
    }

    /// Writes a document as indented JSON.
    pub(crate) fn json(&self, document: &impl Serialize) -> Result<(), CommandError> {
        let text = serde_json::to_string_pretty(document).map_err(|error| {
            CommandError::of(Code::InternalUnmapped, format!("cannot print JSON: {error}"))
        })?;
        self.line(&visible_json(text))
    }
}
