//! The tokens of expressions.

use std::ops::Range;

use serde_json::Value;

use crate::{
    SyntaxError,
    cursor::{Cursor, in_word},
};

#[derive(Debug, Clone)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) at: Range<usize>,
    pub(crate) before: Before,
}

/// What stands before a token. A dot belongs to what it follows only when it touches it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Before {
    Space,
    Nothing,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TokenKind {
    Name(String),
    Literal(Value),
    Sign(&'static str),
    /// `{{…}}`; the range is what stands between the braces.
    Braces(Range<usize>),
}

/// Operators and punctuation, longer ones before those they begin with.
const SIGNS: &[&str] = &[
    "==", "!=", "<=", ">=", "&&", "||", "?.", "??", "<", ">", "!", "?", ":", "+", "-", "*", "/",
    "%", ".", ",", "(", ")", "[", "]", "{", "}",
];

/// What is written in other languages, and what to write here.
const FOREIGN: &[(&str, &str)] = &[
    ("===", "compare with `==`"),
    ("!==", "compare with `!=`"),
    ("=~", "write `text matches pattern`"),
    ("<>", "compare with `!=`"),
    ("**", "there are no powers; multiply"),
    ("++", "add with `+ 1`"),
    ("..", "there are no ranges; compare with `>=` and `<=`"),
];

pub(crate) fn tokens(text: &str, range: Range<usize>) -> Result<Vec<Token>, SyntaxError> {
    let mut cursor = Cursor::new(text, range);
    let mut tokens: Vec<Token> = Vec::new();
    loop {
        let end = cursor.at();
        cursor.skip_space();
        let start = cursor.at();
        let Some(next) = cursor.peek() else { return Ok(tokens) };
        let kind = match next {
            '"' | '\'' | '`' => TokenKind::Literal(Value::String(literal(&mut cursor, next)?)),
            '0'..='9' if !after_dot(&tokens) => TokenKind::Literal(cursor.number()?),
            c if in_word(c) && after_states(&tokens) => TokenKind::Name(cursor.key().to_owned()),
            c if in_word(c) => TokenKind::Name(cursor.word().to_owned()),
            '{' if cursor.rest().starts_with("{{") => braces(&mut cursor)?,
            _ => TokenKind::Sign(sign(&mut cursor)?),
        };
        let before = if start > end { Before::Space } else { Before::Nothing };
        tokens.push(Token { kind, at: start..cursor.at(), before });
    }
}

fn after_dot(tokens: &[Token]) -> bool {
    matches!(tokens.last(), Some(Token { kind: TokenKind::Sign("." | "?."), .. }))
}

/// Whether a name of a state comes next, which may hold dashes. Elsewhere a dash subtracts.
fn after_states(tokens: &[Token]) -> bool {
    let [.., Token { kind: TokenKind::Name(name), .. }, dot] = tokens else { return false };
    name == "states" && after_dot(std::slice::from_ref(dot))
}

fn literal(cursor: &mut Cursor<'_>, quote: char) -> Result<String, SyntaxError> {
    let start = cursor.at();
    let text = if quote == '`' { cursor.raw()? } else { cursor.quoted()? };
    if text.contains("{{") {
        return Err(SyntaxError::new("`{{…}}` in quotes is not filled in", start..cursor.at())
            .hint("name the value without quotes and braces: `inputs.env == \"prod\"`"));
    }
    Ok(text)
}

/// Moves past `{{…}}`, over texts and over maps inside.
fn braces(cursor: &mut Cursor<'_>) -> Result<TokenKind, SyntaxError> {
    let open = cursor.at();
    cursor.take("{{");
    let start = cursor.at();
    let mut maps = 0_usize;
    loop {
        let at = cursor.at();
        match cursor.peek() {
            None => {
                let error = SyntaxError::new("`{{` is not closed", open..open + 2);
                return Err(error.hint("add `}}`, or leave the braces out"));
            }
            Some('"' | '\'') => drop(cursor.quoted()?),
            Some('`') => drop(cursor.raw()?),
            Some('}') if maps == 0 && cursor.take("}}") => {
                return Ok(TokenKind::Braces(start..at));
            }
            Some(c) => {
                cursor.bump();
                maps = match c {
                    '{' => maps + 1,
                    '}' => maps.saturating_sub(1),
                    _ => maps,
                };
            }
        }
    }
}

fn sign(cursor: &mut Cursor<'_>) -> Result<&'static str, SyntaxError> {
    let start = cursor.at();
    for (foreign, instead) in FOREIGN {
        if cursor.rest().starts_with(foreign) {
            let message = format!("`{foreign}` is not an operator of expressions");
            return Err(SyntaxError::new(message, start..start + foreign.len()).hint(*instead));
        }
    }
    if let Some(sign) = SIGNS.iter().find(|sign| cursor.take(sign)) {
        return Ok(sign);
    }
    let found = cursor.bump().map(String::from).unwrap_or_default();
    let error = SyntaxError::new(format!("`{found}` is not expected"), start..cursor.at());
    Err(match found.as_str() {
        "=" => error.hint("compare with `==`"),
        "&" => error.hint("write `&&`"),
        "|" => error.hint("write `||`"),
        "$" => error.hint("name the value: `inputs.x`, `env.HOME`"),
        _ => error,
    })
}
