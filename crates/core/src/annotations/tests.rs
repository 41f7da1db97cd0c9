//! Every combination of the two hints that decide a class.

use serde_json::{Value, json};

use super::{Annotations, Class};

#[test]
fn every_pair_of_hints_has_its_class() {
    let (absent, null, text) = (Value::Null, json!(null), json!("true"));
    let (yes, no) = (json!(true), json!(false));
    use Class::{Destructive, Read, Unannotated, Write};
    let rows: [(&Value, &Value, Class); 16] = [
        // destructiveHint, readOnlyHint
        (&yes, &absent, Destructive),
        (&yes, &yes, Destructive),
        (&yes, &no, Destructive),
        (&yes, &text, Destructive),
        (&no, &yes, Read),
        (&absent, &yes, Read),
        (&text, &yes, Read),
        (&null, &yes, Read),
        (&no, &no, Write),
        (&absent, &no, Write),
        (&text, &no, Write),
        (&null, &no, Write),
        (&no, &absent, Unannotated),
        (&absent, &absent, Unannotated),
        (&text, &text, Unannotated),
        (&no, &text, Unannotated),
    ];
    for (destructive, read_only, class) in rows {
        let object = json!({"destructiveHint": destructive, "readOnlyHint": read_only});
        assert_eq!(Annotations::read(Some(&object)).class(), class, "{object}");
    }
    assert_eq!(Annotations::read(None).class(), Unannotated);
}

#[test]
fn hints_that_are_no_booleans_are_named() {
    let object = json!({"destructiveHint": "no", "readOnlyHint": 1, "openWorldHint": true, "idempotentHint": []});
    assert_eq!(
        Annotations::read(Some(&object)).malformed(),
        ["readOnlyHint", "destructiveHint", "idempotentHint"]
    );
}
