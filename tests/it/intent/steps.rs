//! What a step gets of the servers there are: those it names, on both surfaces, and none beside them.

use serde_json::json;

use crate::{
    intent::stage::{Upstream, tool},
    workflow::Ran,
    world::World,
};

/// A user with the servers `one` and `two`, each with a tool `look`.
fn world() -> (World, [Upstream; 2]) {
    let world = World::new();
    let look = tool("look", r#"{"readOnlyHint":true}"#);
    let servers = ["one", "two"].map(|name| Upstream::of_tools(&world, name, &[&look]));
    let [one, two] = &servers;
    let entries = json!({"one": one.noting_entry(), "two": two.noting_entry()});
    world.write_user(&json!({"mcpServers": entries}));
    (world, servers)
}

/// Steps one after the other, each with its tools, played by a scripted agent.
fn run(world: &World, turns: &str, steps: &[(&str, &str)]) -> Ran {
    world.file("turns.yaml", format!("steps:\n{turns}"));
    let state = |(number, (step, tools)): (usize, &(&str, &str))| {
        let next = steps.get(number + 1).map(|(next, _)| format!("    on_success: {next}\n"));
        let next = next.unwrap_or_default();
        format!(
            "  {step}:\n    type: agent\n    provider: scripted:turns.yaml\n    prompt: x\n    mcp_proxy: {{enable: true, intercept_builtins: false}}\n    tools: {tools}\n{next}"
        )
    };
    let states: String = steps.iter().enumerate().map(state).collect();
    let text = format!("name: w\nstates:\n  initial: {}\n{states}", steps[0].0);
    world.workflow("w", &text);
    Ran::of(&world.by_user(&["run", "w", "--format", "json"]).output().unwrap())
}

/// The turns of a step that reaches one server and not the other.
fn turns(step: &str, own: &str, other: &str) -> String {
    let call = |server: &str| {
        format!("{{name: '{server}:look', args: {{}}, intent: {{operation_type: read}}}}")
    };
    let (mine, theirs) = (call(own), call(other));
    format!(
        "  {step}:\n    - {{call: retrieve_tools, arguments: {{query: 'is:read', detail: compact}}, expect: {{contains: '\"total\":1,\"tools\":[{{\"name\":\"{own}:look\"'}}}}\n    - {{call: call_tool_read, arguments: {theirs}, expect: {{refused: true, contains: \"Unknown server '{other}'\"}}}}\n    - {{call: call_tool_read, arguments: {mine}, expect: {{refused: false, error: false}}}}\n    - {{say: done}}\n"
    )
}

#[test]
fn each_step_gets_the_servers_it_names() {
    let (world, [one, two]) = world();
    let steps = [
        ("first", "{surface: intent, servers: [one]}"),
        ("second", "{surface: intent, servers: [two]}"),
    ];
    let played = turns("first", "one", "two") + &turns("second", "two", "one");
    let ran = run(&world, &played, &steps);
    assert_eq!(ran.code, 0, "{} {:?}", ran.stderr, ran.end());
    assert_eq!([one.calls().len(), two.calls().len()], [1, 1]);
    assert_eq!([one.starts(), two.starts()], [1, 1]);
}

#[test]
fn a_server_that_no_step_names_is_not_started() {
    let (world, [one, two]) = world();
    let played = turns("first", "one", "two");
    let ran = run(&world, &played, &[("first", "{surface: intent, servers: [one]}")]);
    assert_eq!(ran.code, 0, "{} {:?}", ran.stderr, ran.end());
    assert_eq!((one.starts(), two.starts()), (1, 0));
}

#[test]
fn the_direct_surface_has_the_tools_of_the_named_servers_only() {
    let (world, [one, two]) = world();
    let played = "  first:\n    - {call: two_look, arguments: {}, expect: {refused: true}}\n    - {call: one_look, arguments: {}, expect: {refused: false, error: false}}\n    - {say: done}\n";
    let ran = run(&world, played, &[("first", "{servers: [one]}")]);
    assert_eq!(ran.code, 0, "{} {:?}", ran.stderr, ran.end());
    assert_eq!([one.calls().len(), two.starts()], [1, 0]);
}

#[test]
fn a_server_that_nobody_configured_is_told_before_the_run() {
    let (world, _servers) = world();
    let text = "name: w\nstates:\n  initial: ask\n  ask:\n    type: agent\n    provider: scripted:turns.yaml\n    prompt: x\n    mcp_proxy: {enable: true}\n    tools: {servers: [one, tow]}\n";
    world.workflow("w", text);
    world.file("turns.yaml", "turns: [{say: ok}]\n");
    let checked = world.by_user(&["validate", "w"]).output().unwrap();
    let told = String::from_utf8(checked.stdout).unwrap();
    assert_eq!(checked.status.code(), Some(0), "{told}");
    for part in [
        "warning[USER.SERVER.UNKNOWN]: no server `tow` is configured",
        ".awf/workflows/w.yaml:9:28",
        "did you mean `two`? there are `one`, `two`",
    ] {
        assert!(told.contains(part), "no `{part}` in {told}");
    }
    let strict = world.by_user(&["validate", "--strict", "w"]).output().unwrap();
    assert_eq!(strict.status.code(), Some(2));
    let ran = world.by_user(&["run", "w"]).output().unwrap();
    let said = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(3), "{said}");
    assert!(said.contains("warning[USER.SERVER.UNKNOWN]"), "{said}");
}
