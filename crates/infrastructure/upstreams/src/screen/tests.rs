//! What passes, and what does not, and that the others do.

use awf_core::ToolSource;
use serde_json::value::RawValue;

use super::{Screened, WithheldReason, screen};
use crate::pin::HiddenText;

fn screened(definitions: &[&str]) -> Screened {
    screened_knowing(&[], definitions)
}

fn screened_knowing(known: &[&str], definitions: &[&str]) -> Screened {
    let raw = definitions.iter().map(|text| RawValue::from_string((*text).to_owned()).unwrap());
    screen(&ToolSource::Mcp("s".into()), raw.collect(), |name| known.contains(&name))
}

fn named(name: &str) -> String {
    format!(r#"{{"name":"{name}","inputSchema":{{}}}}"#)
}

fn passed(screened: &Screened) -> Vec<&str> {
    screened.tools.iter().map(|tool| tool.definition.name().as_str()).collect()
}

fn reasons(screened: &Screened) -> Vec<(&str, String)> {
    let told = screened.withheld.iter().map(|it| (it.name.as_str(), it.reason.to_string()));
    told.collect()
}

#[test]
fn bad_tools_cost_no_others() {
    let screened = screened(&[
        "17",
        "{}",
        r#"{"name":"a b","inputSchema":{}}"#,
        r#"{"name":"\u001b[2Jx","inputSchema":{}}"#,
        &named("good"),
        r#"{"name":"bare"}"#,
        r#"{"name":"twin","name":"twin","inputSchema":{}}"#,
        r#"{"name":"schema","inputSchema":{"properties":{"a":{},"a":{}}}}"#,
        r#"{"name":"hints","inputSchema":{},"annotations":{"readOnlyHint":true,"readOnlyHint":false}}"#,
        &named("other"),
    ]);
    assert_eq!(passed(&screened), ["good", "other"]);
    let names: Vec<&str> = screened.withheld.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["?", "?", "a b", r"\u{1b}[2Jx", "bare", "twin", "schema", "hints"]);
    assert_eq!(screened.withheld[6].reason, WithheldReason::Ambiguous);
    assert_eq!(reasons(&screened)[4].1, "tool `bare` has no `inputSchema` object");
}

#[test]
fn names_of_our_own_are_reserved_in_any_case() {
    for name in [
        "retrieve_tools",
        "Retrieve-Tools",
        "call_tool",
        "call_tool_read",
        "call.tool.write",
        "CALL_TOOL_DESTRUCTIVE",
    ] {
        let screened = screened(&[&named(name), &named("read_file")]);
        assert_eq!(passed(&screened), ["read_file"], "{name}");
        assert_eq!(reasons(&screened), [(name, "its name is reserved".to_owned())]);
    }
}

#[test]
fn of_twins_and_look_alikes_the_first_counts() {
    let screened = screened(
        &["get_file", "get_file", "Get_File", "get-file", "get.file", "getfile"]
            .map(named)
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>(),
    );
    assert_eq!(passed(&screened), ["get_file", "getfile"]);
    let like = || "its name looks like `get_file`".to_owned();
    assert_eq!(
        reasons(&screened),
        [
            ("get_file", "it is listed twice".to_owned()),
            ("Get_File", like()),
            ("get-file", like()),
            ("get.file", like()),
        ]
    );
}

#[test]
fn of_look_alikes_one_known_from_before_counts_wherever_it_stands() {
    let names = ["Get_File", "get-file", "get_file", "get_file", "other"].map(named);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let screened = screened_knowing(&["get_file", "GET_FILE"], &names);
    assert_eq!(passed(&screened), ["get_file", "other"]);
    let like = || "its name looks like `get_file`".to_owned();
    assert_eq!(
        reasons(&screened),
        [("Get_File", like()), ("get-file", like()), ("get_file", "it is listed twice".to_owned())]
    );
}

#[test]
fn hidden_text_is_found_anywhere_and_however_written() {
    for hiding in [
        "{\"name\":\"t\",\"description\":\"a\u{200b}\",\"inputSchema\":{}}",
        r#"{"name":"t","description":"a\u200b","inputSchema":{}}"#,
        r#"{"name":"t","inputSchema":{"properties":{"k\u202e":{}}}}"#,
        r#"{"name":"t","inputSchema":{"enum":["\udb40\udc41"]}}"#,
        r#"{"name":"t","inputSchema":{},"annotations":{"title":"\u001b[31m"}}"#,
        r#"{"name":"t","inputSchema":{},"_meta":{"x":{"y":["\ufeff"]}}}"#,
    ] {
        let screened = screened(&[hiding]);
        assert_eq!(screened.tools[0].hidden, HiddenText::Present, "{hiding}");
    }
    let plain = screened(&[r#"{"name":"t","description":"a\n\tb \u00e9 ❤️","inputSchema":{}}"#]);
    assert_eq!(plain.tools[0].hidden, HiddenText::Absent);
}
