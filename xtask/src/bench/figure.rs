//! One line of the result: what was measured, against what, and whether the aim was met.

use std::fmt;

use super::rounds::Sides;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    pub(crate) result: Outcome,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    /// Microseconds for each round: awf's and its floor's. The aim is on the ratio.
    Ratio { rounds: Vec<Sides<f64>>, aim: f64 },
    /// Bytes with much and with little behind them. The aim is that they are the same.
    Bytes { much: usize, little: usize },
    /// A share of 1, where more is better: awf's and that of the simplest way. The aim is to be no worse.
    Share { awf: f64, simplest: f64 },
    /// Megabytes for each round. The aim is on the value.
    Memory { rounds: Vec<f64>, aim: f64 },
    /// What there is nothing to hold against.
    Told(String),
    /// Why there is nothing to tell.
    NotMeasured(String),
}

impl Figure {
    pub(crate) const HEADER: &str =
        "figure                                          awf         floor     ratio    aim";

    pub(crate) fn ratio(name: &'static str, rounds: Vec<Sides<f64>>, aim: f64) -> Self {
        Self { name, result: Outcome::Ratio { rounds, aim } }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:38}", self.name)?;
        match &self.result {
            Outcome::Ratio { rounds, aim } => {
                let side = |side: fn(&Sides<f64>) -> f64| median(rounds.iter().map(side).collect());
                let ratio = median(rounds.iter().map(|round| round.awf / round.floor).collect());
                let (awf, floor) = (side(|round| round.awf), side(|round| round.floor));
                let verdict = verdict(ratio, *aim);
                write!(f, "{} {} {ratio:7.2}x {aim:5}x  {verdict}", Time(awf), Time(floor))
            }
            Outcome::Memory { rounds, aim } => {
                let value = median(rounds.clone());
                write!(f, "{value:10.1} MB {:13} {:8} {aim:4}MB  {}", "", "", verdict(value, *aim))
            }
            Outcome::Bytes { much, little } => {
                let verdict = if much == little { "ok" } else { "missed" };
                write!(f, "{much:10} B  {little:10} B  {:8} {:>6}  {verdict}", "", "same")
            }
            Outcome::Share { awf, simplest } => {
                let verdict = verdict(*simplest, *awf);
                write!(f, "{awf:10.3}    {simplest:10.3}    {:8} {:>6}  {verdict}", "", "more")
            }
            Outcome::Told(what) => write!(f, "   {what}"),
            Outcome::NotMeasured(why) => write!(f, "   not measured: {why}"),
        }
    }
}

/// Microseconds, or milliseconds when there are many.
struct Time(f64);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 10_000.0 {
            write!(f, "{:10.1} us", self.0)
        } else {
            write!(f, "{:10.1} ms", self.0 / 1e3)
        }
    }
}

fn verdict(value: f64, aim: f64) -> &'static str {
    if value <= aim { "ok" } else { "missed" }
}

pub(crate) fn median(values: Vec<f64>) -> f64 {
    percentile(values, 50)
}

/// The value that `percent` of all do not exceed, by nearest rank; not a number when there is none.
pub(crate) fn percentile(mut values: Vec<f64>, percent: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    let rank = (values.len() * percent).div_ceil(100).max(1);
    values.get(rank - 1).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests;
