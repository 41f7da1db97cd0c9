//! Names given, names refused, names found again.

use std::sync::Arc;

use super::{
    Exposure, NameLimit, Naming, SourceTools, ToolAddress, ToolSet, ToolSetError, Unresolved,
};
use crate::{
    diagnostic::Code,
    intent::{Ceiling, Operation, RefusalCode, Unannotated},
    json::RawJson,
    tool::{ToolDefinition, ToolSource},
};

const READ_ONLY: &str = r#"{"readOnlyHint":true}"#;
const WRITING: &str = r#"{"readOnlyHint":false}"#;
const DESTRUCTIVE: &str = r#"{"destructiveHint":true}"#;

fn plugin(name: &str) -> ToolSource {
    ToolSource::Plugin(name.to_owned())
}

fn server(name: &str) -> ToolSource {
    ToolSource::Mcp(name.to_owned())
}

fn offer(source: ToolSource, tools: &[(&str, &str)]) -> SourceTools {
    let tools = tools
        .iter()
        .map(|(name, hints)| {
            let raw = format!(
                r#"{{"x-vendor":1.10,"name":"{name}","inputSchema":{{}},"annotations":{hints}}}"#
            );
            Arc::new(
                ToolDefinition::from_raw(source.clone(), RawJson::parse(raw).unwrap()).unwrap(),
            )
        })
        .collect();
    SourceTools { source, tools }
}

fn some(source: ToolSource, names: &[&str]) -> SourceTools {
    let tools: Vec<_> = names.iter().map(|name| (*name, READ_ONLY)).collect();
    offer(source, &tools)
}

fn build(sources: &[SourceTools]) -> Result<ToolSet, ToolSetError> {
    ToolSet::build(sources, Exposure::default())
}

fn names(set: &ToolSet) -> Vec<&str> {
    set.tools().iter().map(|tool| tool.name().as_str()).collect()
}

fn address(text: &str) -> ToolAddress {
    ToolAddress::parse(text).unwrap()
}

#[test]
fn tools_are_listed_by_exposed_name_whatever_order_they_came_in() {
    let one = some(ToolSource::Builtin, &["Write", "Read"]);
    let two = some(plugin("kubernetes"), &["kubectl_apply"]);
    let three = some(server("github"), &["list.repos", "delete_repo"]);
    let expected =
        ["Read", "Write", "github_delete_repo", "github_list.repos", "kubernetes_kubectl_apply"];
    assert_eq!(names(&build(&[one.clone(), two.clone(), three.clone()]).unwrap()), expected);
    assert_eq!(names(&build(&[three, one, two]).unwrap()), expected);
}

#[test]
fn an_exposed_tool_keeps_everything_but_its_name() {
    let set =
        build(&[some(server("github"), &["list"]), some(ToolSource::Builtin, &["Read"])]).unwrap();
    let tool = set.by_name("github_list").unwrap();
    assert_eq!(
        tool.listed().raw().get(),
        r#"{"x-vendor":1.10,"name":"github_list","inputSchema":{},"annotations":{"readOnlyHint":true}}"#
    );
    assert_eq!(tool.tool().name().as_str(), "list");
    assert_eq!(tool.listed().source(), &server("github"));
    let builtin = set.by_name("Read").unwrap();
    assert!(Arc::ptr_eq(builtin.listed(), builtin.tool()));
}

#[test]
fn shortened_names_lead_back_to_their_tool() {
    let long = "list_".repeat(20);
    let limit = NameLimit::OPENAI;
    let sources = [some(server("gіt.hub"), &[&long, "a.b"])];
    let set = ToolSet::build(&sources, Exposure { limit, ..Exposure::default() }).unwrap();
    for (exposed, original) in set.tools().iter().zip(["a.b", &long]) {
        let name = exposed.name().as_str();
        assert!(name.len() <= 64 && name.starts_with("g_t_hub_"), "{name}");
        assert!(
            name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-'),
            "{name}"
        );
        assert_eq!(set.by_name(name).unwrap().tool().name().as_str(), original);
    }
}

