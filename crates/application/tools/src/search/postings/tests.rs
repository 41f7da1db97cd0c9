//! Where terms stand, and how much that counts.

use std::sync::Arc;

use awf_core::{RawJson, ToolDefinition, ToolSource};
use serde_json::json;

use super::{Postings, read};
use crate::search::vocabulary::Vocabulary;

fn tools(described: &[(&str, &str)]) -> Vec<Arc<ToolDefinition>> {
    let tool = |(name, description): &(&str, &str)| {
        let raw = json!({"name": name, "description": description, "inputSchema": {}});
        Arc::new(ToolDefinition::from_raw(ToolSource::Mcp("s".into()), RawJson::from(raw)).unwrap())
    };
    described.iter().map(tool).collect()
}

fn of(index: &(Vocabulary, Postings), term: &str) -> Vec<(u32, f32)> {
    index.0.find(term).map(|term| index.1.of(term).collect()).unwrap_or_default()
}

#[test]
fn a_name_counts_for_more_than_a_description_and_a_short_one_for_more_than_a_long_one() {
    let long = "delete ".to_owned() + &"other words about nothing ".repeat(40);
    let index = read(&tools(&[("delete", ""), ("a", "delete"), ("b", &long), ("c", "none")]));
    let found = of(&index, "delet");
    assert_eq!(found.iter().map(|(tool, _)| *tool).collect::<Vec<_>>(), [0, 1, 2]);
    assert!(found[0].1 > found[1].1 && found[1].1 > found[2].1 && found[2].1 > 0.0, "{found:?}");
    assert!(found[0].1 < 1.0);
}

#[test]
fn stop_words_are_heard_in_names_only() {
    let index = read(&tools(&[("who_am_i", "who and what"), ("b", "who and what")]));
    assert_eq!(of(&index, "who").len(), 1);
    assert_eq!(of(&index, "what").len(), 0);
}

#[test]
fn repeating_a_word_levels_off() {
    let spam = "delete ".repeat(100_000);
    let index = read(&tools(&[("delete_file", "Deletes a file."), ("spam", &spam)]));
    let found = of(&index, "delet");
    assert!(found[1].1 < 0.99 && found[0].1 > 0.5, "{found:?}");
}
