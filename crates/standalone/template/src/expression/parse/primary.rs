//! What stands between operators: names, literals, calls, lists, maps, `{{…}}`.

use std::{ops::Range, sync::Arc};

use serde_json::Value;

use crate::{
    SyntaxError,
    cursor::Cursor,
    expression::{
        ast::{Binary, Expr, Kind, Step},
        function::Function,
        parse::{Nesting, Parser, node, parse, unexpected},
        pattern,
        token::{Token, TokenKind},
    },
    template::{
        ast::Pipeline,
        pipeline::{Dot, Reader},
        token::token,
    },
};

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Result<Expr, SyntaxError> {
        let Some((token, rest)) = self.tokens.split_first() else {
            return Err(SyntaxError::new("a value is missing here", self.here()));
        };
        self.tokens = rest;
        let at = token.at.clone();
        match &token.kind {
            TokenKind::Literal(value) => node(Kind::Literal(Arc::new(value.clone())), at, 0),
            TokenKind::Braces(inner) => self.braces(inner.clone(), at),
            TokenKind::Name(name) => self.name(name, at),
            TokenKind::Sign("(") => {
                let inner = self.choice()?;
                self.expect(")", "`(` is not closed")?;
                Ok(Expr { at: at.start..self.last_end(), ..inner })
            }
            TokenKind::Sign("[") => self.list(&at),
            TokenKind::Sign("{") => self.map(&at),
            TokenKind::Sign(".") => self.leading_dot(&at),
            TokenKind::Sign(_) => Err(unexpected(token)),
        }
    }

    fn name(&mut self, name: &str, at: Range<usize>) -> Result<Expr, SyntaxError> {
        let value = match name {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "nil" | "null" => Value::Null,
            _ if self.take("(") => return self.call(name, &at),
            _ if Binary::written(name).is_some() => {
                return Err(SyntaxError::new(format!("a value is missing before `{name}`"), at));
            }
            _ => return node(Kind::Namespace(name.to_owned()), at, 0),
        };
        node(Kind::Literal(Arc::new(value)), at, 0)
    }

    /// `.inputs.x`, as templates write it.
    fn leading_dot(&mut self, dot: &Range<usize>) -> Result<Expr, SyntaxError> {
        match self.step(dot)? {
            Step::Key(name, at) => node(Kind::Namespace(name), dot.start..at.end, 0),
            Step::Index(index, _) => Err(SyntaxError::new("a name is missing after `.`", index.at)),
        }
    }

    fn call(&mut self, name: &str, at: &Range<usize>) -> Result<Expr, SyntaxError> {
        let arguments = self.items(")", "`(` is not closed")?;
        let function = Function::called(name, arguments.len(), at)?;
        if let (Function::Matches, Some(pattern)) = (function, arguments.get(1)) {
            pattern::check(pattern)?;
        }
        let depth = deepest(&arguments);
        node(Kind::Call(function, arguments), at.start..self.last_end(), depth)
    }

    fn list(&mut self, open: &Range<usize>) -> Result<Expr, SyntaxError> {
        let items = self.items("]", "`[` is not closed")?;
        let depth = deepest(&items);
        node(Kind::List(items), open.start..self.last_end(), depth)
    }

    /// Expressions with commas between them, and one behind the last if you like.
    fn items(&mut self, close: &'static str, unclosed: &str) -> Result<Vec<Expr>, SyntaxError> {
        let mut items = Vec::new();
        while !self.take(close) {
            items.push(self.choice()?);
            if !self.take(",") {
                self.expect(close, unclosed)?;
                break;
            }
        }
        Ok(items)
    }

    fn map(&mut self, open: &Range<usize>) -> Result<Expr, SyntaxError> {
        let mut entries = Vec::new();
        let mut depth = 0;
        while !self.take("}") {
            let key = self.map_key()?;
            self.expect(":", "a map needs `:` between key and value")?;
            let value = self.choice()?;
            depth = depth.max(key.depth).max(value.depth);
            entries.push((key, value));
            if !self.take(",") {
                self.expect("}", "`{` is not closed")?;
                break;
            }
        }
        node(Kind::Map(entries), open.start..self.last_end(), depth)
    }

    /// A key of a map literal: a bare name is the text it reads.
    fn map_key(&mut self) -> Result<Expr, SyntaxError> {
        if let [Token { kind: TokenKind::Name(name), at, .. }, colon, ..] = self.tokens
            && colon.kind == TokenKind::Sign(":")
        {
            self.tokens = self.tokens.get(1..).unwrap_or_default();
            return node(Kind::Literal(Arc::new(Value::from(name.as_str()))), at.clone(), 0);
        }
        self.choice()
    }

    /// `{{…}}`: as a template has it, or an expression in braces.
    fn braces(&mut self, inner: Range<usize>, at: Range<usize>) -> Result<Expr, SyntaxError> {
        if self.nesting == Nesting::InBraces {
            return Err(SyntaxError::new("`{{…}}` cannot stand in `{{…}}`", at));
        }
        let as_template = match pipeline(self.text, inner.clone(), &at) {
            Ok(pipeline) => return node(Kind::Action(pipeline), at, 0),
            Err(error) => error,
        };
        match parse(self.text, inner, Nesting::InBraces) {
            Ok(expr) => Ok(Expr { at, ..expr }),
            // The reading that came further is the one that was meant.
            Err(error) if error.at.start >= as_template.at.start => Err(error),
            Err(_) => Err(as_template),
        }
    }
}

fn deepest(exprs: &[Expr]) -> usize {
    exprs.iter().map(|expr| expr.depth).max().unwrap_or(0)
}

/// The inside of braces as a template has it. The whole must be one pipeline that sets no variable.
fn pipeline(text: &str, inner: Range<usize>, at: &Range<usize>) -> Result<Pipeline, SyntaxError> {
    let mut cursor = Cursor::new(text, inner);
    let mut tokens = Vec::new();
    while let Some(token) = token(&mut cursor)? {
        tokens.push(token);
    }
    Reader::new(&tokens, at.clone(), Dot::Scope, &mut Vec::new()).whole()
}
