//! Who gets colour.

use super::{Palette, Reader};

type Variables = &'static [(&'static str, &'static str)];

#[test]
fn colour_is_for_terminals_unless_the_user_says_otherwise() {
    let rows: [(Reader, Variables, Palette); 8] = [
        (Reader::Terminal, &[("TERM", "xterm-256color")], Palette::Colour),
        (Reader::Terminal, &[], Palette::Colour),
        (Reader::Terminal, &[("TERM", "dumb")], Palette::Plain),
        (Reader::Terminal, &[("NO_COLOR", "1")], Palette::Plain),
        (Reader::Program, &[("TERM", "xterm")], Palette::Plain),
        (Reader::Program, &[("CLICOLOR_FORCE", "1")], Palette::Colour),
        (Reader::Program, &[("CLICOLOR_FORCE", "0")], Palette::Plain),
        (Reader::Program, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], Palette::Plain),
    ];
    for (reader, variables, wanted) in rows {
        let var =
            |name: &str| variables.iter().find(|(set, _)| *set == name).map(|(_, value)| *value);
        assert_eq!(Palette::choose(reader, var), wanted, "{reader:?} {variables:?}");
    }
}
