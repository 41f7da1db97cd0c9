//! What a query asks for: one concept for each of its words, with every term that may stand for it.

use super::{
    postings::Postings,
    stem::stem,
    synonyms::synonyms,
    vocabulary::{TermId, Vocabulary},
    words::{Wanted, Word, for_each_word, is_stop_word},
};

/// More words than this are not looked for.
const MOST_WORDS: usize = 32;

/// How much a term counts that was not asked for in so many words.
const SYNONYM: f32 = 0.4;
const PART: f32 = 0.6;
const JOINED: f32 = 0.8;
const BEGINNING: f32 = 0.6;
const ONE_SLIP: f32 = 0.8;
const TWO_SLIPS: f32 = 0.6;

/// One thing asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Concept {
    /// How much it tells tools apart: what is rare counts for more.
    pub(crate) worth: f32,
    pub(crate) alternatives: Vec<Alternative>,
}

/// A term that may stand for a concept, and how well it does, up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Alternative {
    pub(crate) term: TermId,
    pub(crate) weight: f32,
}

/// What concepts are read against.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) postings: &'a Postings,
    /// How many tools there are.
    pub(crate) tools: usize,
}

/// The concepts of a text without filters.
pub(crate) fn concepts(text: &str, ground: Ground<'_>) -> Vec<Concept> {
    let words = asked(text, ground.vocabulary);
    let mut concepts: Vec<Concept> = words.iter().map(|word| ground.concept(word)).collect();
    for (place, pair) in words.windows(2).enumerate() {
        let joined: String = pair.iter().map(|word| word.spelt.as_str()).collect();
        let Some(term) = ground.vocabulary.find(&stem(&joined)) else { continue };
        // `file system` finds `filesystem`, which then stands for both.
        for concept in concepts.iter_mut().skip(place).take(2) {
            concept.alternatives.push(Alternative { term, weight: JOINED });
        }
    }
    concepts
}

/// A word of the query.
struct Asked {
    spelt: String,
    term: String,
    /// Its parts as spelt, where it has some.
    parts: Vec<String>,
}

impl Asked {
    fn new(spelt: &str) -> Self {
        Self { spelt: spelt.to_owned(), term: stem(spelt), parts: Vec::new() }
    }
}

/// Each word once; one that no tool has as a whole comes in its parts. Stop words count only where there is nothing else.
fn asked(text: &str, vocabulary: &Vocabulary) -> Vec<Asked> {
    let mut words: Vec<Asked> = Vec::new();
    for_each_word(text, |word| {
        match word {
            Word::Whole(word) => {
                words.push(Asked::new(word));
            }
            Word::Part(part) => {
                if let Some(last) = words.last_mut() {
                    last.parts.push(part.to_owned());
                }
            }
        }
        if words.len() < MOST_WORDS { Wanted::More } else { Wanted::Enough }
    });
    let in_parts = |word: Asked| {
        if word.parts.is_empty() || vocabulary.find(&word.term).is_some() {
            return vec![word];
        }
        word.parts.iter().map(|part| Asked::new(part)).collect()
    };
    let mut words: Vec<Asked> = words.into_iter().flat_map(in_parts).take(MOST_WORDS).collect();
    if words.iter().any(|word| !is_stop_word(&word.spelt)) {
        words.retain(|word| !is_stop_word(&word.spelt));
    }
    let mut seen = std::collections::HashSet::new();
    words.retain(|word| seen.insert(word.term.clone()));
    words
}

impl Ground<'_> {
    fn concept(self, word: &Asked) -> Concept {
        let mut meant = self.meant(&word.term, 1.0);
        if meant.is_empty() {
            meant = self.guessed(word);
        }
        let parts = word.parts.iter().filter_map(|part| self.vocabulary.find(&stem(part)));
        meant.extend(parts.map(|term| Alternative { term, weight: PART }));
        let known = self.vocabulary.find(&word.term);
        let worth = match known {
            Some(term) => self.rarity(term),
            // What nobody knows is as rare as can be, unless somebody knows it by another name.
            None => meant
                .iter()
                .map(|known| self.rarity(known.term))
                .reduce(f32::max)
                .unwrap_or_else(|| rarity(0, self.tools)),
        };
        // A rare synonym of a common word tells no more than the word itself.
        for alternative in &mut meant {
            alternative.weight *= (self.rarity(alternative.term) / worth).min(1.0);
        }
        Concept { worth, alternatives: meant }
    }

    /// A term and its synonyms, as far as tools use them.
    fn meant(self, term: &str, weight: f32) -> Vec<Alternative> {
        let itself = self.vocabulary.find(term).map(|term| Alternative { term, weight });
        let others = synonyms(term).iter().filter_map(|other| self.vocabulary.find(other));
        let others = others.map(|term| Alternative { term, weight: weight * SYNONYM });
        itself.into_iter().chain(others).collect()
    }

    /// What a word may mean that neither the tools nor the table of synonyms know.
    fn guessed(self, word: &Asked) -> Vec<Alternative> {
        let mut guesses = Vec::new();
        if word.spelt.chars().count() > 3 {
            let longer = self.vocabulary.beginning_with(&word.spelt);
            guesses.extend(longer.into_iter().map(|term| Alternative { term, weight: BEGINNING }));
        }
        for near in self.vocabulary.near(&word.term) {
            let weight = if near.letters_off < 2 { ONE_SLIP } else { TWO_SLIPS };
            guesses.push(Alternative { term: near.term, weight });
            let others = synonyms(self.vocabulary.spelt(near.term)).iter();
            let others = others.filter_map(|other| self.vocabulary.find(other));
            guesses.extend(others.map(|term| Alternative { term, weight: weight * SYNONYM }));
        }
        if guesses.is_empty() {
            guesses.extend(self.halves(&word.spelt).map(|term| Alternative { term, weight: PART }));
        }
        guesses
    }

    /// `pullrequest` as `pull` and `request`, where tools know both.
    fn halves(self, word: &str) -> impl Iterator<Item = TermId> {
        let seams = word.char_indices().map(|(at, _)| at).skip(3);
        let mut halves = seams.filter_map(move |at| {
            let (head, tail) = word.split_at(at);
            let known = |half: &str| self.vocabulary.find(&stem(half)).filter(|_| half.len() > 2);
            Some([known(head)?, known(tail)?])
        });
        halves.next().into_iter().flatten()
    }

    fn rarity(self, term: TermId) -> f32 {
        rarity(self.postings.count(term), self.tools)
    }
}

/// The inverse document frequency of BM25, never below zero.
#[expect(clippy::cast_precision_loss, reason = "a count of tools, good to seven digits")]
fn rarity(holding: usize, all: usize) -> f32 {
    let (holding, all) = (holding as f32, all as f32);
    (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln()
}

#[cfg(test)]
mod tests;
