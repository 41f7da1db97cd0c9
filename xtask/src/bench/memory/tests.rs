//! The sum covers descendants.

use super::{megabytes, parents};

#[test]
fn a_process_has_memory_and_a_parent() {
    let this = std::process::id();
    assert!(megabytes(this).unwrap() > 0.1);
    let parent = std::os::unix::process::parent_id();
    assert!(parents().unwrap().contains(&(this, parent)));
    assert!(megabytes(parent).unwrap() > megabytes(this).unwrap());
}
