//! The classes that a tool is held to.

use awf_core::{Class, Unannotated, stricter};

/// What a tool was approved as, or rose to since.
///
/// Whether a tool without annotations is milder than a writing one is for the settings to say, and they differ from place to
/// place while pins are the same everywhere. So one that was both is held to both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    To(Class),
    /// To the stricter of the two that cannot be ranked once and for all.
    UnannotatedAndWrite,
}

/// The word for both.
const BOTH: &str = "unannotated+write";

impl Held {
    /// With another class beside it.
    pub(crate) fn and(self, class: Class) -> Self {
        use Class::{Destructive, Read, Unannotated, Write};
        match (self, class) {
            (_, Destructive) | (Self::To(Destructive), _) => Self::To(Destructive),
            (Self::To(Read), other) => Self::To(other),
            (Self::To(Unannotated), Write)
            | (Self::To(Write), Unannotated)
            | (Self::UnannotatedAndWrite, Read | Unannotated | Write) => Self::UnannotatedAndWrite,
            (Self::To(same), Read | Unannotated | Write) => Self::To(same),
        }
    }

    /// With all that another is held to.
    pub(crate) fn and_all(self, other: Self) -> Self {
        match other {
            Self::To(class) => self.and(class),
            Self::UnannotatedAndWrite => self.and(Class::Unannotated).and(Class::Write),
        }
    }

    /// What it comes to where tools without annotations count as `unannotated` says.
    pub(crate) fn class(self, unannotated: Unannotated) -> Class {
        match self {
            Self::To(class) => class,
            Self::UnannotatedAndWrite => stricter(Class::Unannotated, Class::Write, unannotated),
        }
    }

    /// What it is held to besides what it says.
    pub(crate) fn besides(self, said: Class) -> Option<Class> {
        match (self, said) {
            (Self::To(class), _) => (class != said).then_some(class),
            (Self::UnannotatedAndWrite, Class::Unannotated) => Some(Class::Write),
            (Self::UnannotatedAndWrite, Class::Read | Class::Write | Class::Destructive) => {
                Some(Class::Unannotated)
            }
        }
    }

    /// The word in files.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::To(class) => class.as_str(),
            Self::UnannotatedAndWrite => BOTH,
        }
    }

    /// Reads that word.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text == BOTH {
            return Some(Self::UnannotatedAndWrite);
        }
        Class::parse(text).map(Self::To)
    }
}

#[cfg(test)]
mod tests;
