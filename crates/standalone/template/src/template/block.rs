//! Pieces put together: `if`, `with` and `range` with what they enclose.

use std::{ops::Range, vec::IntoIter};

use crate::{
    SyntaxError,
    template::{
        ast::{Binding, Choice, Loop, Node, Pipeline},
        piece::{Action, Piece, pieces},
        pipeline::{Dot, Reader},
        token::{Token, TokenKind},
    },
};

/// How deep blocks may nest.
const DEEPEST: usize = 64;

/// The nodes of a whole text.
pub(crate) fn nodes(text: &str) -> Result<Vec<Node>, SyntaxError> {
    let pieces = pieces(text)?.into_iter();
    let mut blocks = Blocks { pieces, variables: Vec::new(), depth: 0 };
    let (nodes, end) = blocks.body(Dot::Scope)?;
    match end {
        Stop::OfText => Ok(nodes),
        Stop::Else(action) | Stop::End(action) => Err(SyntaxError::new(
            "this belongs to no `{{if}}`, `{{range}}` or `{{with}}`",
            action.at,
        )),
    }
}

struct Blocks {
    pieces: IntoIter<Piece>,
    /// The variables in scope, by slot.
    variables: Vec<String>,
    depth: usize,
}

/// What ended a body.
enum Stop {
    OfText,
    Else(Action),
    End(Action),
}

#[derive(Clone, Copy)]
enum Keyword {
    Opens(Block),
    Else,
    End,
}

#[derive(Clone, Copy)]
enum Block {
    If,
    With,
    Range,
}

impl Blocks {
    /// Everything up to what ends the block it stands in. Variables declared inside are gone after it.
    fn body(&mut self, dot: Dot) -> Result<(Vec<Node>, Stop), SyntaxError> {
        let outer = self.variables.len();
        let mut nodes = Vec::new();
        let end = loop {
            let action = match self.pieces.next() {
                None => break Stop::OfText,
                Some(Piece::Text(text)) => {
                    nodes.push(Node::Text(text));
                    continue;
                }
                Some(Piece::Action(action)) => action,
            };
            match keyword(&action.tokens) {
                Some(Keyword::Else) => break Stop::Else(action),
                Some(Keyword::End) => break Stop::End(action),
                Some(Keyword::Opens(block)) => nodes.push(self.block(block, &action, dot)?),
                None => nodes.push(self.plain(&action, dot)?),
            }
        };
        self.variables.truncate(outer);
        Ok((nodes, end))
    }

    fn plain(&mut self, action: &Action, dot: Dot) -> Result<Node, SyntaxError> {
        let read = self.reader(&action.tokens, &action.at, dot).whole();
        // Nothing depends on an action that only prints.
        let prints = !matches!(
            action.tokens.first().map(|first| &first.kind),
            Some(TokenKind::Variable(..))
        );
        let pipeline = read
            .map_err(|error| SyntaxError { action: prints.then(|| action.at.clone()), ..error })?;
        Ok(match pipeline.binding {
            Binding::None => Node::Print(pipeline, action.at.clone()),
            Binding::Declare | Binding::Assign(_) => Node::Set(pipeline),
        })
    }

    fn block(&mut self, block: Block, action: &Action, dot: Dot) -> Result<Node, SyntaxError> {
        if self.depth == DEEPEST {
            return Err(SyntaxError::new("blocks are nested too deep", action.at.clone()));
        }
        self.depth += 1;
        let outer = self.variables.len();
        let node = match block {
            Block::If => Node::If(self.choice(action, dot, dot)?),
            Block::With => Node::With(self.choice(action, dot, Dot::Element)?),
            Block::Range => self.range(action, dot)?,
        };
        self.variables.truncate(outer);
        self.depth -= 1;
        Ok(node)
    }

