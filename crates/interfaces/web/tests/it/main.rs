//! The endpoints over real connections, as any client sees them.

#![expect(clippy::unwrap_used, reason = "in a test, to fail is to panic")]

mod activity;
mod guards;
mod hostile;
mod mcp_crowd;
mod mcp_modern;
mod mcp_sessions;
mod runs;
mod stage;
mod tools_call;

#[test]
fn no_test_file_is_forgotten() {
    let listed = include_str!("main.rs");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let module = name.trim_end_matches(".rs");
        assert!(module == "main" || listed.contains(&format!("mod {module};")), "{name}");
    }
}
