//! Expressions as tables: what they give, what they refuse, what they ask of their scope.

use std::ops::Range;

use proptest::prelude::{any, prop, proptest};
use serde_json::{Value, json};

use crate::{
    Expression,
    testing::{Values, values},
};

#[track_caller]
fn check(rows: &[(&str, Value)]) {
    for (text, value) in rows {
        let expression = Expression::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(expression.evaluate(&values()).as_ref(), Ok(value), "{text}");
    }
}

/// Rows of which each is true.
#[track_caller]
fn check_true(rows: &[&str]) {
    for text in rows {
        let expression = Expression::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(expression.test(&values()), Ok(true), "{text}");
    }
}

#[test]
fn values_and_literals() {
    check(&[
        ("inputs.env", json!("prod")),
        (".inputs.env", json!("prod")),
        ("states.my-step.ExitCode", json!(1)),
        ("states?.my-step?.ExitCode", json!(1)),
        (".states.my-step.ExitCode", json!(1)),
        ("states[\"my-step\"].ExitCode", json!(1)),
        ("inputs[\"my-input\"]", json!("dashed")),
        ("states.build.JSON.items[1]", json!(20)),
        ("states.build.JSON.items[-1]", json!(20)),
        ("states.build.JSON.items.0", json!(10)),
        ("states.build.JSON.items[9]", Value::Null),
        ("inputs.people[0].name", json!("Ada")),
        ("inputs.people?.[0]?.name", json!("Ada")),
        ("inputs[inputs.x ?? \"n\"]", json!(7)),
        ("nowhere.at.all[3]", Value::Null),
        ("workflow.Duration()", json!("2s")),
        ("'it\\'s' + \"\\n\" + `\\n`", json!("it's\n\\n")),
        ("[1, \"a\", nil, null, true,]", json!([1, "a", null, null, true])),
        ("{a: 1, \"b\": {\"c\": [2]}}", json!({"a": 1, "b": {"c": [2]}})),
        ("{\"a\": 1}.a", json!(1)),
    ]);
}

#[test]
fn arithmetic_binds_as_usual() {
    check(&[
        ("1 + 2 * 3 - 4", json!(3)),
        ("(1 + 2) * 3", json!(9)),
        ("6 / 2", json!(3)),
        ("7 / 2", json!(3.5)),
        ("-7 % 4", json!(-3)),
        ("2 - 3 - 4", json!(-5)),
        ("inputs.count + 1", json!(4)),
        ("inputs.count-1", json!(2)),
        ("-inputs.n", json!(-7)),
        ("+inputs.count", json!(3)),
        ("0.5 + 1e1", json!(10.5)),
        ("\"a\" + \"b\"", json!("ab")),
        ("\"1\" + \"2\"", json!("12")),
        ("states.build.ExitCode-1", json!(-1)),
        ("states.my-step.ExitCode - states.build.ExitCode", json!(1)),
        ("inputs.none ?? 1 + 1", json!(2)),
        ("inputs.yes ? 1 : 2", json!(1)),
        ("inputs.no ? 1 : inputs.n > 5 ? 2 : 3", json!(2)),
    ]);
}

#[test]
fn comparisons_read_text_as_what_it_looks_like() {
    check_true(&[
        "inputs.count > 2 and inputs.count < 10",
        "inputs.count == 3",
        "inputs.flag == true",
        "inputs.flag",
        "inputs.env == 'prod'",
        "inputs.env != \"dev\" && states.build.ExitCode == 0",
        "states.my-step.Output == 42",
        "states.my-step.Output > 41.5",
        "inputs.missing == nil",
        "!(inputs.missing > 1)",
        "not (inputs.missing < 1)",
        "inputs.env != 1",
        "not inputs.no",
        "!inputs.no",
        "!inputs.missing",
        "inputs.no || inputs.yes",
        "inputs.no or not inputs.no",
        "inputs.n >= 7 == true",
        "\"b\" > \"a\"",
    ]);
}

