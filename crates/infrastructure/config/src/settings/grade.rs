//! Settings whose values have an order: which of two is the stricter.

use awf_core::{Mode, OnBypass, Operation, Unannotated};

use crate::{policy::Durability, reader::Word};

/// Values of a setting in the order of their strictness.
pub(super) trait Graded: Copy + PartialEq {
    /// The higher, the stricter.
    fn grade(self) -> u8;
    /// The word in the file.
    fn word(self) -> &'static str;
}

fn word_of<T: Word + PartialEq>(value: T) -> &'static str {
    T::WORDS.iter().find(|(_, known)| *known == value).map_or("", |(word, _)| *word)
}

impl Graded for Operation {
    fn grade(self) -> u8 {
        match self {
            Self::Destructive => 0,
            Self::Write => 1,
            Self::Read => 2,
        }
    }

    fn word(self) -> &'static str {
        word_of(self)
    }
}

impl Graded for Mode {
    fn grade(self) -> u8 {
        match self {
            Self::Inferred => 0,
            Self::TwoKey => 1,
        }
    }

    fn word(self) -> &'static str {
        word_of(self)
    }
}

impl Graded for Unannotated {
    fn grade(self) -> u8 {
        match self {
            Self::Trust => 0,
            Self::Write => 1,
            Self::Destructive => 2,
        }
    }

    fn word(self) -> &'static str {
        word_of(self)
    }
}

impl Graded for OnBypass {
    fn grade(self) -> u8 {
        match self {
            Self::Record => 0,
            Self::Fail => 1,
        }
    }

    fn word(self) -> &'static str {
        word_of(self)
    }
}

impl Graded for Durability {
    fn grade(self) -> u8 {
        match self {
            Self::Process => 0,
            Self::Power => 1,
        }
    }

    fn word(self) -> &'static str {
        word_of(self)
    }
}

impl Graded for bool {
    fn grade(self) -> u8 {
        u8::from(self)
    }

    fn word(self) -> &'static str {
        if self { "true" } else { "false" }
    }
}
