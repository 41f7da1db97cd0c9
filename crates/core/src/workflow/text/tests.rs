//! Places inside a text.

use super::{Origin, Text};
use crate::diagnostic::Span;

fn text(value: &str, origin: Option<Origin>) -> Text {
    Text { value: value.to_owned(), span: Span::start_of("a.yaml"), origin }
}

#[test]
fn a_part_is_found_on_its_own_line() {
    let block = text("first\nsecönd {{x}}\n", Some(Origin { line: 4, column: 9, indent: 9 }));
    let start = block.value.find("{{").unwrap();
    let span = block.span_of(start..start + 5);
    assert_eq!((span.line, span.column, span.end_line, span.end_column), (5, 16, 5, 21));
}

#[test]
fn a_part_of_the_first_line_counts_from_its_own_column() {
    let plain = text("echo {{x}}", Some(Origin { line: 2, column: 14, indent: 3 }));
    let span = plain.span_of(5..10);
    assert_eq!((span.line, span.column, span.end_column), (2, 19, 24));
}

#[test]
fn without_an_origin_the_whole_is_the_place() {
    let folded = text("a b", None);
    assert_eq!(folded.span_of(1..2), Span::start_of("a.yaml"));
}