#[test]
fn a_shortened_name_does_not_depend_on_other_tools() {
    let long = "x".repeat(128);
    let alone = build(&[some(server("s"), &[&long])]).unwrap();
    let among =
        build(&[some(server("s"), &["a", &long, "z"]), some(plugin("p"), &[&long])]).unwrap();
    assert!(names(&among).contains(&names(&alone)[0]));
}

#[test]
fn two_tools_a_model_would_mix_up_are_a_collision() {
    let rows = [
        ([some(server("a"), &["b_c"]), some(server("a_b"), &["c"])], ("a:b_c", "a_b:c")),
        ([some(server("a"), &["x"]), some(plugin("b"), &["y", "y"])], ("b:y", "b:y")),
        (
            [some(server("a"), &["list-x", "List.X"]), some(plugin("b"), &[])],
            ("a:List.X", "a:list-x"),
        ),
        ([some(ToolSource::Builtin, &["a_b"]), some(plugin("A"), &["B"])], ("A:B", "builtin:a_b")),
    ];
    for (sources, (first, second)) in rows {
        let error = build(&sources).unwrap_err();
        assert_eq!(error.code(), Code::NameCollision);
        let message = format!("tools `{first}` and `{second}` would be seen under the same name");
        assert_eq!(error.diagnostic().message, message);
    }
}

#[test]
fn namespaces_are_shared_by_all_kinds_of_sources() {
    let rows = [
        (
            [plugin("github"), server("github")],
            "`plugin:github` and `mcp:github` share one namespace",
        ),
        (
            [ToolSource::Builtin, server("builtin")],
            "`builtin` and `mcp:builtin` share one namespace",
        ),
        ([server("my-srv"), server("My_Srv")], "`mcp:my-srv` and `mcp:My_Srv` share one namespace"),
        ([ToolSource::Builtin, ToolSource::Builtin], "`builtin` and `builtin` share one namespace"),
    ];
    for (sources, message) in rows {
        let error = build(&sources.map(|source| some(source, &[]))).unwrap_err();
        assert_eq!((error.code(), error.to_string().as_str()), (Code::NameCollision, message));
    }
}

#[test]
fn a_namespace_must_be_able_to_stand_before_a_colon() {
    for bad in ["", "a:b", "a b", "a\nb", "\u{1b}"] {
        let error = build(&[some(server(bad), &[])]).unwrap_err();
        assert_eq!(error.code(), Code::ConfigInvalid, "{bad:?}");
        assert!(!error.to_string().contains(['\n', '\u{1b}']));
    }
}

#[test]
fn names_of_awf_are_refused_for_foreign_tools() {
    for source in [server("x"), plugin("x")] {
        for name in [
            "call_tool_read",
            "call_tool_write",
            "call_tool_destructive",
            "retrieve_tools",
            "Retrieve-Tools",
        ] {
            let error = build(&[some(source.clone(), &[name])]).unwrap_err();
            assert_eq!(error.code(), Code::NameCollision);
            assert_eq!(
                error.to_string(),
                format!("tool `x:{name}` takes a name that is reserved for awf")
            );
        }
    }
    let split = build(&[some(server("call"), &["tool_read"])]).unwrap_err();
    assert_eq!(split.to_string(), "tool `call:tool_read` takes a name that is reserved for awf");
    assert!(build(&[some(server("x"), &["Read", "call_tool"])]).is_ok());
}

#[test]
fn tools_above_the_ceiling_are_neither_listed_nor_callable() {
    let sources = [offer(
        server("s"),
        &[("look", READ_ONLY), ("change", WRITING), ("drop", DESTRUCTIVE), ("what", "{}")],
    )];
    let rows = [
        (Operation::Read, Unannotated::Trust, vec!["s_look"]),
        (Operation::Write, Unannotated::Trust, vec!["s_change", "s_look", "s_what"]),
        (Operation::Write, Unannotated::Destructive, vec!["s_change", "s_look"]),
        (
            Operation::Destructive,
            Unannotated::Destructive,
            vec!["s_change", "s_drop", "s_look", "s_what"],
        ),
    ];
    for (most, unannotated, listed) in rows {
        let exposure = Exposure { ceiling: Ceiling(most), unannotated, ..Exposure::default() };
        let set = ToolSet::build(&sources, exposure).unwrap();
        assert_eq!(names(&set), listed);
        for name in ["look", "change", "drop", "what"] {
            let exposed = format!("s_{name}");
            let by_name = set.by_name(&exposed).map(|tool| tool.name().to_string());
            let by_address =
                set.by_address(&address(&format!("s:{name}"))).map(|tool| tool.name().to_string());
            if listed.contains(&exposed.as_str()) {
                assert_eq!((by_name, by_address), (Ok(exposed.clone()), Ok(exposed)));
            } else {
                let above =
                    |name: String| Err(Unresolved::AboveCeiling { name, ceiling: Ceiling(most) });
                assert_eq!((by_name, by_address), (above(exposed), above(format!("s:{name}"))));
            }
        }
    }
}

