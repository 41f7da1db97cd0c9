//! The scanner on the shapes that fool naive ones.

use super::{Function, code_only, functions};

#[track_caller]
fn check(text: &str, code: &str) {
    assert_eq!(code_only(text), code);
}

#[test]
fn only_code_is_left() {
    check("a // b\nc", "a     \nc");
    check("a /* b /* c */ d */ e", "a                   e");
    check(r#"x("a\"b{")"#, "x(       )");
    check("x('{', '\\'', '\\u{7b}')", "x(   ,     ,         )");
    check("fn f<'a>(x: &'a str) {}", "fn f<'a>(x: &'a str) {}");
    check("r#\"a\"b\"# + br\"c\"", "         +      ");
    check("for\"x\"", "for   ");
    check("\"open", "     ");
    check("é\"ü\"é", "é   é");
}

#[test]
fn functions_are_found_with_their_span() {
    let text = "trait T { fn none(&self); }\n\
        fn one() {}\n\
        impl X {\n    pub async fn two(a: [u8; 3])\n    where A: B,\n    {\n        let s = \"}\";\n    }\n}\n\
        type F = fn (u8);\nstruct Often { x: u8 }\n";
    let found = functions(&code_only(text));
    let function = |name: &str, line, lines| Function { name: name.to_owned(), line, lines };
    assert_eq!(found, [function("one", 2, 1), function("two", 4, 5)]);
}
