//! Values that know where they were written.

use std::ops::Range;

use serde_json::Value;

use crate::diagnostic::Span;

/// A value and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Its place.
    pub span: Span,
}

/// A template or an expression: text whose parts have places of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The text, after YAML has read it.
    pub value: String,
    /// The whole of it.
    pub span: Span,
    /// Where its characters are in the file, if they stand there as they are.
    pub origin: Option<Origin>,
}

/// Where the characters of a text are in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The line of the first character.
    pub line: usize,
    /// The column of the first character.
    pub column: usize,
    /// The column at which every further line begins.
    pub indent: usize,
}

impl Text {
    /// The place of a part, by its bytes; the whole text when its parts cannot be told apart in the file.
    pub fn span_of(&self, part: Range<usize>) -> Span {
        let Some(origin) = self.origin else { return self.span.clone() };
        let place = |at: usize| {
            let before = self.value.get(..at.min(self.value.len())).unwrap_or(&self.value);
            let line = before.matches('\n').count();
            let last = before.rsplit('\n').next().unwrap_or_default().chars().count();
            let first_column = if line == 0 { origin.column } else { origin.indent };
            (origin.line + line, first_column + last)
        };
        let (line, column) = place(part.start);
        let (end_line, end_column) = place(part.end.max(part.start + 1));
        Span { file: self.span.file.clone(), line, column, end_line, end_column }
    }
}

/// A value of the file whose texts are templates.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// A template.
    Text(Text),
    /// A number, a boolean, nothing.
    Plain(Located<Value>),
    /// A list.
    List(Vec<Self>, Span),
    /// A mapping, in the order of the file.
    Map(Vec<(Located<String>, Self)>, Span),
}

impl Tree {
    /// Its place.
    pub fn span(&self) -> &Span {
        match self {
            Self::Text(text) => &text.span,
            Self::Plain(plain) => &plain.span,
            Self::List(_, span) | Self::Map(_, span) => span,
        }
    }
}

#[cfg(test)]
mod tests;
