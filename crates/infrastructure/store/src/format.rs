//! Files that a newer awf wrote: recognised before anything is taken from them or written to them.

use std::{io, path::Path};

use awf_core::ActivityError;
use serde::Deserialize;

use crate::{
    chain::{self, VERSION},
    error::cannot_read,
    layout::open_read,
    lines::{Lines, last_line},
};

/// An error if a file of lines is of a newer format. No file is of no format.
pub(crate) fn refuse_newer(path: &Path) -> Result<(), ActivityError> {
    match newer(path) {
        Ok(None) => Ok(()),
        Ok(Some(found)) => Err(is_newer(path, found, VERSION)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(cannot_read(path, &error)),
    }
}

/// Says that a file is of a newer format.
pub(crate) fn is_newer(path: &Path, found: u32, known: u32) -> ActivityError {
    ActivityError::Newer { place: path.display().to_string(), found, known }
}

/// Who writes to a file goes on in his own format, so its first and its last line tell. One line that claims to be newer
/// and does not fit its hash is a damaged one.
fn newer(path: &Path) -> io::Result<Option<u32>> {
    let last = last_line(&open_read(path)?)?.line;
    let mut lines = Lines::open(path, 0)?;
    let Some((_, first)) = lines.next_line()? else { return Ok(None) };
    let genuine = [&last, first].into_iter().find_map(|line| claimed(line).filter(|_| fits(line)));
    let both = claimed(first).filter(|_| first != last).and(claimed(&last));
    Ok(genuine.or(both))
}

/// The version a line claims, if it is newer than ours.
fn claimed(line: &[u8]) -> Option<u32> {
    #[derive(Deserialize)]
    struct Claim {
        v: u32,
    }
    let Claim { v } = serde_json::from_slice(line).ok()?;
    (v > VERSION).then_some(v)
}

/// Whether nothing speaks against the line: a newer format may well have another place for its hash.
fn fits(line: &[u8]) -> bool {
    chain::split(line).is_none_or(|split| split.fits())
}

#[cfg(test)]
mod tests;
