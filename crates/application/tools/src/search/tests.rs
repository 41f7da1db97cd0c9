//! Searches over small catalogues: what is found, in which order, and what never is.

use std::sync::Arc;

use awf_core::{RawJson, ToolDefinition, ToolSource, Unannotated};
use serde_json::{Value, json};

use super::{Found, SearchIndex};

mod hostile;
mod laws;
mod quality;

fn tool(server: &str, object: Value) -> Arc<ToolDefinition> {
    let source = ToolSource::Mcp(server.to_owned());
    Arc::new(ToolDefinition::from_raw(source, RawJson::from(object)).unwrap())
}

fn plain(server: &str, name: &str, description: &str, hints: &Value) -> Arc<ToolDefinition> {
    tool(
        server,
        json!({"name": name, "description": description, "annotations": hints, "inputSchema": {"type": "object"}}),
    )
}

fn catalogue() -> Vec<Arc<ToolDefinition>> {
    let (read, write, destroy) = (
        json!({"readOnlyHint": true}),
        json!({"readOnlyHint": false}),
        json!({"destructiveHint": true}),
    );
    vec![
        plain("hub", "list_issues", "List the issues of a repository", &read),
        plain("hub", "create_issue", "Open a new issue", &write),
        plain("hub", "create_issue_comment", "Comment on an issue", &write),
        plain("hub", "delete_repository", "Delete a repository for good", &destroy),
        plain("files", "removeFile", "Removes a file", &destroy),
        plain("files", "read_file", "Contents of a file", &read),
        plain("files", "sync", "Says nothing about itself", &json!({})),
    ]
}

fn names(found: &Found) -> Vec<String> {
    found.hits.iter().map(|hit| hit.tool.qualified_name()).collect()
}

fn search(query: &str) -> Vec<String> {
    names(&SearchIndex::build(&catalogue(), Unannotated::Trust).search(query, 10))
}

#[test]
fn words_of_the_name_come_first() {
    assert_eq!(search("create issue")[..2], ["hub:create_issue", "hub:create_issue_comment"]);
    assert_eq!(search("reading files")[0], "files:read_file");
}

#[test]
fn other_words_for_the_same_are_understood() {
    assert_eq!(search("rm file")[0], "files:removeFile");
    assert_eq!(search("destroy repo")[0], "hub:delete_repository");
}

#[test]
fn slips_are_forgiven() {
    assert_eq!(search("delte repositroy")[0], "hub:delete_repository");
}

#[test]
fn arguments_are_searched() {
    let schema = json!({"properties": {"range": {"properties": {"timezone": {"description": "such as Europe/Oslo"}}}}});
    let mut tools = catalogue();
    tools.push(tool("cal", json!({"name": "slots", "inputSchema": schema})));
    let index = SearchIndex::build(&tools, Unannotated::Trust);
    for query in ["timezone", "time zone", "oslo"] {
        assert_eq!(names(&index.search(query, 1)), ["cal:slots"], "{query}");
    }
}

#[test]
fn filters_hold_before_the_cut() {
    assert_eq!(search("file -is:destructive"), ["files:read_file", "files:sync"]);
    assert_eq!(search("issue repository server:hub is:destructive"), ["hub:delete_repository"]);
    assert_eq!(search("server:FILES is:read"), ["files:read_file"]);
    assert_eq!(search("issue server:files"), [""; 0]);
    let index = SearchIndex::build(&catalogue(), Unannotated::Trust);
    let found = index.search("issue is:read", 1);
    assert_eq!((names(&found), found.total), (vec!["hub:list_issues".to_owned()], 1));
}

#[test]
fn a_tool_that_says_nothing_counts_as_the_policy_says() {
    for (unannotated, word) in [
        (Unannotated::Trust, "write"),
        (Unannotated::Write, "write"),
        (Unannotated::Destructive, "destructive"),
    ] {
        let index = SearchIndex::build(&catalogue(), unannotated);
        for other in ["read", "write", "destructive"] {
            let found = names(&index.search(&format!("sync is:{other}"), 10));
            assert_eq!(found.contains(&"files:sync".to_owned()), other == word, "{other}");
        }
    }
}

#[test]
fn filters_alone_list_in_order_of_name_with_full_score() {
    let index = SearchIndex::build(&catalogue(), Unannotated::Trust);
    let found = index.search("server:files", 2);
    assert_eq!(
        (names(&found), found.total),
        (vec!["files:read_file".to_owned(), "files:removeFile".to_owned()], 3)
    );
    assert!(found.hits.iter().all(|hit| (hit.score - 1.0).abs() < f64::EPSILON));
    assert_eq!(index.search("", 100).total, 7);
    assert_eq!(index.search("?!", 100).total, 0, "something was asked for, and nobody has it");
}

#[test]
fn a_name_given_in_full_comes_first() {
    let mut tools = catalogue();
    tools.push(plain("other", "list_issues", "list issues list issues", &json!({})));
    let index = SearchIndex::build(&tools, Unannotated::Trust);
    for (query, expected) in [
        ("hub:list_issues", "hub:list_issues"),
        ("other:list_issues", "other:list_issues"),
        ("sync", "files:sync"),
    ] {
        let found = index.search(query, 3);
        assert_eq!(names(&found)[0], expected);
        assert!(found.hits[0].score > 0.98, "{:?}", found.hits[0].score);
    }
}

#[test]
fn scores_say_how_much_of_the_query_is_met() {
    let index = SearchIndex::build(&catalogue(), Unannotated::Trust);
    let best = |query: &str| index.search(query, 1).hits[0].score;
    assert!(best("create issue") > 0.8, "{}", best("create issue"));
    assert!(best("create spaceship") < 0.5, "{}", best("create spaceship"));
    assert!(best("create issue") > best("make ticket"));
}

#[test]
fn an_empty_index_finds_nothing() {
    let index = SearchIndex::build(&[], Unannotated::Trust);
    assert_eq!(index.search("anything", 5).total + index.search("", 5).total, 0);
}
