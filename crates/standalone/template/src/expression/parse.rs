//! Expressions read from tokens, by how tightly their operators bind.

mod primary;

use std::ops::Range;

use crate::{
    SyntaxError,
    expression::{
        ast::{Binary, Expr, Kind, NOT, Operator, PREFIX, Step, Unary},
        pattern,
        token::{Before, Token, TokenKind, tokens},
    },
};

/// How deep parentheses, lists and the like may nest.
const DEEPEST: usize = 64;
/// How many levels of operators one expression may have: `a + b + c` has two.
const MOST_LEVELS: usize = 256;

/// Reads a whole expression.
pub(crate) fn expression(text: &str) -> Result<Expr, SyntaxError> {
    parse(text, 0..text.len(), Nesting::Outside)
}

/// Whether braces stand around already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nesting {
    Outside,
    InBraces,
}

fn parse(text: &str, range: Range<usize>, nesting: Nesting) -> Result<Expr, SyntaxError> {
    let tokens = tokens(text, range.clone())?;
    let mut parser =
        Parser { text, all: &tokens, tokens: &tokens, end: range.end, nesting, depth: 0 };
    let whole = parser.choice()?;
    match parser.tokens.first() {
        None => Ok(whole),
        Some(next) => Err(unexpected(next)),
    }
}

struct Parser<'t> {
    text: &'t str,
    all: &'t [Token],
    /// Those of `all` not read yet.
    tokens: &'t [Token],
    /// Where the text ends, for what is missing there.
    end: usize,
    nesting: Nesting,
    depth: usize,
}

impl Parser<'_> {
    /// `test ? yes : no`, or anything that binds tighter.
    fn choice(&mut self) -> Result<Expr, SyntaxError> {
        self.nested(|this| {
            let test = this.binary(0)?;
            if !this.take("?") {
                return Ok(test);
            }
            let yes = this.choice()?;
            this.expect(":", "`? … :` needs its `:`")?;
            let no = this.choice()?;
            let at = test.at.start..no.at.end;
            let depth = test.depth.max(yes.depth).max(no.depth);
            node(Kind::Choice(Box::new([test, yes, no])), at, depth)
        })
    }

    fn nested(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Expr, SyntaxError>,
    ) -> Result<Expr, SyntaxError> {
        if self.depth == DEEPEST {
            return Err(SyntaxError::new("expression is nested too deep", self.here()));
        }
        self.depth += 1;
        let expr = read(self);
        self.depth -= 1;
        expr
    }

    /// Operators that bind tighter than `least`, the leftmost first.
    fn binary(&mut self, least: u8) -> Result<Expr, SyntaxError> {
        let mut left = self.prefix()?;
        loop {
            let Some(infix) = infix(self.tokens).filter(|infix| infix.tightness > least) else {
                return Ok(left);
            };
            self.tokens = infix.rest;
            let right = self.binary(infix.tightness)?;
            let at = left.at.start..right.at.end;
            let depth = left.depth.max(right.depth);
            let kind = match infix.operator {
                Binary::Logic(logic) => Kind::Logic(logic, Box::new([left, right])),
                Binary::Operator(operator) => {
                    if operator == Operator::Matches {
                        pattern::check(&right)?;
                    }
                    Kind::Operator(operator, Box::new([left, right]))
                }
            };
            left = node(kind, at.clone(), depth)?;
            if infix.negated {
                let depth = left.depth;
                left = node(Kind::Unary(Unary::Not, Box::new(left)), at, depth)?;
            }
        }
    }

    fn prefix(&mut self) -> Result<Expr, SyntaxError> {
        let Some(first) = self.tokens.first() else { return self.primary() };
        let (unary, tightness) = match &first.kind {
            TokenKind::Sign("!") => (Unary::Not, PREFIX),
            TokenKind::Sign("-") => (Unary::Minus, PREFIX),
            TokenKind::Sign("+") => (Unary::Plus, PREFIX),
            TokenKind::Name(name) if name == "not" => (Unary::Not, NOT),
            TokenKind::Name(_)
            | TokenKind::Literal(_)
            | TokenKind::Sign(_)
            | TokenKind::Braces(_) => return self.postfix(),
        };
        self.tokens = self.tokens.get(1..).unwrap_or_default();
        let operand = self.nested(|this| this.binary(tightness))?;
        let (at, depth) = (first.at.start..operand.at.end, operand.depth);
        node(Kind::Unary(unary, Box::new(operand)), at, depth)
    }

    /// A value and what is reached from it: `states.build["Output"]`.
    fn postfix(&mut self) -> Result<Expr, SyntaxError> {
        let base = self.primary()?;
        let (start, mut end, mut depth) = (base.at.start, base.at.end, base.depth);
        let mut steps = Vec::new();
        while let Some(next) = self.tokens.first().filter(|token| token.before == Before::Nothing) {
            let step = match next.kind {
                TokenKind::Sign("." | "?.") => {
                    self.tokens = self.tokens.get(1..).unwrap_or_default();
                    self.step(&next.at)?
                }
                TokenKind::Sign("[") => {
                    self.tokens = self.tokens.get(1..).unwrap_or_default();
                    self.index()?
                }
                _ => break,
            };
            if let Step::Index(index, _) = &step {
                depth = depth.max(index.depth);
            }
            steps.push(step);
            end = self.last_end();
        }
        if steps.is_empty() {
            return Ok(base);
        }
        node(Kind::Access(Box::new(base), steps), start..end, depth)
    }

    /// What follows a dot. `?.[0]` is an index, and `Duration()` is the field of that name.
    fn step(&mut self, dot: &Range<usize>) -> Result<Step, SyntaxError> {
        if self.take("[") {
            return self.index();
        }
        let [Token { kind: TokenKind::Name(name), at, .. }, rest @ ..] = self.tokens else {
            return Err(SyntaxError::new("a name is missing after `.`", dot.clone())
                .hint("other names are reached by brackets: `inputs[\"a b\"]`"));
        };
        self.tokens = rest;
        if self.take("(") && !self.take(")") {
            let message = format!("`{name}` is not a function of expressions");
            return Err(SyntaxError::new(message, at.clone())
                .hint("values have no methods; functions stand before: `lower(inputs.x)`"));
        }
        Ok(Step::Key(name.clone(), at.clone()))
    }

    fn index(&mut self) -> Result<Step, SyntaxError> {
        let index = self.choice()?;
        self.expect("]", "`[` is not closed")?;
        Ok(Step::Index(index, self.last_end()))
    }

    fn take(&mut self, sign: &'static str) -> bool {
        match self.tokens {
            [Token { kind: TokenKind::Sign(next), .. }, rest @ ..] if *next == sign => {
                self.tokens = rest;
                true
            }
            _ => false,
        }
    }

    fn expect(&mut self, sign: &'static str, otherwise: &str) -> Result<(), SyntaxError> {
        if self.take(sign) {
            return Ok(());
        }
        Err(SyntaxError::new(otherwise, self.here()).hint(format!("add `{sign}`")))
    }

    /// Where reading is: the next token, or the end of the text.
    fn here(&self) -> Range<usize> {
        self.tokens.first().map_or(self.end..self.end, |token| token.at.clone())
    }

    /// Where the last token read ends.
    fn last_end(&self) -> usize {
        let read = self.all.len() - self.tokens.len();
        read.checked_sub(1).and_then(|last| self.all.get(last)).map_or(0, |token| token.at.end)
    }
}

