//! What values are made of.

use crate::{Printed, Reference, template::token::MOST_KEYS};

/// Names remembered for one value, over all its references. Variables are made of variables, and the sum would double
/// with each.
const REMEMBERED: usize = 100;

/// What a value is made of.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Origin {
    pub(super) references: Vec<Reference>,
    pub(super) printed: Printed,
    /// Whether it is the very value that its one reference names, so that keys lead on from there.
    pub(super) exact: bool,
}

impl Origin {
    /// What is reached from it by these keys.
    pub(super) fn within(mut self, keys: &[String]) -> Self {
        self.printed = Printed::Free;
        for reference in self.references.iter_mut().filter(|_| self.exact) {
            let left = MOST_KEYS.saturating_sub(reference.path.len());
            let known = keys.iter().take_while(|key| !is_number(key)).take(left);
            reference.path.extend(known.cloned());
        }
        self.exact &= !keys.iter().any(|key| is_number(key));
        self
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.exact = false;
        self.add(&other.references);
        self.printed = self.printed.max(other.printed);
    }

    pub(super) fn add(&mut self, others: &[Reference]) {
        let mut names = self.references.iter().map(|known| known.path.len()).sum::<usize>();
        for other in others {
            if names + other.path.len() > REMEMBERED {
                return;
            }
            if self.references.iter().all(|known| known.path != other.path) {
                names += other.path.len();
                self.references.push(other.clone());
            }
        }
    }
}

pub(super) fn is_number(key: &str) -> bool {
    key.bytes().all(|byte| byte.is_ascii_digit())
}
