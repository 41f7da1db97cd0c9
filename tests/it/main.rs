//! Black-box tests: each starts the built `awf` binary as a user or an agent would and looks at what comes out.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "in a test, to fail is to panic"
)]

mod activity;
mod activity_store;
mod agent_step;
mod bash;
mod bypass;
mod call;
mod cli_agent;
mod demo;
mod docs;
mod doctor;
mod files;
mod history;
mod intent;
mod journal;
mod language;
mod mcp_servers;
mod mcp_trouble;
mod mistyped;
mod openai;
mod page;
mod plugin;
mod processes;
mod random;
mod receiver;
mod records;
mod relay;
mod rest;
mod resume;
mod rmcp_client;
mod run;
mod secrets;
mod serve;
mod server;
mod sizes;
mod snapshots;
mod telemetry;
mod terminal;
mod timeline;
mod upstream;
mod validate;
mod workflow;
mod world;

/// How often a random trial is repeated: few times by default, many with `AWF_SOAK=1` (`cargo xtask soak`).
fn trials(few: usize, many: usize) -> usize {
    #[expect(clippy::disallowed_methods, reason = "the soak run is asked for by the environment")]
    let soak = std::env::var_os("AWF_SOAK").is_some();
    if soak { many } else { few }
}

/// A file in this folder that is not listed above would never run.
#[test]
fn every_file_here_is_listed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/it");
    let listed = include_str!("main.rs");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let module = name.trim_end_matches(".rs");
        assert!(
            module == "main" || listed.contains(&format!("mod {module};")),
            "{name} is not listed in main.rs"
        );
    }
}
