//! The directory awf keeps its data in: whether it is closed to others.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

/// What others may do there, and what to do about it. A directory that is not there yet is made closed.
pub(crate) fn exposure(home: &Path) -> Option<String> {
    let mode = fs::metadata(home).ok()?.permissions().mode() & 0o7777;
    let path = home.display();
    (mode & 0o077 != 0).then(|| {
        format!("`{path}` is open to other users (mode {mode:04o}): run `chmod 700 {path}`")
    })
}
