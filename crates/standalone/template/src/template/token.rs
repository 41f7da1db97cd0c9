//! The tokens inside `{{…}}`.

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
}

#[derive(Debug, Clone)]
pub(crate) enum TokenKind {
    /// `.` or `.a.b`.
    Dot(Vec<String>),
    /// `$`, `$x` or `$x.a.b`; the name without `$`.
    Variable(String, Vec<String>),
    /// `len`, `inputs` or `inputs.a.b`.
    Name(String, Vec<String>),
    Literal(Value),
    Pipe,
    Comma,
    Declare,
    Assign,
    Open,
    /// `)` or `).a.b`.
    Close(Vec<String>),
}

/// The next token, or none at the end of what the cursor covers.
pub(crate) fn token(cursor: &mut Cursor<'_>) -> Result<Option<Token>, SyntaxError> {
    cursor.skip_space();
    let start = cursor.at();
    let Some(next) = cursor.peek() else { return Ok(None) };
    let second = cursor.rest().chars().nth(1);
    let kind = match next {
        '.' => dot(cursor)?,
        '$' => {
            cursor.bump();
            TokenKind::Variable(cursor.word().to_owned(), keys(cursor)?)
        }
        '"' => TokenKind::Literal(Value::String(cursor.quoted()?)),
        '`' => TokenKind::Literal(Value::String(cursor.raw()?)),
        '-' | '+' if second.is_some_and(|c| c.is_ascii_digit()) => {
            TokenKind::Literal(cursor.number()?)
        }
        '0'..='9' => TokenKind::Literal(cursor.number()?),
        c if in_word(c) => name(cursor)?,
        _ => punctuation(cursor)?,
    };
    Ok(Some(Token { kind, at: start..cursor.at() }))
}

fn name(cursor: &mut Cursor<'_>) -> Result<TokenKind, SyntaxError> {
    let name = cursor.word();
    Ok(match name {
        "true" => TokenKind::Literal(Value::Bool(true)),
        "false" => TokenKind::Literal(Value::Bool(false)),
        "nil" => TokenKind::Literal(Value::Null),
        _ => TokenKind::Name(name.to_owned(), keys(cursor)?),
    })
}

fn dot(cursor: &mut Cursor<'_>) -> Result<TokenKind, SyntaxError> {
    let alone = !cursor.rest().chars().nth(1).is_some_and(in_word);
    if alone {
        cursor.bump();
        return Ok(TokenKind::Dot(Vec::new()));
    }
    Ok(TokenKind::Dot(keys(cursor)?))
}

/// Names in a path, at most.
pub(crate) const MOST_KEYS: usize = 32;
/// The longest name in a path, in bytes.
pub(crate) const LONGEST_KEY: usize = 200;

/// The rest of a path, `.a.b`, with nothing between its parts.
fn keys(cursor: &mut Cursor<'_>) -> Result<Vec<String>, SyntaxError> {
    let mut keys = Vec::new();
    while cursor.take(".") {
        let key = cursor.key();
        if key.is_empty() {
            let at = cursor.at() - 1..cursor.at();
            return Err(SyntaxError::new("a name is missing after `.`", at).hint(
                "a name with other characters is reached by `index`: `index .inputs \"a b\"`",
            ));
        }
        if key.len() > LONGEST_KEY || keys.len() == MOST_KEYS {
            let at = cursor.at() - key.len()..cursor.at();
            let message = format!(
                "a path has at most {MOST_KEYS} names, each of {LONGEST_KEY} bytes at most"
            );
            return Err(SyntaxError::new(message, at));
        }
        keys.push(key.to_owned());
    }
    Ok(keys)
}

fn punctuation(cursor: &mut Cursor<'_>) -> Result<TokenKind, SyntaxError> {
    for (sign, instead) in FOREIGN {
        if cursor.rest().starts_with(sign) {
            let at = cursor.at()..cursor.at() + sign.len();
            return Err(SyntaxError::new(format!("`{sign}` is not an operator of templates"), at)
                .hint(*instead));
        }
    }
    let start = cursor.at();
    Ok(match cursor.bump() {
        Some('|') => TokenKind::Pipe,
        Some(',') => TokenKind::Comma,
        Some('=') => TokenKind::Assign,
        Some(':') if cursor.take("=") => TokenKind::Declare,
        Some('(') => TokenKind::Open,
        Some(')') => TokenKind::Close(keys(cursor)?),
        other => return Err(unexpected(other, start..cursor.at())),
    })
}

/// Operators of other languages, and what to write here.
const FOREIGN: &[(&str, &str)] = &[
    ("==", "write `eq a b`"),
    ("!=", "write `ne a b`"),
    ("<=", "write `le a b`"),
    (">=", "write `ge a b`"),
    ("&&", "write `and a b`"),
    ("||", "write `or a b`"),
    ("<", "write `lt a b`"),
    (">", "write `gt a b`"),
    ("!", "write `not a`"),
];

fn unexpected(found: Option<char>, at: Range<usize>) -> SyntaxError {
    let shown = found.map(String::from).unwrap_or_default();
    let error = SyntaxError::new(format!("`{shown}` is not expected in `{{{{…}}}}`"), at);
    match found {
        Some('\'') => error.hint("put text in double quotes"),
        Some('}') => error.hint("an action is closed by `}}`"),
        Some('-') => error.hint("put a space before `-}}`, and none inside a name"),
        _ => error,
    }
}
