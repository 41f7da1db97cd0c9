//! How serde's words become a failing path; what each tool refuses is tested from outside.

use super::field_named_in;

#[test]
fn a_fault_in_a_key_names_the_key() {
    assert_eq!(field_named_in("missing field `content`"), Some("content"));
    assert_eq!(field_named_in("unknown field `a.b`, expected `x` or `y`"), Some("a.b"));
    assert_eq!(field_named_in("duplicate field `-i`"), Some("-i"));
    assert_eq!(field_named_in("invalid type: string \"x\", expected a boolean"), None);
}
