//! Why a step failed, in the plugin's words.

use super::reason;

#[test]
fn the_beginning_of_the_output_is_the_reason() {
    let rows = [
        ("", ""),
        (" \n\n", ""),
        ("config: `sql` is missing\n", ": config: `sql` is missing"),
        ("\n one\ntwo\n\nthree\nfour", ": one; two; three"),
        ("red \u{1b}[31mhere", ": red [31mhere"),
    ];
    for (output, expected) in rows {
        assert_eq!(reason(output), expected);
    }
    let long = reason(&"ä".repeat(1000));
    assert!(long.len() < 410 && long.ends_with('…'), "{long}");
}
