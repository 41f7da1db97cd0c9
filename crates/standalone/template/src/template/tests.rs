//! Templates as tables: what they print, what they refuse, what they ask of their scope.

use std::ops::Range;

use proptest::prelude::{any, prop, proptest};
use serde_json::{Value, json};

use crate::{
    Template,
    testing::{Values, values},
};

fn render(text: &str) -> Result<String, String> {
    let template = Template::parse(text).map_err(|error| format!("syntax: {}", error.message))?;
    template.render(&values()).map_err(|error| error.message)
}

#[track_caller]
fn check(rows: &[(&str, &str)]) {
    for (text, printed) in rows {
        assert_eq!(render(text).as_deref(), Ok(*printed), "{text}");
    }
}

#[test]
fn values_are_printed() {
    check(&[
        ("no braces } { at all }}", "no braces } { at all }}"),
        ("a {{.inputs.env}} b", "a prod b"),
        ("{{inputs.env}}/{{ inputs.env }}/{{$.inputs.env}}", "prod/prod/prod"),
        ("{{.states.my-step.Output}}", "42\n"),
        ("{{states.my-step.ExitCode}}", "1"),
        (r#"{{index .states "my-step" "Output"}}"#, "42\n"),
        ("{{.inputs.my-input}}", "dashed"),
        ("{{.inputs.files}} {{.inputs.map}}", r#"["a.rs","b.rs"] {"a":1,"b":2}"#),
        ("[{{.inputs.none}}]", "[]"),
        ("{{.inputs.n}} {{.inputs.half}} {{.inputs.whole}} {{.inputs.yes}}", "7 0.5 2 true"),
        ("{{.states.build.JSON.items.1}}", "20"),
        ("{{index .inputs.files 1}} {{index .inputs.files -1}}", "b.rs b.rs"),
        ("{{(index .inputs.people 0).name}}", "Ada"),
        ("{{index (index .inputs.people 1) \"name\"}}", "Bob"),
        ("{{loop.Index}}{{.loop.Item.id}}", "05"),
        ("{{\"{{\"}}.x}}", "{{.x}}"),
        ("é{{.inputs.env}}ü", "éprodü"),
    ]);
}

#[test]
fn functions_give_what_they_say() {
    check(&[
        ("{{.inputs.name | escape}}", r"'it'\''s'"),
        ("{{escape .inputs.empty}}", "''"),
        ("{{.inputs.files | json}}", r#"["a.rs","b.rs"]"#),
        ("{{json .inputs.name}} {{json .inputs.none}}", "\"it's\" null"),
        ("{{split .inputs.csv \",\"}}", r#"["x","y","z"]"#),
        ("{{.inputs.csv | split \",\" | join \"+\"}}", "x+y+z"),
        ("{{join (split .inputs.csv \",\") \"-\"}}", "x-y-z"),
        ("{{join .inputs.env \",\"}}{{join .inputs.nothing \",\"}}", "prod"),
        ("{{readFile .inputs.path}}", "the notes"),
        ("{{.states.build.Output | trimSpace}}.", "done."),
        ("{{len .inputs.files}}{{len \"äö\"}}{{len .inputs.map}}{{len .inputs.none}}", "2220"),
        ("{{eq .inputs.env \"prod\"}} {{eq .inputs.env \"a\" \"prod\"}}", "true true"),
        ("{{eq .inputs.count 3}} {{eq .inputs.flag true}}", "true true"),
        ("{{ne 1 1.0}} {{eq \"1\" \"1.0\"}}", "false false"),
        (
            "{{lt 2 10}} {{lt \"2\" \"10\"}} {{lt \"b\" \"a\"}} {{ge .inputs.n 7}}",
            "true true false true",
        ),
        ("{{lt .inputs.none 1}}", "false"),
        ("{{and .inputs.yes .inputs.env}} {{and .inputs.no .inputs.missing}}", "prod false"),
        ("{{or .inputs.empty \"other\"}} {{or .inputs.env .inputs.missing}}", "other prod"),
        ("{{.inputs.none | or .inputs.empty}}", ""),
        ("{{not .inputs.no}} {{not \"x\"}}", "true false"),
        ("{{print 1 2 \"a\" 3}}|{{println 1 \"a\"}}", "1 2a3|1 a\n"),
        ("{{print -1 +2 1.50 1e3 nil}}", "-1 2 1.5 1000 "),
        ("{{`raw \\n`}} {{\"tab\\t\\x41\\u00e9\"}}", "raw \\n tab\tAé"),
    ]);
}

#[test]
fn printf_formats() {
    check(&[
        (r#"{{printf "%s-%d" .inputs.env 5}}"#, "prod-5"),
        (r#"{{printf "%v %v %v" .inputs.files nil true}}"#, "[\"a.rs\",\"b.rs\"]  true"),
        (r#"{{printf "%q" "a\"b"}}"#, r#""a\"b""#),
        (r#"{{printf "%.2f %f %5.1f|" 1.005 2 3.25}}"#, "1.00 2.000000   3.2|"),
        (r#"{{printf "%t %t" .inputs.yes .inputs.flag}}"#, "true true"),
        (r#"{{printf "%x %x %x" 255 "hi" -255}}"#, "ff 6869 -ff"),
        (r#"{{printf "%05d|%-5s|%5s|%+d|%.2s" -42 "a" "b" 1 "long"}}"#, "-0042|a    |    b|+1|lo"),
        (r#"{{printf "100%%"}}"#, "100%"),
        (r#"{{.inputs.count | printf "%d"}}"#, "3"),
    ]);
}

#[test]
fn blocks_choose_and_repeat() {
    check(&[
        ("{{if .inputs.yes}}a{{end}}{{if .inputs.no}}b{{end}}", "a"),
        ("{{if .inputs.empty}}a{{else if eq .inputs.n 7}}b{{else}}c{{end}}", "b"),
        ("{{if 0}}a{{else if nil}}b{{else}}c{{end}}", "c"),
        ("{{range .inputs.files}}<{{.}}>{{end}}", "<a.rs><b.rs>"),
        (
            "{{range .inputs.people}}{{.name}}:{{$.inputs.env}}/{{inputs.n}} {{end}}",
            "Ada:prod/7 Bob:prod/7 ",
        ),
        ("{{range $i, $p := .inputs.people}}{{$i}}{{$p.name}}{{.age}} {{end}}", "0Ada36 1Bob17 "),
        ("{{range $f := .inputs.files}}{{$f}}{{end}}", "a.rsb.rs"),
        ("{{range $k, $v := .inputs.map}}{{$k}}={{$v}};{{end}}", "a=1;b=2;"),
        ("{{range .inputs.nothing}}x{{else}}none{{end}}{{range .inputs.none}}x{{end}}", "none"),
        ("{{range split \"a,b\" \",\"}}[{{.}}]{{end}}", "[a][b]"),
        ("{{with .inputs.map}}{{.a}}{{$.inputs.n}}{{else}}x{{end}}", "17"),
        ("{{with .inputs.empty}}x{{else with .inputs.env}}{{.}}{{else}}y{{end}}", "prod"),
        ("{{with $x := .inputs.map}}{{$x.b}}{{.b}}{{end}}", "22"),
        (
            "{{$x := 1}}{{$x}}{{$x = 2}}{{$x}}{{if true}}{{$x = 3}}{{$y := 4}}{{$y}}{{end}}{{$x}}",
            "1243",
        ),
        ("{{$x := 1}}{{if true}}{{$x := 2}}{{$x}}{{end}}{{$x}}", "21"),
        (
            "{{range $i, $p := .inputs.files}}{{range $j, $q := $.inputs.files}}{{$i}}{{$j}}{{$q}} {{end}}{{end}}",
            "00a.rs 01b.rs 10a.rs 11b.rs ",
        ),
    ]);
}

#[test]
fn white_space_is_trimmed_where_asked() {
    check(&[
        ("a  {{- 1 -}}  b", "a1b"),
        ("a \n{{- /* gone */ -}}\n b", "ab"),
        ("a {{/* gone }} */}} b", "a  b"),
        ("{{range .inputs.files -}}\n  {{.}},\n{{- end}}", "a.rs,b.rs,"),
        ("{{-1}}", "-1"),
    ]);
}

#[test]
fn one_action_keeps_its_type() {
    for (text, value) in [
        ("{{.inputs.files}}", json!(["a.rs", "b.rs"])),
        ("{{ index .inputs.people 0 }}", json!({"name": "Ada", "age": 36})),
        ("{{.inputs.n}}", json!(7)),
        ("{{.inputs.none}}", Value::Null),
        ("{{split .inputs.csv \",\"}}", json!(["x", "y", "z"])),
        ("x{{.inputs.n}}", json!("x7")),
        ("{{if true}}{{.inputs.n}}{{end}}", json!("7")),
        ("", json!("")),
    ] {
        let template = Template::parse(text).unwrap();
        assert_eq!(template.evaluate(&values()), Ok(value), "{text}");
    }
}

/// Message and place of what a text is refused for.
fn refusal(text: &str) -> (String, Range<usize>, Option<String>) {
    let error = Template::parse(text).expect_err(text);
    (error.message, error.at, error.hint)
}

#[test]
fn syntax_errors_say_what_and_where() {
    for (text, message, at, hint) in [
        ("ab {{.inputs.x", "`{{` is not closed", 3..5, "add `}}`"),
        ("{{.inputs.x }", "`{{` is not closed", 0..2, "add `}}`"),
        ("{{}}", "a value is missing here", 0..4, ""),
        ("{{.inputs. x}}", "a name is missing after `.`", 9..10, "`index .inputs \"a b\"`"),
        ("{{if .inputs.x}}a", "`{{if}}` is not closed", 0..16, "add `{{end}}`"),
        ("{{range .a.b}}{{else}}", "`{{range}}` is not closed", 0..14, "add `{{end}}`"),
        ("a{{end}}", "this belongs to no `{{if}}`", 1..8, ""),
        ("{{if true}}{{else}}{{else}}{{end}}", "nothing but `{{end}}`", 19..27, ""),
        ("{{if true}}{{else with 1}}{{end}}", "this cannot follow `else`", 18..22, ""),
        ("{{.inputs.x | trimspace}}", "`trimspace` is not a function", 14..23, "`trimSpace`"),
        ("{{esacpe .inputs.x}}", "`esacpe` is not a function", 2..8, "`escape`"),
        ("{{html .inputs.x}}", "`html` of Go's templates is not supported", 2..6, ""),
        ("{{break}}", "`break` of Go's templates is not supported", 2..7, ""),
        ("{{escape}}", "`escape` takes 1 argument, not 0", 2..8, ""),
        ("{{.a.b | eq}}", "`eq` takes 2 arguments or more, not 1", 9..11, ""),
        ("{{.a.b .a.c}}", "only a function takes arguments", 7..11, "first"),
        ("{{.a.b | .a.c}}", "only a function can stand after `|`", 9..13, ""),
        ("{{eq len 3}}", "`len` is a function, not a value", 5..8, "(len …)"),
        ("{{$x}}", "variable `$x` is not declared here", 2..4, "{{$x := …}}"),
        ("{{if true}}{{$x := 1}}{{end}}{{$x}}", "variable `$x` is not declared", 31..33, ":="),
        ("{{.}}", "there is no value of all namespaces", 2..3, "`.inputs`"),
        ("{{if .a.x == 1}}{{end}}", "`==` is not an operator", 10..12, "`eq a b`"),
        ("{{.a.x && .a.y}}", "`&&` is not an operator", 7..9, "`and a b`"),
        ("{{eq .a.x 'b'}}", "`'` is not expected", 10..11, "double quotes"),
        ("{{\"abc}}", "the text opened by `\"` is not closed", 2..3, "add `\"`"),
        ("{{\"a\\qb\"}}", "`\\q` is not an escape", 4..6, "`\\\\`"),
        ("{{0x1f}}", "`0x1f` is not a number", 2..6, "42"),
        ("{{(len .a.x}}", "`(` is not closed", 2..3, "add `)`"),
        ("{{len .a.x)}}", "`)` closes nothing", 10..11, ""),
        ("{{.a.x = 1}}", "only a variable can be set", 2..6, "$name := value"),
        ("{{/* a }}", "the comment is not closed", 0..4, "*/}}"),
    ] {
        let (said, place, hinted) = refusal(text);
        assert!(said.starts_with(message), "{text}: {said}");
        assert_eq!(place, at, "{text}: {said}");
        assert_eq!(hinted.is_some(), !hint.is_empty(), "{text}: {hinted:?}");
        assert!(hinted.unwrap_or_default().contains(hint), "{text}");
    }
}

#[test]
fn evaluation_errors_say_what_and_where() {
    for (text, message, at) in [
        ("{{.inputs.nmae}}", "`inputs.nmae` is not set; did you mean `name`?", 2..14),
        ("{{.inputs.zzz.y}}", "`inputs.zzz` is not set", 2..15),
        ("{{.input.x}}", "there is no `input` here", 2..10),
        ("{{.inputs.env.x}}", "`inputs.env.x` is not set: `inputs.env` is text", 2..15),
        ("{{.inputs.none.x}}", "`inputs.none.x` is not set: `inputs.none` is null", 2..16),
        (
            "{{index .states \"biuld\" \"Output\"}}",
            "`states.biuld` is not set; did you mean `build`?",
            16..23,
        ),
        (
            "{{index .inputs.files 9}}",
            "`inputs.files.9` is not set: `inputs.files` is a list of 2",
            22..23,
        ),
        ("{{index .inputs true}}", "`index` takes names and numbers, this is a boolean", 16..20),
        (
            "{{range .inputs.people}}{{.inputs.env}}{{end}}",
            "`.inputs` is not set; inside `range` and `with` write `$.inputs.env`",
            26..37,
        ),
        ("{{range .inputs.env}}{{end}}", "`range` needs a list or a map, this is text", 8..19),
        ("{{readFile \"no\"}}", "cannot read `no`: it does not exist", 2..15),
        ("{{readFile \"huge\"}}", "cannot read `huge`: it is larger than 1 MiB", 2..17),
        ("{{lt .inputs.files 1}}", "a list and a number have no order", 2..20),
        ("{{len 5}}", "a number has no length", 2..7),
        ("{{join 5 \",\"}}", "`join` needs a list, this is a number", 2..12),
        ("{{printf \"%d\" \"x\"}}", "`%d` of `printf` needs a whole number, this is text", 2..17),
        ("{{printf \"%d\"}}", "`printf` has no value for `%d`", 2..13),
        ("{{printf \"x\" 1}}", "`printf` has 1 more values than its format asks for", 2..14),
        ("{{printf \"%z\" 1}}", "`printf` does not know `%z`, only %s %v %q %d %x %f %t %%", 2..15),
        ("{{printf \"%9999d\" 1}}", "`printf` fields are at most 1000 wide", 2..19),
        ("{{printf \"%\" 1}}", "`printf` format ends in the middle of a `%…`", 2..14),
    ] {
        let error = Template::parse(text).unwrap().render(&values()).expect_err(text);
        assert_eq!((error.message.as_str(), error.at), (message, at), "{text}");
    }
}

/// `path[?]` for each reference; the mark says that it is not certain.
fn references(text: &str) -> Vec<String> {
    let shown = |reference: crate::Reference| {
        let doubt = if reference.certain { "" } else { "?" };
        format!("{}{doubt}", reference.path.join("."))
    };
    Template::parse(text).unwrap().references().into_iter().map(shown).collect()
}

#[test]
fn references_are_those_to_the_scope_alone() {
    for (text, expected) in [
        ("{{.inputs.a}} {{states.b-c.Output | trimSpace}}", vec!["inputs.a", "states.b-c.Output"]),
        ("{{index .states \"b\" \"JSON\" 0 \"x\"}}", vec!["states.b.JSON"]),
        ("{{index .states .inputs.a \"Output\"}}", vec!["states", "inputs.a"]),
        ("{{.states.a.JSON.0.x}}", vec!["states.a.JSON"]),
        (
            "{{range .inputs.l}}{{.name}}{{$.inputs.x}}{{inputs.y}}{{end}}",
            vec!["inputs.l", "inputs.x?", "inputs.y?"],
        ),
        (
            "{{with $v := .inputs.l}}{{.inputs}}{{$v.name}}{{else}}{{.inputs.z}}{{end}}",
            vec!["inputs.l", "inputs.z?"],
        ),
        (
            "{{if .inputs.a}}{{.inputs.b}}{{else if .inputs.c}}{{else}}{{.inputs.d}}{{end}}",
            vec!["inputs.a", "inputs.b?", "inputs.c?", "inputs.d?"],
        ),
        (
            "{{or .inputs.a .inputs.b}}{{and (eq .inputs.c 1) .inputs.d}}",
            vec!["inputs.a", "inputs.b?", "inputs.c", "inputs.d?"],
        ),
        ("{{/* .inputs.a */}}{{\".inputs.b\"}}", vec![]),
    ] {
        assert_eq!(references(text), expected, "{text}");
    }
    let place = Template::parse("ab {{index .states \"x\" \"Output\"}}").unwrap().references();
    assert_eq!(place[0].at, 11..31);
}

#[test]
fn literals_are_told_from_templates() {
    for (text, literal) in [("", true), ("a }}", true), ("{{/* c */}}", true), ("{{1}}", false)] {
        assert_eq!(Template::parse(text).unwrap().is_literal(), literal, "{text}");
    }
}

#[test]
fn depth_is_bounded() {
    let blocks = |n: usize| "{{if true}}".repeat(n) + &"{{end}}".repeat(n);
    assert!(Template::parse(&blocks(64)).is_ok());
    assert_eq!(refusal(&blocks(65)).0, "blocks are nested too deep");
    assert_eq!(refusal(&blocks(4_000)).0, "blocks are nested too deep");
    let group = |n: usize| format!("{{{{{}1{}}}}}", "(".repeat(n), ")".repeat(n));
    assert_eq!(render(&group(64)).as_deref(), Ok("1"));
    assert_eq!(refusal(&group(65)).0, "parentheses are nested too deep");
    let chain = "{{if nil}}".to_owned() + &"{{else if nil}}".repeat(9_000) + "{{end}}";
    assert_eq!(render(&chain).as_deref(), Ok(""));
}

#[test]
fn what_is_known_of_a_template_is_bounded() {
    let many = "{{1}}".repeat(10_001);
    assert_eq!(refusal(&many).0, "there are more than 10000 `{{…}}` in one text");
    let long = format!("{{{{.inputs{}}}}}", ".a".repeat(32));
    assert_eq!(refusal(&long), (LONG_PATH.to_owned(), 72..73, None));
    assert_eq!(refusal(&format!("{{{{.inputs.{}}}}}", "x".repeat(201))).0, LONG_PATH);
    let doubled = "{{$x := print $x $x inputs.a}}".repeat(1_000);
    let survey = Template::parse(&format!("{{{{$x := 1}}}}{doubled}{{{{$x}}}}")).unwrap();
    assert_eq!(survey.insertions()[0].references.len(), 1);
}

const LONG_PATH: &str = "a path has at most 32 names, each of 200 bytes at most";

#[test]
fn a_message_is_short_whatever_it_quotes() {
    let error = Template::parse(&format!("{{{{{} 1}}}}", "é".repeat(1_000))).unwrap_err();
    assert!(error.message.ends_with('…') && error.message.len() < 410, "{}", error.message);
}

#[test]
fn templates_go_between_threads() {
    fn sent<T: Send + Sync>(_: &T) {}
    sent(&Template::parse("{{\"a\"}}").unwrap());
}

#[test]
fn work_and_output_are_bounded() {
    let numbers: Vec<Value> = (0..1_000).map(Value::from).collect();
    let scope = Values::of(json!({"inputs": {"n": numbers, "big": "x".repeat(1 << 20)}}));
    let fails = |text: &str| Template::parse(text).unwrap().render(&scope).expect_err(text).message;
    let cubed = "{{range .inputs.n}}{{range $.inputs.n}}{{range $.inputs.n}}{{end}}{{end}}{{end}}";
    assert_eq!(fails(cubed), "evaluation stopped after 1000000 steps");
    assert_eq!(fails("{{range .inputs.n}}{{$.inputs.big}}{{end}}"), "the text grew beyond 16 MiB");
    let doubled = "{{$x := .inputs.big}}{{range .inputs.n}}{{$x = print $x $x}}{{end}}";
    assert_eq!(fails(doubled), "the text grew beyond 16 MiB");
    let compared = "{{range .inputs.n}}{{eq $.inputs.big $.inputs.big}}{{end}}";
    assert_eq!(fails(compared), "evaluation stopped after 1000000 steps");
    assert_eq!(fails("{{split .inputs.big \"\"}}"), "`split` gives more than 100000 parts");
}

proptest! {
    #[test]
    fn any_text_parses_or_is_refused_in_place(text in any::<String>()) {
        if let Err(error) = Template::parse(&text) {
            assert!(text.get(error.at.clone()).is_some(), "{error:?}");
        }
    }

    #[test]
    fn any_soup_of_tokens_parses_or_is_refused_in_place(
        tokens in prop::collection::vec(prop::sample::select(SOUP), 0..60)
    ) {
        let text = tokens.concat();
        match Template::parse(&text) {
            Ok(template) => {
                drop(template.render(&values()));
                for reference in template.references() {
                    assert!(text.get(reference.at.clone()).is_some(), "{reference:?}");
                }
            }
            Err(error) => assert!(text.get(error.at.clone()).is_some(), "{error:?}"),
        }
    }

    #[test]
    fn text_without_braces_is_itself(text in "[^{]*") {
        let template = Template::parse(&text).unwrap();
        assert!(template.is_literal());
        assert_eq!(template.render(&values()), Ok(text));
    }

    #[test]
    fn escaped_text_is_one_word(text in any::<String>()) {
        let scope = Values::of(json!({"inputs": {"x": text}}));
        let word = Template::parse("{{escape .inputs.x}}").unwrap().render(&scope).unwrap();
        let inside = word.strip_prefix('\'').and_then(|word| word.strip_suffix('\'')).unwrap();
        assert_eq!(inside.replace(r"'\''", "\u{0}"), text.replace('\'', "\u{0}"));
    }
}

const SOUP: &[&str] = &[
    "{{",
    "}}",
    "{{-",
    " -}}",
    " ",
    "if",
    "else",
    "end",
    "range",
    "with",
    ".",
    ".inputs.map",
    "$",
    "$x",
    ":=",
    "=",
    ",",
    "|",
    "(",
    ")",
    "\"a\"",
    "`",
    "1",
    "-",
    "len",
    "eq",
    "printf",
    "\"%d\"",
    "index",
    "/*",
    "*/",
    "é",
    "\n",
    "{{if true}}",
    "{{else}}",
    "{{end}}",
    "{{range .inputs.map}}",
    "{{$x := 1}}",
    "{{.inputs.n}}",
    "{{$x}}",
    "{{.}}",
];

#[test]
fn an_unknown_function_is_told_with_those_there_are() {
    let hint = |text: &str| Template::parse(text).unwrap_err().hint.unwrap();
    assert!(hint("{{esacpe 1}}").starts_with("did you mean `escape`? the functions are: and, eq,"));
    assert!(hint("{{zzzzzzzz 1}}").starts_with("the functions are: and, eq,"));
}
