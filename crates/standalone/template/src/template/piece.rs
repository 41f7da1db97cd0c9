//! A text cut into what is printed as it is and what stands in `{{…}}`, with the white space trimmed that `{{-` and
//! `-}}` ask to.

use std::ops::Range;

use crate::{
    SyntaxError,
    cursor::Cursor,
    template::token::{Token, token},
};

#[derive(Debug)]
pub(crate) enum Piece {
    Text(String),
    Action(Action),
}

#[derive(Debug)]
pub(crate) struct Action {
    pub(crate) tokens: Vec<Token>,
    /// Braces included.
    pub(crate) at: Range<usize>,
}

/// Actions in one text at most. No hand writes more, and what is known of each has a size.
const MOST_ACTIONS: usize = 10_000;

/// What follows an action.
#[derive(Clone, Copy)]
enum After {
    Keep,
    Trim,
}

pub(crate) fn pieces(text: &str) -> Result<Vec<Piece>, SyntaxError> {
    let mut pieces = Vec::new();
    let mut cursor = Cursor::new(text, 0..text.len());
    let mut after = After::Keep;
    let mut actions = 0;
    loop {
        let rest = cursor.rest();
        let open = rest.find("{{");
        let mut between = rest.get(..open.unwrap_or(rest.len())).unwrap_or_default();
        if let After::Trim = after {
            between = between.trim_start();
        }
        let Some(length) = open else {
            push_text(&mut pieces, between);
            return Ok(pieces);
        };
        let start = cursor.at() + length;
        actions += 1;
        if actions > MOST_ACTIONS {
            let message = format!("there are more than {MOST_ACTIONS} `{{{{…}}}}` in one text");
            return Err(SyntaxError::new(message, start..start + 2));
        }
        cursor = Cursor::new(text, start + 2..text.len());
        if trims_before(&cursor) {
            between = between.trim_end();
            cursor.bump();
        }
        push_text(&mut pieces, between);
        if let Some(end) = comment(&mut cursor, start)? {
            after = end;
            continue;
        }
        let (tokens, end) = tokens(&mut cursor, start)?;
        pieces.push(Piece::Action(Action { tokens, at: start..cursor.at() }));
        after = end;
    }
}

fn push_text(pieces: &mut Vec<Piece>, text: &str) {
    if !text.is_empty() {
        pieces.push(Piece::Text(text.to_owned()));
    }
}

fn trims_before(cursor: &Cursor<'_>) -> bool {
    let mut next = cursor.rest().chars();
    next.next() == Some('-') && next.next().is_some_and(char::is_whitespace)
}

/// Moves past `/* … */}}` if that comes next.
fn comment(cursor: &mut Cursor<'_>, open: usize) -> Result<Option<After>, SyntaxError> {
    if !cursor.rest().trim_start().starts_with("/*") {
        return Ok(None);
    }
    let start = cursor.at();
    cursor.skip_space();
    while !cursor.take("*/") {
        if cursor.bump().is_none() {
            let error = SyntaxError::new("the comment is not closed", open..start + 2);
            return Err(error.hint("end it with `*/}}`"));
        }
    }
    match closing(cursor) {
        Some(after) => Ok(Some(after)),
        None => Err(SyntaxError::new("nothing may follow a comment", open..cursor.at())
            .hint("end it with `*/}}`")),
    }
}

fn tokens(cursor: &mut Cursor<'_>, open: usize) -> Result<(Vec<Token>, After), SyntaxError> {
    let unclosed = || {
        SyntaxError::new("`{{` is not closed", open..open + 2)
            .hint("add `}}`, or write `{{\"{{\"}}` for two braces as they are")
    };
    if !cursor.rest().contains("}}") {
        return Err(unclosed());
    }
    let mut tokens = Vec::new();
    loop {
        if let Some(after) = closing(cursor) {
            return Ok((tokens, after));
        }
        tokens.push(token(cursor)?.ok_or_else(unclosed)?);
    }
}

/// Moves past `}}` or ` -}}` if that comes next.
fn closing(cursor: &mut Cursor<'_>) -> Option<After> {
    let start = cursor.at();
    cursor.skip_space();
    if cursor.at() > start && cursor.take("-}}") {
        return Some(After::Trim);
    }
    cursor.take("}}").then_some(After::Keep)
}
