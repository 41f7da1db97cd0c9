//! How much of the log is kept.

use std::time::Duration;

/// The limits of the log; what is absent sets none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retention {
    /// How old the newest event of a segment may be.
    pub max_age: Option<Duration>,
    /// How many calls the log may hold.
    pub max_records: Option<u64>,
    /// How large its segments may be together.
    pub max_bytes: Option<u64>,
}

impl Retention {
    /// Whether nothing is ever removed.
    pub fn keeps_all(&self) -> bool {
        *self == Self::default()
    }
}
