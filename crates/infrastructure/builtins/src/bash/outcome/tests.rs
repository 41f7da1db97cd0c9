//! Output that was cut.

use awf_process::Captured;

use super::push_output;

#[test]
fn a_cut_through_a_character_leaves_no_broken_piece() {
    let euro = "€".as_bytes();
    let output = Captured {
        head: [b"head", &euro[..2]].concat(),
        tail: [&euro[1..], b"tail\xff"].concat(),
        dropped: 7,
    };
    let mut text = String::new();
    push_output(&mut text, &output);
    assert_eq!(text, "head\n[… 7 bytes of output cut …]\ntail\u{FFFD}");
}
