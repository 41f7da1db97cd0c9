//! The data is whole, and the bar is where the books put it.

use std::collections::{BTreeMap, HashSet};

use super::{Plain, list_of, queries, servers, tools};

#[test]
fn there_are_enough_tools_servers_and_queries_in_both_splits() {
    let (tools, queries) = (tools().unwrap(), queries().unwrap());
    assert!(tools.len() >= 300 && servers(&tools).len() >= 20 && queries.len() >= 150);
    let mut splits: BTreeMap<&str, usize> = BTreeMap::new();
    for query in &queries {
        *splits.entry(&query.split).or_default() += 1;
    }
    assert_eq!(splits.keys().copied().collect::<Vec<_>>(), ["held-out", "tune"]);
    assert!(splits.values().all(|count| *count >= 75), "{splits:?}");
}

#[test]
fn every_answer_is_a_tool_and_no_query_stands_twice() {
    let tools: HashSet<String> = tools().unwrap().iter().map(super::Tool::qualified).collect();
    let mut seen = HashSet::new();
    for query in queries().unwrap() {
        assert!(seen.insert(query.text.clone()), "`{}` twice", query.text);
        for answer in &query.answers {
            assert!(tools.contains(answer), "`{}` is answered by no tool: {answer}", query.text);
        }
    }
}

#[test]
fn every_server_lists_its_tools() {
    let tools = tools().unwrap();
    for server in servers(&tools) {
        assert!(list_of(server).unwrap().contains("\"inputSchema\""), "{server}");
    }
    assert!(list_of("nobody").is_err());
}

#[test]
fn plain_search_finds_words_as_they_are_written() {
    let plain = Plain::new(&tools().unwrap());
    assert_eq!(plain.search("postcode radiusKm")[0], "parcelio:listDropOffPoints");
    assert_eq!(plain.search("radiusKms"), Vec::<String>::new());
}
