//! Samples of schemas.

use serde_json::{Value, json};

use super::sample;

#[test]
fn a_sample_has_what_the_schema_asks_for() {
    let rows = [
        (
            json!({"type": "OBJECT", "properties": {"reason": {"type": "STRING"}, "score": {"type": "INTEGER"}}}),
            json!({"reason": "none", "score": 1}),
        ),
        (json!({"enum": ["flash", "pro"]}), json!("flash")),
        (json!({"type": "integer", "minimum": 5}), json!(5)),
        (json!({"type": "array", "items": {"type": "string"}}), json!([])),
        (json!({}), json!({})),
    ];
    for (schema, wanted) in rows {
        assert_eq!(sample(&schema), wanted, "{schema}");
    }
}

#[test]
fn a_bottomless_schema_has_an_end() {
    let mut schema = json!({"type": "boolean"});
    for _ in 0..100 {
        schema = json!({"type": "object", "properties": {"inner": schema}});
    }
    let mut depth = 0;
    let mut at = &sample(&schema);
    while let Some(inner) = at.get("inner") {
        (at, depth) = (inner, depth + 1);
    }
    assert_eq!((at, depth), (&Value::Null, 16));
}
