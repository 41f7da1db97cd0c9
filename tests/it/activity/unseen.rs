//! Characters that nobody sees, or that steer a terminal, come out of no format as they are.

use serde_json::Value;

use crate::{activity::stdout, world::World};

/// A C1 control, a turn of direction, a tag, a zero width space.
const REASON: &str = "a\u{9b}31m b\u{202e}c d\u{e0041} e\u{200b} żółć";

fn is_unseen(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\r'))
        || matches!(c, '\u{200b}' | '\u{202e}' | '\u{e0000}'..='\u{e007f}')
}

#[test]
fn json_yaml_and_csv_have_them_written_out() {
    let world = World::new();
    world.file("f.txt", "x\n");
    let reason = format!("--reason={REASON}");
    let words = ["call", "tool-read", "Read", "--args", r#"{"file_path": "f.txt"}"#, &reason];
    assert!(world.awf(words).status.success());
    let id = world.activity()[0]["id"].as_str().unwrap().to_owned();
    let outputs = [
        "list -o json",
        "list -o yaml",
        "export --format json",
        "export --format csv",
        &format!("show {id}"),
        &format!("show {id} -o json"),
        &format!("show {id} -o yaml"),
    ]
    .map(|words| {
        let text = stdout(&world.awf(["activity"].into_iter().chain(words.split(' '))));
        assert!(!text.contains(is_unseen), "{words}: {text:?}");
        assert!(text.contains("żółć"), "{words}: {text}");
        text
    });
    let reason = |value: &Value| value["metadata"]["intent"]["reason"].clone();
    let list: Value = serde_json::from_str(&outputs[0]).unwrap();
    assert_eq!(reason(&list["activities"][0]), REASON);
    assert_eq!(reason(&serde_json::from_str(&outputs[2]).unwrap()), REASON);
    assert!(outputs[1].contains(r"a\u009b31m b\u202ec d\U000e0041 e\u200b"), "{}", outputs[1]);
    assert!(outputs[3].contains(r"a\u{9b}31m b\u{202e}c d\u{e0041} e\u{200b}"), "{}", outputs[3]);
}
