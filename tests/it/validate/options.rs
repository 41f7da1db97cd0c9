//! Options of agents: the tables of the providers reach `awf validate`, and every finding its place.

use std::fs;

use crate::{
    validate::{awf, json, stderr},
    world::World,
};

/// Findings as `code line:column`.
fn found(world: &World, args: &[&str]) -> Vec<String> {
    let document = json(&awf(world, &world.root(), args));
    let findings = document["diagnostics"].as_array().unwrap().iter();
    let told = findings.map(|finding| {
        let code = finding["code"].as_str().unwrap();
        format!("{code} {}:{}", finding["line"], finding["column"])
    });
    told.collect()
}

const WRONG: &str = "name: w
states:
  initial: one
  one:
    type: agent
    provider: claude
    prompt: x
    options:
      modle: opus
      max_turns: many
      permission_mode: plan
      effort: \"{{.env.EFFORT}}\"
    mcp_proxy: {enable: true}
    on_success: two
  two:
    type: agent
    provider: openai_compatible
    prompt: x
    options:
      api_key: sk-1
      temperature: 3
    conversation:
      continue_from: one
";

#[test]
fn what_no_provider_would_take_is_told_at_its_place() {
    let world = World::new();
    fs::write(world.root().join("w.yaml"), WRONG).unwrap();
    assert_eq!(
        found(&world, &["validate", "w.yaml", "--format", "json"]),
        [
            "WORKFLOW.PARSE.UNKNOWN_FIELD 9:7",
            "WORKFLOW.PARSE.INVALID_VALUE 10:18",
            "WORKFLOW.VALIDATION.CONFLICTING_FIELDS 11:7",
            "WORKFLOW.VALIDATION.INVALID_INPUT 20:16",
            "WORKFLOW.PARSE.INVALID_VALUE 21:20",
            "WORKFLOW.VALIDATION.CONFLICTING_FIELDS 23:22",
        ]
    );
}

#[test]
fn a_run_is_judged_by_who_plays_in_it() {
    let world = World::new();
    let text = WRONG.replace("api_key: sk-1", "model: m");
    fs::write(world.root().join("w.yaml"), text).unwrap();
    fs::write(world.root().join("turns.yaml"), "turns: [{say: ok}]\n").unwrap();
    let run = |provider| {
        awf(&world, &world.root(), ["run", "w.yaml", "--dry-run", "--provider", provider])
    };
    let played = run("scripted:turns.yaml");
    assert_eq!(played.status.code(), Some(0), "{}", stderr(&played));
    let refused = run("gemini");
    let told = stderr(&refused);
    assert!(told.contains("option `temperature` is not known to provider `gemini`"), "{told}");
    assert!(!told.contains("the session of"), "{told}");
    assert_eq!(refused.status.code(), Some(2), "{told}");
}
