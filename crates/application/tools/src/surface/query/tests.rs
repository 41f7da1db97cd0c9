//! What may be asked, and what a wrong question is told.

use awf_core::RawJson;

use super::{Detail, Query};

fn read(arguments: &str) -> Result<Query, String> {
    Query::read(&RawJson::parse(arguments).unwrap()).map_err(|refusal| refusal.message)
}

#[test]
fn a_query_has_a_limit_and_a_detail_of_its_own() {
    let query = |text: &str, limit, detail| Query { text: text.into(), limit, detail };
    for (arguments, expected) in [
        (r#"{"query":"a b"}"#, query("a b", 15, Detail::Full)),
        (r#"{"query":"a","limit":null,"detail":null,"other":1}"#, query("a", 15, Detail::Full)),
        (r#"{"query":"a","limit":1,"detail":"full"}"#, query("a", 1, Detail::Full)),
        (r#"{"query":"a","limit":100,"detail":"compact"}"#, query("a", 100, Detail::Compact)),
    ] {
        assert_eq!(read(arguments), Ok(expected));
    }
}

#[test]
fn a_wrong_question_is_told_what_may_be_asked() {
    for (arguments, told) in [
        ("{}", "`query` is required"),
        (r#"{"query":"  "}"#, "`query` is required"),
        (r#"{"query":5}"#, "`query` is required"),
        (r#"{"query":"a","limit":0}"#, "`limit` must be a whole number from 1 to 100"),
        (r#"{"query":"a","limit":101}"#, "`limit` must be a whole number from 1 to 100"),
        (r#"{"query":"a","limit":1.5}"#, "`limit` must be a whole number from 1 to 100"),
        (r#"{"query":"a","limit":"5"}"#, "`limit` must be a whole number from 1 to 100"),
        (r#"{"query":"a","detail":"short"}"#, "`detail` must be `full` or `compact`"),
        ("[]", "must be a JSON object"),
    ] {
        let message = read(arguments).unwrap_err();
        assert!(message.starts_with("invalid arguments: ") && message.contains(told), "{message}");
    }
}
