//! The part of a line that is shown, and what of it is marked.

use std::ops::Range;

use awf_core::{Redactor, Span};

use crate::{snippet::sources::Line, table::printable};

/// Characters shown at most, before what they are escaped to.
const MOST: usize = 120;
/// Characters kept before the mark when the line is cut.
const BEFORE: usize = 40;
const CUT: &str = "…";
/// Characters that are looked at: more than are shown, so that a secret across the cut is still recognised.
const SEEN: usize = MOST + 8 * 1024;

/// A line made fit to be shown.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Excerpt {
    pub(super) text: String,
    /// Its bytes to mark; empty marks a place between characters.
    pub(super) mark: Range<usize>,
}

impl Excerpt {
    /// The part of `line` around `span`. Of a span over several lines only the first is shown.
    pub(super) fn of(line: Line<'_>, span: &Span) -> Self {
        let length = line.length;
        let from = span.column.saturating_sub(1).min(length);
        let to = if span.end_line > span.line { length } else { span.end_column.saturating_sub(1) };
        let to = to.clamp(from, length);
        let first = if length > MOST { from.saturating_sub(BEFORE) } else { 0 };
        let mut text = String::from(if first > 0 { CUT } else { "" });
        let mut mark = text.len()..text.len();
        let seen: String = line.from(first).chars().take((length - first).min(SEEN)).collect();
        let shown = (first..length).zip(masked(&seen, line.redactor())).take(MOST);
        for (at, c) in shown {
            if at == from {
                mark.start = text.len();
            }
            text.push_str(&escaped(c));
            if at < to {
                mark.end = text.len();
            }
        }
        if from == length {
            mark.start = text.len();
        }
        mark.end = mark.end.max(mark.start);
        if first + MOST < length {
            text.push_str(CUT);
        }
        Self { text, mark }
    }
}

/// The characters of a line, with a star for each of a secret in it: places stay what they are.
fn masked(line: &str, redactor: &Redactor) -> Vec<char> {
    let clean: Vec<char> = redactor.text(line).chars().collect();
    let line: Vec<char> = line.chars().collect();
    let same = |(one, other): &(&char, &char)| one == other;
    let before = line.iter().zip(&clean).take_while(same).count();
    let after = line.iter().rev().zip(clean.iter().rev()).take_while(same).count();
    let after = after.min(line.len() - before);
    let secret = before..line.len() - after;
    let shown = line.iter().enumerate().map(|(at, c)| if secret.contains(&at) { '*' } else { *c });
    shown.collect()
}

/// A tab is shown as space; what steers a terminal is written out.
fn escaped(c: char) -> String {
    if c == '\t' { "    ".to_owned() } else { printable(c.encode_utf8(&mut [0; 4])) }
}
