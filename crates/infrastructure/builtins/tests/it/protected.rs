//! What Write and Edit must not touch, however the path leads there; Read may.

use std::fs;

use serde_json::json;

use crate::stage::Stage;

#[tokio::test]
async fn protected_files_are_refused_and_unprotected_neighbours_are_not() {
    let stage = Stage::new();
    let protected = [
        ".awf/config.yaml",
        "d/.awf/x",
        ".AWF/x",
        ".git/hooks/pre-commit",
        ".git/modules/m/hooks/x",
        ".git/config",
        ".git/CONFIG",
        "d/.git/config.worktree",
        ".git/modules/m/config",
        ".git/info/attributes",
        "sub/.git",
        ".mcp.json",
        "d/.mcp.json",
        "mcp_config.json",
        ".cursor/mcp.json",
        ".vscode/mcp.json",
        ".gemini/settings.json",
        ".claude/settings.json",
        ".claude/settings.local.json",
        ".codex/config.toml",
        "opencode.json",
        "own",
        "own/deep/file",
    ];
    for path in protected {
        let answer = stage.bad("Write", json!({"file_path": path, "content": ""})).await;
        assert!(answer.contains("is protected"), "{path}: {answer}");
        assert!(!stage.path(path).exists(), "{path}");
        let first = path.split('/').next().unwrap();
        assert!(!stage.path(first).exists(), "{path}: a directory was made");
    }
    let free = [
        "awf/x",
        ".awfx/y",
        "hooks/x",
        "config",
        ".gitignore",
        ".github/workflows/ci.yml",
        ".gitconfigs/config",
        "mcp.json",
        ".claude/agents/a.md",
        ".claude/CLAUDE.md",
        ".vscode/settings.json",
        "ownership",
        "settings.json",
    ];
    for path in free {
        stage.good("Write", json!({"file_path": path, "content": ""})).await;
    }
}

#[tokio::test]
async fn the_place_a_path_leads_to_is_judged() {
    let stage = Stage::new();
    stage.file(".awf/pins", "old");
    stage.file("own/log", "old");
    stage.file(".git/config", "old");
    stage.link("settings", ".git/config");
    stage.link("file", ".awf/pins");
    stage.link("dir", ".awf");
    stage.link("absolute", stage.path("own"));
    stage.link("dangling", ".awf/new");
    for path in [
        "file",
        "settings",
        "dir/pins",
        "dir/new",
        "absolute/log",
        "absolute/new",
        "dangling",
        "d/../.awf/pins",
    ] {
        fs::create_dir_all(stage.path("d")).unwrap();
        let answer = stage.bad("Write", json!({"file_path": path, "content": "new"})).await;
        assert!(answer.contains("is protected"), "{path}: {answer}");
        let edit = json!({"file_path": path, "old_string": "old", "new_string": "new"});
        assert!(stage.bad("Edit", edit).await.contains("is protected"), "{path}");
    }
    assert_eq!(stage.content(".awf/pins"), b"old");
    assert_eq!(stage.content("own/log"), b"old");
    assert_eq!(stage.content(".git/config"), b"old");
    assert_eq!(stage.read(".awf/pins").await, "1\told\n");
}
