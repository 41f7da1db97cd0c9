//! The real workspace keeps the rules; altered ones are caught, each with the file to edit.

use super::{
    check,
    graph::{Edge, EdgeKind, Graph, Member},
    rules::Rules,
};
use crate::tree::{self, TextFile};

const RULES: &str = r#"
[crates.awf-core]
[crates.awf-mcp]
[crates.awf-tools]
ships = ["awf-core"]
[crates.awf-config]
ships = ["awf-core"]
[crates.awf-store]
ships = ["awf-core"]
[crates.awf]
ships = ["awf-config", "awf-store", "awf-tools"]
tests = ["awf-mcp"]
[external]
axum = {}
"opentelemetry*" = { ships = ["awf"] }
rmcp = { tests = ["awf"] }
rusqlite = { ships = ["awf-store"] }
[calls]
"Command::new" = ["awf-mcp"]
"#;

fn member(name: &str, manifest: &str, ships: &[&str], tests: &[&str]) -> Member {
    let edge = |to: &&str, kind| Edge { to: (*to).to_owned(), kind };
    let shipped = ships.iter().map(|to| edge(to, EdgeKind::Shipped));
    let tested = tests.iter().map(|to| edge(to, EdgeKind::Test));
    Member {
        name: name.to_owned(),
        manifest: manifest.to_owned(),
        edges: shipped.chain(tested).collect(),
        sources: Vec::new(),
    }
}

/// A small workspace that keeps `RULES`.
fn sound() -> Graph {
    let mut mcp = member("awf-mcp", "crates/standalone/mcp/Cargo.toml", &[], &[]);
    mcp.sources.push(source("crates/standalone/mcp/src/lib.rs", "fn f() { Command::new(p) }"));
    Graph {
        members: vec![
            member("awf-core", "crates/core/Cargo.toml", &["serde_json"], &[]),
            mcp,
            member("awf-tools", "crates/application/tools/Cargo.toml", &["awf-core"], &[]),
            member("awf-config", "crates/infrastructure/config/Cargo.toml", &["awf-core"], &[]),
            member(
                "awf-store",
                "crates/infrastructure/store/Cargo.toml",
                &["awf-core", "rusqlite"],
                &[],
            ),
            member(
                "awf",
                "crates/interfaces/cli/Cargo.toml",
                &["awf-config", "awf-store", "awf-tools", "opentelemetry_sdk"],
                &["awf-mcp", "rmcp"],
            ),
        ],
    }
}

fn source(path: &str, text: &str) -> TextFile {
    TextFile { path: path.to_owned(), text: text.to_owned() }
}

fn add(graph: &mut Graph, from: &str, to: &str, kind: EdgeKind) {
    let member = graph.members.iter_mut().find(|member| member.name == from).unwrap();
    member.edges.push(Edge { to: to.to_owned(), kind });
}

#[track_caller]
fn expect(graph: &Graph, rules: &str, wanted: &[&str]) {
    let found = check(graph, &Rules::parse(rules).unwrap());
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(found, wanted);
}

/// One more edge in the sound workspace gives exactly this.
#[track_caller]
fn expect_with_edge(from: &str, to: &str, kind: EdgeKind, wanted: &str) {
    let mut graph = sound();
    add(&mut graph, from, to, kind);
    expect(&graph, RULES, &[wanted]);
}

