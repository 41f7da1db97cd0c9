//! More than fifty secrets planted wherever awf is given, told or shown one, and every sink searched for each of them. That
//! a secret is in no sink proves nothing if it never got anywhere: each is first seen to arrive where it was meant to.

use std::fs;

use crate::{receiver::Receiver, world::World};

mod agents;
mod calls;
mod canaries;
mod looks;
mod mistakes;
mod plugins;
mod search;
mod servers;
mod stage;
mod watches;
mod web;
mod workflows;

use canaries::{CANARIES, canary, forms, percent};
use stage::{Stage, Stdout};
use watches::Watches;

#[tokio::test(flavor = "multi_thread")]
async fn no_planted_secret_is_in_any_sink_with_logs_in_json() {
    played("json").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_planted_secret_is_in_any_sink_with_logs_in_text() {
    played("text").await;
}

/// Takes all ways, with the logs in this format, and searches all sinks.
async fn played(log_format: &'static str) {
    let receiver = Receiver::grpc().await;
    let otlp = receiver.endpoint();
    let stage = tokio::task::spawn_blocking(move || {
        let mut stage = Stage::new(World::new(), otlp, log_format);
        ways(&mut stage);
        stage
    });
    let mut stage = stage.await.unwrap();
    let spans = receiver.spans();
    assert!(spans.len() > 30, "only {} spans arrived", spans.len());
    stage.sink("spans", format!("{spans:?}"));
    search::files_kept(&mut stage);
    search::all(&stage);
}

/// Takes all of them, and looks at what is left.
fn ways(stage: &mut Stage) {
    stage.world.file("a.txt", "hello\n");
    let watches = Watches::begin(stage);
    calls::by_name(stage);
    calls::through_variants(stage);
    web::served(stage);
    servers::given(stage);
    servers::dying(stage);
    servers::remote(stage);
    plugins::configured(stage);
    workflows::run(stage);
    workflows::gone_on_with(stage);
    workflows::endpoints(stage);
    agents::started(stage);
    watches.end(stage);
    mistakes::told(stage);
    looks::commands(stage);
    looks::doctor(stage);
    looks::pages(stage);
    children(stage);
}

/// The command lines of all kinds of children are a sink, too.
fn children(stage: &mut Stage) {
    let argv = fs::read_to_string(stage.world.beside("argv")).unwrap();
    for kind in
        ["bash", "server", "plugin", "step", "called", "claude", "codex", "gemini", "opencode"]
    {
        assert!(argv.lines().any(|line| line.starts_with(kind)), "no {kind} in {argv}");
    }
    stage.sink("argv of children", argv);
}
