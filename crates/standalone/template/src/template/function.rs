//! The functions of templates: their names and how many arguments they take.

use std::ops::{Range, RangeInclusive};

use crate::SyntaxError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    And,
    Eq,
    Escape,
    Ge,
    Gt,
    Index,
    Join,
    Json,
    Le,
    Len,
    Lt,
    Ne,
    Not,
    Or,
    Print,
    Printf,
    Println,
    ReadFile,
    Split,
    TrimSpace,
}

/// Arguments a variadic function takes at most. No hand writes more.
const MOST: usize = 100;

const FUNCTIONS: &[(&str, Function, RangeInclusive<usize>)] = &[
    ("and", Function::And, 1..=MOST),
    ("eq", Function::Eq, 2..=MOST),
    ("escape", Function::Escape, 1..=1),
    ("ge", Function::Ge, 2..=2),
    ("gt", Function::Gt, 2..=2),
    ("index", Function::Index, 1..=MOST),
    ("join", Function::Join, 2..=2),
    ("json", Function::Json, 1..=1),
    ("le", Function::Le, 2..=2),
    ("len", Function::Len, 1..=1),
    ("lt", Function::Lt, 2..=2),
    ("ne", Function::Ne, 2..=2),
    ("not", Function::Not, 1..=1),
    ("or", Function::Or, 1..=MOST),
    ("print", Function::Print, 0..=MOST),
    ("printf", Function::Printf, 1..=MOST),
    ("println", Function::Println, 0..=MOST),
    ("readFile", Function::ReadFile, 1..=1),
    ("split", Function::Split, 2..=2),
    ("trimSpace", Function::TrimSpace, 1..=1),
];

/// Functions and keywords that Go's templates have and these have not.
const LEFT_OUT: &[&str] = &[
    "block", "break", "call", "continue", "define", "html", "js", "slice", "template", "urlquery",
];

impl Function {
    pub(crate) fn named(name: &str) -> Option<Self> {
        FUNCTIONS.iter().find(|(known, ..)| *known == name).map(|(_, function, _)| *function)
    }

    pub(crate) fn name(self) -> &'static str {
        self.row().map_or("", |(name, ..)| name)
    }

    /// What is wrong with calling it with so many arguments, if anything.
    pub(crate) fn refuse_count(self, count: usize) -> Option<String> {
        let (name, _, range) = self.row()?;
        if range.contains(&count) {
            return None;
        }
        let (least, most) = (*range.start(), *range.end());
        let wanted = match (least, most) {
            (1, 1) => "1 argument".to_owned(),
            (least, most) if least == most => format!("{least} arguments"),
            (least, most) if count < least && most == MOST => format!("{least} arguments or more"),
            (_, most) => format!("at most {most} arguments"),
        };
        Some(format!("`{name}` takes {wanted}, not {count}"))
    }

    fn row(self) -> Option<&'static (&'static str, Self, RangeInclusive<usize>)> {
        FUNCTIONS.iter().find(|(_, function, _)| *function == self)
    }
}

/// Whether Go's templates know the name, and these do not.
pub(crate) fn is_left_out(name: &str) -> bool {
    LEFT_OUT.contains(&name)
}

/// What to say about a name that is called and is no function.
pub(crate) fn unknown(name: &str, at: &Range<usize>) -> SyntaxError {
    if is_left_out(name) {
        let message = format!("`{name}` of Go's templates is not supported");
        return SyntaxError::new(message, at.clone());
    }
    let known: Vec<&str> = FUNCTIONS.iter().map(|(known, ..)| *known).collect();
    SyntaxError::new(format!("`{name}` is not a function of templates"), at.clone())
        .hint_names(name, &known)
}
