//! A line for each check, and in the end how many passed.

use std::time::Instant;

use anyhow::{Result, bail};

#[derive(Debug, Default)]
pub(crate) struct Report {
    peer: &'static str,
    passed: usize,
    failed: usize,
}

impl Report {
    /// The checks that follow belong to this peer.
    pub(crate) fn open(&mut self, peer: &'static str) {
        self.peer = peer;
    }

    /// Makes a check and says how it went and how long it took.
    pub(crate) fn check(&mut self, name: &str, work: impl FnOnce() -> Result<()>) {
        let start = Instant::now();
        let outcome = work();
        let name = format!("{name} ({:.1} s)", start.elapsed().as_secs_f64());
        self.add(&name, outcome);
    }

    /// Counts a check that was made.
    pub(crate) fn add(&mut self, name: &str, outcome: Result<()>) {
        match outcome {
            Ok(()) => {
                self.passed += 1;
                println!("pass  {}: {name}", self.peer);
            }
            Err(error) => {
                self.failed += 1;
                println!("FAIL  {}: {name}: {error:#}", self.peer);
            }
        }
    }

    /// The last line. A run that checked nothing did not pass.
    pub(crate) fn close(self) -> Result<()> {
        println!("{} passed, {} failed", self.passed, self.failed);
        if self.failed > 0 {
            bail!("peers: {} of {} checks failed", self.failed, self.passed + self.failed);
        }
        if self.passed == 0 {
            bail!("peers: nothing was checked");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
