//! What is wrong, where, and what to do about it: values that reports, editors and other programs read.

mod code;

pub use code::{Area, Code};

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable code.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one sentence.
    pub message: String,
    /// Where, when there is a file.
    pub span: Option<Span>,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// A finding with the severity and hint of its code.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        let hint = code.hint();
        Self {
            code,
            severity: code.severity(),
            message: message.into(),
            span: None,
            hint: (!hint.is_empty()).then(|| hint.to_owned()),
        }
    }

    /// The same finding, at a place.
    #[must_use]
    pub fn at(self, span: Span) -> Self {
        Self { span: Some(span), ..self }
    }

    /// The same finding, with a hint that knows the case.
    #[must_use]
    pub fn hinting(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// It should be looked at.
    Warning,
    /// It must be mended.
    Error,
}

impl Severity {
    /// The word used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A place in a file. Lines and columns count from 1; columns count characters; the end is just past the last one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file, as the user named it.
    pub file: String,
    /// The line it begins on.
    pub line: usize,
    /// The column it begins at.
    pub column: usize,
    /// The line it ends on.
    pub end_line: usize,
    /// The column it ends before.
    pub end_column: usize,
}

#[cfg(test)]
mod tests;
