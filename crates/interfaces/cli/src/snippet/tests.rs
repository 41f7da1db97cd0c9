//! What a finding looks like.

use awf_core::{Code, Diagnostic, Span};

use super::{Sources, render};
use crate::palette::Palette;

const FILE: &str = ".awf/workflows/deploy.yaml";

fn span(line: usize, column: usize, end_column: usize) -> Span {
    Span { file: FILE.to_owned(), line, column, end_line: line, end_column }
}

fn unknown_key() -> Diagnostic {
    Diagnostic::new(Code::ProxyUnknownKey, "unknown key `intercept_builtin`")
        .hinting("did you mean `intercept_builtins`?")
}

#[track_caller]
fn check(text: &str, finding: &Diagnostic, wanted: &str) {
    let mut sources = Sources::default();
    sources.add(FILE, text.to_owned());
    assert_eq!(
        render(finding, &sources, Palette::Plain),
        wanted.trim_start_matches('\n').trim_end()
    );
}

#[test]
fn the_line_is_shown_with_a_mark_and_the_hint() {
    let text = format!("{}      intercept_builtin: true\n", "\n".repeat(13));
    let wanted = "
error[USER.MCP_PROXY.UNKNOWN_KEY]: unknown key `intercept_builtin`
  --> .awf/workflows/deploy.yaml:14:7
   |
14 |       intercept_builtin: true
   |       ^^^^^^^^^^^^^^^^^ did you mean `intercept_builtins`?
";
    check(&text, &unknown_key().at(span(14, 7, 24)), wanted);
}

#[test]
fn a_long_hint_has_a_line_of_its_own() {
    let finding = Diagnostic::new(Code::UnreachableState, "no way leads to the state `lost`")
        .at(span(1, 1, 5))
        .hinting("lead to it from another state, with `on_success` or a transition, or remove it");
    let wanted = "
warning[WORKFLOW.VALIDATION.UNREACHABLE_STATE]: no way leads to the state `lost`
 --> .awf/workflows/deploy.yaml:1:1
  |
1 | lost:
  | ^^^^
  |
  = help: lead to it from another state, with `on_success` or a transition, or remove it
";
    check("lost:\n", &finding, wanted);
}

#[test]
fn a_suggestion_stands_beside_the_mark_and_the_rest_of_the_hint_beneath() {
    let finding = unknown_key()
        .at(span(1, 1, 4))
        .hinting("did you mean `keys`? known keys here: enable, intercept_builtins, plugin_tools");
    let wanted = "
error[USER.MCP_PROXY.UNKNOWN_KEY]: unknown key `intercept_builtin`
 --> .awf/workflows/deploy.yaml:1:1
  |
1 | key: 1
  | ^^^ did you mean `keys`?
  |
  = help: known keys here: enable, intercept_builtins, plugin_tools
";
    check("key: 1", &finding, wanted);
}

#[test]
fn without_the_text_it_is_one_line_and_the_hint() {
    let finding = unknown_key().at(span(14, 7, 24));
    let wanted = ".awf/workflows/deploy.yaml:14:7: error[USER.MCP_PROXY.UNKNOWN_KEY]: \
                  unknown key `intercept_builtin`\n  hint: did you mean `intercept_builtins`?";
    assert_eq!(render(&finding, &Sources::default(), Palette::Plain), wanted);
    check("only one line\n", &finding, wanted);
}

#[test]
fn hostile_text_steers_nothing_and_columns_stay_those_of_the_file() {
    let finding = unknown_key().at(span(1, 10, 13));
    let wanted = "
error[USER.MCP_PROXY.UNKNOWN_KEY]: unknown key `intercept_builtin`
 --> .awf/workflows/deploy.yaml:1:10
  |
1 | a\\u{1b}[2J    漢字\\u{202e}key: 1
  |                           ^^^ did you mean `intercept_builtins`?
";
    check("a\u{1b}[2J\t漢字\u{202e}key: 1\r\n", &finding, wanted);
    let message = Diagnostic { message: "two\nlines\u{7}".to_owned(), ..finding };
    let wanted = "
error[USER.MCP_PROXY.UNKNOWN_KEY]: two\\u{a}lines\\u{7}
 --> .awf/workflows/deploy.yaml:1:10
  |
1 | abcdefghijklm
  |          ^^^ did you mean `intercept_builtins`?
";
    check("abcdefghijklm", &message, wanted);
}

#[test]
fn a_byte_order_mark_takes_no_column() {
    let wanted = "
error[USER.MCP_PROXY.UNKNOWN_KEY]: unknown key `intercept_builtin`
 --> .awf/workflows/deploy.yaml:1:1
  |
1 | key: 1
  | ^^^ did you mean `intercept_builtins`?
";
    check("\u{feff}key: 1\n", &unknown_key().at(span(1, 1, 4)), wanted);
}

#[test]
fn a_long_line_is_cut_around_the_mark() {
    let line = format!("{}key{}\n", "x".repeat(5000), "y".repeat(5000));
    let wanted = format!(
        "
error[USER.MCP_PROXY.UNKNOWN_KEY]: unknown key `intercept_builtin`
 --> .awf/workflows/deploy.yaml:1:5001
  |
1 | …{}key{}…
  |  {}^^^ did you mean `intercept_builtins`?
",
        "x".repeat(40),
        "y".repeat(77),
        " ".repeat(40)
    );
    check(&line, &unknown_key().at(span(1, 5001, 5004)), &wanted);
}

#[test]
fn a_place_past_the_end_and_a_span_of_many_lines_are_marked_on_their_first_line() {
    let wanted = "
error[USER.MCP_PROXY.UNKNOWN_KEY]: unknown key `intercept_builtin`
 --> .awf/workflows/deploy.yaml:1:4
  |
1 | abc
  |    ^ did you mean `intercept_builtins`?
";
    check("abc\ndef\n", &unknown_key().at(span(1, 4, 5)), wanted);
    let many = Span { end_line: 2, end_column: 3, ..span(1, 2, 0) };
    let wanted = "
error[USER.MCP_PROXY.UNKNOWN_KEY]: unknown key `intercept_builtin`
 --> .awf/workflows/deploy.yaml:1:2
  |
1 | abc
  |  ^^ did you mean `intercept_builtins`?
";
    check("abc\ndef\n", &unknown_key().at(many), wanted);
}

#[test]
fn colour_is_only_added_to_the_same_words() {
    let mut sources = Sources::default();
    sources.add(FILE, "key: 1\n".to_owned());
    let finding = unknown_key().at(span(1, 1, 4));
    let coloured = render(&finding, &sources, Palette::Colour);
    assert!(coloured.contains("\u{1b}["));
    let mut plain = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, escape)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        rest = escape.split_once('m').unwrap().1;
    }
    plain.push_str(rest);
    assert_eq!(plain, render(&finding, &sources, Palette::Plain));
}
