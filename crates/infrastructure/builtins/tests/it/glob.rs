//! Glob: which files a pattern means, and in which order.

use std::{
    fs::File,
    time::{Duration, SystemTime},
};

use serde_json::json;

use crate::stage::{Stage, put};

/// Files with decreasing age, so that the last is the newest.
fn tree(stage: &Stage, names: &[&str]) {
    let start = SystemTime::now() - Duration::from_secs(10_000);
    for (age, name) in (0_u32..).zip(names) {
        let path = stage.file(name, "x");
        File::options()
            .write(true)
            .open(path)
            .unwrap()
            .set_modified(start + Duration::from_secs(age.into()))
            .unwrap();
    }
}

async fn lines(stage: &Stage, arguments: serde_json::Value) -> Vec<String> {
    stage.good("Glob", arguments).await.lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn a_pattern_means_what_it_means_to_ripgrep() {
    let stage = Stage::new();
    tree(
        &stage,
        &["a.rs", "b.txt", "src/c.rs", "src/deep/d.rs", "src/deep/e.TXT", "test/src/f.rs"],
    );
    let root = stage.root().canonicalize().unwrap();
    let absolute = format!("{}/src/**/*.rs", root.display());
    let rows: &[(&str, &[&str])] = &[
        ("*.rs", &["test/src/f.rs", "src/deep/d.rs", "src/c.rs", "a.rs"]),
        ("/*.rs", &["a.rs"]),
        ("**/*.rs", &["test/src/f.rs", "src/deep/d.rs", "src/c.rs", "a.rs"]),
        ("src/*.rs", &["src/c.rs"]),
        ("src/**/*.rs", &["src/deep/d.rs", "src/c.rs"]),
        ("**/src/*.rs", &["test/src/f.rs", "src/c.rs"]),
        ("src/**", &["src/deep/e.TXT", "src/deep/d.rs", "src/c.rs"]),
        ("*.{txt,TXT}", &["src/deep/e.TXT", "b.txt"]),
        ("[ab].*", &["b.txt", "a.rs"]),
        ("?.rs", &["test/src/f.rs", "src/deep/d.rs", "src/c.rs", "a.rs"]),
        ("d.rs", &["src/deep/d.rs"]),
        ("!*.rs", &["src/deep/e.TXT", "b.txt"]),
        ("!src", &["b.txt", "a.rs"]),
        (&absolute, &["src/deep/d.rs", "src/c.rs"]),
        ("nothing*", &["no files match"]),
    ];
    for (pattern, expected) in rows {
        assert_eq!(lines(&stage, json!({"pattern": pattern})).await, *expected, "{pattern}");
    }
}

#[tokio::test]
async fn a_path_narrows_the_search_and_names_stay_readable() {
    let stage = Stage::new();
    tree(&stage, &["a.rs", "src/c.rs", "src/deep/d.rs"]);
    let extra = put(&stage.outside("extra/g.rs"), "").canonicalize().unwrap();
    let root = stage.root().display().to_string();
    for path in ["src".to_owned(), "./src/".to_owned(), format!("{root}/src")] {
        let found = lines(&stage, json!({"pattern": "*.rs", "path": path})).await;
        assert_eq!(found, ["src/deep/d.rs", "src/c.rs"], "{path}");
    }
    assert_eq!(
        lines(&stage, json!({"pattern": "deep/*.rs", "path": "src"})).await,
        ["src/deep/d.rs"]
    );
    let path = stage.outside("extra").display().to_string();
    let found = lines(&stage, json!({"pattern": "*.rs", "path": path})).await;
    assert_eq!(found, [extra.display().to_string()]);
    assert!(
        stage.bad("Glob", json!({"pattern": "*", "path": "gone"})).await.contains("does not exist")
    );
}

#[tokio::test]
async fn ignored_and_hidden_files_are_left_out_also_by_a_pattern_that_matches_everything() {
    let stage = Stage::new();
    tree(&stage, &["kept", ".git/HEAD", ".hidden", "build/out", "x.log", "y.tmp", "z.bak"]);
    stage.file(".gitignore", "/build\n*.log\n");
    stage.file(".ignore", "*.tmp\n");
    stage.file(".rgignore", "*.bak\n");
    for pattern in ["**/*", "*", "**"] {
        assert_eq!(lines(&stage, json!({"pattern": pattern})).await, ["kept"], "{pattern}");
    }
    assert_eq!(lines(&stage, json!({"pattern": "*.log"})).await, ["no files match"]);
}

#[tokio::test]
async fn files_of_one_age_are_sorted_by_path_and_odd_names_are_escaped() {
    let stage = Stage::new();
    let now = SystemTime::now();
    for name in ["b", "a/z", "a.x", "new\nline", "esc\x1b[0m"] {
        File::options().write(true).open(stage.file(name, "")).unwrap().set_modified(now).unwrap();
    }
    let found = lines(&stage, json!({"pattern": "*"})).await;
    assert_eq!(found, ["a/z", "a.x", "b", "esc\\x1b[0m", "new\\nline"]);
}

#[tokio::test]
async fn an_answer_is_cut_and_says_how_much_is_missing() {
    let stage = Stage::new();
    let name = "n".repeat(200);
    for n in 0..1000 {
        stage.file(&format!("{n}{name}"), "");
    }
    let found = stage.good("Glob", json!({"pattern": "*"})).await;
    assert!(found.len() < 100_200);
    let listed = found.lines().filter(|line| line.contains(&name)).count();
    assert!((480..500).contains(&listed), "{listed}");
    assert!(found.ends_with(&format!(
        "[{} more files not listed, all older; narrow the pattern or the path]",
        1000 - listed
    )));
}
