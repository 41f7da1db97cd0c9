//! Temporary files of writers that were killed: how they are named, and how the next writer removes them.

use std::{
    ffi::{OsStr, OsString},
    os::{fd::OwnedFd, unix::ffi::OsStrExt},
};

use rustix::{
    fs::{AtFlags, Dir, FlockOperation, flock, unlinkat},
    io::Errno,
    rand::{GetRandomFlags, getrandom},
};

use crate::files::open::open_named;

const PREFIX: &str = ".awf-";
const SUFFIX: &str = ".tmp";
const DIGITS: usize = 16;

/// A name nobody can guess, and no other file has.
pub(crate) fn temporary_name() -> Result<OsString, Errno> {
    let mut random = [0; 8];
    getrandom(&mut random, GetRandomFlags::empty())?;
    Ok(format!("{PREFIX}{:016x}{SUFFIX}", u64::from_ne_bytes(random)).into())
}

fn is_temporary(name: &[u8]) -> bool {
    name.strip_prefix(PREFIX.as_bytes())
        .and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()))
        .is_some_and(|digits| digits.len() == DIGITS && digits.iter().all(u8::is_ascii_hexdigit))
}

/// Removes what killed writers left in `dir`. Whatever stands in the way only means that residue stays a while longer.
pub(crate) fn sweep(dir: &OwnedFd) {
    let Ok(entries) = Dir::read_from(dir) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_bytes();
        if is_temporary(name) {
            remove_if_dead(dir, OsStr::from_bytes(name));
        }
    }
}

/// A living writer holds the lock of its file; the kernel lets go of a dead one's.
fn remove_if_dead(dir: &OwnedFd, name: &OsStr) {
    let Ok(file) = open_named(dir, name) else { return };
    if flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() {
        let _removed = unlinkat(dir, name, AtFlags::empty());
    }
}

#[cfg(test)]
mod tests;