/// A node above others of which the deepest has `depth` levels.
fn node(kind: Kind, at: Range<usize>, depth: usize) -> Result<Expr, SyntaxError> {
    if depth < MOST_LEVELS {
        return Ok(Expr { kind, at, depth: depth + 1 });
    }
    Err(SyntaxError::new(format!("expression has more than {MOST_LEVELS} operators in a row"), at)
        .hint("use `in` with a list, or parentheses"))
}

/// An operator between two values, `not` before it included.
struct Infix<'t> {
    operator: Binary,
    tightness: u8,
    negated: bool,
    rest: &'t [Token],
}

fn infix(tokens: &[Token]) -> Option<Infix<'_>> {
    match tokens {
        [Token { kind: TokenKind::Name(not), .. }, rest @ ..] if not == "not" => {
            let infix = plain(rest)?;
            let Binary::Operator(operator) = infix.operator else { return None };
            operator.follows_not().then_some(Infix { negated: true, ..infix })
        }
        _ => plain(tokens),
    }
}

fn plain(tokens: &[Token]) -> Option<Infix<'_>> {
    let (first, rest) = tokens.split_first()?;
    let (operator, tightness) = match &first.kind {
        TokenKind::Name(spelling) => Binary::written(spelling)?,
        TokenKind::Sign(spelling) => Binary::written(spelling)?,
        TokenKind::Literal(_) | TokenKind::Braces(_) => return None,
    };
    Some(Infix { operator, tightness, negated: false, rest })
}

fn unexpected(token: &Token) -> SyntaxError {
    let message = match &token.kind {
        TokenKind::Sign(sign) => format!("`{sign}` is not expected here"),
        TokenKind::Name(_) | TokenKind::Literal(_) | TokenKind::Braces(_) => {
            let message = "an operator is missing before this";
            return SyntaxError::new(message, token.at.clone())
                .hint("compare with `==`, or put text in quotes");
        }
    };
    SyntaxError::new(message, token.at.clone())
}
