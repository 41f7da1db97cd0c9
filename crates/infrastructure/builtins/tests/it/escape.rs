//! Nothing outside the roots is ever read, listed or changed, however the path is written.

use std::fs;

use serde_json::{Value, json};

use crate::stage::{Stage, put};

const SECRET: &str = "the secret";

/// Every tool on a path that leads outside: each must refuse, and what is there must stay as it is.
async fn refused_by_all(stage: &Stage, typed: &str) {
    let calls: [(&str, Value); 5] = [
        ("Read", json!({"file_path": typed})),
        ("Write", json!({"file_path": typed, "content": "owned"})),
        ("Edit", json!({"file_path": typed, "old_string": "secret", "new_string": "owned"})),
        ("Grep", json!({"pattern": "secret", "path": typed, "output_mode": "content"})),
        ("Glob", json!({"pattern": "**/*", "path": typed})),
    ];
    for (tool, arguments) in calls {
        let answer = stage.bad(tool, arguments).await;
        assert!(answer.contains("outside"), "{tool} {typed}: {answer}");
        assert!(!answer.contains(SECRET), "{tool} {typed}: {answer}");
    }
    for place in ["b/f", "ab/f", "b/d/f"] {
        assert_eq!(fs::read_to_string(stage.outside(place)).unwrap(), SECRET, "{typed}");
    }
    assert!(!stage.outside("b/new").exists(), "{typed}");
    assert_eq!(fs::read_dir(stage.outside("b")).unwrap().count(), 2, "{typed}");
}

fn stage() -> Stage {
    let stage = Stage::new();
    for place in ["b/f", "ab/f", "b/d/f"] {
        put(&stage.outside(place), SECRET);
    }
    stage.file("d/inside", "x");
    stage
}

#[tokio::test]
async fn a_path_that_leaves_is_refused() {
    let stage = stage();
    let world = stage.world.path().display().to_string();
    let typed = [
        "../b/f".to_owned(),
        "../b".to_owned(),
        "..".to_owned(),
        "d/../../b/f".to_owned(),
        "./../b/f".to_owned(),
        "../a/../b/f".to_owned(),
        format!("{world}/b/f"),
        format!("{world}/ab/f"),
        format!("{world}/a/../b/f"),
        format!("/{world}//a/../b/f"),
        format!("{world}/a/../ab/f"),
        format!("{world}/abc"),
        "/etc/passwd".to_owned(),
        "/".to_owned(),
        "/proc/self/environ".to_owned(),
        "/dev/stdin".to_owned(),
        "/dev/zero".to_owned(),
    ];
    for path in typed {
        refused_by_all(&stage, &path).await;
    }
}

#[tokio::test]
async fn a_link_that_leaves_is_refused() {
    let stage = stage();
    stage.link("relative", "../b/f");
    stage.link("absolute", stage.outside("b/f"));
    stage.link("twin", stage.outside("ab/f"));
    stage.link("dir", "../b");
    stage.link("absolute_dir", stage.outside("b"));
    stage.link("dangling", "../b/new");
    stage.link("absolute_dangling", stage.outside("b/new"));
    stage.link("d/deep", "../../b/f");
    stage.link("chain", "relative");
    stage.link("chain_of_dirs", "dir/d");
    stage.link("proc", "/proc/self/root/etc/passwd");
    stage.link("up", "..");
    let typed = [
        "relative",
        "absolute",
        "twin",
        "dir",
        "dir/f",
        "dir/new",
        "dir/d/f",
        "absolute_dir/f",
        "dangling",
        "absolute_dangling",
        "d/deep",
        "chain",
        "chain_of_dirs/f",
        "proc",
        "up/b/f",
        "d/../up/ab/f",
    ];
    for path in typed {
        refused_by_all(&stage, path).await;
    }
}

#[tokio::test]
async fn a_chain_of_links_is_followed_as_far_as_the_kernel_would() {
    let stage = stage();
    stage.link("l1", "d/inside");
    for n in 2..=41 {
        stage.link(&format!("l{n}"), format!("l{}", n - 1));
    }
    assert_eq!(stage.read("l40").await, "1\tx\n");
    for (tool, arguments) in [
        ("Read", json!({"file_path": "l41"})),
        ("Write", json!({"file_path": "l41", "content": ""})),
        ("Grep", json!({"pattern": "x", "path": "l41"})),
    ] {
        let answer = stage.bad(tool, arguments).await;
        assert!(answer.contains("more than 40 symbolic links"), "{answer}");
    }
    stage.link("loop", "loop");
    assert!(stage.bad("Read", json!({"file_path": "loop"})).await.contains("symbolic links"));
}

#[tokio::test]
async fn links_that_stay_inside_are_followed_also_absolute_ones_and_into_another_root() {
    let stage = stage();
    put(&stage.outside("extra/g"), "extra\n");
    stage.link("relative", "d/inside");
    stage.link("absolute", stage.path("d/inside"));
    stage.link("dir", stage.path("d"));
    stage.link("d/back", "../d");
    stage.link("other_root", stage.outside("extra"));
    for path in ["relative", "absolute", "dir/inside", "d/back/inside", "dir/../d/inside"] {
        assert_eq!(stage.read(path).await, "1\tx\n", "{path}");
    }
    assert_eq!(stage.read("other_root/g").await, "1\textra\n");
    let hits = stage.good("Grep", json!({"pattern": "extra", "path": "other_root"})).await;
    assert_eq!(hits, format!("{}\n", stage.outside("extra/g").canonicalize().unwrap().display()));
}

#[tokio::test]
async fn a_walk_does_not_follow_links() {
    let stage = stage();
    stage.link("out", "../b");
    stage.link("file", "../b/f");
    stage.link("loop/self", "../loop");
    stage.file("loop/f", "no such thing here");
    for pattern in ["**/*", "*", "out/**", "file"] {
        let listed = stage.good("Glob", json!({"pattern": pattern})).await;
        assert!(!listed.contains("out") && !listed.contains("file\n"), "{pattern}: {listed}");
    }
    assert_eq!(stage.good("Grep", json!({"pattern": "secret"})).await, "no matches");
}
