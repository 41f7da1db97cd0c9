//! Counts in words.

use super::counted;

#[test]
fn counts_read_well() {
    assert_eq!(counted(1, "file"), "1 file");
    assert_eq!(counted(0, "match"), "0 matches");
    assert_eq!(counted(2, "byte"), "2 bytes");
}
