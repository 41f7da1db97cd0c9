//! All terms of an index, in order: found whole, by their beginning, or by what somebody mistyped.

use std::ops::Range;

use super::distance::is_within;

/// A term, by its place in the vocabulary.
pub(crate) type TermId = u32;

/// How many terms are held against one mistyped word, and how many of them it may stand for.
const MOST_LOOKED_AT: usize = 4_096;
const MOST_MEANT: usize = 4;

/// A term somebody may have meant, and how many letters are off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Meant {
    pub(crate) letters_off: usize,
    pub(crate) term: TermId,
}

/// Terms in alphabetical order.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    terms: Vec<Box<str>>,
}

impl Vocabulary {
    /// Takes terms in alphabetical order.
    pub(crate) fn new(terms: Vec<Box<str>>) -> Self {
        Self { terms }
    }

    pub(crate) fn find(&self, term: &str) -> Option<TermId> {
        let at = self.terms.binary_search_by(|known| known.as_ref().cmp(term)).ok()?;
        TermId::try_from(at).ok()
    }

    /// The term itself.
    pub(crate) fn spelt(&self, term: TermId) -> &str {
        self.terms.get(term as usize).map_or("", AsRef::as_ref)
    }

    /// The terms that begin with `head`: a few, the shortest first.
    pub(crate) fn beginning_with(&self, head: &str) -> Vec<TermId> {
        let mut found: Vec<_> = self.range(head).take(MOST_LOOKED_AT).collect();
        found.sort_by_key(|(id, term)| (term.len(), *id));
        found.into_iter().take(MOST_MEANT).map(|(id, _)| id).collect()
    }

    /// The terms that `word` may be a slip of: one letter off in a short word, two in a long one, none in a tiny one.
    /// The first letter is taken to be right, which it nearly always is, and saves looking at the rest.
    pub(crate) fn near(&self, word: &str) -> Vec<Meant> {
        let letters = word.chars().count();
        let Some(first) = word.chars().next().filter(|_| letters > 3) else { return Vec::new() };
        let most = if letters < 8 { 1 } else { 2 };
        let mut head = [0; 4];
        let candidates = self.range(first.encode_utf8(&mut head)).filter(|(_, term)| {
            term.len().abs_diff(word.len()) <= most * 4 && !term.contains(|l: char| l.is_numeric())
        });
        let mut meant: Vec<_> = candidates
            .take(MOST_LOOKED_AT)
            .filter_map(|(term, known)| {
                is_within(word, known, most).map(|letters_off| Meant { letters_off, term })
            })
            .collect();
        meant.sort();
        meant.truncate(MOST_MEANT);
        meant
    }

    fn range(&self, head: &str) -> impl Iterator<Item = (TermId, &str)> {
        let Range { start, end } = self.bounds(head);
        let terms = self.terms.get(start..end).unwrap_or_default();
        (0..).zip(terms).map(move |(offset, term): (usize, _)| {
            (TermId::try_from(start + offset).unwrap_or(TermId::MAX), term.as_ref())
        })
    }

    fn bounds(&self, head: &str) -> Range<usize> {
        let start = self.terms.partition_point(|term| term.as_ref() < head);
        let length = self
            .terms
            .get(start..)
            .unwrap_or_default()
            .partition_point(|term| term.starts_with(head));
        start..start + length
    }
}

#[cfg(test)]
mod tests;
