//! Which tools a term stands in, and how well it stands there.
//!
//! What a term adds to a tool's rank does not depend on the query, so it is worked out once (BM25F: words weighted by
//! field, brought down by length, then levelled off) and kept in two bytes.

use std::{collections::HashMap, sync::Arc};

use awf_core::ToolDefinition;

use super::{
    fields::{Field, for_each_text},
    stem::stem,
    vocabulary::{TermId, Vocabulary},
    words::{Wanted, Word, for_each_word, is_stop_word},
};

/// How soon more of the same word stops to count.
const LEVELLING: f32 = 1.2;
/// How often a word counts in one field: a tool does not rise by saying it again and again.
const MOST_TIMES: usize = 3;
/// An impact is a share of this.
const FULL: f32 = u16::MAX as f32;

/// A tool, by its place in the index.
pub(crate) type DocumentId = u32;

/// For each term its tools, and the impact on each.
#[derive(Debug, Default)]
pub(crate) struct Postings {
    /// Where a term's tools begin; one more at the end.
    starts: Vec<u32>,
    documents: Vec<DocumentId>,
    impacts: Vec<u16>,
}

impl Postings {
    /// The tools that hold `term`, each with an impact between 0 and 1.
    pub(crate) fn of(&self, term: TermId) -> impl Iterator<Item = (DocumentId, f32)> {
        let bounds = self.bounds(term);
        let documents = self.documents.get(bounds.clone()).unwrap_or_default();
        let impacts = self.impacts.get(bounds).unwrap_or_default();
        documents
            .iter()
            .zip(impacts)
            .map(|(document, impact)| (*document, f32::from(*impact) / FULL))
    }

    /// How many tools hold `term`.
    pub(crate) fn count(&self, term: TermId) -> usize {
        self.bounds(term).len()
    }

    fn bounds(&self, term: TermId) -> std::ops::Range<usize> {
        let at = |place: usize| self.starts.get(place).map_or(0, |start| *start as usize);
        at(term as usize)..at(term as usize + 1)
    }
}

/// Reads all tools, in the order given.
pub(crate) fn read(tools: &[Arc<ToolDefinition>]) -> (Vocabulary, Postings) {
    let mut reader = Reader::default();
    for (document, tool) in (0..).zip(tools) {
        reader.read(document, tool);
    }
    reader.finish()
}

#[derive(Default)]
struct Reader {
    /// Every word met, as spelt, with its term: most words come again, and need no second stemming.
    words: HashMap<Box<str>, Heard>,
    /// Terms in the order met.
    terms: HashMap<String, TermId>,
    /// Words of the tool at hand.
    heard: Vec<(TermId, usize)>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy)]
enum Heard {
    Term(TermId),
    /// Heard in names only: a tool may be called `who_am_i`.
    StopWord(TermId),
}

struct Entry {
    term: TermId,
    document: DocumentId,
    impact: u16,
}

impl Reader {
    fn read(&mut self, document: DocumentId, tool: &ToolDefinition) {
        let mut lengths = [0_usize; Field::ALL.len()];
        self.heard.clear();
        for_each_text(tool, |field, text| {
            let place = field as usize;
            let Some(length) = lengths.get_mut(place) else { return };
            let most = field.measure().most;
            if *length >= most {
                return;
            }
            for_each_word(text, |word| {
                let (Word::Whole(word) | Word::Part(word)) = word;
                match (self.hear(word), field) {
                    (Heard::Term(term), _) | (Heard::StopWord(term), Field::Name) => {
                        self.heard.push((term, place));
                    }
                    (Heard::StopWord(_), _) => {}
                }
                *length += 1;
                if *length < most { Wanted::More } else { Wanted::Enough }
            });
        });
        self.write_down(document, lengths);
    }

    fn hear(&mut self, word: &str) -> Heard {
        if let Some(known) = self.words.get(word) {
            return *known;
        }
        let next = TermId::try_from(self.terms.len()).unwrap_or(TermId::MAX);
        let term = *self.terms.entry(stem(word)).or_insert(next);
        let heard = if is_stop_word(word) { Heard::StopWord(term) } else { Heard::Term(term) };
        self.words.insert(word.into(), heard);
        heard
    }

    fn write_down(&mut self, document: DocumentId, lengths: [usize; Field::ALL.len()]) {
        let worth = Field::ALL.map(|field| {
            let measure = field.measure();
            #[expect(clippy::cast_precision_loss, reason = "a few hundred at most")]
            let length = lengths.get(field as usize).copied().unwrap_or(0) as f32;
            measure.weight
                / (1.0 - measure.strictness + measure.strictness * length / measure.usual)
        });
        self.heard.sort_unstable();
        for same in self.heard.chunk_by(|one, other| one.0 == other.0) {
            let Some((term, _)) = same.first() else { continue };
            let by_field = same.chunk_by(|one, other| one.1 == other.1);
            let counted = by_field.flat_map(|places| places.iter().take(MOST_TIMES));
            let weight: f32 = counted.filter_map(|(_, place)| worth.get(*place)).sum();
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share")]
            let impact = (weight / (weight + LEVELLING) * FULL) as u16;
            self.entries.push(Entry { term: *term, document, impact });
        }
    }

    /// Puts the terms in order and the entries beneath them; the tools of a term stay in order of their own.
    fn finish(self) -> (Vocabulary, Postings) {
        let mut terms: Vec<_> = self.terms.into_iter().collect();
        terms.sort_unstable();
        let mut places = vec![0_usize; terms.len()];
        for (place, (_, term)) in terms.iter().enumerate() {
            if let Some(known) = places.get_mut(*term as usize) {
                *known = place;
            }
        }
        let mut entries = self.entries;
        entries.sort_by_key(|entry| (places.get(entry.term as usize).copied(), entry.document));
        let mut starts = vec![0; terms.len() + 1];
        for entry in &entries {
            let place = places.get(entry.term as usize).map_or(0, |place| place + 1);
            if let Some(count) = starts.get_mut(place) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let vocabulary = terms.into_iter().map(|(term, _)| term.into_boxed_str()).collect();
        let documents = entries.iter().map(|entry| entry.document).collect();
        let impacts = entries.iter().map(|entry| entry.impact).collect();
        (Vocabulary::new(vocabulary), Postings { starts, documents, impacts })
    }
}

#[cfg(test)]
mod tests;
