//! Visits to the page, in memory only: a restart ends them all.

use std::{
    io,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use crate::key::{alike, random_hex};

/// The visits there are, never more than a given number.
pub(crate) struct Visits {
    most: usize,
    idle: Duration,
    open: Mutex<Vec<Visit>>,
}

struct Visit {
    id: String,
    used: Instant,
}

impl Visits {
    pub(crate) fn new(most: usize, idle: Duration) -> Self {
        Self { most, idle, open: Mutex::default() }
    }

    /// Takes in a visitor under a new id. When there is no room, the one away for the longest time goes.
    pub(crate) fn admit(&self) -> io::Result<String> {
        let id = random_hex()?;
        self.with_open(|open| {
            if open.len() >= self.most {
                let longest = open.iter().enumerate().min_by_key(|(_, visit)| visit.used);
                let longest = longest.map(|(index, _)| index);
                longest.map(|index| open.swap_remove(index));
            }
            open.push(Visit { id: id.clone(), used: Instant::now() });
        });
        Ok(id)
    }

    /// Whether this is the id of a visit, which goes on then.
    pub(crate) fn is_open(&self, id: &str) -> bool {
        self.with_open(|open| match found(open, id) {
            Some(visit) => {
                visit.used = Instant::now();
                true
            }
            None => false,
        })
    }

    pub(crate) fn end(&self, id: &str) {
        self.with_open(|open| open.retain(|visit| !alike(visit.id.as_bytes(), id.as_bytes())));
    }

    fn with_open<T>(&self, work: impl FnOnce(&mut Vec<Visit>) -> T) -> T {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|visit| visit.used.elapsed() < self.idle);
        work(&mut open)
    }
}

fn found<'a>(open: &'a mut [Visit], id: &str) -> Option<&'a mut Visit> {
    open.iter_mut().find(|visit| alike(visit.id.as_bytes(), id.as_bytes()))
}

#[cfg(test)]
mod tests;
