//! Text with `{{…}}` in it.

use std::ops::Range;

use serde_json::Value;

use crate::{EvalError, Insertion, Reference, Scope, SyntaxError};

/// A parsed text with `{{…}}` in it.
#[derive(Debug, Clone)]
pub struct Template {
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone)]
enum Piece {
    Text(String),
    Value { path: Vec<String>, at: Range<usize> },
}

impl Template {
    /// Reads a text. Whatever stands outside `{{…}}` stays as it is.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        let mut pieces = Vec::new();
        let mut from = 0;
        while let Some(open) = text[from..].find("{{").map(|found| from + found) {
            let Some(end) = text[open..].find("}}").map(|found| open + found + 2) else {
                return Err(SyntaxError::new("`{{` is not closed", open..open + 2).hint("add `}}`"));
            };
            if open > from {
                pieces.push(Piece::Text(text[from..open].to_owned()));
            }
            let path = text[open + 2..end - 2].trim().trim_start_matches('.');
            let path: Vec<String> = path.split('.').map(str::to_owned).collect();
            if path.iter().any(String::is_empty) {
                return Err(SyntaxError::new("a value is missing here", open..end));
            }
            pieces.push(Piece::Value { path, at: open..end });
            from = end;
        }
        if from < text.len() {
            pieces.push(Piece::Text(text[from..].to_owned()));
        }
        Ok(Self { pieces })
    }

    /// The text with every action replaced by what it prints.
    pub fn render(&self, scope: &dyn Scope) -> Result<String, EvalError> {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(part) => text.push_str(part),
                Piece::Value { path, at } => match lookup(path, at, scope)? {
                    Value::String(value) => text.push_str(&value),
                    value => text.push_str(&value.to_string()),
                },
            }
        }
        Ok(text)
    }

    /// The value of a template that is exactly one action, with its type; of any other the rendered text.
    pub fn evaluate(&self, scope: &dyn Scope) -> Result<Value, EvalError> {
        match self.pieces.as_slice() {
            [Piece::Value { path, at }] => lookup(path, at, scope),
            _ => self.render(scope).map(Value::String),
        }
    }

    /// Every mention of a value of the scope, in the order of the text.
    pub fn references(&self) -> Vec<Reference> {
        self.insertions().into_iter().flat_map(|insertion| insertion.references).collect()
    }

    /// Whether there is no action in it, so that it renders to the same text always.
    pub fn is_literal(&self) -> bool {
        self.pieces.iter().all(|piece| matches!(piece, Piece::Text(_)))
    }

    /// Every action that prints, in the order of the text.
    pub fn insertions(&self) -> Vec<Insertion> {
        self.pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Text(_) => None,
                Piece::Value { path, at } => Some(Insertion {
                    references: vec![Reference {
                        path: path.clone(),
                        at: at.clone(),
                        certain: true,
                    }],
                    escaped: false,
                    at: at.clone(),
                }),
            })
            .collect()
    }
}

fn lookup(path: &[String], at: &Range<usize>, scope: &dyn Scope) -> Result<Value, EvalError> {
    let missing = || EvalError::new(format!("`{}` is not set", path.join(".")), at.clone());
    let (root, keys) = path.split_first().ok_or_else(missing)?;
    let mut value = scope.root(root).ok_or_else(missing)?;
    for key in keys {
        value = value.get(key).ok_or_else(missing)?;
    }
    Ok(value.clone())
}
