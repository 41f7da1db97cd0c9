//! The official Rust SDK as a client, in both eras of MCP, against the built server.

use rmcp::{
    ClientLifecycleMode, ClientServiceExt as _, RoleClient,
    model::{CallToolRequestParams, ProtocolVersion},
    service::RunningService,
    transport::TokioChildProcess,
};
use serde_json::{Value, json};

use crate::world::World;

/// Each tool with arguments that succeed in [`furnished`], in an order that works.
fn calls() -> [(&'static str, Value); 6] {
    [
        ("Write", json!({"file_path": "notes.txt", "content": "alpha\nbeta\n"})),
        ("Read", json!({"file_path": "notes.txt"})),
        ("Edit", json!({"file_path": "notes.txt", "old_string": "beta", "new_string": "gamma"})),
        ("Grep", json!({"pattern": "gamma", "output_mode": "content"})),
        ("Glob", json!({"pattern": "**/*.txt"})),
        ("Bash", json!({"command": "cat notes.txt"})),
    ]
}

async fn connect(world: &World, lifecycle: ClientLifecycleMode) -> RunningService<RoleClient, ()> {
    let command = world.serve_command(&world.config(json!({})));
    let transport = TokioChildProcess::new(tokio::process::Command::from(command)).unwrap();
    ().serve_with_lifecycle(transport, lifecycle).await.unwrap()
}

async fn lists_six_tools_and_calls_each(lifecycle: ClientLifecycleMode) {
    let world = World::new();
    let client = connect(&world, lifecycle).await;
    let tools = client.list_all_tools().await.unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(names, ["Bash", "Edit", "Glob", "Grep", "Read", "Write"]);
    for tool in &tools {
        let hints = tool.annotations.as_ref().unwrap();
        let reads = matches!(tool.name.as_ref(), "Read" | "Glob" | "Grep");
        assert_eq!(hints.read_only_hint, Some(reads), "{}", tool.name);
        assert_eq!(hints.destructive_hint, Some(tool.name == "Bash"), "{}", tool.name);
        assert!(
            hints.idempotent_hint.is_some() && hints.open_world_hint.is_some(),
            "{}",
            tool.name
        );
    }
    for (tool, arguments) in calls() {
        let arguments = arguments.as_object().unwrap().clone();
        let result = client
            .call_tool(CallToolRequestParams::new(tool).with_arguments(arguments))
            .await
            .unwrap();
        assert_ne!(result.is_error, Some(true), "{tool}: {result:?}");
    }
    client.cancel().await.unwrap();
    assert_eq!(world.activity().len(), 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_handshake_era() {
    lists_six_tools_and_calls_each(ClientLifecycleMode::Initialize).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sessionless_era() {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    lists_six_tools_and_calls_each(ClientLifecycleMode::Discover { preferred_versions }).await;
}
