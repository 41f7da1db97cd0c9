//! Shortening at its edges.

use super::{NameLimit, digest, folded, is_reserved};

#[test]
fn a_name_that_fits_is_left_alone() {
    let limits = [(NameLimit::MCP, 128), (NameLimit::OPENAI, 64), (NameLimit::gemini(14), 49)];
    for (limit, longest) in limits {
        for name in ["a", "Read", "my-server_list_repos", &"x".repeat(longest)] {
            assert_eq!(limit.fit(name), name);
        }
        let long = "x".repeat(longest + 1);
        let fitted = limit.fit(&long);
        assert_eq!(fitted, format!("{}_{:08x}", "x".repeat(longest - 9), digest(&long)));
        assert_eq!(fitted.len(), longest);
    }
}

#[test]
fn what_cannot_be_carried_is_replaced_and_marked() {
    let marked = |limit: NameLimit, full: &str, head: &str| {
        assert_eq!(limit.fit(full), format!("{head}_{:08x}", digest(full)));
    };
    assert_eq!(NameLimit::MCP.fit("a.b"), "a.b");
    marked(NameLimit::OPENAI, "a.b", "a_b");
    marked(NameLimit::gemini(0), "a.b", "a_b");
    marked(NameLimit::MCP, "gіthub_list", "g_thub_list");
    marked(NameLimit::MCP, "a b/c_list", "a_b_c_list");
}

#[test]
fn a_mark_depends_on_the_whole_name_and_never_changes() {
    // The published test values of 64-bit FNV-1a, folded in half.
    assert_eq!(digest(""), 0xcbf2_9ce4 ^ 0x8422_2325);
    assert_eq!(digest("a"), 0xaf63_dc4c ^ 0x8601_ec8c);
    assert_eq!(digest("foobar"), 0x8594_4171 ^ 0xf739_67e8);
    let long = "x".repeat(200);
    assert_ne!(NameLimit::MCP.fit(&format!("{long}1")), NameLimit::MCP.fit(&format!("{long}2")));
}

#[test]
fn a_prefix_never_leaves_too_little_for_a_name() {
    for (prefix, longest) in [(0, 63), (46, 17), (47, 16), (48, 16), (63, 16), (usize::MAX, 16)] {
        assert_eq!(NameLimit::gemini(prefix).fit(&"x".repeat(200)).len(), longest, "{prefix}");
    }
}

#[test]
fn reserved_names_are_recognised_in_disguise() {
    for name in [
        "call_tool_read",
        "call_tool_write",
        "call_tool_destructive",
        "retrieve_tools",
        "Call-Tool.READ",
    ] {
        assert!(is_reserved(name), "{name}");
    }
    for name in ["call_tool", "call_tool_reads", "Read", "x_call_tool_read", ""] {
        assert!(!is_reserved(name), "{name}");
    }
}

#[test]
fn a_name_is_seen_without_case_and_punctuation() {
    assert_eq!(folded("My-Server.List_Repos9é"), "my_server_list_repos9_");
}
