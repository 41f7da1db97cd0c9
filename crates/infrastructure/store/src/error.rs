//! Says which file could not be read or written, in the port's words.

use std::path::Path;

use awf_core::ActivityError;

pub(crate) fn cannot_read(place: &Path, reason: &impl ToString) -> ActivityError {
    ActivityError::Read { place: place.display().to_string(), reason: reason.to_string() }
}

pub(crate) fn cannot_write(place: &Path, reason: &impl ToString) -> ActivityError {
    ActivityError::Write { place: place.display().to_string(), reason: reason.to_string() }
}
