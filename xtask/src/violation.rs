//! A broken rule: where to edit, and what to do there, in one sentence.

use std::fmt;

use anyhow::{Result, bail};

/// One broken rule. `file` is relative to the workspace root and is the file to edit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Violation {
    pub(crate) file: String,
    pub(crate) line: Option<usize>,
    pub(crate) message: String,
}

impl Violation {
    pub(crate) fn in_file(file: &str, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: None, message: message.into() }
    }

    pub(crate) fn at_line(file: &str, line: usize, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: Some(line), message: message.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

/// Fails with every violation on a line of its own; `check` is the command that found them.
pub(crate) fn none_of(check: &str, mut violations: Vec<Violation>) -> Result<()> {
    violations.sort();
    if violations.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = violations.iter().map(ToString::to_string).collect();
    bail!("{}\n{check}: {} to mend", lines.join("\n"), violations.len())
}
