//! Trees, and the places in them.

use std::fmt::Write as _;

use awf_core::{Text, TextOrigin};

use super::{Node, NodeValue, parse_tree};
use crate::reader::{Findings, WORKFLOW};

/// The tree as lines of `line:column-end key: value`, or the findings.
fn shown(text: &str) -> Vec<String> {
    let mut findings = Findings::new("f.yaml", &WORKFLOW, "the file");
    let tree = parse_tree(text, &mut findings);
    let mut lines = Vec::new();
    if let Some(tree) = tree {
        walk("", &tree, &mut lines);
    }
    for finding in findings.sorted() {
        let span = finding.span.unwrap();
        let (line, column, end) = (span.line, span.column, span.end_column);
        lines.push(format!("{line}:{column}-{end} {} {}", finding.code, finding.message));
    }
    lines
}

fn walk(path: &str, node: &Node, lines: &mut Vec<String>) {
    let place = node.place;
    let here = format!("{}:{}-{} {path}", place.line, place.column, place.end_column);
    match &node.value {
        NodeValue::Scalar(scalar) => lines.push(format!("{here}= {}", scalar.json())),
        NodeValue::List(items) => {
            lines.push(format!("{here}[]"));
            for item in items {
                walk(&format!("{path}-"), item, lines);
            }
        }
        NodeValue::Map(entries) => {
            lines.push(format!("{here}{{}}"));
            for entry in entries {
                let key = entry.key_place;
                lines.push(format!(
                    "{}:{}-{} {path}{}",
                    key.line, key.column, key.end_column, entry.key
                ));
                walk(&format!("{path}."), &entry.value, lines);
            }
        }
    }
}

#[test]
fn every_part_knows_its_place() {
    let expected = [
        "1:1-7 {}",
        "1:1-2 é",
        "1:4-7 .= 5.5",
        "2:1-2 b",
        "2:4-20 .[]",
        "2:5-9 .-= true",
        "2:11-19 .-{}",
        "2:12-13 .-x",
        "2:15-18 .-.= \"y\"",
        "3:1-2 c",
        "4:3-7 .[]",
        "4:5-7 .-= \"07\"",
        "5:5-9 .-{}",
        "5:5-6 .-z",
        "5:8-9 .-.= 1",
    ];
    assert_eq!(shown("é: 5.5\nb: [true, {x: 'y'}]\nc:\n  - 07\n  - z: 1\n"), expected);
}

