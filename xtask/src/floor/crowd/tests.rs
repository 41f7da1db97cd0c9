//! As many tools as asked for, no two of one name.

use std::collections::HashSet;

use serde_json::Value;

use super::list;

#[test]
fn a_crowd_has_as_many_different_tools_as_asked_for() {
    let list: Value = serde_json::from_str(&list(1_000)).unwrap();
    let tools = list["tools"].as_array().unwrap();
    let names: HashSet<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!((tools.len(), names.len()), (1_000, 1_000));
    assert_eq!(tools[0]["name"], "echo");
}