#[test]
fn tools_above_the_ceiling_collide_with_nothing_and_are_not_suggested() {
    let sources = [
        offer(server("a"), &[("b_c", READ_ONLY), ("b-c", DESTRUCTIVE)]),
        offer(server("a_b"), &[("c", DESTRUCTIVE)]),
    ];
    let exposure = Exposure { ceiling: Ceiling(Operation::Read), ..Exposure::default() };
    let set = ToolSet::build(&sources, exposure).unwrap();
    assert_eq!(set.by_name("a_b_c").unwrap().tool().qualified_name(), "a:b_c");
    let refusal = |text: &str| set.by_address(&address(text)).unwrap_err().refusal();
    assert_eq!(refusal("a:b_d").message, "Unknown tool 'a:b_d': did you mean 'a:b_c'?");
    assert_eq!(refusal("a_b:d").message, "Unknown tool 'a_b:d'");
    assert_eq!(refusal("a_b:c").message, "Tool 'a_b:c' is above `tools.allow: read`");
}

#[test]
fn addresses_lead_to_the_tool_of_that_server_and_no_other() {
    let set = build(&[
        some(ToolSource::Builtin, &["Read"]),
        some(server("github"), &["list", "Read"]),
        some(server("gitlab"), &["list"]),
    ])
    .unwrap();
    for (text, exposed) in [
        ("builtin:Read", "Read"),
        ("Read", "Read"),
        ("github:Read", "github_Read"),
        ("github:list", "github_list"),
        ("gitlab:list", "gitlab_list"),
    ] {
        assert_eq!(set.by_address(&address(text)).unwrap().name().as_str(), exposed);
    }
}

#[test]
fn names_that_lead_nowhere_are_answered_with_the_nearest() {
    let set = build(&[
        some(ToolSource::Builtin, &["Read"]),
        some(server("github"), &["delete_repo"]),
        some(server("empty"), &[]),
    ])
    .unwrap();
    let rows = [
        (
            "githib:delete_repo",
            RefusalCode::UnknownServer,
            "Unknown server 'githib': did you mean 'github'?",
        ),
        ("zzzzzz:x", RefusalCode::UnknownServer, "Unknown server 'zzzzzz'"),
        (
            "gіthub\u{202e}:x",
            RefusalCode::UnknownServer,
            "Unknown server 'gіthub\\u{202e}': did you mean 'github'?",
        ),
        (
            "GitHub:delete_repo",
            RefusalCode::UnknownServer,
            "Unknown server 'GitHub': did you mean 'github'?",
        ),
        (
            "github:delet_repo",
            RefusalCode::UnknownTool,
            "Unknown tool 'github:delet_repo': did you mean 'github:delete_repo'?",
        ),
        ("github:Read", RefusalCode::UnknownTool, "Unknown tool 'github:Read'"),
        ("empty:x", RefusalCode::UnknownTool, "Unknown tool 'empty:x'"),
        ("Write", RefusalCode::UnknownTool, "Unknown tool 'builtin:Write'"),
    ];
    for (text, code, message) in rows {
        let refusal = set.by_address(&address(text)).unwrap_err().refusal();
        assert_eq!((refusal.code, refusal.message.as_str()), (code, message));
    }
    let unknown = Unresolved::UnknownTool {
        name: "delete_repo".into(),
        nearest: vec!["github_delete_repo".into()],
    };
    assert_eq!(set.by_name("delete_repo").unwrap_err(), unknown);
    assert_eq!(
        set.by_name("read").unwrap_err().refusal().message,
        "Unknown tool 'read': did you mean 'Read'?"
    );
    assert_eq!(
        set.by_name("github:delete_repo").unwrap_err().refusal().code,
        RefusalCode::UnknownTool
    );
}

