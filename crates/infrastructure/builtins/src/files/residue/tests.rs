//! Which names are temporary files of ours.

use std::os::unix::ffi::OsStrExt;

use super::{is_temporary, temporary_name};

#[test]
fn only_our_own_names_are_taken_for_residue() {
    assert!(is_temporary(temporary_name().unwrap().as_bytes()));
    for other in
        [".awf-.tmp", ".awf-0123.tmp", ".awf-0123456789abcdeg.tmp", "x.awf-0123456789abcdef.tmp"]
    {
        assert!(!is_temporary(other.as_bytes()), "{other}");
    }
}
