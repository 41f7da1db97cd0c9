//! What a variant's arguments become.

use awf_core::{
    CallContext, CallIntent, CallSurface, Operation, RawJson, Statement, ToolCall, Variant,
};
use tokio_util::sync::CancellationToken;

use super::inner;

fn read(arguments: &str) -> (String, String, Statement) {
    let call = ToolCall {
        name: "call_tool_read".into(),
        arguments: RawJson::parse(arguments).unwrap(),
        intent: CallIntent::Direct,
        context: CallContext::new(CallSurface::Mcp),
        cancel: CancellationToken::new(),
    };
    let made = inner(Variant(Operation::Read), call);
    let CallIntent::Stated { variant, statement } = made.intent else { panic!("nothing stated") };
    assert_eq!(variant, Variant(Operation::Read));
    (made.name, made.arguments.get().to_owned(), *statement)
}

#[test]
fn arguments_come_as_an_object_or_as_text_and_stay_as_they_were_written() {
    let rows = [
        (r#"{"name":"a:b"}"#, "{}"),
        (r#"{"name":"a:b","args":null,"args_json":""}"#, "{}"),
        (
            r#"{"name":"a:b","args":{"z":1.10, "a":12345678901234567890}}"#,
            r#"{"z":1.10, "a":12345678901234567890}"#,
        ),
        (r#"{"name":"a:b","args_json":"{\"z\":1.10}"}"#, r#"{"z":1.10}"#),
        (r#"{"name":"a:b","args":{"a":1},"args_json":null}"#, r#"{"a":1}"#),
    ];
    for (arguments, expected) in rows {
        let (name, inner, statement) = read(arguments);
        assert_eq!((name.as_str(), inner.as_str()), ("a:b", expected), "{arguments}");
        assert_eq!(statement.misread, None, "{arguments}");
    }
}

#[test]
fn what_cannot_be_read_is_passed_on_with_the_reason_and_as_it_was_given() {
    let rows = [
        (
            r#"{"name":"a:b","args":{"x":1},"args_json":"{}"}"#,
            "give `args` or `args_json`, not both",
            r#"{"args":{"x":1},"args_json":"{}"}"#,
        ),
        (r#"{"name":"a:b","args_json":{"x":1}}"#, "`args_json` must be a string", r#"{"x":1}"#),
        (r#"{"name":"a:b","args_json":"{} x"}"#, "`args_json` is not valid JSON", r#""{} x""#),
        (r#"{"name":"a:b","args_json":"{"}"#, "`args_json` is not valid JSON", r#""{""#),
        (r#"{"name":"a:b","args":{"x":1},"args":{"x":2}}"#, "`args` is given twice", r#"{"x":1}"#),
        (r#"{"name":"a:b","intent":{},"intent":{}}"#, "`intent` is given twice", "{}"),
        (r#"{"name":"a:b","name":"c:d"}"#, "`name` is given twice", "{}"),
        (
            r#"{"name":"a:b","arguments":{"x":1}}"#,
            "`arguments` is not known beside `name`; what the tool is to get goes into `args`",
            "{}",
        ),
    ];
    for (arguments, reason, recorded) in rows {
        let (name, inner, statement) = read(arguments);
        assert_eq!((name.as_str(), inner.as_str()), ("a:b", recorded), "{arguments}");
        let misread = statement.misread.unwrap();
        assert!(misread.starts_with(reason), "{misread}");
    }
}

#[test]
fn names_and_statements_are_taken_as_they_came() {
    for (arguments, name) in [
        ("{}", ""),
        (r#"{"name":null}"#, ""),
        (r#"{"name":7}"#, "7"),
        (r#"{"name":{"a":"b:c"}}"#, r#"{"a":"b:c"}"#),
        ("[1]", ""),
    ] {
        assert_eq!(read(arguments).0, name, "{arguments}");
    }
    let (_, _, statement) = read(
        r#"{"name":"a:b","intent":"{}","intent_operation_type":5,"intent_data_sensitivity":null,"intent_reason":"r"}"#,
    );
    let text = |raw: Option<RawJson>| raw.map(|raw| raw.get().to_owned());
    assert_eq!(text(statement.nested).as_deref(), Some(r#""{}""#));
    assert_eq!(text(statement.operation_type).as_deref(), Some("5"));
    assert_eq!(text(statement.data_sensitivity).as_deref(), Some("null"));
    assert_eq!(text(statement.reason).as_deref(), Some(r#""r""#));
}
