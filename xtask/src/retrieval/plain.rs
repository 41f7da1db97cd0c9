//! The bar: BM25 as the books have it, over one field, words as they are written.

use std::collections::{HashMap, HashSet};

use super::Tool;

const K1: f64 = 1.2;
const B: f64 = 0.75;

pub(crate) struct Plain {
    documents: Vec<Document>,
    /// In how many documents a word stands.
    holding: HashMap<String, f64>,
    usual_length: f64,
}

struct Document {
    name: String,
    counts: HashMap<String, f64>,
    length: f64,
}

impl Plain {
    pub(crate) fn new(tools: &[Tool]) -> Self {
        let documents: Vec<Document> = tools.iter().map(Document::new).collect();
        let mut holding: HashMap<String, f64> = HashMap::new();
        for word in documents.iter().flat_map(|document| document.counts.keys()) {
            *holding.entry(word.clone()).or_default() += 1.0;
        }
        let total: f64 = documents.iter().map(|document| document.length).sum();
        let usual_length = total / count(documents.len().max(1));
        Self { documents, holding, usual_length }
    }

    /// The names of all that match, the best first, equals by name.
    pub(crate) fn search(&self, query: &str) -> Vec<String> {
        let query: HashSet<String> = words(query).collect();
        let mut query: Vec<&String> = query.iter().collect();
        query.sort();
        let scored = self.documents.iter().map(|document| (self.score(document, &query), document));
        let mut found: Vec<_> = scored.filter(|(score, _)| *score > 0.0).collect();
        found.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.name.cmp(&other.1.name)));
        found.into_iter().map(|(_, document)| document.name.clone()).collect()
    }

    fn score(&self, document: &Document, query: &[&String]) -> f64 {
        let length = K1 * (1.0 - B + B * document.length / self.usual_length);
        let word = |word: &&String| {
            let times = document.counts.get(*word)?;
            let (all, holding) = (count(self.documents.len()), self.holding.get(*word)?);
            let rarity = (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln();
            Some(rarity * times * (K1 + 1.0) / (times + length))
        };
        query.iter().filter_map(word).sum()
    }
}

impl Document {
    fn new(tool: &Tool) -> Self {
        let name = tool.qualified();
        let text = format!("{name} {} {}", tool.description, tool.arguments);
        let mut counts: HashMap<String, f64> = HashMap::new();
        for word in words(&text) {
            *counts.entry(word).or_default() += 1.0;
        }
        let length = counts.values().sum();
        Self { name, counts, length }
    }
}

/// Words as the usual analyser cuts them: `list_issues` is one.
fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}
