//! `awf run --html`: one file that stands alone, whatever became of the run.

use std::{fs, os::unix::fs::PermissionsExt as _};

use serde_json::Value;

use crate::{
    timeline::{all, get, journaled, ran, web},
    world::World,
};

const FAILS: &str = "name: w\nstates: {initial: a, a: {type: step, command: exit 4, on_failure: {message: no, status: 9}}}\n";

#[test]
fn the_file_has_every_step_turn_and_call_and_needs_nothing_else() {
    let (world, ran) = ran(&["--html", "out.html"]);
    let file = world.root().join("out.html");
    let page = fs::read_to_string(&file).unwrap();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let timeline = get(&mut web(&world), &format!("/api/v1/runs/{}", ran.id()));
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let steps: Vec<String> =
        timeline["steps"].as_array().unwrap().iter().map(|step| text(&step["name"])).collect();
    assert!(page.contains(ran.id()));
    for name in &steps {
        let rows = page.matches(&format!("data-step=\"{name}\"")).count();
        let step = timeline["steps"].as_array().unwrap().iter().find(|step| step["name"] == **name);
        assert_eq!(rows, step.unwrap()["attempts"].as_array().unwrap().len(), "{name}");
    }
    assert_eq!(page.matches("data-turn=").count(), journaled(&world, ran.id(), "turn").len());
    let shown: Vec<&str> =
        page.split("data-call=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let calls: Vec<String> = all(&timeline, "calls").iter().map(|call| text(&call["id"])).collect();
    assert_eq!(shown, calls);
    assert!(page.contains("ABOVE_CEILING") && page.contains("denied"), "{page}");

    // All that was said is text, nothing is fetched, no secret is there.
    assert!(page.contains("&lt;script&gt;alert('turn')&lt;/script&gt;"));
    for hostile in ["<script", "<img", "<iframe", "<object", "sk-ant-api03", "@import", "url("] {
        assert!(!page.contains(hostile), "{hostile}");
    }
    let outside = page.matches("href=").count() - page.matches("href=\"data:,\"").count();
    assert_eq!(outside, 0);
    assert!(page.contains("default-src 'none'; style-src 'sha256-"), "{page}");
}

#[test]
fn a_run_that_fails_is_written_too_and_its_exit_code_stays() {
    let world = World::new();
    world.file("out.html", "an old one, that is longer than nothing");
    let ran = world.run(FAILS, &["--html", "out.html"]);
    assert_eq!(ran.code, 9, "{}", ran.stderr);
    let page = fs::read_to_string(world.root().join("out.html")).unwrap();
    assert!(page.contains("EXECUTION.WORKFLOW.FAILED") && page.ends_with("</html>"), "{page}");
    let left: Vec<_> = fs::read_dir(world.root())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with(".awf-html"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn what_cannot_be_written_is_told_before_anything_begins() {
    let world = World::new();
    world.workflow("w", FAILS);
    for (file, code, told) in [
        ("-", 1, "a page is written to a file, not to stdout"),
        ("none/out.html", 4, "cannot write `"),
        (".", 4, "it is a directory"),
    ] {
        let output = world.awf(["run", "w", "--html", file]);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{file}: {stderr}");
        assert!(stderr.contains(told), "{file}: {stderr}");
    }
    let runs = world.awf_json(["history", "-o", "json"]);
    assert_eq!(runs["runs"].as_array().unwrap().len(), 0);
}
