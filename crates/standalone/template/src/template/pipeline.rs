//! Pipelines read from tokens: `index .states "build" "Output" | trimSpace | escape`.

use std::{ops::Range, sync::Arc};

use crate::{
    SyntaxError,
    template::{
        ast::{Base, Binding, Command, LoopNames, Operand, Pipeline},
        function::{Function, is_left_out, unknown},
        token::{Token, TokenKind},
    },
};

/// How deep parentheses may nest.
const DEEPEST: usize = 64;

/// What `.` is where a pipeline stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dot {
    /// All namespaces: `.inputs.x`.
    Scope,
    /// The element of a `range` or what a `with` tested.
    Element,
}

/// Reads the pipelines of one action.
pub(crate) struct Reader<'a> {
    tokens: &'a [Token],
    /// Where the action is, for what is missing from it.
    at: Range<usize>,
    dot: Dot,
    /// The variables in scope, by slot.
    variables: &'a mut Vec<String>,
    depth: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(
        tokens: &'a [Token],
        at: Range<usize>,
        dot: Dot,
        variables: &'a mut Vec<String>,
    ) -> Self {
        Self { tokens, at, dot, variables, depth: 0 }
    }

    /// A pipeline that takes up all tokens, its variable declared.
    pub(crate) fn whole(mut self) -> Result<Pipeline, SyntaxError> {
        let (binding, name) = self.binding()?;
        let mut pipeline = self.commands()?;
        self.finish()?;
        pipeline.binding = binding;
        self.variables.extend(name);
        Ok(pipeline)
    }

    /// What follows `range`, its variables declared.
    pub(crate) fn range(mut self) -> Result<(LoopNames, Pipeline), SyntaxError> {
        let (names, declared) = match self.tokens {
            [first, comma, second, declare, rest @ ..]
                if matches!(comma.kind, TokenKind::Comma)
                    && matches!(declare.kind, TokenKind::Declare) =>
            {
                self.tokens = rest;
                (LoopNames::KeyAndElement, vec![declared(first)?, declared(second)?])
            }
            [first, declare, rest @ ..] if matches!(declare.kind, TokenKind::Declare) => {
                self.tokens = rest;
                (LoopNames::Element, vec![declared(first)?])
            }
            _ => (LoopNames::None, Vec::new()),
        };
        let pipeline = self.commands()?;
        self.finish()?;
        self.variables.extend(declared);
        Ok((names, pipeline))
    }

    /// `$x :=` or `$x =` before a pipeline.
    fn binding(&mut self) -> Result<(Binding, Option<String>), SyntaxError> {
        let [first, sign, rest @ ..] = self.tokens else { return Ok((Binding::None, None)) };
        match sign.kind {
            TokenKind::Declare => {
                self.tokens = rest;
                Ok((Binding::Declare, Some(declared(first)?)))
            }
            TokenKind::Assign => {
                self.tokens = rest;
                let name = declared(first)?;
                Ok((Binding::Assign(self.slot(&name, &first.at)?), None))
            }
            _ => Ok((Binding::None, None)),
        }
    }

    fn finish(&self) -> Result<(), SyntaxError> {
        let Some(next) = self.tokens.first() else { return Ok(()) };
        Err(match next.kind {
            TokenKind::Close(_) => SyntaxError::new("`)` closes nothing", next.at.clone()),
            TokenKind::Assign => SyntaxError::new("`=` is not expected here", next.at.clone())
                .hint("compare by `eq a b`; set a variable by `$x := value`"),
            _ => SyntaxError::new("this is not expected here", next.at.clone()),
        })
    }

    fn commands(&mut self) -> Result<Pipeline, SyntaxError> {
        let mut commands = vec![self.command(0)?];
        while let [Token { kind: TokenKind::Pipe, .. }, rest @ ..] = self.tokens {
            self.tokens = rest;
            commands.push(self.command(1)?);
        }
        let at = commands.first().map_or(0, |command| place(command).start)
            ..commands.last().map_or(0, |command| place(command).end);
        Ok(Pipeline { binding: Binding::None, commands, at })
    }

    /// One command, which gets `fed` more arguments from the pipe.
    fn command(&mut self, fed: usize) -> Result<Command, SyntaxError> {
        let Some(first) = self.tokens.first() else {
            return Err(SyntaxError::new("a value is missing here", self.at.clone()));
        };
        if let TokenKind::Name(name, keys) = &first.kind
            && keys.is_empty()
        {
            return self.named(name, &first.at, fed);
        }
        let operand = self.operand()?;
        let at = operand.at.clone();
        if fed > 0 {
            return Err(SyntaxError::new("only a function can stand after `|`", at));
        }
        if self.begins_operand() {
            let at = self.tokens.first().map_or(at, |next| next.at.clone());
            return Err(SyntaxError::new("only a function takes arguments", at)
                .hint("write the function first: `printf \"%s-%s\" .inputs.a .inputs.b`"));
        }
        Ok(Command::Operand(operand))
    }

    /// A call, or a namespace that stands alone.
    fn named(&mut self, name: &str, at: &Range<usize>, fed: usize) -> Result<Command, SyntaxError> {
        self.tokens = self.tokens.get(1..).unwrap_or_default();
        let mut arguments = Vec::new();
        while self.begins_operand() {
            arguments.push(self.operand()?);
        }
        let Some(function) = Function::named(name) else {
            if arguments.is_empty() && fed == 0 && !is_left_out(name) {
                let base = Base::Namespace(name.to_owned());
                let operand = Operand { base, keys: Vec::new(), at: at.clone() };
                return Ok(Command::Operand(operand));
            }
            return Err(unknown(name, at));
        };
        if let Some(message) = function.refuse_count(arguments.len() + fed) {
            return Err(SyntaxError::new(message, at.clone()));
        }
        let end = arguments.last().map_or(at.end, |argument| argument.at.end);
        Ok(Command::Call { function, arguments, at: at.start..end })
    }

    fn begins_operand(&self) -> bool {
        self.tokens.first().is_some_and(|token| match token.kind {
            TokenKind::Dot(_)
            | TokenKind::Variable(..)
            | TokenKind::Name(..)
            | TokenKind::Literal(_)
            | TokenKind::Open => true,
            TokenKind::Pipe
            | TokenKind::Comma
            | TokenKind::Declare
            | TokenKind::Assign
            | TokenKind::Close(_) => false,
        })
    }

    fn operand(&mut self) -> Result<Operand, SyntaxError> {
        let Some((token, rest)) = self.tokens.split_first() else {
            return Err(SyntaxError::new("a value is missing here", self.at.clone()));
        };
        self.tokens = rest;
        let at = token.at.clone();
        let (base, keys) = match &token.kind {
            TokenKind::Literal(value) => (Base::Literal(Arc::new(value.clone())), Vec::new()),
            TokenKind::Dot(keys) => match self.dot {
                Dot::Scope => namespace(keys, &at)?,
                Dot::Element => (Base::Element, keys.clone()),
            },
            TokenKind::Variable(name, keys) if name.is_empty() => namespace(keys, &at)?,
            TokenKind::Variable(name, keys) => {
                let slot = self.slot(name, &at)?;
                (Base::Variable { name: name.clone(), slot }, keys.clone())
            }
            TokenKind::Name(name, keys) if keys.is_empty() && Function::named(name).is_some() => {
                return Err(SyntaxError::new(format!("`{name}` is a function, not a value"), at)
                    .hint(format!("put the call in parentheses: `({name} …)`")));
            }
            TokenKind::Name(name, keys) => (Base::Namespace(name.clone()), keys.clone()),
            TokenKind::Open => return self.group(at),
            TokenKind::Pipe
            | TokenKind::Comma
            | TokenKind::Declare
            | TokenKind::Assign
            | TokenKind::Close(_) => {
                return Err(SyntaxError::new("a value is missing here", at));
            }
        };
        Ok(Operand { base, keys, at })
    }

    fn group(&mut self, open: Range<usize>) -> Result<Operand, SyntaxError> {
        if self.depth == DEEPEST {
            return Err(SyntaxError::new("parentheses are nested too deep", open));
        }
        self.depth += 1;
        let pipeline = self.commands()?;
        self.depth -= 1;
        let [Token { kind: TokenKind::Close(keys), at }, rest @ ..] = self.tokens else {
            return Err(SyntaxError::new("`(` is not closed", open).hint("add `)`"));
        };
        self.tokens = rest;
        let at = open.start..at.end;
        Ok(Operand { base: Base::Group(Box::new(pipeline)), keys: keys.clone(), at })
    }

    fn slot(&self, name: &str, at: &Range<usize>) -> Result<usize, SyntaxError> {
        self.variables.iter().rposition(|known| known == name).ok_or_else(|| {
            SyntaxError::new(format!("variable `${name}` is not declared here"), at.clone())
                .hint(format!("declare it before: `{{{{${name} := …}}}}`"))
        })
    }
}

/// The name of a variable to set.
fn declared(token: &Token) -> Result<String, SyntaxError> {
    match &token.kind {
        TokenKind::Variable(name, keys) if !name.is_empty() && keys.is_empty() => Ok(name.clone()),
        _ => Err(SyntaxError::new("only a variable can be set", token.at.clone())
            .hint("write `$name := value`")),
    }
}

fn namespace(keys: &[String], at: &Range<usize>) -> Result<(Base, Vec<String>), SyntaxError> {
    match keys.split_first() {
        Some((name, keys)) => Ok((Base::Namespace(name.clone()), keys.to_vec())),
        None => Err(SyntaxError::new("there is no value of all namespaces", at.clone())
            .hint("name one: `.inputs`, `.states`")),
    }
}

fn place(command: &Command) -> &Range<usize> {
    match command {
        Command::Operand(operand) => &operand.at,
        Command::Call { at, .. } => at,
    }
}