#[test]
fn words_are_operators() {
    check_true(&[
        "inputs.env in [\"dev\", \"prod\"]",
        "inputs.env not in [\"dev\"]",
        "3 in [inputs.count]",
        "\"a\" in inputs.map",
        "not (\"a\" in inputs.missing)",
        "inputs.env contains \"ro\"",
        "not inputs.env contains \"x\"",
        "inputs.env not contains \"x\"",
        "inputs.files contains \"a.rs\"",
        "inputs.env startsWith \"pr\" and inputs.env endsWith \"od\"",
        "inputs.env matches \"^p.*d$\"",
        "inputs.env not matches `^\\d+$`",
        "matches(inputs.env, \"ro\")",
        "contains(inputs.env, \"ro\")",
        "has_prefix(inputs.env, \"pr\") && has_suffix(inputs.env, \"od\")",
        "not has_prefix(inputs.missing, \"pr\")",
        "len(inputs.files) == 2 and len(inputs.missing) == 0",
        "lower(\"ÄB\") == \"äb\" and upper(\"a\") == \"A\"",
        "trim(states.build.Output) == \"done\"",
        "int(\"3.9\") == 3 and int(-0.5) == 0",
        "float(\"2\") / 4 == 0.5",
        "string(7) + \"a\" == \"7a\"",
    ]);
}

#[test]
fn braces_are_taken_as_in_templates() {
    check_true(&[
        "{{.states.my-step.ExitCode}} == 1",
        "{{ .inputs.my-input }} == \"dashed\"",
        "{{.inputs.env}} == \"prod\" && {{inputs.n}} > 6",
        "{{ inputs.count > 2 }}",
        "{{index .states \"my-step\" \"ExitCode\"}} == 1",
        "{{len .inputs.files}} == 2",
        "{{.inputs.env | printf \"%s!\"}} == \"prod!\"",
        "{{.inputs.missing}} == nil",
        "!{{.inputs.no}}",
        "{{ {\"a\": {\"b\": true}}.a.b }}",
    ]);
}

#[test]
fn conditions_are_booleans() {
    for (text, expected) in [
        ("inputs.missing", Ok(false)),
        ("inputs.none", Ok(false)),
        ("\"TRUE\"", Ok(true)),
        ("inputs.n", Err("a condition must be true or false, this is a number `7`")),
        ("inputs.env", Err("a condition must be true or false, this is text `prod`")),
        ("inputs.yes && inputs.files", Err("a condition must be true or false, this is a list")),
    ] {
        let tested = Expression::parse(text).unwrap().test(&values());
        assert_eq!(
            tested.map_err(|error| error.message),
            expected.map_err(str::to_owned),
            "{text}"
        );
    }
}

#[test]
fn evaluation_errors_say_what_and_where() {
    for (text, message, at) in [
        ("inputs.n > \"x\"", "a number and text have no order", 0..14),
        ("1 + inputs.files < 2", "`+` needs numbers, not a list", 0..16),
        ("1 - inputs.missing", "`-` needs numbers, not null", 0..18),
        ("9223372036854775807 + 1", "`+` gives too large a number", 0..23),
        ("1e308 * 10", "`*` gives too large a number", 0..10),
        ("1 / 0", "division by zero", 0..5),
        ("1 % 0", "division by zero", 0..5),
        ("1 / 0.0", "division by zero", 0..7),
        ("1.5 % 2", "`%` needs whole numbers", 0..7),
        ("-inputs.env", "text `prod` is not a number", 1..11),
        ("int(\"x\")", "text `x` is not a number", 0..8),
        ("len(1)", "a number has no length", 0..6),
        ("\"a\" in \"abc\"", "`in` needs a list or a map; of text ask `text contains part`", 0..12),
        (
            "inputs.map contains \"a\"",
            "`contains` needs text or a list; of a map ask `key in map`",
            0..23,
        ),
        ("inputs.files startsWith \"a\"", "this operator needs text, not a list", 0..27),
        ("inputs.env ? 1 : 2", "a condition must be true or false, this is text `prod`", 0..10),
    ] {
        let error = Expression::parse(text).unwrap().evaluate(&values()).expect_err(text);
        assert_eq!((error.message.as_str(), error.at), (message, at), "{text}");
    }
    let least = Expression::parse("(-9223372036854775807 - 1) / -1").unwrap().evaluate(&values());
    assert_eq!(least, Ok(json!(9_223_372_036_854_775_808.0)));
}

fn refusal(text: &str) -> (String, Range<usize>, Option<String>) {
    let error = Expression::parse(text).expect_err(text);
    (error.message, error.at, error.hint)
}

