//! Filters, and words that only look like some.

use awf_core::Operation;

use super::{Query, SearchFilters};

fn admitted(query: &str) -> Vec<&'static str> {
    let query = Query::parse(query);
    let operations =
        Operation::ALL.into_iter().filter(|operation| query.admits_operation(*operation));
    operations.map(Operation::as_str).collect()
}

#[test]
fn filters_are_taken_out_of_the_words() {
    let query = Query::parse("  server:GitHub list  is:read issues -server:x ");
    assert_eq!(query.text, "list issues");
    assert!(query.server.admits("github") && query.server.admits("GITHUB"));
    assert!(!query.server.admits("x") && !query.server.admits("githu"));
}

#[test]
fn operations_widen_and_are_taken_away() {
    assert_eq!(admitted("x"), ["read", "write", "destructive"]);
    assert_eq!(admitted("is:read"), ["read"]);
    assert_eq!(admitted("is:read is:WRITE"), ["read", "write"]);
    assert_eq!(admitted("is:read,write"), ["read", "write"]);
    assert_eq!(admitted("-is:destructive"), ["read", "write"]);
    assert_eq!(admitted("is:write -is:write"), [""; 0]);
}

#[test]
fn a_misspelt_filter_lets_nothing_through() {
    for query in ["is:raed", "-is:destrutive", "is:read -is:x", "is:"] {
        let expected: &[&str] =
            if query == "is:" { &["read", "write", "destructive"] } else { &[] };
        assert_eq!(admitted(query), expected, "{query}");
    }
}

#[test]
fn other_words_with_colons_and_minus_stay_words() {
    let query = Query::parse("github:create_issue -word http://x server: read-only");
    assert_eq!(query.text, "github:create_issue -word http://x server: read-only");
    assert!(query.server.admits("anything"));
}

#[test]
fn a_query_without_end_is_cut() {
    assert!(Query::parse(&"ä".repeat(1_000_000)).text.len() <= 2_000);
}

#[test]
fn what_is_filtered_by_can_be_told() {
    let filters = SearchFilters::of("a server:Git,x -is:reed b");
    assert_eq!(filters.servers, ["git", "x"]);
    assert_eq!(filters.operations, ["reed"]);
}
