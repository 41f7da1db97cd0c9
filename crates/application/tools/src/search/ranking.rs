//! The rank of each tool that holds something of what is asked for. Tools that hold none of it are never looked at.

use std::cmp::Ordering;

use super::{
    concepts::Concept,
    postings::{DocumentId, Postings},
};

/// How much of its rank a tool keeps at least, however little of the query it covers.
const KEPT: f32 = 0.5;

/// A tool and its rank, between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ranked {
    pub(crate) document: DocumentId,
    pub(crate) rank: f32,
}

impl Ranked {
    /// The best first, equals in the order of the index.
    pub(crate) fn order(self, other: Self) -> Ordering {
        other.rank.total_cmp(&self.rank).then(self.document.cmp(&other.document))
    }
}

/// What is known of one tool so far.
#[derive(Clone, Copy, Default)]
struct Tally {
    /// Of all concepts so far.
    sum: f32,
    /// Of the concept at hand: its best alternative counts, not how many there are.
    best: f32,
    /// The worth of all concepts of which the tool holds something.
    covered: f32,
}

/// Ranks the tools among `tools` that hold something of `concepts`, in no order. The rank is the share of what a tool
/// could get that holds every word in its most telling place.
pub(crate) fn rank(concepts: &[Concept], postings: &Postings, tools: usize) -> Vec<Ranked> {
    let mut tallies = vec![Tally::default(); tools];
    let mut touched = Vec::new();
    for concept in concepts {
        for alternative in &concept.alternatives {
            let weight = concept.worth * alternative.weight;
            for (document, impact) in postings.of(alternative.term) {
                let Some(tally) = tallies.get_mut(document as usize) else { continue };
                if tally.covered == 0.0 && tally.best == 0.0 {
                    touched.push(document);
                }
                tally.best = tally.best.max(weight * impact);
            }
        }
        settle(concept, &mut tallies, &touched);
    }
    let ideal: f32 = concepts.iter().map(|concept| concept.worth).sum();
    let ranked = touched.into_iter().filter_map(|document| {
        let tally = tallies.get(document as usize)?;
        let kept = KEPT + (1.0 - KEPT) * tally.covered / ideal;
        Some(Ranked { document, rank: (tally.sum / ideal * kept).clamp(0.0, 1.0) })
    });
    ranked.collect()
}

/// Adds up the concept at hand.
fn settle(concept: &Concept, tallies: &mut [Tally], touched: &[DocumentId]) {
    for document in touched {
        let Some(tally) = tallies.get_mut(*document as usize) else { continue };
        if tally.best > 0.0 {
            tally.sum += tally.best;
            tally.covered += concept.worth;
            tally.best = 0.0;
        }
    }
}