#[test]
fn the_workspace_keeps_its_rules() {
    super::run().unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_sound_graph_passes() {
    expect(&sound(), RULES, &[]);
}

#[test]
fn infrastructure_never_knows_a_neighbour() {
    let wanted = "crates/infrastructure/store/Cargo.toml: `awf-store` (infrastructure) must never depend on \
        `awf-config` (infrastructure): drop the dependency; no line of arch-rules.toml permits it";
    expect_with_edge("awf-store", "awf-config", EdgeKind::Shipped, wanted);
    expect_with_edge("awf-store", "awf-config", EdgeKind::Test, wanted);
}

#[test]
fn infrastructure_never_knows_application() {
    let wanted = "crates/infrastructure/store/Cargo.toml: `awf-store` (infrastructure) must never depend on \
        `awf-tools` (application): drop the dependency; no line of arch-rules.toml permits it";
    expect_with_edge("awf-store", "awf-tools", EdgeKind::Shipped, wanted);
}

#[test]
fn a_listed_line_cannot_lift_a_ring() {
    let mut graph = sound();
    add(&mut graph, "awf-store", "awf-tools", EdgeKind::Shipped);
    let rules = RULES.replace(
        "[crates.awf-store]\nships = [\"awf-core\"]",
        "[crates.awf-store]\nships = [\"awf-core\", \"awf-tools\"]",
    );
    let wanted = "crates/infrastructure/store/Cargo.toml: `awf-store` (infrastructure) must never depend on \
        `awf-tools` (application): drop the dependency; no line of arch-rules.toml permits it";
    expect(&graph, &rules, &[wanted]);
}

#[test]
fn an_example_knows_what_anybody_could() {
    let mut graph = sound();
    graph.members.push(member("sample", "examples/sample/Cargo.toml", &["awf-mcp"], &[]));
    let rules = RULES.replace("[external]", "[crates.sample]\nships = [\"awf-mcp\"]\n[external]");
    expect(&graph, &rules, &[]);
    add(&mut graph, "sample", "awf-core", EdgeKind::Test);
    let wanted = "examples/sample/Cargo.toml: `sample` (examples) must never depend on `awf-core` (core): \
        drop the dependency; no line of arch-rules.toml permits it";
    expect(&graph, &rules, &[wanted]);
}

#[test]
fn the_mcp_library_and_core_know_nothing_of_awf() {
    let wanted = "crates/standalone/mcp/Cargo.toml: `awf-mcp` (standalone) must never depend on `awf-core` (core): \
        drop the dependency; no line of arch-rules.toml permits it";
    expect_with_edge("awf-mcp", "awf-core", EdgeKind::Shipped, wanted);
    let wanted = "crates/core/Cargo.toml: `awf-core` (core) must never depend on `awf-mcp` (standalone): \
        drop the dependency; no line of arch-rules.toml permits it";
    expect_with_edge("awf-core", "awf-mcp", EdgeKind::Test, wanted);
}

#[test]
fn an_edge_must_be_listed_for_its_kind() {
    let wanted = "arch-rules.toml: `awf` depends on `awf-core`: add it to `ships` of `[crates.awf]` if the \
        architecture means it, else drop it from crates/interfaces/cli/Cargo.toml";
    expect_with_edge("awf", "awf-core", EdgeKind::Shipped, wanted);
    let wanted = "arch-rules.toml: `awf` depends on `awf-mcp`: add it to `ships` of `[crates.awf]` if the \
        architecture means it, else drop it from crates/interfaces/cli/Cargo.toml";
    expect_with_edge("awf", "awf-mcp", EdgeKind::Shipped, wanted);
}

#[test]
fn an_unused_line_fails() {
    let rules = RULES.replace("tests = [\"awf-mcp\"]", "tests = [\"awf-mcp\", \"awf-core\"]")
        + "\n[crates.awf-web]\n";
    expect(
        &sound(),
        &rules,
        &[
            "arch-rules.toml: no dependency uses `awf-core` in `tests` of `[crates.awf]`: delete it",
            "arch-rules.toml: `[crates.awf-web]` names no crate of the workspace: delete it",
        ],
    );
}

#[test]
fn a_crate_must_be_listed_and_lie_in_a_ring() {
    let mut graph = sound();
    graph.members.push(member("awf-new", "crates/application/new/Cargo.toml", &[], &[]));
    expect(
        &graph,
        RULES,
        &[
            "arch-rules.toml: `awf-new` is not listed: add `[crates.awf-new]` with the crates it uses",
        ],
    );
    graph.members.last_mut().unwrap().manifest = "crates/new/Cargo.toml".to_owned();
    expect(
        &graph,
        &(RULES.to_owned() + "\n[crates.awf-new]\n"),
        &["crates/new/Cargo.toml: `awf-new` lies in no ring: move it to crates/<ring>/<name>"],
    );
}

#[test]
fn an_owned_crate_has_no_second_user() {
    let wanted = "crates/infrastructure/config/Cargo.toml: `awf-config` may not use `rusqlite`, which belongs to \
        awf-store: drop the dependency, or name a new owner in arch-rules.toml";
    expect_with_edge("awf-config", "rusqlite", EdgeKind::Shipped, wanted);
    let wanted = "crates/application/tools/Cargo.toml: `awf-tools` may not use `opentelemetry*`, which belongs to \
        awf: drop the dependency, or name a new owner in arch-rules.toml";
    expect_with_edge("awf-tools", "opentelemetry", EdgeKind::Shipped, wanted);
    let wanted = "crates/application/tools/Cargo.toml: `awf-tools` may not use `axum`, which nobody may use here: \
        drop the dependency, or name a new owner in arch-rules.toml";
    expect_with_edge("awf-tools", "axum", EdgeKind::Shipped, wanted);
}

#[test]
fn a_test_peer_is_never_shipped() {
    let wanted = "crates/interfaces/cli/Cargo.toml: `awf` may not use `rmcp`, which nobody may use here: \
        drop the dependency, or name a new owner in arch-rules.toml";
    expect_with_edge("awf", "rmcp", EdgeKind::Shipped, wanted);
}

#[test]
fn an_idle_owner_fails() {
    let rules =
        RULES.replace("ships = [\"awf-store\"] }", "ships = [\"awf-config\", \"awf-store\"] }");
    let wanted =
        "arch-rules.toml: `awf-config` in `ships` of `rusqlite` uses it nowhere: delete the name";
    expect(&sound(), &rules, &[wanted]);
    let rules = RULES
        .replace("[\"awf-mcp\"]\n\"#", "[]")
        .replace("= [\"awf-mcp\"]\n", "= [\"awf-mcp\", \"awf\"]\n");
    expect(
        &sound(),
        &rules,
        &[
            "arch-rules.toml: no dependency uses `awf` in `tests` of `[crates.awf]`: delete it",
            "arch-rules.toml: `awf` in the owners of `Command::new` uses it nowhere: delete the name",
        ],
    );
}

#[test]
fn an_owned_call_is_found_in_code_only() {
    let mut graph = sound();
    let store = graph.members.iter_mut().find(|member| member.name == "awf-store").unwrap();
    let path = "crates/infrastructure/store/src/journal.rs";
    store
        .sources
        .push(source(path, "// Command::new\nlet s = \"Command::new\"; MetadataCommand::new();"));
    expect(&graph, RULES, &[]);
    let store = graph.members.iter_mut().find(|member| member.name == "awf-store").unwrap();
    store.sources.push(source(path, "std::process::Command::new(\"sh\")"));
    let wanted = "crates/infrastructure/store/src/journal.rs: `Command::new` stands here, which belongs to awf-mcp: \
        go through its owner";
    expect(&graph, RULES, &[wanted]);
}

#[test]
fn a_misspelt_key_in_the_rules_is_an_error() {
    let error =
        Rules::parse(&RULES.replace("tests = [\"awf-mcp\"]", "test = [\"awf-mcp\"]")).unwrap_err();
    assert!(format!("{error:#}").contains("unknown field `test`"), "{error:#}");
}

#[test]
fn shipped_sources_are_read_from_the_workspace() {
    let graph = Graph::read(&tree::root()).unwrap();
    let xtask = graph.member("xtask").unwrap();
    let paths: Vec<&str> = xtask.sources.iter().map(|file| file.path.as_str()).collect();
    assert!(paths.contains(&"xtask/src/arch.rs"), "{paths:?}");
    assert!(!paths.contains(&"xtask/src/arch/tests.rs"), "{paths:?}");
}
