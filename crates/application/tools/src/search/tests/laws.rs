//! What holds for every catalogue and every query.

use std::sync::Arc;

use awf_core::{ToolDefinition, Unannotated, call_with};
use proptest::prelude::*;
use serde_json::json;

use super::plain;
use crate::search::{Found, SearchIndex};

const WORDS: [&str; 12] = [
    "list", "create", "delete", "issue", "file", "remove", "user", "search", "readOnly", "k8s",
    "the", "日本",
];

fn words(count: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(WORDS.as_slice()), count)
        .prop_map(|words| words.join(" "))
}

fn catalogue() -> impl Strategy<Value = Vec<Arc<ToolDefinition>>> {
    let hints = prop::sample::select(vec![
        json!({}),
        json!({"readOnlyHint": true}),
        json!({"readOnlyHint": false}),
        json!({"destructiveHint": true}),
    ]);
    let name = prop::sample::select(vec!["list_issues", "deleteFile", "a.b-c", "user2", "search"]);
    let server = prop::sample::select(vec!["one", "two", "one-more"]);
    let tool = (server, name, words(0..6), hints)
        .prop_map(|(server, name, text, hints)| plain(server, name, &text, &hints));
    prop::collection::vec(tool, 0..30)
}

fn seen(found: &Found) -> Vec<(String, String, String)> {
    let hits = found.hits.iter();
    hits.map(|hit| {
        (hit.tool.qualified_name(), hit.tool.raw().get().to_owned(), format!("{:.9}", hit.score))
    })
    .collect()
}

proptest! {
    #[test]
    fn filters_never_leak(tools in catalogue(), text in words(0..4), limit in 0_usize..40) {
        let index = SearchIndex::build(&tools, Unannotated::Trust);
        for word in ["read", "write", "destructive"] {
            let only = index.search(&format!("{text} is:{word} server:one"), limit);
            for hit in &only.hits {
                let operation = call_with(hit.tool.class(), Unannotated::Trust).0;
                prop_assert_eq!(operation.as_str(), word);
                prop_assert_eq!(hit.tool.source().namespace(), "one");
            }
            let without = index.search(&format!("-server:one {text} -is:{word}"), limit);
            for hit in &without.hits {
                let operation = call_with(hit.tool.class(), Unannotated::Trust).0;
                prop_assert!(operation.as_str() != word && hit.tool.source().namespace() != "one");
            }
        }
    }

    #[test]
    fn filters_only_take_away(tools in catalogue(), text in words(1..4)) {
        let index = SearchIndex::build(&tools, Unannotated::Trust);
        let all = seen(&index.search(&text, 100));
        let parts: usize = ["one", "two", "one-more"].iter().map(|server| {
            let part = seen(&index.search(&format!("{text} server:{server}"), 100));
            assert!(part.iter().all(|hit| all.contains(hit)), "a filter changes no score");
            part.len()
        }).sum();
        prop_assert_eq!(parts, all.len());
    }

    #[test]
    fn order_of_the_tools_does_not_matter(tools in catalogue(), text in words(0..5), limit in 0_usize..40) {
        let mut turned = tools.clone();
        turned.reverse();
        turned.rotate_left(tools.len() / 3);
        let one = SearchIndex::build(&tools, Unannotated::Write).search(&text, limit);
        let other = SearchIndex::build(&turned, Unannotated::Write).search(&text, limit);
        prop_assert_eq!(one.total, other.total);
        prop_assert_eq!(seen(&one), seen(&other));
    }

    #[test]
    fn hits_are_the_best_in_order(tools in catalogue(), text in "\\PC{0,40}", limit in 0_usize..10) {
        let index = SearchIndex::build(&tools, Unannotated::Trust);
        let (some, all) = (index.search(&text, limit), index.search(&text, 1_000));
        prop_assert_eq!(some.hits.len(), limit.min(all.total));
        prop_assert_eq!(all.hits.len(), all.total);
        prop_assert_eq!(seen(&some), seen(&all)[..some.hits.len()].to_vec());
        prop_assert!(all.hits.iter().all(|hit| hit.score > 0.0 && hit.score <= 1.0));
        let in_order = all.hits.windows(2).all(|pair| {
            pair[0].score > pair[1].score
                || (pair[0].score - pair[1].score).abs() < 1e-6
        });
        prop_assert!(in_order);
    }
}
