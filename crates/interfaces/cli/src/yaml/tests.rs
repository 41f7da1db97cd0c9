//! Documents as YAML, and back again.

use awf_core::RawJson;

use super::from_json;

fn yaml(json: &str) -> String {
    from_json(&RawJson::parse(json).unwrap())
}

#[test]
fn blocks_keep_order_and_numbers() {
    let json = r#"{"b":{"operation_type":"write","reason":"to: do","none":null,"off":"no"},"a":[1.10,{"x":[],"z":{}},[true]],"big":12345678901234567890123}"#;
    let expected = "b:\n  operation_type: write\n  reason: \"to: do\"\n  none: null\n  \"off\": \"no\"\na:\n  - 1.10\n  -\n    x: []\n    z: {}\n  -\n    - true\nbig: 12345678901234567890123\n";
    assert_eq!(yaml(json), expected);
}

#[test]
fn a_bare_value_and_a_doubled_key_are_told() {
    assert_eq!(yaml("{}"), "{}\n");
    assert_eq!(yaml("[]"), "[]\n");
    assert_eq!(yaml(r#""a b""#), "\"a b\"\n");
    assert_eq!(yaml(r#"{"x":{"a":1,"a":2}}"#), "x: \"{\\\"a\\\":1,\\\"a\\\":2}\"\n");
}

#[test]
fn escapes_are_those_that_yaml_knows() {
    assert_eq!(yaml(r#"{"t":"\ud83d\ude00 \/ \u0000\n"}"#), "t: \"😀 / \\u0000\\n\"\n");
}
