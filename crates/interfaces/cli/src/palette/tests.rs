//! Who gets colour.

use super::Palette;

#[test]
fn colour_is_for_terminals_unless_the_user_says_otherwise() {
    let rows: [(bool, &[(&str, &str)], Palette); 8] = [
        (true, &[("TERM", "xterm-256color")], Palette::Colour),
        (true, &[], Palette::Colour),
        (true, &[("TERM", "dumb")], Palette::Plain),
        (true, &[("NO_COLOR", "1")], Palette::Plain),
        (false, &[("TERM", "xterm")], Palette::Plain),
        (false, &[("CLICOLOR_FORCE", "1")], Palette::Colour),
        (false, &[("CLICOLOR_FORCE", "0")], Palette::Plain),
        (false, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], Palette::Plain),
    ];
    for (terminal, variables, wanted) in rows {
        let var =
            |name: &str| variables.iter().find(|(set, _)| *set == name).map(|(_, value)| *value);
        assert_eq!(Palette::choose(terminal, var), wanted, "{terminal} {variables:?}");
    }
}
