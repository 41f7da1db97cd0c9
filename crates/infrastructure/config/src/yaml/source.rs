//! The text of a file, asked for places.

use awf_core::TextOrigin;
use serde_saphyr::granit_parser::{Marker, ScalarStyle, Span};

use crate::yaml::{Place, Scalar};

/// The text and its lines.
pub(super) struct Source<'t> {
    text: &'t str,
    /// With their widths. Counted once: a line may be as long as the file, and hold as many values.
    lines: Vec<(&'t str, usize)>,
}

impl<'t> Source<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        // A byte order mark has no column.
        let lines = text.trim_start_matches('\u{feff}').split('\n');
        let lines =
            lines.map(|line| (line.trim_end_matches('\r'), line.trim_end().chars().count()));
        Self { text, lines: lines.collect() }
    }

    /// The line a place is on.
    pub(super) fn line(&self, place: Place) -> &'t str {
        self.lines.get(place.line.saturating_sub(1)).map_or("", |(line, _)| line)
    }

    /// The place of `span`: in the file, at least one character wide, and of what goes over several lines the first.
    pub(super) fn place(&self, span: Span) -> Place {
        let (start, end) = (span.start, span.end);
        let line = start.line().clamp(1, self.lines.len());
        let column = start.col() + 1;
        // Block collections begin with an event that has no width.
        let end_column = if end.line() == start.line() && end.col() > start.col() {
            end.col() + 1
        } else {
            self.lines.get(line - 1).map_or(0, |(_, width)| *width) + 1
        };
        Place { line, column, end_line: line, end_column: end_column.max(column + 1) }
    }

    /// The text of a mapping that was meant to be a template, and lacks its quotes.
    pub(super) fn unquoted(&self, start: Marker, end: Marker) -> Option<Scalar> {
        let text = Span::new(start, end).slice(self.text)?;
        let text = (text.starts_with("{{") && text.ends_with("}}")).then_some(text)?;
        let (line, column) = (start.line(), start.col() + 1);
        let origin = Some(TextOrigin { line, column, indent: column });
        Some(Scalar { text: text.to_owned(), plain: false, origin })
    }

    /// Where the characters of a scalar stand as they are, if they do.
    pub(super) fn origin(&self, text: &str, style: ScalarStyle, span: Span) -> Option<TextOrigin> {
        let (line, column) = (span.start.line(), span.start.col() + 1);
        let source = span.slice(self.text)?;
        match style {
            ScalarStyle::Literal => self.block(text, line),
            ScalarStyle::Plain => {
                (source == text).then_some(TextOrigin { line, column, indent: column })
            }
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
                let inside = source.get(1..source.len().checked_sub(1)?)?;
                let column = column + 1;
                (inside == text).then_some(TextOrigin { line, column, indent: column })
            }
            ScalarStyle::Folded => {
                let origin = self.block(text, line)?;
                self.is_unfolded(text, origin).then_some(origin)
            }
        }
    }

    /// Where a block begins. Its place is its first line with something on it, which tells how far it is indented.
    fn block(&self, text: &str, line: usize) -> Option<TextOrigin> {
        let (below, first) = text.split('\n').enumerate().find(|(_, line)| !line.is_empty())?;
        let (shown, _) = self.lines.get(line.checked_sub(1)?)?;
        let column = shown.strip_suffix(first)?.chars().count() + 1;
        Some(TextOrigin { line: line.checked_sub(below)?, column, indent: column })
    }

    /// Whether each line of a folded text is one of the file.
    fn is_unfolded(&self, text: &str, origin: TextOrigin) -> bool {
        let shown = self.lines.iter().skip(origin.line.saturating_sub(1)).map(|(line, _)| *line);
        let indent = " ".repeat(origin.indent.saturating_sub(1));
        let mut lines = text.trim_end_matches('\n').split('\n').zip(shown);
        lines.all(|(line, shown)| shown.strip_prefix(&*indent).unwrap_or_default() == line)
    }

    /// The place of a scalar whose characters cannot be told apart in the file: the whole of it.
    pub(super) fn whole(&self, style: ScalarStyle, span: Span) -> Place {
        let place = self.place(span);
        let source = span.slice(self.text).unwrap_or_default().trim_end();
        let end_line = place.line + source.matches('\n').count();
        let (_, width) = self.lines.get(end_line - 1).copied().unwrap_or_default();
        let end_column = match style {
            ScalarStyle::Folded | ScalarStyle::Literal => width + 1,
            ScalarStyle::Plain | ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
                span.end.col() + 1
            }
        };
        if end_line == place.line { place } else { Place { end_line, end_column, ..place } }
    }
}