    /// The branches of an `if` or a `with`. An `else if` is one more branch, not one more level.
    fn choice(&mut self, opening: &Action, dot: Dot, inside: Dot) -> Result<Choice, SyntaxError> {
        let mut branches = Vec::new();
        let mut tested = self.after_keyword(&opening.tokens, &opening.at, dot)?;
        loop {
            let (body, end) = self.body(inside)?;
            branches.push((tested, body));
            let middle = match end {
                Stop::OfText => return Err(unclosed(opening)),
                Stop::End(action) => {
                    bare(&action)?;
                    return Ok(Choice { branches, otherwise: Vec::new() });
                }
                Stop::Else(action) => action,
            };
            let Some((_, rest)) = middle.tokens.split_first().filter(|(_, rest)| !rest.is_empty())
            else {
                return Ok(Choice { branches, otherwise: self.last_branch(opening, dot)? });
            };
            if word(rest) != word(&opening.tokens) {
                return Err(unexpected_after(&middle));
            }
            tested = self.after_keyword(rest, &middle.at, dot)?;
        }
    }

    fn range(&mut self, opening: &Action, dot: Dot) -> Result<Node, SyntaxError> {
        let tokens = opening.tokens.get(1..).unwrap_or_default();
        let outer = self.variables.len();
        let (names, subject) = self.reader(tokens, &opening.at, dot).range()?;
        let (body, end) = self.body(Dot::Element)?;
        self.variables.truncate(outer);
        let otherwise = match end {
            Stop::OfText => return Err(unclosed(opening)),
            Stop::End(action) => {
                bare(&action)?;
                Vec::new()
            }
            Stop::Else(action) => {
                bare(&action)?;
                self.last_branch(opening, dot)?
            }
        };
        Ok(Node::Range(Loop { names, subject, body, otherwise }))
    }

    /// What follows a plain `else`.
    fn last_branch(&mut self, opening: &Action, dot: Dot) -> Result<Vec<Node>, SyntaxError> {
        let (body, end) = self.body(dot)?;
        match end {
            Stop::End(action) => bare(&action).map(|()| body),
            Stop::OfText => Err(unclosed(opening)),
            Stop::Else(action) => {
                Err(SyntaxError::new("nothing but `{{end}}` can follow `{{else}}`", action.at))
            }
        }
    }

    fn after_keyword(
        &mut self,
        tokens: &[Token],
        at: &Range<usize>,
        dot: Dot,
    ) -> Result<Pipeline, SyntaxError> {
        self.reader(tokens.get(1..).unwrap_or_default(), at, dot).whole()
    }

    fn reader<'a>(&'a mut self, tokens: &'a [Token], at: &Range<usize>, dot: Dot) -> Reader<'a> {
        Reader::new(tokens, at.clone(), dot, &mut self.variables)
    }
}

fn word(tokens: &[Token]) -> Option<&str> {
    match tokens.first().map(|token| &token.kind) {
        Some(TokenKind::Name(name, keys)) if keys.is_empty() => Some(name),
        _ => None,
    }
}

fn keyword(tokens: &[Token]) -> Option<Keyword> {
    match word(tokens)? {
        "if" => Some(Keyword::Opens(Block::If)),
        "with" => Some(Keyword::Opens(Block::With)),
        "range" => Some(Keyword::Opens(Block::Range)),
        "else" => Some(Keyword::Else),
        "end" => Some(Keyword::End),
        _ => None,
    }
}

/// Refuses anything behind `end` or a plain `else`.
fn bare(action: &Action) -> Result<(), SyntaxError> {
    if action.tokens.len() == 1 { Ok(()) } else { Err(unexpected_after(action)) }
}

fn unexpected_after(action: &Action) -> SyntaxError {
    let at = action.tokens.get(1).map_or(action.at.clone(), |token| token.at.clone());
    SyntaxError::new(format!("this cannot follow `{}`", word(&action.tokens).unwrap_or("end")), at)
}

fn unclosed(opening: &Action) -> SyntaxError {
    let word = word(&opening.tokens).unwrap_or("if");
    SyntaxError::new(format!("`{{{{{word}}}}}` is not closed"), opening.at.clone())
        .hint("add `{{end}}`")
}
