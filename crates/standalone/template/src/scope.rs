//! Where values come from, and what a text asks of that place.

use std::ops::Range;

use serde_json::Value;

/// The values a text is evaluated with.
pub trait Scope {
    /// The namespace of that name: `inputs`, `states`…
    fn root(&self, name: &str) -> Option<&Value>;

    /// The text of a file, for `readFile`; otherwise why it cannot be had. What may be read, and how much of it, is
    /// for the implementation to say. What comes back is held to 1 MiB.
    fn read_file(&self, path: &str) -> Result<String, String>;
}

/// One mention of a value of the scope: `.states.build.Output` is `["states", "build", "Output"]`.
///
/// The path holds what is known from the text alone: it ends before a key that is computed or a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Namespace first. Never empty.
    pub path: Vec<String>,
    /// The bytes of the text that mention it.
    pub at: Range<usize>,
    /// Whether each evaluation comes here. Not so in a branch, in a loop, or behind `and`, `or`, `?:`, `??`.
    pub certain: bool,
}

/// An action of a template that prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insertion {
    /// The values of the scope that what is printed may hold parts of, also by way of a variable or the element of a
    /// loop. Each path once; of a great many, the first.
    pub references: Vec<Reference>,
    /// What a shell makes of it.
    pub printed: Printed,
    /// The text between the insertion before and this one, without actions. The branches of an `if` follow each other.
    pub before: String,
    /// The bytes of the action, braces included.
    pub at: Range<usize>,
}

/// What a shell makes of something printed, whatever the values are. The greater, the worse.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Printed {
    /// What the template itself has, a number from `len`, or the result of a comparison.
    #[default]
    Plain,
    /// One word: quoted by `escape`, which holds only outside other quotes.
    Word,
    /// Anything.
    Free,
}
