//! What may be registered, and how it is listed.

use serde_json::{json, value::to_raw_value};

use super::*;
use crate::tool::{ToolReply, handler_fn};

fn register(server: &mut Server, definition: &str) -> Result<(), String> {
    let definition = RawValue::from_string(definition.to_owned()).unwrap();
    let handler = handler_fn(|_, _| async { Ok(ToolReply::text("")) });
    server.register_raw(definition, handler).map_err(|error| error.to_string())
}

#[test]
fn lists_in_order_of_name_and_byte_for_byte() {
    let mut server = Server::new("s", "1");
    let schema = to_raw_value(&json!({"type": "object"})).unwrap();
    let handler = handler_fn(|_, _| async { Ok(ToolReply::text("")) });
    server.register_tool("m", "says \"m\"", &schema, handler).unwrap();
    for definition in [
        r#"{"name":"z","inputSchema":{}}"#,
        r#"{ "x-vendor" : 1180591620717411303424, "name":"a", "inputSchema":{"b":1.10,"a":2} }"#,
    ] {
        register(&mut server, definition).unwrap();
    }
    let expected = [
        r#"{ "x-vendor" : 1180591620717411303424, "name":"a", "inputSchema":{"b":1.10,"a":2} }"#,
        r#"{"name":"m","description":"says \"m\"","inputSchema":{"type":"object"}}"#,
        r#"{"name":"z","inputSchema":{}}"#,
    ];
    assert_eq!(server.listing(), expected.join(","));
}

#[test]
fn refuses_definitions_that_peers_would_choke_on() {
    let mut server = Server::new("s", "1");
    register(&mut server, r#"{"name":"a","inputSchema":{}}"#).unwrap();
    let long = format!(r#"{{"name":"{}","inputSchema":{{}}}}"#, "a".repeat(129));
    let rows = [
        (r#"{"name":"a","inputSchema":{}}"#, "tool `a` is registered already"),
        (r#"{"name":"","inputSchema":{}}"#, "tool name `` is not"),
        (r#"{"name":"a b","inputSchema":{}}"#, "tool name `a b` is not"),
        (r#"{"name":"a\n","inputSchema":{}}"#, r"tool name `a\n` is not"),
        (r#"{"name":"gіthub","inputSchema":{}}"#, "tool name `gіthub` is not"),
        (&long, "tool name `aaa"),
        (r#"{"name":"b"}"#, "tool definition is malformed: missing field `inputSchema`"),
        (
            r#"{"name":"b","inputSchema":[]}"#,
            "tool definition is malformed: inputSchema is not an object",
        ),
        (r#"{"name":7,"inputSchema":{}}"#, "tool definition is malformed: invalid type"),
        (
            r#"{"name":"b","name":"c","inputSchema":{}}"#,
            "tool definition is malformed: duplicate field `name`",
        ),
        (r#"["b",{}]"#, "tool definition is malformed: a tool is an object"),
    ];
    for (definition, expected) in rows {
        let error = register(&mut server, definition).unwrap_err();
        assert!(error.starts_with(expected), "{definition}: {error}");
    }
}
