//! Grep: which files of a tree are searched, by ripgrep's rules.

use serde_json::json;

use crate::stage::{Stage, put};

#[tokio::test]
async fn ignore_files_hidden_files_and_binary_files_are_honoured() {
    let stage = Stage::new();
    for name in
        ["a", "b.log", "build/c", "src/d", "src/e.gen", "src/f.tmp", "g.bak", ".hidden", ".dir/h"]
    {
        stage.file(name, "needle\n");
    }
    stage.file(".git/HEAD", "ref: refs/heads/main\n");
    stage.file(".git/info/exclude", "excluded\n");
    stage.file("excluded", "needle\n");
    stage.file(".gitignore", "*.log\n/build/\n!kept.log\n");
    stage.file("kept.log", "needle\n");
    stage.file("src/.gitignore", "*.gen\n");
    stage.file(".ignore", "*.tmp\n");
    stage.file(".rgignore", "*.bak\n");
    stage.file("binary", b"needle\n\0\n");
    stage.file("crlf", "needle\r\n");
    stage.file("invalid", b"\xfd\xff needle \xe9\n");
    stage.file("utf16", b"\xff\xfen\0e\0e\0d\0l\0e\0\n\0");
    let found = stage.good("Grep", json!({"pattern": "needle"})).await;
    assert_eq!(found, "a\ncrlf\ninvalid\nkept.log\nsrc/d\nutf16\n");
}

#[tokio::test]
async fn gitignore_counts_only_in_a_repository_and_parents_count_too() {
    let stage = Stage::new();
    stage.file("x.log", "needle\n");
    stage.file("sub/y.log", "needle\n");
    stage.file(".gitignore", "*.log\n");
    assert_eq!(stage.good("Grep", json!({"pattern": "needle"})).await, "sub/y.log\nx.log\n");
    stage.file(".git/HEAD", "");
    assert_eq!(stage.good("Grep", json!({"pattern": "needle"})).await, "no matches");
    let beneath = json!({"pattern": "needle", "path": "sub"});
    assert_eq!(stage.good("Grep", beneath).await, "no matches");
}

#[tokio::test]
async fn a_file_that_is_named_is_searched_even_if_ignored_hidden_or_binary() {
    let stage = Stage::new();
    stage.file(".git/HEAD", "");
    stage.file(".gitignore", "ignored\n");
    for name in ["ignored", ".hidden"] {
        stage.file(name, "needle\n");
        let found = stage.good("Grep", json!({"pattern": "needle", "path": name})).await;
        assert_eq!(found, format!("{name}\n"));
    }
    stage.file("binary", b"first\nneedle\0needle\nneedle\n");
    let content = json!({"pattern": "needle", "path": "binary", "output_mode": "content"});
    assert_eq!(
        stage.good("Grep", content).await,
        "binary: [binary data matches, NUL byte near offset 12]\n"
    );
    let count = json!({"pattern": "needle", "path": "binary", "output_mode": "count"});
    assert_eq!(stage.good("Grep", count).await, "binary:3\n");
}

#[tokio::test]
async fn a_binary_file_shows_what_came_before_its_binary_part() {
    let stage = Stage::new();
    let text = format!("needle\n{}\n\0needle\n", "x".repeat(200_000));
    stage.file("late", text);
    let content = stage.good("Grep", json!({"pattern": "needle", "output_mode": "content"})).await;
    assert!(
        content.starts_with("late:1:needle\nlate: [search stopped at binary data"),
        "{content}"
    );
    let count = json!({"pattern": "needle", "output_mode": "count"});
    assert_eq!(stage.good("Grep", count).await, "no matches");
    assert_eq!(stage.good("Grep", json!({"pattern": "needle"})).await, "late\n");
}

#[tokio::test]
async fn a_glob_overrides_ignore_files_as_it_does_for_ripgrep() {
    let stage = Stage::new();
    stage.file(".git/HEAD", "");
    stage.file(".gitignore", "*.log\n");
    stage.file("x.log", "needle\n");
    let found = stage.good("Grep", json!({"pattern": "needle", "glob": "*.log"})).await;
    assert_eq!(found, "x.log\n");
}

#[tokio::test]
async fn another_root_is_searched_by_its_path_and_shown_with_it() {
    let stage = Stage::new();
    let path = put(&stage.outside("extra/deep/f"), "needle\n").canonicalize().unwrap();
    let extra = stage.outside("extra").display().to_string();
    let found = stage
        .good("Grep", json!({"pattern": "needle", "path": extra, "output_mode": "content"}))
        .await;
    assert_eq!(found, format!("{}:1:needle\n", path.display()));
    assert_eq!(stage.read(&path.display().to_string()).await, "1\tneedle\n");
}
