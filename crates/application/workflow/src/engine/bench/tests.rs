//! Lines that are told, and variables that are exported.

use std::sync::Mutex;

use serde_json::{Map, json};

use super::*;

/// What is told of these pieces.
fn told(redactor: Redactor, pieces: &[&str]) -> Vec<String> {
    let said = Arc::new(Mutex::new(Vec::new()));
    let heard = said.clone();
    let tell = Box::new(move |text| heard.lock().unwrap().push(text));
    let mut speaker = Speaker { tell, redactor: Arc::new(redactor), pending: Vec::new() };
    for piece in pieces {
        speaker.hear(piece.as_bytes());
    }
    drop(speaker);
    std::mem::take(&mut said.lock().unwrap())
}

#[test]
fn lines_are_told_whole() {
    let said = told(Redactor::default(), &["a", "b\nc", "d\ne\nf", "g"]);
    assert_eq!(said, ["ab\n", "cd\ne\n", "fg"]);
}

#[test]
fn a_secret_in_a_line_without_end_is_not_told_in_pieces() {
    let long = "-".repeat(LONGEST_LINE);
    let said = told(Redactor::new(["hunter22"]), &[&long, "hunt", "er", "22 and on", "\n"]);
    assert!(said.first() == Some(&long), "the long line is told before the secret has ended");
    assert_eq!(said.get(1..), Some(&["[redacted] and on\n".to_owned()][..]));
}

#[test]
fn inputs_with_readable_names_are_variables() {
    let mut env = Environment::new(&[("A".into(), "old".into())]);
    let inputs = json!({"A": "new", "n": 3, "with-dash": "x", "1st": "x", "none": null});
    let Value::Object(inputs) = inputs else { panic!("an object") };
    env.inputs(&inputs);
    env.inputs(&Map::new());
    let pairs: Vec<(OsString, OsString)> =
        vec![("A".into(), "new".into()), ("n".into(), "3".into())];
    assert_eq!(env.into_vec(), pairs);
}
