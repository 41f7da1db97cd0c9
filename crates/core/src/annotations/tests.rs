//! Every combination of the two hints that decide a class.

use serde_json::{Map, Value, json};

use super::{Annotations, Class};

fn annotations(hints: [(&str, Option<&Value>); 2]) -> Value {
    let given = hints.into_iter().filter_map(|(name, hint)| Some((name.to_owned(), hint?.clone())));
    Value::Object(given.collect::<Map<_, _>>())
}

#[test]
fn every_pair_of_hints_has_its_class() {
    use Class::{Destructive, Read, Unannotated, Write};
    let (yes, no, null, text) = (json!(true), json!(false), json!(null), json!("true"));
    let hints = [Some(&yes), Some(&no), None, Some(&null), Some(&text)];
    // A row per destructiveHint, a column per readOnlyHint, both in the order of `hints`.
    let classes = [
        [Destructive; 5],
        [Read, Write, Unannotated, Unannotated, Unannotated],
        [Read, Write, Unannotated, Unannotated, Unannotated],
        [Read, Write, Unannotated, Unannotated, Unannotated],
        [Read, Write, Unannotated, Unannotated, Unannotated],
    ];
    for (destructive, row) in hints.into_iter().zip(classes) {
        for (read_only, class) in hints.into_iter().zip(row) {
            let object =
                annotations([("destructiveHint", destructive), ("readOnlyHint", read_only)]);
            assert_eq!(Annotations::read(Some(&object)).class(), class, "{object}");
        }
    }
    assert_eq!(Annotations::read(None).class(), Unannotated);
    assert_eq!(Annotations::read(Some(&json!([]))).class(), Unannotated);
}

#[test]
fn hints_that_are_no_booleans_are_named() {
    let object = json!({"destructiveHint": "no", "readOnlyHint": 1, "openWorldHint": true, "idempotentHint": []});
    assert_eq!(
        Annotations::read(Some(&object)).malformed(),
        ["readOnlyHint", "destructiveHint", "idempotentHint"]
    );
}
