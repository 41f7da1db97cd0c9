//! Follows one chain from its first line to its last.

use std::{io, path::Path};

use awf_core::ActivityError;

use crate::{
    chain::{self, Link, Preamble, VERSION},
    error::cannot_read,
    lines::Lines,
    verify::{Fault, Place, VerifyReport},
};

/// Where a chain ended.
pub(super) struct Walked {
    /// How many finished lines there are.
    pub(super) lines: u64,
    /// The last one.
    pub(super) last: Link,
    /// Where it ends.
    pub(super) end: u64,
    /// How many bytes without a newline follow.
    pub(super) unfinished: u64,
}

/// Checks each line against the one before and hands it on. After a fault the chain is taken up again at the line as it
/// stands, so that one change is not reported a thousand times. `None`: no such file.
pub(super) fn walk(
    path: &Path,
    start: Link,
    report: &mut VerifyReport,
    mut each: impl FnMut(&mut VerifyReport, Place, &[u8], Link),
) -> Result<Option<Walked>, ActivityError> {
    let failed = |error| cannot_read(path, &error);
    let mut lines = match Lines::open(path, 0) {
        Ok(lines) => lines,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let (mut last, mut count) = (start, 0);
    while let Some((offset, line)) = lines.next_line().map_err(failed)? {
        count += 1;
        let place = Place { file: path.to_owned(), line: count, offset };
        let (next, fault) = check(line, last);
        if let Some(fault) = fault {
            report.find(place.clone(), fault);
        }
        if let Some(next) = next {
            last = next;
            each(report, place, line, next);
        }
    }
    Ok(Some(Walked { lines: count, last, end: lines.offset(), unfinished: lines.unfinished() }))
}

/// What is wrong with a line after `last`, and the link it stands for, if it is a line of ours at all.
fn check(line: &[u8], last: Link) -> (Option<Link>, Option<Fault>) {
    let (Some(split), Ok(preamble)) =
        (chain::split(line), serde_json::from_slice::<Preamble<'_>>(line))
    else {
        return (None, Some(Fault::Malformed));
    };
    let Preamble { v, seq, prev } = preamble;
    let fault = if v != VERSION {
        Some(Fault::UnknownVersion { found: v })
    } else if !split.fits() {
        Some(Fault::Edited)
    } else if seq != last.seq + 1 {
        Some(Fault::OutOfSequence { expected: last.seq + 1, found: seq })
    } else if prev != last.hash.as_str() {
        Some(Fault::Unlinked)
    } else {
        None
    };
    (Some(Link { seq, hash: split.claimed }), fault)
}
