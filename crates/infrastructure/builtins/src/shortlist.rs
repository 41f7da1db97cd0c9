//! The first entries of an ordered answer, as many as fit: whatever the number of hits, memory stays bounded, and the
//! answer is the same however the threads shared the work.

use std::collections::BinaryHeap;

/// Something an answer lists.
pub(crate) trait Entry: Ord {
    /// What it takes in the answer.
    fn bytes(&self) -> usize;
}

/// Keeps the least entries whose bytes fill the answer.
#[derive(Debug)]
pub(crate) struct Shortlist<E> {
    kept: BinaryHeap<E>,
    bytes: usize,
    limit: usize,
    total: u64,
}

impl<E: Entry> Shortlist<E> {
    pub(crate) fn new(limit: usize) -> Self {
        Self { kept: BinaryHeap::new(), bytes: 0, limit, total: 0 }
    }

    pub(crate) fn push(&mut self, entry: E) {
        self.total += 1;
        self.keep(entry);
    }

    /// Takes over what another thread collected.
    pub(crate) fn absorb(&mut self, other: Self) {
        self.total += other.total;
        for entry in other.kept {
            self.keep(entry);
        }
    }

    /// How many entries there were, kept or not.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// The kept entries, least first. The last one may reach over the limit.
    pub(crate) fn into_sorted(self) -> Vec<E> {
        self.kept.into_sorted_vec()
    }

    fn keep(&mut self, entry: E) {
        self.bytes += entry.bytes();
        self.kept.push(entry);
        while let Some(last) = self.kept.peek() {
            let without = self.bytes - last.bytes();
            if without < self.limit {
                break;
            }
            self.bytes = without;
            self.kept.pop();
        }
    }
}

#[cfg(test)]
mod tests;