#[test]
fn syntax_errors_say_what_and_where() {
    for (text, message, at, hint) in [
        ("", "a value is missing here", 0..0, ""),
        ("inputs.a ==", "a value is missing here", 11..11, ""),
        ("inputs.a = 1", "`=` is not expected", 9..10, "`==`"),
        ("inputs.a === 1", "`===` is not an operator", 9..12, "`==`"),
        ("inputs.a & inputs.b", "`&` is not expected", 9..10, "`&&`"),
        ("inputs.a | inputs.b", "`|` is not expected", 9..10, "`||`"),
        ("2 ** 3", "`**` is not an operator", 2..4, "powers"),
        ("inputs.a++", "`++` is not an operator", 8..10, "`+ 1`"),
        ("1..3", "`1..3` is not a number", 0..4, "42"),
        ("a <> b", "`<>` is not an operator", 2..4, "`!=`"),
        ("$HOME", "`$` is not expected", 0..1, "env.HOME"),
        ("inputs.a prod", "an operator is missing before this", 9..13, "quotes"),
        ("inputs.a == prod uction", "an operator is missing before this", 17..23, "quotes"),
        ("contians(inputs.a, 1)", "`contians` is not a function", 0..8, "`contains`"),
        ("hasPrefix(a.b, 'x')", "`hasPrefix` is not a function", 0..9, "`has_prefix`"),
        ("len()", "`len` takes 1 argument, not 0", 0..3, ""),
        ("contains(a.b)", "`contains` takes 2 arguments, not 1", 0..8, ""),
        ("inputs.a.lower(1)", "`lower` is not a function", 9..14, "`lower(inputs.x)`"),
        ("(1 + 2", "`(` is not closed", 6..6, "add `)`"),
        ("[1, 2", "`[` is not closed", 5..5, "add `]`"),
        ("inputs[0", "`[` is not closed", 8..8, "add `]`"),
        ("{a: 1", "`{` is not closed", 5..5, "add `}`"),
        ("{a 1}", "a map needs `:`", 3..4, "add `:`"),
        ("a ? b", "`? … :` needs its `:`", 5..5, "add `:`"),
        ("1 + )", "`)` is not expected here", 4..5, ""),
        ("1)", "`)` is not expected here", 1..2, ""),
        ("1 not + 2", "an operator is missing before this", 2..5, "=="),
        ("1 not not in [2]", "an operator is missing before this", 2..5, "=="),
        ("inputs.", "a name is missing after `.`", 6..7, "brackets"),
        ("and 1", "a value is missing before `and`", 0..3, ""),
        ("'abc", "the text opened by `'` is not closed", 0..1, "add `'`"),
        (
            "\"{{.inputs.a}}\" == \"x\"",
            "`{{…}}` in quotes is not filled in",
            0..15,
            "without quotes",
        ),
        ("{{.inputs.a == 1", "`{{` is not closed", 0..2, "`}}`"),
        ("{{ {{1}} }}", "`{{…}}` cannot stand in `{{…}}`", 3..8, ""),
        ("{{ inputs.a == }} && 1", "a value is missing here", 15..15, ""),
        ("{{ .inputs.a | esacpe }}", "`esacpe` is not a function of templates", 15..21, "`escape`"),
        ("a matches \"(\"", "`(` is not a pattern: unclosed group", 10..13, ""),
        ("1 + é@", "`@` is not expected", 6..7, ""),
    ] {
        let (said, place, hinted) = refusal(text);
        assert!(said.starts_with(message), "{text}: {said}");
        assert_eq!(place, at, "{text}: {said}");
        assert_eq!(hinted.is_some(), !hint.is_empty(), "{text}: {hinted:?}");
        assert!(hinted.unwrap_or_default().contains(hint), "{text}");
    }
}

