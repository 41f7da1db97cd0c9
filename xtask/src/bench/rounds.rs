//! Both sides of a figure, taken in turns.

use anyhow::Result;

/// What one round gave: a number, or what is brought down to one later.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sides<T> {
    pub(crate) awf: T,
    pub(crate) floor: T,
}

impl<T> Sides<T> {
    pub(crate) fn map<U>(&self, number: impl Fn(&T) -> U) -> Sides<U> {
        Sides { awf: number(&self.awf), floor: number(&self.floor) }
    }
}

/// The order alternates, so that neither side always runs on the warmer machine.
pub(crate) fn side_by_side<T>(
    rounds: usize,
    mut floor: impl FnMut() -> Result<T>,
    mut awf: impl FnMut() -> Result<T>,
) -> Result<Vec<Sides<T>>> {
    let round = |number: usize| {
        if number.is_multiple_of(2) {
            let floor = floor()?;
            Ok(Sides { floor, awf: awf()? })
        } else {
            let awf = awf()?;
            Ok(Sides { awf, floor: floor()? })
        }
    };
    (0..rounds).map(round).collect()
}

#[cfg(test)]
mod tests;
