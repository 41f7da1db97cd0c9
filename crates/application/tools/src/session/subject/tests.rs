//! Arguments, and what is said of them.

use awf_core::{Captured, RawJson};

use crate::session::subject::subject;

#[test]
fn the_most_telling_argument_is_what_a_call_is_about() {
    let rows = [
        (r#"{"content":"x","file_path":"src/a.rs"}"#, "src/a.rs"),
        (r#"{"path":"src","pattern":"fn main"}"#, "fn main"),
        (r#"{"command":"\n cargo test \\\n  --all\n"}"#, "cargo test \\\\"),
        (r#"{"file_path":7,"path":"src"}"#, "src"),
        (r#"{"deep":{"file_path":"a"}}"#, ""),
        (r#"["file_path"]"#, ""),
        ("{}", ""),
    ];
    for (arguments, expected) in rows {
        let arguments = Captured::Whole(RawJson::parse(arguments).unwrap());
        assert_eq!(subject(&arguments), expected, "{arguments:?}");
    }
}

#[test]
fn what_comes_before_a_cut_is_still_read() {
    let head = r#"{"file_path":"big.txt","content":"aaaaaaaaaaa"#.to_owned();
    assert_eq!(subject(&Captured::Cut { head, full_bytes: 1 << 20 }), "big.txt");
    let head = r#"{"content":"aaaaaaaaaaa"#.to_owned();
    assert_eq!(subject(&Captured::Cut { head, full_bytes: 1 << 20 }), "");
}
