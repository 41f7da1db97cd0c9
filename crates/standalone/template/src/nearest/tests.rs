//! Which name is near enough to be offered.

use super::nearest;

#[test]
fn the_nearest_name_is_offered_or_none() {
    let known = ["escape", "trimSpace", "split", "has_prefix", "eq"];
    for (name, offered) in [
        ("trimspace", Some("trimSpace")),
        ("esacpe", Some("escape")),
        ("hasPrefix", Some("has_prefix")),
        ("eg", Some("eq")),
        ("slpit", Some("split")),
        ("deploy", None),
        ("", None),
    ] {
        assert_eq!(nearest(name, known), offered, "{name}");
    }
}

#[test]
fn a_name_of_any_length_is_compared_in_bounded_time() {
    assert_eq!(nearest(&"x".repeat(1 << 20), ["escape"]), None);
}
