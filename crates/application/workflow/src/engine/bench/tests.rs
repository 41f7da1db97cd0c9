//! Lines that are told, and variables that are exported.

use std::sync::Mutex;

use serde_json::{Map, json};

use super::*;

#[test]
fn lines_are_told_whole() {
    let said = Arc::new(Mutex::new(Vec::new()));
    let heard = said.clone();
    let tell = Box::new(move |text: &str| heard.lock().unwrap().push(text.to_owned()));
    let mut speaker = Speaker { tell, pending: Vec::new() };
    for piece in ["a", "b\nc", "d\ne\nf", "g"] {
        speaker.hear(piece.as_bytes());
    }
    drop(speaker);
    assert_eq!(*said.lock().unwrap(), ["ab\n", "cd\ne\n", "fg"]);
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
