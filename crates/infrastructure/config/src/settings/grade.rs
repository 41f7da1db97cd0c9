//! Settings whose values have an order: which of two is the stricter.

use std::{cmp::Reverse, time::Duration};

use awf_core::{Mode, OnBypass, Operation, Unannotated};

use crate::{policy::Durability, reader::Word};

/// Values of a setting in the order of their strictness.
pub(super) trait Graded: Copy + PartialEq {
    type Grade: Ord;
    /// The higher, the stricter.
    fn grade(self) -> Self::Grade;
    /// The word in the file.
    fn word(self) -> String;
}

fn word_of<T: Word + PartialEq>(value: T) -> String {
    let known = T::WORDS.iter().find(|(_, known)| *known == value);
    known.map(|(word, _)| (*word).to_owned()).unwrap_or_default()
}

impl Graded for Operation {
    type Grade = u8;

    fn grade(self) -> u8 {
        match self {
            Self::Destructive => 0,
            Self::Write => 1,
            Self::Read => 2,
        }
    }

    fn word(self) -> String {
        word_of(self)
    }
}

impl Graded for Mode {
    type Grade = u8;

    fn grade(self) -> u8 {
        match self {
            Self::Inferred => 0,
            Self::TwoKey => 1,
        }
    }

    fn word(self) -> String {
        word_of(self)
    }
}

impl Graded for Unannotated {
    type Grade = u8;

    fn grade(self) -> u8 {
        match self {
            Self::Trust => 0,
            Self::Write => 1,
            Self::Destructive => 2,
        }
    }

    fn word(self) -> String {
        word_of(self)
    }
}

impl Graded for OnBypass {
    type Grade = u8;

    fn grade(self) -> u8 {
        match self {
            Self::Record => 0,
            Self::Fail => 1,
        }
    }

    fn word(self) -> String {
        word_of(self)
    }
}

impl Graded for Durability {
    type Grade = u8;

    fn grade(self) -> u8 {
        match self {
            Self::Process => 0,
            Self::Power => 1,
        }
    }

    fn word(self) -> String {
        word_of(self)
    }
}

impl Graded for bool {
    type Grade = u8;

    fn grade(self) -> u8 {
        u8::from(self)
    }

    fn word(self) -> String {
        self.to_string()
    }
}

/// What was heard lately is trusted more than what was heard long ago.
impl Graded for Duration {
    type Grade = Reverse<Self>;

    fn grade(self) -> Reverse<Self> {
        Reverse(self)
    }

    fn word(self) -> String {
        format!("{self:?}")
    }
}
