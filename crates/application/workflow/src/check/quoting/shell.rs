//! Where in a shell's text something stands: how far the quotes that `escape` puts around it hold there.
//!
//! A reader of POSIX quoting, no parser of the language. Of a `case` within `$(…)` it sees too little: the bracket of a
//! pattern ends the substitution.

use std::{iter::Peekable, str::Chars};

use crate::check::quoting::shell::here::Documents;

mod here;

/// Things within each other, at most. What is deeper is not followed.
const DEPTH: usize = 64;

/// Where an insertion stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Where a word may stand: what is quoted there stays one.
    Open,
    /// Where quotes are no more than characters, or are undone. The words say where.
    Unsafe(&'static str),
}

/// Something that is open and has an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Context {
    /// `( … )` and `$( … )`: a text of its own.
    Brackets,
    /// `(( … ))` and `$(( … ))`, with how many brackets are open in it.
    Arithmetic(usize),
    Single,
    Double,
    /// `$'…'`.
    Dollar,
    Backticks,
    Comment,
    HereDocument,
}

/// The character just before, where it changes what follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Before {
    /// Whatever can stand between words, or nothing.
    #[default]
    Gap,
    Word,
    Backslash,
    Dollar,
}

type Rest<'t> = Peekable<Chars<'t>>;

/// The reading of a text, part by part.
#[derive(Debug, Default)]
pub(super) struct Shell {
    open: Vec<Context>,
    before: Before,
    documents: Documents,
    /// Whether it became too deep.
    lost: bool,
}

impl Shell {
    /// Goes on with the next part of the text.
    pub(super) fn read(&mut self, text: &str) {
        let mut rest = text.chars().peekable();
        while let Some(c) = rest.next() {
            self.step(c, &mut rest);
        }
    }

    /// Goes on behind something inserted, which is taken to be part of a word.
    pub(super) fn insert(&mut self) {
        self.before = Before::Word;
        if self.open.last() == Some(&Context::HereDocument) {
            self.documents.insert();
        }
    }

    /// Where what is inserted next will stand.
    pub(super) fn place(&self) -> Place {
        if self.lost {
            return Place::Open;
        }
        // A backtick ends them even from within quotes.
        if self.open.contains(&Context::Backticks) {
            return Place::Unsafe("in backticks");
        }
        match self.open.last() {
            Some(Context::Single | Context::Dollar) => Place::Unsafe("in single quotes"),
            Some(Context::Double) => Place::Unsafe("in double quotes"),
            Some(Context::Arithmetic(_)) => Place::Unsafe("in arithmetic"),
            Some(Context::Comment) => Place::Unsafe("in a comment"),
            Some(Context::HereDocument) => Place::Unsafe("in a here-document"),
            Some(Context::Brackets | Context::Backticks) | None => match self.before {
                Before::Backslash => Place::Unsafe("behind a backslash"),
                Before::Dollar => Place::Unsafe("behind a dollar sign"),
                Before::Gap | Before::Word => Place::Open,
            },
        }
    }

    fn step(&mut self, c: char, rest: &mut Rest<'_>) {
        let context = self.open.last().copied();
        match (context, c) {
            (Some(Context::HereDocument), _) => self.document(c),
            (Some(Context::Single | Context::Comment), '`') => self.end_backticks(),
            (Some(Context::Single | Context::Dollar), '\'') | (Some(Context::Double), '"') => {
                self.close();
            }
            (Some(Context::Comment), '\n') => {
                self.close();
                self.end_line();
            }
            (Some(Context::Single | Context::Comment), _) => {}
            (_, '\\') => {
                let escaped = rest.next().is_some();
                self.before = if escaped { Before::Word } else { Before::Backslash };
            }
            (Some(Context::Dollar), _) => {}
            (_, '`') => self.backtick(),
            (_, '$') => self.dollar(rest),
            (Some(Context::Double), _) => {}
            (Some(Context::Arithmetic(depth)), _) => self.arithmetic(depth, c, rest),
            (Some(Context::Brackets | Context::Backticks) | None, _) => self.code(c, rest),
        }
    }

    fn code(&mut self, c: char, rest: &mut Rest<'_>) {
        let fresh = self.before == Before::Gap;
        self.before = Before::Word;
        match c {
            '\n' => self.end_line(),
            '\'' => self.enter(Context::Single),
            '"' => self.enter(Context::Double),
            '#' if fresh => self.enter(Context::Comment),
            '(' if fresh && rest.next_if_eq(&'(').is_some() => self.enter(Context::Arithmetic(0)),
            '(' => self.enter(Context::Brackets),
            ')' => {
                if self.open.last() == Some(&Context::Brackets) {
                    self.close();
                }
                self.before = Before::Gap;
            }
            '<' => {
                if rest.next_if_eq(&'<').is_some() && rest.next_if_eq(&'<').is_none() {
                    self.documents.announce(rest);
                }
                self.before = Before::Gap;
            }
            ' ' | '\t' | ';' | '&' | '|' | '>' => self.before = Before::Gap,
            _ => {}
        }
    }

    fn arithmetic(&mut self, depth: usize, c: char, rest: &mut Rest<'_>) {
        let now = match c {
            '(' => depth + 1,
            ')' if depth > 0 => depth - 1,
            ')' if rest.next_if_eq(&')').is_some() => return self.close(),
            _ => depth,
        };
        if let Some(top) = self.open.last_mut() {
            *top = Context::Arithmetic(now);
        }
    }

    fn dollar(&mut self, rest: &mut Rest<'_>) {
        self.before = Before::Word;
        let in_quotes = self.open.last() == Some(&Context::Double);
        if rest.next_if_eq(&'(').is_some() {
            let arithmetic = rest.next_if_eq(&'(').is_some();
            self.enter(if arithmetic { Context::Arithmetic(0) } else { Context::Brackets });
        } else if !in_quotes && rest.next_if_eq(&'\'').is_some() {
            self.enter(Context::Dollar);
        } else if rest.peek().is_none() {
            self.before = Before::Dollar;
        }
    }

    fn backtick(&mut self) {
        if self.open.contains(&Context::Backticks) {
            self.end_backticks();
        } else {
            self.enter(Context::Backticks);
        }
    }

    /// Ends backticks with all that is open in them.
    fn end_backticks(&mut self) {
        if let Some(at) = self.open.iter().position(|open| *open == Context::Backticks) {
            self.open.truncate(at);
            self.before = Before::Word;
        }
    }

    fn end_line(&mut self) {
        self.before = Before::Gap;
        if self.documents.are_awaited() {
            self.enter(Context::HereDocument);
        }
    }

    fn document(&mut self, c: char) {
        self.documents.read(c);
        if !self.documents.are_awaited() {
            self.close();
            self.before = Before::Gap;
        }
    }

    fn enter(&mut self, context: Context) {
        self.lost |= self.open.len() >= DEPTH;
        if !self.lost {
            self.open.push(context);
        }
        self.before = Before::Gap;
    }

    fn close(&mut self) {
        self.open.pop();
        self.before = Before::Word;
    }
}

#[cfg(test)]
mod tests;
