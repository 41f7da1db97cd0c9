//! What is too long to be kept or shown is cut between characters, wherever the cut falls, and never in the middle of one.

use serde_json::{Value, json};

use crate::{
    intent::stage::{Upstream, settings, tool},
    plugin::{binary, operation},
    server::{Server, failed},
    world::World,
};

/// What stands where bytes were no character.
const BROKEN: char = '\u{fffd}';
/// How much of a value is kept.
const KEPT: usize = 64 * 1024;

/// A character of so many bytes, many times, behind so much that the cut falls on each of its bytes in turn.
fn texts() -> Vec<String> {
    let shifts = |c: char| {
        (0..c.len_utf8()).map(move |shift| "x".repeat(shift) + &c.to_string().repeat(30_000))
    };
    ['é', '中', '🦀'].into_iter().flat_map(shifts).filter(|text| text.len() > KEPT).collect()
}

fn is_cut_well(kept: &Value, c: char) {
    let kept = kept.as_str().unwrap_or_else(|| panic!("it was not cut: {kept}"));
    assert!(!kept.contains(BROKEN) && kept.ends_with(c), "…{}", &kept[kept.len() - 40..]);
    assert!(kept.len() <= KEPT && kept.len() > KEPT - c.len_utf8(), "{}", kept.len());
}

#[test]
fn arguments_and_responses_are_cut_between_characters() {
    let world = World::new();
    let fake = Upstream::of_tools(&world, "fake", &[&tool("says", "-")]);
    let mut server = world.serve_with(settings(&[&fake], &json!({})));
    let texts = texts();
    assert!(texts.len() >= 7, "{}", texts.len());
    for text in &texts {
        let answer = server.call("fake_says", &json!({ "text": text }));
        assert!(answer.to_string().contains(text), "what a tool answers is not cut");
    }
    server.close();
    let records = world.activity();
    assert_eq!(records.len(), texts.len());
    for (record, text) in records.iter().rev().zip(&texts) {
        let last = text.chars().last().unwrap();
        is_cut_well(&record["arguments"], last);
        is_cut_well(&record["response"], last);
        assert_eq!(record["response_truncated"], true);
    }
}

#[test]
fn errors_and_log_lines_are_cut_between_characters() {
    let world = World::new();
    let long = "🦀".repeat(5_000);
    let script = json!({"behaviours": {"fails": {"error": long}}}).to_string();
    let stages = format!(r#"{{"stages":[{{"tools":[{}]}}],"#, tool("fails", "-"));
    let fake = Upstream::new(&world, "fake", &script.replacen('{', &stages, 1));
    let config = world.config(settings(&[&fake], &json!({})));
    let mut command = world.serve_command(&config);
    command.args(["--log-format", "json"]);
    let mut server = Server::start(command);
    server.handshake();
    assert!(failed(&server.call("fake_fails", &json!({}))));
    let (_, stderr) = server.close();
    let short = json!("🦀".repeat(300));
    assert_eq!(world.activity()[0]["error_message"], short);
    let lines = stderr.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let line = lines.into_iter().find(|line| line["message"] == "tool call").unwrap();
    assert_eq!(line["error"], short);
}

#[test]
fn a_reason_is_counted_and_cut_in_characters() {
    let world = World::new();
    for (count, code) in [(1000, Some(0)), (1001, Some(5))] {
        let reason = "🦀".repeat(count);
        let words =
            ["call", "tool-read", "Glob", "--args", r#"{"pattern":"*"}"#, "--reason", &reason];
        assert_eq!(world.awf(words).status.code(), code, "{count}");
        let record = &world.activity()[0];
        assert_eq!(record["metadata"]["intent"]["reason"], "🦀".repeat(1000), "{count}");
    }
}

#[test]
fn long_lines_of_a_plugin_are_cut_between_characters_and_not_within_a_secret() {
    let world = World::new();
    let secret = "s3cr3t-0f-4n-3x4mpl3";
    let config = json!({"token": secret});
    world.declare(&[
        json!({"name": "example", "path": binary("awf-plugin-example"), "config": config}),
    ]);
    // Somewhere among these the line is cut within the secret, and within a character.
    for shift in 0..24 {
        let name = format!("{}{}{secret}{}", "x".repeat(4060 + shift), "é", "中".repeat(3_000));
        world.workflow("w", &operation("example.greet", &json!({ "name": name })));
        let ran = world.awf(["run", "w", "--log-level", "debug", "--format", "quiet"]);
        let told = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{told}");
        assert!(told.contains("greeting xxx"), "{told}");
        assert!(!told.contains(BROKEN), "a character was cut with {shift}");
        let half = (6..secret.len()).find(|half| {
            told.contains(&secret[..*half]) || told.contains(&secret[secret.len() - half..])
        });
        assert_eq!(half, None, "part of the secret is shown with {shift}");
    }
}