#[test]
fn references_are_those_to_the_scope() {
    for (text, expected) in [
        (
            "inputs.a == 1 && states.b-c.Output == 2",
            vec!["inputs.a 0..8", "states.b-c.Output? 17..34"],
        ),
        ("states[\"x\"].Output", vec!["states.x.Output 0..18"]),
        ("states[\"x\"]", vec!["states.x 0..11"]),
        ("states[inputs.a].Output", vec!["states 0..6", "inputs.a 7..15"]),
        ("states.x.JSON[0].y", vec!["states.x.JSON 0..13"]),
        (
            ".inputs.a ? inputs.b : inputs.c",
            vec!["inputs.a 0..9", "inputs.b? 12..20", "inputs.c? 23..31"],
        ),
        ("inputs.a ?? inputs.b", vec!["inputs.a 0..8", "inputs.b? 12..20"]),
        (
            "len(inputs.a) in [inputs.b, {k: inputs.c}.k]",
            vec!["inputs.a 4..12", "inputs.b 18..26", "inputs.c 32..40"],
        ),
        ("true || {{.inputs.a | len}} == 1", vec!["inputs.a? 10..19"]),
        ("prod", vec!["prod 0..4"]),
        ("\"inputs.a\"", vec![]),
    ] {
        let found: Vec<_> = Expression::parse(text)
            .unwrap()
            .references()
            .into_iter()
            .map(|found| {
                let doubt = if found.certain { "" } else { "?" };
                format!("{}{doubt} {:?}", found.path.join("."), found.at)
            })
            .collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn depth_is_bounded() {
    let group = |n: usize| format!("{}1{}", "(".repeat(n), ")".repeat(n));
    assert!(Expression::parse(&group(63)).is_ok());
    assert_eq!(refusal(&group(64)).0, "expression is nested too deep");
    for opening in ["!", "-", "[", "(", "{a:", "a[", "not ", "1 ? ", "len("] {
        assert_eq!(
            refusal(&opening.repeat(100_000)).0,
            "expression is nested too deep",
            "{opening}"
        );
    }
    assert!(Expression::parse(&vec!["1"; 256].join("+")).is_ok());
    let row = "expression has more than 256 operators in a row";
    assert_eq!(refusal(&vec!["1"; 100_000].join("+")).0, row);
    assert!(Expression::parse(&format!("a {}", "not ".repeat(100_000))).is_err());
    let path = format!("inputs{}", ".a".repeat(100_000));
    assert_eq!(Expression::parse(&path).unwrap().evaluate(&values()), Ok(Value::Null));
}

#[test]
fn work_is_bounded() {
    let scope = Values::of(json!({"inputs": {"big": "x".repeat(4 << 20)}}));
    let fails =
        |text: &str| Expression::parse(text).unwrap().evaluate(&scope).expect_err(text).message;
    assert_eq!(fails(&["inputs.big"; 5].join("+")), "the text grew beyond 16 MiB");
    let list = format!("[{}]", "inputs.big,".repeat(100));
    assert_eq!(fails(&list), "evaluation stopped after 1000000 steps");
    let long = refusal(&format!("a matches '{}'", "x".repeat(1_001))).0;
    assert_eq!(long, "the pattern is longer than 1000 bytes");
    assert!(refusal("a matches '(x{100}){100}{100}'").0.contains("size limit"));
}

proptest! {
    #[test]
    fn any_text_parses_or_is_refused_in_place(text in any::<String>()) {
        if let Err(error) = Expression::parse(&text) {
            assert!(text.get(error.at.clone()).is_some(), "{error:?}");
        }
    }

    #[test]
    fn any_soup_of_tokens_parses_or_is_refused_in_place(
        tokens in prop::collection::vec(prop::sample::select(SOUP), 0..60)
    ) {
        let text = tokens.concat();
        match Expression::parse(&text) {
            Ok(expression) => {
                drop(expression.test(&values()));
                for reference in expression.references() {
                    assert!(text.get(reference.at.clone()).is_some(), "{reference:?}");
                }
            }
            Err(error) => assert!(text.get(error.at.clone()).is_some(), "{error:?}"),
        }
    }
}

const SOUP: &[&str] = &[
    "inputs",
    ".",
    "states.my-step",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "{{",
    "}}",
    ",",
    ":",
    "?",
    "??",
    "?.",
    "==",
    "<",
    "&&",
    "or",
    " ",
    " not ",
    " in ",
    " contains ",
    " matches ",
    "!",
    "-",
    "+",
    "*",
    "/",
    "%",
    "1",
    "0.5",
    "'a'",
    "\"",
    "`",
    "len",
    "nil",
    "true",
    "é",
    "\n",
    "|",
    "=",
    "$",
    "inputs.n",
    "1 + ",
    "(inputs.files)",
    " ? 1 : 2",
];