#[test]
fn what_a_live_source_cannot_offer_is_set_aside_and_the_rest_stays() {
    let fixed = [some(ToolSource::Builtin, &["Read"]), some(server("git"), &["hub_list"])];
    let live = [
        some(server("git_hub"), &["list", "look", "call_tool_read", "Look", "look"]),
        some(server("other"), &["a"]),
    ];
    let (set, set_aside) = ToolSet::with_live(&fixed, &live, Exposure::default()).unwrap();
    assert_eq!(names(&set), ["Read", "git_hub_list", "git_hub_look", "other_a"]);
    assert_eq!(set.by_name("git_hub_list").unwrap().tool().qualified_name(), "git:hub_list");
    assert!(set.by_address(&address("git_hub:list")).is_err());
    let told: Vec<String> = set_aside.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "tools `git:hub_list` and `git_hub:list` would be seen under the same name",
            "tool `git_hub:call_tool_read` takes a name that is reserved for awf",
            "tools `git_hub:Look` and `git_hub:look` would be seen under the same name",
            "tools `git_hub:look` and `git_hub:look` would be seen under the same name",
        ]
    );
    let twins = [some(server("a"), &["x"]), some(server("A"), &["x"])];
    assert!(ToolSet::with_live(&[], &twins, Exposure::default()).is_err());
}

/// Whoever comes first, and whatever the other has at the moment.
#[test]
fn a_name_that_begins_like_those_of_another_live_source_is_that_ones() {
    let short = some(server("git"), &["hub_send", "HUB-Send2", "hub", "hubs", "log"]);
    for listed in [&["send"][..], &[]] {
        let long = some(server("Git-Hub"), listed);
        for live in [[short.clone(), long.clone()], [long, short.clone()]] {
            let (set, set_aside) = ToolSet::with_live(&[], &live, Exposure::default()).unwrap();
            assert!(set.by_name("git_hub_send").is_err());
            assert_eq!(set.by_name("Git-Hub_send").is_ok(), !listed.is_empty());
            for own in ["git_hub", "git_hubs", "git_log"] {
                assert_eq!(set.by_name(own).unwrap().tool().source(), &server("git"));
            }
            let told: Vec<String> = set_aside.iter().map(ToString::to_string).collect();
            assert_eq!(
                told,
                [
                    "tool `git:hub_send` would be taken for a tool of `Git-Hub`",
                    "tool `git:HUB-Send2` would be taken for a tool of `Git-Hub`",
                ]
            );
            let exposure = Exposure { naming: Naming::ByAddress, ..Exposure::default() };
            let (set, set_aside) = ToolSet::with_live(&[], &live, exposure).unwrap();
            assert!(set_aside.is_empty() && set.by_address(&address("git:hub_send")).is_ok());
        }
    }
}

#[test]
fn by_address_nothing_is_renamed_and_names_need_not_differ_between_servers() {
    let exposure = Exposure { naming: Naming::ByAddress, ..Exposure::default() };
    let sources = [some(server("git"), &["hub_list"]), some(server("git_hub"), &["list"])];
    let set = ToolSet::build(&sources, exposure).unwrap();
    for (name, source) in [("git:hub_list", "git"), ("git_hub:list", "git_hub")] {
        let tool = set.by_address(&address(name)).unwrap();
        assert!(Arc::ptr_eq(tool.listed(), tool.tool()));
        assert_eq!(tool.tool().source().namespace(), source);
    }
    assert!(set.by_name("git_hub_list").is_err());
    let reserved = [some(server("git"), &["retrieve-tools"])];
    assert!(ToolSet::build(&reserved, exposure).is_err());
    let read = Exposure { ceiling: Ceiling(Operation::Read), ..exposure };
    let set = ToolSet::build(&[offer(server("git"), &[("rm", DESTRUCTIVE)])], read).unwrap();
    let refused = set.by_address(&address("git:rm")).unwrap_err().refusal();
    assert_eq!(refused.code, RefusalCode::AboveCeiling);
}
