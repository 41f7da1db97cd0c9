//! What can be saved of a line of which only the beginning was kept.

use super::*;

#[test]
fn salvages_an_id_that_stands_before_the_cut() {
    let rows = [
        (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"x":"AAAA"#, Some("7")),
        (r#"{"id":"a","params":[[["#, Some(r#""a""#)),
        (r#"{"id":"a","#, Some(r#""a""#)),
        (r#"{"params":{"x":"AAAA"#, None),
        (r#"{"id":7"#, None),
        (r#"{"id":7,"id":8,"params":"#, None),
        (r#"{"id":null,"params":"#, None),
        (r#"{"id":"\ud800","params":"#, None),
        ("AAAA", None),
        ("[[[[", None),
    ];
    for (head, expected) in rows {
        assert_eq!(
            salvage_id(head.as_bytes()).as_ref().map(RequestId::as_json),
            expected,
            "{head}"
        );
    }
    let mut cut = br#"{"id":1,"params":""#.to_vec();
    cut.extend_from_slice(b"\xc3");
    assert_eq!(
        salvage_id(&cut).as_ref().map(RequestId::as_json),
        Some("1"),
        "a character cut in two"
    );
}

#[test]
fn responses_are_told_from_requests() {
    let response = |line: &'static str| match parse(line.as_bytes()) {
        Ok(Message::Response { id, outcome }) => {
            (id.map(|id| id.to_string()), outcome.map(RawValue::get).map_err(RawValue::get))
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(
        response(r#"{"jsonrpc":"2.0","id":1,"result":{"a": 1}}"#),
        (Some("1".into()), Ok(r#"{"a": 1}"#))
    );
    assert_eq!(response(r#"{"jsonrpc":"2.0","id":null,"error":{}}"#), (None, Err("{}")));
}
