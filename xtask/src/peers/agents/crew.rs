//! Jobs done by two at a time, and reported as they come. An agent waits more than it works.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError, mpsc},
    thread,
};

use anyhow::Result;

use super::super::report::Report;

const WORKERS: usize = 2;

/// Checks by name.
pub(super) type Checks = Vec<(String, Result<()>)>;

/// What makes some checks.
pub(super) type Job<'a> = Box<dyn FnOnce() -> Checks + Send + 'a>;

pub(super) fn work(jobs: Vec<Job<'_>>, report: &mut Report) {
    let jobs = Mutex::new(VecDeque::from(jobs));
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    thread::scope(|scope| {
        let (done, checks) = mpsc::channel();
        for _ in 0..WORKERS {
            let (done, next) = (done.clone(), &next);
            scope.spawn(move || {
                while let Some(job) = next() {
                    // Nobody listens when the report has failed; then there is nothing to tell.
                    done.send(job()).ok();
                }
            });
        }
        drop(done);
        for (name, outcome) in checks.iter().flatten() {
            report.add(&name, outcome);
        }
    });
}

/// The checks that `judge` makes, or one that failed before any could be made.
pub(super) fn checks_of(name: &str, judge: impl FnOnce() -> Result<Checks>) -> Checks {
    judge().unwrap_or_else(|error| vec![(format!("{name}: is tried"), Err(error))])
}
