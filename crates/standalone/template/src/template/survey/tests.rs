//! What a template is found to print.

use crate::{Printed, Template};

#[test]
fn insertions_know_what_they_print_and_whether_it_is_quoted() {
    for (text, expected) in [
        ("x {{.inputs.a}}", vec![("inputs.a", Printed::Free, 2..15)]),
        ("{{.inputs.a | escape}}", vec![("inputs.a", Printed::Word, 0..22)]),
        ("{{.inputs.a | escape | trimSpace}}", vec![("inputs.a", Printed::Free, 0..34)]),
        (
            "{{len .inputs.a}}{{(escape .inputs.b)}}",
            vec![("inputs.a", Printed::Plain, 0..17), ("inputs.b", Printed::Word, 17..39)],
        ),
        ("{{\"text\"}}", vec![("", Printed::Plain, 0..10)]),
        ("{{if .inputs.a}}x{{end}}", vec![]),
        ("{{$x := .inputs.a}}{{$x}}", vec![("inputs.a", Printed::Free, 19..25)]),
        ("{{$x := escape .inputs.a}}{{$x}}", vec![("inputs.a", Printed::Word, 26..32)]),
        (
            "{{range .inputs.l}}{{.name}}{{escape .}}{{end}}",
            vec![("inputs.l", Printed::Free, 19..28), ("inputs.l", Printed::Word, 28..40)],
        ),
        (
            "{{printf \"%s %s\" .inputs.a .inputs.b}}",
            vec![("inputs.a inputs.b", Printed::Free, 0..38)],
        ),
        ("{{with .states.a}}{{.Output}}{{end}}", vec![("states.a.Output", Printed::Free, 18..29)]),
        ("{{$x := .loop}}{{$x.Item.b}}", vec![("loop.Item.b", Printed::Free, 15..28)]),
        ("{{$x := .a.l}}{{with $x.0.b}}{{.c}}{{end}}", vec![("a.l", Printed::Free, 29..35)]),
        ("{{or (escape .inputs.a) \"x\"}}", vec![("inputs.a", Printed::Word, 0..29)]),
    ] {
        let found = Template::parse(text).unwrap().insertions();
        let found: Vec<_> = found
            .iter()
            .map(|insertion| {
                let paths: Vec<_> = insertion.references.iter().map(|r| r.path.join(".")).collect();
                (paths.join(" "), insertion.printed, insertion.at.clone())
            })
            .collect();
        let expected: Vec<_> = expected
            .into_iter()
            .map(|(paths, printed, at)| (paths.to_owned(), printed, at))
            .collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn what_a_later_line_of_a_loop_sets_is_printed_in_its_next_turn() {
    let printed = |text: &str| {
        let found = Template::parse(text).unwrap().insertions().swap_remove(0);
        (
            found.references.iter().map(|found| found.path.join(".")).collect::<Vec<_>>(),
            found.printed,
        )
    };
    let tainted = (vec!["inputs.a".to_owned()], Printed::Free);
    for text in [
        "{{$x := \"\"}}{{range .inputs.l}}{{$x}}{{$x = $.inputs.a}}{{end}}",
        "{{$x := \"\"}}{{$y := 1}}{{range .inputs.l}}{{$x}}{{$x = $y}}{{$y = $.inputs.a}}{{end}}",
        "{{$x := 1}}{{range .inputs.l}}{{range .}}{{$x}}{{end}}{{$x = $.inputs.a}}{{end}}",
    ] {
        assert_eq!(printed(text), tainted, "{text}");
    }
    for text in [
        "{{$x := 1}}{{$x}}{{$x = .inputs.a}}",
        "{{range .inputs.l}}{{$x := 1}}{{$x}}{{$x = $.inputs.a}}{{end}}",
        "{{$x := 1}}{{$x}}{{range .inputs.l}}{{$x = $.inputs.a}}{{end}}",
    ] {
        assert_eq!(printed(text), (vec![], Printed::Plain), "{text}");
    }
    let nested = "{{range $.inputs.l}}".repeat(64) + &"{{end}}".repeat(64);
    assert_eq!(Template::parse(&nested).unwrap().references().len(), 64);
}

#[test]
fn an_insertion_knows_the_text_before_it() {
    let text = "a {{.inputs.x -}}  b{{if .inputs.y}}c{{else}}d{{end}}{{/* e */}}{{.inputs.z}}";
    let found = Template::parse(text).unwrap().insertions();
    let before: Vec<_> = found.iter().map(|insertion| insertion.before.as_str()).collect();
    assert_eq!(before, ["a ", "bcd"]);
}
