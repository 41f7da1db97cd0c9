//! The `mcp_proxy` and `tools` blocks.

use awf_core::{
    AgentState, Annotations, Hint, McpProxy, Operation, OperationInput, PluginCatalog, PluginEntry,
    PluginTools, Surface,
};

use crate::built::{World, agent_with, name, names, plugin, span, workflow};

/// Plugins, with the operations they are to expose.
type Offer<'a> = &'a [(&'a str, &'a [&'a str])];

fn world() -> World {
    let mut k8s_flat = plugin("k8s", Some(&["apply_all", "get", "Get"]));
    let destroys = Annotations { destructive: Hint::Set(true), ..Annotations::default() };
    k8s_flat.annotations = vec![("Get".to_owned(), destroys)];
    let off = PluginEntry { enabled: false, ..plugin("off", Some(&["x"])) };
    let plugins = vec![
        k8s_flat,
        plugin("k8s_apply", Some(&["all"])),
        plugin("call_tool", Some(&["read", "other"])),
        plugin("mystery", None),
        off,
    ];
    World { plugins: PluginCatalog { plugins }, ..World::default() }
}

fn told(change: impl FnOnce(&mut AgentState, &mut McpProxy)) -> Vec<String> {
    let step = agent_with("s", |agent| {
        let mut proxy = McpProxy {
            enable: true,
            intercept_builtins: true,
            plugin_tools: Vec::new(),
            span: span(9),
        };
        change(agent, &mut proxy);
        agent.proxy = Some(proxy);
    });
    world().told(&workflow([step]))
}

fn exposing(tools: Offer<'_>) -> Vec<String> {
    told(|_, proxy| proxy.plugin_tools = plugin_tools(tools))
}

fn plugin_tools(tools: Offer<'_>) -> Vec<PluginTools> {
    let entry = |(plugin, expose): &(&str, &[&str])| PluginTools {
        plugin: name(plugin),
        expose: names(expose),
    };
    tools.iter().map(entry).collect()
}

#[test]
fn an_enabled_proxy_offers_something() {
    let empty = "EMPTY_PROXY 1-10 the proxy is enabled and offers no tools | (usual)";
    assert_eq!(told(|_, proxy| proxy.intercept_builtins = false), [empty]);
    assert_eq!(told(|_, proxy| (proxy.intercept_builtins, proxy.enable) = (false, false)), [""; 0]);
    assert_eq!(told(|_, _| {}), [""; 0]);
    let by_plugin = told(|_, proxy| {
        proxy.intercept_builtins = false;
        proxy.plugin_tools = plugin_tools(&[("k8s", &["get"])]);
    });
    assert_eq!(by_plugin, [""; 0]);
}

#[test]
fn plugins_and_operations_are_those_declared() {
    let rows: [(Offer<'_>, &str); 4] = [
        (
            &[("k8", &["get"])],
            "UNKNOWN_PLUGIN 1-3 plugin `k8` is not declared | did you mean `k8s`?",
        ),
        (
            &[("off", &["x"])],
            "UNKNOWN_PLUGIN 1-4 plugin `off` is switched off | run `awf plugin enable off`",
        ),
        (
            &[("k8s", &["gett"])],
            "UNKNOWN_OPERATION 1-5 plugin `k8s` has no operation `gett` | did you mean `Get` or `get`?",
        ),
        (
            &[("mystery", &["x"])],
            "UNVERIFIED_OPERATION 1-8 the operations of plugin `mystery` are not known | (usual)",
        ),
    ];
    for (tools, expected) in rows {
        assert_eq!(exposing(tools), [expected]);
    }
}

#[test]
fn names_must_not_be_mistaken_for_each_other() {
    let rows: [(Offer<'_>, &[&str]); 5] = [
        (
            &[("k8s", &["apply_all"]), ("k8s_apply", &["all"])],
            &[
                "NAME_COLLISION 1-4 tools `k8s:apply_all` and `k8s_apply:all` would be seen under the same name",
            ],
        ),
        (
            &[("k8s", &["get", "Get"])],
            &["NAME_COLLISION 1-4 tools `k8s:Get` and `k8s:get` would be seen under the same name"],
        ),
        (
            &[("k8s", &["get"]), ("k8s", &["apply_all"])],
            &["NAME_COLLISION 1-4 plugin `k8s` is listed twice"],
        ),
        (&[("k8s", &["get", "get"])], &["NAME_COLLISION 1-4 operation `get` is listed twice"]),
        (
            &[("call_tool", &["read", "other"])],
            &["NAME_COLLISION 1-5 tool `call_tool:read` takes a name that is reserved for awf"],
        ),
    ];
    for (tools, expected) in rows {
        let told = exposing(tools);
        let told: Vec<&str> =
            told.iter().filter_map(|line| Some(line.split_once(" | ")?.0)).collect();
        assert_eq!(told, expected);
    }
}

#[test]
fn every_collision_of_a_step_is_told() {
    let told = exposing(&[("k8s", &["apply_all", "get", "Get"]), ("k8s_apply", &["all"])]);
    assert_eq!(told.len(), 2, "{told:?}");
}

#[test]
fn what_is_above_the_ceiling_collides_with_nothing() {
    let told = told(|agent, proxy| {
        agent.tools.allow = Some(Operation::Write);
        agent.tools.span = Some(span(5));
        proxy.plugin_tools = plugin_tools(&[("k8s", &["get", "Get"])]);
    });
    assert_eq!(told, [""; 0]);
}

#[test]
fn on_the_intent_surface_tools_are_called_by_address_and_need_no_other_name() {
    let told = told(|agent, proxy| {
        agent.tools.span = Some(span(5));
        agent.tools.surface = Surface::Intent;
        proxy.plugin_tools = plugin_tools(&[("k8s", &["get", "Get"])]);
    });
    assert_eq!(told, [""; 0]);
}

#[test]
fn a_plugin_and_a_server_have_names_of_their_own() {
    let shared = |plugin: &str, server: &str| {
        told(|agent, proxy| {
            proxy.plugin_tools = plugin_tools(&[(plugin, &["get"])]);
            agent.tools.servers = names(&[server]);
        })
    };
    assert_eq!(shared("k8s", "github"), [""; 0]);
    let collision = "NAME_COLLISION 1-4 `plugin:k8s` and `mcp:k8s` share one namespace | (usual)";
    assert_eq!(shared("k8s", "k8s"), [collision]);
    let builtin = told(|agent, _| agent.tools.servers = names(&["builtin", "x y"]));
    assert_eq!(
        builtin,
        ["NAME_COLLISION 1-8 `builtin` and `mcp:builtin` share one namespace | (usual)"]
    );
}

#[test]
fn an_operation_that_cannot_be_a_tool_is_told() {
    let when = OperationInput {
        name: "when".to_owned(),
        kind: "moment".to_owned(),
        ..OperationInput::default()
    };
    let mut odd = plugin("odd", Some(&["log"]));
    odd.operations.iter_mut().flatten().for_each(|schema| schema.inputs = vec![when.clone()]);
    let step = agent_with("s", |agent| {
        agent.proxy = Some(McpProxy {
            enable: true,
            intercept_builtins: true,
            plugin_tools: plugin_tools(&[("odd", &["log"])]),
            span: span(9),
        });
    });
    let world = World { plugins: PluginCatalog { plugins: vec![odd] }, ..World::default() };
    assert_eq!(
        world.told(&workflow([step])),
        [
            "UNSUPPORTED_SCHEMA 1-4 operation `log`, input `when`: its type `moment` is not known; use string, integer, number, boolean, array or object | (usual)"
        ]
    );
}

#[test]
fn a_server_is_one_that_somebody_configured() {
    let told = |known: Option<&[&str]>, wanted: &[&str]| {
        let step = agent_with("s", |agent| {
            agent.tools.servers = names(wanted);
            agent.proxy = Some(McpProxy {
                enable: true,
                intercept_builtins: true,
                plugin_tools: Vec::new(),
                span: span(9),
            });
        });
        let servers = known.map(|known| known.iter().map(|&name| name.to_owned()).collect());
        World { servers, ..World::default() }.told(&workflow([step]))
    };
    assert_eq!(told(Some(&["github", "files"]), &["github"]), [""; 0]);
    assert_eq!(told(None, &["github"]), [""; 0]);
    assert_eq!(
        told(Some(&["github", "files"]), &["githbu"]),
        [
            "UNKNOWN 1-7 no server `githbu` is configured | did you mean `github`? there are `github`, `files`"
        ]
    );
    assert_eq!(
        told(Some(&["files"]), &["x"]),
        ["UNKNOWN 1-2 no server `x` is configured | there is `files`"]
    );
    assert_eq!(
        told(Some(&[]), &["x"]),
        ["UNKNOWN 1-2 no server `x` is configured | there is none; `awf mcp add` writes one down"]
    );
    let many: Vec<String> = (0..11).map(|number| format!("server-{number:02}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let told = told(Some(&many), &["x"]);
    assert!(told[0].ends_with("`server-09`, …"), "{told:?}");
}
