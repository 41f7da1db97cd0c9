//! Reading a text from left to right: words, keys and literals, which both languages write alike.

use std::ops::Range;

use serde_json::Value;

use crate::{SyntaxError, value::Number};

/// A place in a text. Ranges are of bytes of the whole text, wherever reading began.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'t> {
    text: &'t str,
    at: usize,
    end: usize,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t str, range: Range<usize>) -> Self {
        Self { text, at: range.start, end: range.end }
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn rest(&self) -> &'t str {
        self.text.get(self.at..self.end).unwrap_or_default()
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn before(&self) -> Option<char> {
        self.text.get(..self.at)?.chars().next_back()
    }

    pub(crate) fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Moves past `token` if it comes next.
    pub(crate) fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    pub(crate) fn skip_space(&mut self) {
        self.take_while(char::is_whitespace);
    }

    pub(crate) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    /// Letters, digits and `_`.
    pub(crate) fn word(&mut self) -> &'t str {
        self.take_while(in_word)
    }

    /// A word that may hold dashes, each between two letters or digits: `my-step`.
    pub(crate) fn key(&mut self) -> &'t str {
        let start = self.at;
        self.word();
        while self.at > start && self.rest().starts_with('-') {
            if !self.rest().chars().nth(1).is_some_and(in_word) {
                break;
            }
            self.bump();
            self.word();
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// A number, its sign already known to be one.
    pub(crate) fn number(&mut self) -> Result<Value, SyntaxError> {
        let start = self.at;
        if !self.take("-") {
            self.take("+");
        }
        self.take_while(|c| in_word(c) || c == '.');
        if self.before().is_some_and(|c| matches!(c, 'e' | 'E'))
            && self.rest().starts_with(['+', '-'])
        {
            self.bump();
            self.word();
        }
        let number = self.text.get(start..self.at).unwrap_or_default();
        Number::read(number).map(Value::from).ok_or_else(|| {
            SyntaxError::new(format!("`{number}` is not a number"), start..self.at)
                .hint("write numbers as `42`, `-1` or `0.5`, and text in double quotes")
        })
    }

    /// A text in backticks, taken as it is.
    pub(crate) fn raw(&mut self) -> Result<String, SyntaxError> {
        let start = self.at;
        self.bump();
        let text = self.take_while(|c| c != '`').to_owned();
        if self.take("`") { Ok(text) } else { Err(unclosed("`` ` ``", start)) }
    }

    /// A text in quotes, on one line, with the escapes of C.
    pub(crate) fn quoted(&mut self) -> Result<String, SyntaxError> {
        let start = self.at;
        let quote = self.bump().unwrap_or('"');
        let mut text = String::new();
        loop {
            match self.bump() {
                Some(c) if c == quote => return Ok(text),
                Some('\\') => text.push(self.escaped()?),
                None | Some('\n') => return Err(unclosed(&format!("`{quote}`"), start)),
                Some(c) => text.push(c),
            }
        }
    }

    fn escaped(&mut self) -> Result<char, SyntaxError> {
        let start = self.at - 1;
        let escaped = match self.bump() {
            Some('n') => Some('\n'),
            Some('t') => Some('\t'),
            Some('r') => Some('\r'),
            Some('0') => Some('\0'),
            Some(c @ ('\\' | '"' | '\'' | '`' | '/')) => Some(c),
            Some('x') => self.code_point(2),
            Some('u') => self.code_point(4),
            _ => None,
        };
        escaped.ok_or_else(|| {
            let written = self.text.get(start..self.at).unwrap_or_default();
            SyntaxError::new(format!("`{written}` is not an escape"), start..self.at)
                .hint("write a backslash as `\\\\`, or put the text in backticks")
        })
    }

    fn code_point(&mut self, digits: usize) -> Option<char> {
        let code = self.rest().get(..digits)?;
        if !code.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let point = u32::from_str_radix(code, 16).ok().and_then(char::from_u32)?;
        self.at += digits;
        Some(point)
    }
}

pub(crate) fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn unclosed(quote: &str, start: usize) -> SyntaxError {
    SyntaxError::new(format!("the text opened by {quote} is not closed"), start..start + 1)
        .hint(format!("add {quote}"))
}
