//! Tools that talk without end, and catalogues without measure: bounded work, bounded memory.

use std::fmt::Write;

use awf_core::Unannotated;
use serde_json::{Map, Value, json};

use super::{catalogue, names, plain, tool};
use crate::search::{SearchIndex, fields::Field, postings::read};

#[test]
fn an_endless_tool_is_heard_so_far_and_no_further() {
    let mut text = String::new();
    for number in 0..100_000 {
        write!(text, "word{} ", letters(number)).unwrap();
    }
    let properties: Map<String, Value> =
        (0..10_000).map(|n| (letters(n), json!({"description": text.get(..2_000)}))).collect();
    let endless = tool(
        "s",
        json!({"name": "endless", "description": text, "inputSchema": {"properties": properties}}),
    );
    let (_, postings) = read(std::slice::from_ref(&endless));
    let most: usize = Field::ALL.iter().map(|field| field.measure().most).sum();
    let entries: usize = (0..200_000).map(|term| postings.count(term)).sum();
    assert!(entries <= most && entries > 100, "{entries}");

    let mut tools = catalogue();
    tools.push(endless);
    let index = SearchIndex::build(&tools, Unannotated::Trust);
    assert_eq!(names(&index.search("create issue", 1)), ["hub:create_issue"]);
}

#[test]
fn control_characters_and_odd_schemas_do_no_harm() {
    let mut tools = catalogue();
    let text = "\u{0}\u{1b}[2J\u{202e}delete\u{200b}\u{feff} \u{e0041}\u{10ffff}";
    tools.push(tool("odd", json!({"name": "odd", "title": 7, "description": text, "inputSchema": {"properties": [1, 2], "anyOf": "x"}})));
    tools.push(tool("odd", json!({"name": "odder", "description": {"not": "text"}, "inputSchema": {"properties": {"": {"enum": "x", "items": [[[]]]}}}})));
    let index = SearchIndex::build(&tools, Unannotated::Trust);
    assert!(names(&index.search("delete", 10)).contains(&"odd:odd".to_owned()));
    for query in
        ["\u{0}", "-", ":", "server:", "is:,", "-server:,", "\u{202e}", "''\"\"", "%s%n", "*"]
    {
        index.search(query, usize::MAX);
    }
}

#[test]
fn repeating_a_word_does_not_beat_a_tool_of_that_name() {
    let mut tools = catalogue();
    tools.push(plain("spam", "helper", &"create issue ".repeat(50_000), &json!({})));
    let index = SearchIndex::build(&tools, Unannotated::Trust);
    assert_eq!(names(&index.search("create issue", 1)), ["hub:create_issue"]);
}

fn letters(number: u32) -> String {
    number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect()
}
