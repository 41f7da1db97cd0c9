//! Pieces in, lines out.

use std::sync::{Arc, Mutex};

use awf_core::{AgentNews, AgentWatcher};

use super::{LONGEST_LINE, Voice};
use crate::openai::ApiKey;

#[test]
fn lines_are_told_whole_and_without_the_key() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ears = heard.clone();
    let watcher: AgentWatcher = Arc::new(move |news| ears.lock().unwrap().push(news));
    let key = ApiKey::new(" sk-canary\n").unwrap();
    let mut voice = Voice::new(&watcher, Some(&key));
    for piece in ["a", "b sk-ca", "nary\nc\nd", "e"] {
        voice.say(piece);
    }
    voice.complain("sk-canary is wrong");
    voice.end();
    voice.say(&"x".repeat(LONGEST_LINE + 1));
    voice.end();
    let text = |text: &str| AgentNews::Text(text.into());
    let expected = [
        text("ab [REDACTED]\nc\n"),
        text("de\n"),
        AgentNews::Complaint("[REDACTED] is wrong".into()),
        text(&"x".repeat(LONGEST_LINE + 1)),
    ];
    assert_eq!(*heard.lock().unwrap(), expected);
    assert_eq!(format!("{key:?} {:?}", key.header()), "[REDACTED] Ok(Sensitive)");
}