#[test]
fn what_cannot_be_read_is_told_at_its_place() {
    let rows: [(&str, &[&str]); 9] = [
        ("a: [\n", &["1:4-5 WORKFLOW.PARSE.YAML_SYNTAX unclosed bracket '['"]),
        (
            "a: 1\na: 2\n",
            &[
                "1:1-5 {}",
                "1:1-2 a",
                "1:4-5 .= 1",
                "2:1-2 WORKFLOW.PARSE.DUPLICATE_KEY the key `a` is given twice",
            ],
        ),
        (
            "? [x]\n: 3\n",
            &["1:1-6 {}", "1:3-6 WORKFLOW.PARSE.INVALID_VALUE a key must be text, not a list"],
        ),
        (
            "a: 1\n---\nb: 2\n",
            &["2:1-4 WORKFLOW.PARSE.YAML_SYNTAX the file holds more than one document"],
        ),
        (
            "!x a",
            &[
                "1:4-5 = \"a\"",
                "1:4-5 WORKFLOW.PARSE.INVALID_VALUE the tag `!x` has no meaning here",
            ],
        ),
        ("a: *b", &["1:4-6 WORKFLOW.PARSE.YAML_SYNTAX while parsing node, found unknown anchor"]),
        (
            "a: &a [*a]",
            &["1:8-10 WORKFLOW.PARSE.YAML_SYNTAX an alias stands within what it stands for"],
        ),
        ("", &["1:1-2 = null"]),
        ("!!str 5", &["1:7-8 = \"5\""]),
    ];
    for (text, expected) in rows {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn mistakes_people_make_are_told_with_what_to_do() {
    let quotes = "put text with `{{…}}` in quotes";
    for (text, hint) in [
        ("a: {b: echo {{.inputs.x}}}", quotes),
        ("a: {{.inputs.x}}", quotes),
        ("a: echo\nb: {{.inputs.x}} more", quotes),
        ("a: done: ok", "put text with a colon and a space in quotes"),
        ("a:\n\tb: 1", "indent with spaces"),
    ] {
        let mut findings = Findings::new("f.yaml", &WORKFLOW, "the file");
        parse_tree(text, &mut findings);
        let first = findings.sorted().into_iter().next().unwrap();
        assert_eq!(first.hint.as_deref(), Some(hint), "{text}");
    }
}

#[test]
fn aliases_and_merges_are_written_out_where_they_were_defined() {
    let text = "k: &x {a: 1, b: 1}\nj: *x\nm: {<<: *x, b: 2}\nn: {<<: 5}\n";
    let shown = shown(text);
    assert!(shown.contains(&"1:7-19 .{}".to_owned()), "{shown:#?}");
    let merged =
        ["3:1-2 m", "3:4-18 .{}", "3:13-14 .b", "3:16-17 ..= 2", "1:8-9 .a", "1:11-12 ..= 1"];
    assert!(shown.windows(merged.len()).any(|part| part == merged), "{shown:#?}");
    assert_eq!(
        shown.last().unwrap(),
        "4:5-7 WORKFLOW.PARSE.INVALID_VALUE `<<` must name a mapping, or a list of them",
    );
}

#[test]
fn what_grows_without_bound_is_refused() {
    let deep = "[".repeat(65) + &"]".repeat(65);
    let mut bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for (name, of) in "bcdefgh".chars().zip("abcdefg".chars()) {
        writeln!(bomb, "{name}: &{name} [{}]", vec![format!("*{of}"); 10].join(", ")).unwrap();
    }
    let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(500_000), vec!["*a"; 20].join(", "));
    let mut tower = "a0: &a0 [x]\n".to_owned();
    for floor in 1..70 {
        writeln!(tower, "a{floor}: &a{floor} [*a{}]", floor - 1).unwrap();
    }
    for text in [deep, bomb, long, tower, "x".repeat(1024 * 1024 + 1), "- a\n".repeat(100_001)] {
        let shown = shown(&text);
        assert_eq!(shown.len(), 1, "{shown:#?}");
        assert!(shown[0].contains("WORKFLOW.PARSE.TOO_LARGE"), "{shown:#?}");
    }
}

/// Where the characters of the value of `a` stand.
fn origin(text: &str) -> Option<(usize, usize, usize)> {
    let mut findings = Findings::new("f.yaml", &WORKFLOW, "the file");
    let tree = parse_tree(text, &mut findings).unwrap();
    let NodeValue::Map(entries) = &tree.value else { panic!("{text}") };
    let NodeValue::Scalar(scalar) = &entries[0].value.value else { panic!("{text}") };
    scalar.origin.map(|TextOrigin { line, column, indent }| (line, column, indent))
}

#[test]
fn texts_that_stand_as_they_are_say_where() {
    let rows = [
        ("a: plain # c\n", Some((1, 4, 4))),
        ("a: \"quoted\"\n", Some((1, 5, 5))),
        ("a: 'quoted'\n", Some((1, 5, 5))),
        ("a: 'it''s'\n", None),
        ("a: \"tab\\t\"\n", None),
        ("a: two\n  lines\n", None),
        ("a: >\n  folded\n", Some((2, 3, 3))),
        ("a: >-\n  folded\n    deeper\n", Some((2, 3, 3))),
        ("a: >\n  two\n  lines\n", None),
        ("a: >\n  two\n\n  parts\n", None),
        ("a: |\n  one\n  two\n", Some((2, 3, 3))),
        ("a: |\n\n\n  one\n\n   two\n", Some((2, 3, 3))),
        ("a: |2-\n   one\n", Some((2, 3, 3))),
        ("a: |\r\n  one\r\n", Some((2, 3, 3))),
        ("\u{feff}a: b\n", Some((1, 4, 4))),
    ];
    for (text, expected) in rows {
        assert_eq!(origin(text), expected, "{text}");
    }
}

#[test]
fn a_text_whose_parts_have_no_places_is_marked_whole() {
    for (text, expected) in [
        ("a: >\n  two\n  lines\n\nb: c\n", (2, 3, 3, 8)),
        ("a: 'two\n  lines' # c\n", (1, 4, 2, 9)),
        ("a: two\n  lines # c\n", (1, 4, 2, 8)),
        ("a: 'it''s' # c\n", (1, 4, 1, 11)),
    ] {
        let mut findings = Findings::new("f.yaml", &WORKFLOW, "the file");
        let tree = parse_tree(text, &mut findings).unwrap();
        let NodeValue::Map(entries) = &tree.value else { panic!("{text}") };
        let place = entries[0].value.place;
        assert_eq!(
            (place.line, place.column, place.end_line, place.end_column),
            expected,
            "{text}"
        );
    }
}

#[test]
fn a_part_of_a_block_is_found_in_the_file() {
    let mut findings = Findings::new("f.yaml", &WORKFLOW, "the file");
    let tree = parse_tree("run: |\n\n  é {{x}}\n    {{y}}\n", &mut findings).unwrap();
    let NodeValue::Map(entries) = &tree.value else { panic!() };
    let node = &entries[0].value;
    let text: Text = crate::reader::text_of(node, node.scalar().unwrap(), &findings);
    let places = ["{{x}}", "{{y}}"].map(|part| {
        let at = text.value.find(part).unwrap();
        let span = text.span_of(at..at + part.len());
        (span.line, span.column, span.end_column)
    });
    assert_eq!(places, [(3, 5, 10), (4, 5, 10)]);
}

#[test]
fn hostile_files_of_the_largest_size_end() {
    let filled = |begin: &str, part: &str, end: &str| {
        let count = (1024 * 1024 - begin.len() - end.len()) / part.len();
        format!("{begin}{}{end}", part.repeat(count))
    };
    let keys: Vec<String> = (0..90_000).map(|number| format!("k{number}: 1")).collect();
    let nested: Vec<String> = (0..60).map(|number| format!("&a{number} [")).collect();
    let texts = [
        filled("[", "a,", "]"),
        filled("{", "é,", "}"),
        filled("[", "a: b, ", "]"),
        filled("a: '", "x ", "'"),
        filled("a: |\n", " x\n", ""),
        filled("", "- ", ""),
        filled("", "a: ", ""),
        filled("", "[", ""),
        filled("", "&a ", ""),
        filled("", "? ", ""),
        filled("", "# x\n", ""),
        filled("", "\t", ""),
        filled("x: &x {a: 1}\ny:\n", "- <<: *x\n", ""),
        keys.join("\n"),
        format!("{}{}", nested.concat(), "a, ".repeat(1_500)),
    ];
    for text in texts {
        let shown = shown(&text);
        assert!(!shown.is_empty());
    }
}
