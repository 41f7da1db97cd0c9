//! Depth and surrogates, at their edges.

use proptest::prelude::*;

use super::*;

#[test]
fn depth_counts_brackets_outside_strings() {
    let nest = |open: &str, close: &str, depth: usize| {
        format!("{}1{}", open.repeat(depth), close.repeat(depth))
    };
    let rows = [
        (nest("[", "]", MAX_DEPTH), false),
        (nest("[", "]", MAX_DEPTH + 1), true),
        (nest(r#"{"a":"#, "}", MAX_DEPTH), false),
        (nest(r#"{"[":"#, "}", MAX_DEPTH), false),
        (nest(r#"{"a":"#, "}", MAX_DEPTH + 1), true),
        (format!("[{}[]]", "[],".repeat(1000)), false),
        (format!(r#""{}""#, "[".repeat(1000)), false),
        (format!(r#"["\"{}\\",{}]"#, "[".repeat(1000), nest("[", "]", MAX_DEPTH)), true),
    ];
    for (json, expected) in rows {
        assert!(serde_json::from_str::<serde::de::IgnoredAny>(&json).is_ok(), "{json}");
        assert_eq!(too_deep(&json), expected, "{json}");
    }
}

#[test]
fn surrogates_come_in_pairs() {
    let rows = [
        (r#""plain""#, false),
        (r#""\ud83d\ude00""#, false),
        (r#""\uD83D\uDE00\ud83d\ude00""#, false),
        (r#""\ud800""#, true),
        (r#""\udc00""#, true),
        (r#""\ude00\ud83d""#, true),
        (r#""\ud800\ud800""#, true),
        (r#""\ud800x""#, true),
        (r#""\ud800\n""#, true),
        (r#""\\ud800""#, false),
        (r#""\\\ud800""#, true),
        (r#""\u0041\ud7ff\ue000""#, false),
    ];
    for (json, expected) in rows {
        assert_eq!(has_lone_surrogate(json), expected, "{json}");
    }
}

proptest! {
    #[test]
    fn agrees_with_serde_on_strings(text in r"(\\u[dD][89abcdefABCDEF0-7][0-9a-f]{2}|\\\\|\\n|[a-u]){0,12}") {
        let json = format!("\"{text}\"");
        prop_assert_eq!(has_lone_surrogate(&json), serde_json::from_str::<String>(&json).is_err());
    }
}
