//! The calls, in the order they are made: some find what one before has left.

use std::path::Path;

use serde_json::{Value, json};

use super::{Case, Likeness};

fn same(tool: &'static str, arguments: Value) -> Case {
    Case { tool, arguments, likeness: Likeness::Same }
}

fn failing(tool: &'static str, arguments: Value) -> Case {
    Case { tool, arguments, likeness: Likeness::Failing }
}

fn refused(tool: &'static str, arguments: Value) -> Case {
    Case { tool, arguments, likeness: Likeness::Refused }
}

fn kind(tool: &'static str, arguments: Value, why: &'static str) -> Case {
    Case { tool, arguments, likeness: Likeness::Kind(why) }
}

pub(super) fn everything() -> Vec<Case> {
    let times = "it tells the time";
    let session = "it names the session";
    let gzip = json!({"name": "a.gz", "data": "data:text/plain,aaaa", "outputType": "resource"});
    vec![
        same("echo", json!({"message": "\u{2028} é \"quoted\" \\ \u{1f600}"})),
        same("get-annotated-message", json!({"messageType": "error", "includeImage": true})),
        same("get-annotated-message", json!({"messageType": "debug"})),
        kind("get-env", json!({}), "awf gives a server fewer variables"),
        same("get-resource-links", json!({"count": 4})),
        kind("get-resource-reference", json!({"resourceType": "Text", "resourceId": 2}), times),
        kind("get-resource-reference", json!({"resourceType": "Blob", "resourceId": 3}), times),
        same("get-structured-content", json!({"location": "Chicago"})),
        same("get-sum", json!({"a": 0.1, "b": 0.2})),
        same("get-tiny-image", json!({})),
        same("gzip-file-as-resource", gzip),
        kind("toggle-simulated-logging", json!({}), session),
        kind("toggle-simulated-logging", json!({}), session),
        kind("toggle-subscriber-updates", json!({}), session),
        kind("toggle-subscriber-updates", json!({}), session),
        same("trigger-long-running-operation", json!({"duration": 0.2, "steps": 2})),
        // It wants to be called as a task, which awf does not.
        failing("simulate-research-query", json!({"topic": "tea"})),
    ]
}

pub(super) fn files(folder: &Path) -> Vec<Case> {
    let path = |name: &str| folder.join(name);
    let poem = path("poem.txt");
    let edit = json!([{"oldText": "two", "newText": "zwei"}]);
    vec![
        same("read_file", json!({"path": poem})),
        same("read_text_file", json!({"path": poem, "head": 2})),
        failing("read_text_file", json!({"path": "/etc/hostname"})),
        same("read_media_file", json!({"path": path("dot.png")})),
        same("read_multiple_files", json!({"paths": [poem, path("nothing")]})),
        same("write_file", json!({"path": path("new.txt"), "content": "new\n"})),
        same("edit_file", json!({"path": poem, "edits": edit})),
        same("create_directory", json!({"path": path("shelf/upper")})),
        same("list_directory", json!({"path": path("shelf")})),
        same("list_directory_with_sizes", json!({"path": path("shelf"), "sortBy": "size"})),
        same("directory_tree", json!({"path": path("shelf")})),
        same("move_file", json!({"source": path("new.txt"), "destination": path("old.txt")})),
        same("search_files", json!({"path": folder, "pattern": "**/*.md"})),
        kind("get_file_info", json!({"path": poem}), "it tells when the file was made"),
        same("list_allowed_directories", json!({})),
    ]
}

pub(super) fn workshop() -> Vec<Case> {
    vec![
        same("locate", json!({"label": "oak – ü", "scale": 0.5})),
        same("picture", json!({})),
        same("document", json!({"name": "first"})),
        same("note", json!({"text": "x", "tags": ["a", "b"]})),
        same("erase", json!({"name": "x"})),
        same("silent", json!({})),
        failing("fails", json!({"why": "it must"})),
        refused("asks_a_model", json!({})),
        refused("asks_for_roots", json!({})),
        refused("asks_a_person", json!({})),
    ]
}

pub(super) fn odd() -> Vec<Case> {
    vec![same("count", json!({"id": 9_007_199_254_740_993_u64})), same("chart", json!({}))]
}
