//! What a word of a query may stand for.

use std::sync::Arc;

use awf_core::{RawJson, ToolDefinition, ToolSource};
use serde_json::json;

use super::{Concept, Ground, concepts};
use crate::search::postings::read;

/// The terms of each concept of `query` among tools of these names, each with its weight in hundredths.
fn meant(query: &str, names: &[&str]) -> Vec<Vec<String>> {
    let tool = |name: &&str| {
        let raw = json!({"name": name, "inputSchema": {}});
        Arc::new(ToolDefinition::from_raw(ToolSource::Mcp("x".into()), RawJson::from(raw)).unwrap())
    };
    let tools: Vec<_> = names.iter().map(tool).collect();
    let (vocabulary, postings) = read(&tools);
    let ground = Ground { vocabulary: &vocabulary, postings: &postings, tools: tools.len() };
    let shown = |concept: &Concept| {
        let terms = concept.alternatives.iter();
        terms
            .map(|known| format!("{} {:.0}", vocabulary.spelt(known.term), known.weight * 100.0))
            .collect()
    };
    concepts(query, ground).iter().map(shown).collect()
}

#[test]
fn a_word_stands_for_itself_and_less_for_its_synonyms() {
    assert_eq!(meant("delete", &["delete", "remove", "other"]), [["delet 100", "remov 40"]]);
    assert_eq!(meant("rm", &["delete", "remove", "other"]), [["delet 40", "remov 40"]]);
}

#[test]
fn a_rare_synonym_counts_for_no_more_than_a_common_word() {
    let found = meant("remove", &["remove", "delete_a", "delete_b", "delete_c"]);
    assert_eq!(found[0][0], "remov 100");
    assert!(found[0][1].starts_with("delet ") && found[0][1] != "delet 40", "{found:?}");
}

#[test]
fn slips_are_forgiven_only_in_words_that_nobody_knows() {
    assert_eq!(meant("isuse", &["issue", "other"]), [["issu 80"]]);
    assert_eq!(meant("tickt", &["ticket", "issue"]), [["ticket 80", "issu 32"]]);
    assert_eq!(meant("post", &["past", "post"]), [["post 100"]]);
}

#[test]
fn beginnings_joined_words_and_halves_are_understood() {
    assert_eq!(meant("kube", &["kubernetes", "other"]), [["kubernet 60"]]);
    assert_eq!(meant("web hook", &["webhook", "other"]), [["webhook 80"], ["webhook 80"]]);
    assert_eq!(meant("pullrequest", &["pull_request", "x"]), [["pull 60", "request 60"]]);
    assert_eq!(meant("createIssue", &["create_issue", "x"]), [["creat 100"], ["issu 100"]]);
    assert_eq!(meant("GitHub", &["github", "git", "x"]), [["github 100", "git 60"]]);
}

#[test]
fn stop_words_count_only_where_there_is_nothing_else() {
    assert_eq!(meant("what is the issue", &["issue", "what_is"]), [["issu 100"]]);
    assert_eq!(meant("what is", &["issue", "what_is"]).len(), 2);
}

#[test]
fn each_word_counts_once_and_there_is_an_end_to_them() {
    assert_eq!(meant("issue issues ISSUE", &["issue"]).len(), 1);
    let many: Vec<String> = (0..5_000).map(|number| format!("word{number}")).collect();
    assert!(meant(&many.join(" "), &["issue"]).len() <= super::MOST_WORDS);
}
