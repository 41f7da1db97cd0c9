//! Calls as they come to an end, each told once.

use std::fmt;

use crate::activity::ActivityRecord;

/// Where somebody who follows the log stands. Good for as long as the log's index is not made anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Tells the index from one made later.
    pub index: i64,
    /// The number of the last call that was told.
    pub number: i64,
}

impl Place {
    /// Reads what [`Display`](fmt::Display) wrote.
    pub fn parse(text: &str) -> Option<Self> {
        let (index, number) = text.split_once('.')?;
        let place = Self { index: index.parse().ok()?, number: number.parse().ok()? };
        // One way to write each place: a sign or a zero too many is not ours.
        (place.number >= 0 && place.to_string() == text).then_some(place)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.index, self.number)
    }
}

/// A call that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Over {
    /// Where who was told of it stands.
    pub place: Place,
    /// The call, whatever process made it.
    pub record: ActivityRecord,
}

/// Calls that came to an end since a place, in the order in which that was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActivityNews {
    /// The calls.
    pub calls: Vec<Over>,
    /// Where to go on.
    pub place: Place,
    /// Whether the place asked from is no longer known: what lies between is not told.
    pub gap: bool,
}
