//! Names, sources and trace contexts at their edges.

use super::{ToolName, ToolSource, TraceContext};

#[test]
fn names_are_one_to_128_plain_characters() {
    for good in ["a", "Read", "kubernetes_kubectl-apply.v2", &"x".repeat(128)] {
        assert_eq!(ToolName::parse(good).unwrap().as_str(), good);
    }
    for bad in ["", " ", "a b", "a:b", "é", "a\nb", &"x".repeat(129)] {
        assert!(ToolName::parse(bad).is_err(), "{bad:?} was taken for a tool name");
    }
}

#[test]
fn a_refused_name_is_shown_escaped_and_short() {
    let message =
        ToolName::parse(&format!("\u{1b}[31m{}", "x".repeat(500))).unwrap_err().to_string();
    assert!(message.contains("\\u{1b}") && message.len() < 250, "{message}");
}

#[test]
fn sources_say_where_a_tool_comes_from() {
    let sources =
        [ToolSource::Builtin, ToolSource::Plugin("k8s".into()), ToolSource::Mcp("github".into())];
    let shown: Vec<_> = sources.iter().map(|s| (s.to_string(), s.namespace().to_owned())).collect();
    let expected = [("builtin", "builtin"), ("plugin:k8s", "k8s"), ("mcp:github", "github")];
    assert_eq!(shown, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
}

#[test]
fn a_trace_id_is_read_only_from_a_well_formed_header() {
    let id = |header: &str| {
        TraceContext { traceparent: header.into(), tracestate: None }.trace_id().map(str::to_owned)
    };
    let good = "0af7651916cd43dd8448eb211c80319c";
    assert_eq!(id(&format!("00-{good}-b7ad6b7169203331-01")).as_deref(), Some(good));
    for bad in ["", "00", "00-xyz-1-01", "00-00000000000000000000000000000000-b7ad6b7169203331-01"]
    {
        assert_eq!(id(bad), None, "{bad:?}");
    }
}
