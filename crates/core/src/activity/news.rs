//! Calls as they come to an end, each told once.

use crate::activity::ActivityRecord;

/// Where somebody who follows the log stands. Good for as long as the log's index is not made anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Tells the index from one made later.
    pub index: i64,
    /// The number of the last call that was told.
    pub number: i64,
}

/// Calls that came to an end since a place, in the order in which that was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActivityNews {
    /// The records, whatever process wrote them.
    pub records: Vec<ActivityRecord>,
    /// Where to go on.
    pub place: Place,
    /// Whether the place asked from is no longer known: what lies between is not told.
    pub gap: bool,
}
