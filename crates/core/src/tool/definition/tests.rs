//! What is read from a tool object, and which objects are none.

use super::{BadDefinition, ToolDefinition};
use crate::{
    json::RawJson,
    tool::{ToolName, ToolSource},
};

fn read(text: &str) -> Result<ToolDefinition, BadDefinition> {
    ToolDefinition::from_raw(ToolSource::Builtin, RawJson::parse(text).unwrap())
}

#[test]
fn objects_two_readers_could_read_differently_are_refused() {
    for text in [
        "[]",
        "7",
        r#"{"name":"a","name":"b","inputSchema":{}}"#,
        r#"{"name":"a","inputSchema":{},"annotations":{"destructiveHint":true,"destructiveHint":false}}"#,
        &format!(r#"{{"name":"a","inputSchema":{}{}}}"#, "[".repeat(300), "]".repeat(300)),
    ] {
        assert!(matches!(read(text), Err(BadDefinition::NotAnObject)), "{text}");
    }
    assert!(matches!(read(r#"{"name":"a"}"#), Err(BadDefinition::NoSchema(_))));
    assert!(matches!(read(r#"{"name":1,"inputSchema":{}}"#), Err(BadDefinition::Name(_))));
    assert!(read(r#"{"name":"a","inputSchema":{},"annotations":[]}"#).is_ok());
}

#[test]
fn a_renamed_tool_keeps_all_else_as_it_came() {
    let tool =
        read(r#"{"z":12345678901234567890123,"name":"a","inputSchema":{"b": 1.10}}"#).unwrap();
    let renamed = tool.renamed(ToolName::parse("s_a").unwrap()).unwrap();
    assert_eq!(renamed.name().as_str(), "s_a");
    assert_eq!(
        renamed.raw().get(),
        r#"{"z":12345678901234567890123,"name":"s_a","inputSchema":{"b": 1.10}}"#
    );
    assert_eq!(renamed.input_schema().unwrap().get(), r#"{"b": 1.10}"#);
}
