//! Write: whole files, in place in one step.

use std::{
    fs,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _},
};

use serde_json::json;

use crate::stage::Stage;

fn mode(stage: &Stage, name: &str) -> u32 {
    fs::metadata(stage.path(name)).unwrap().mode() & 0o7777
}

fn names(stage: &Stage, folder: &str) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(stage.path(folder))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_new_file_has_its_content_its_parents_and_the_mode_of_any_new_file() {
    let stage = Stage::new();
    let answer = stage.good("Write", json!({"file_path": "d/e/f", "content": "é\r\nx"})).await;
    assert_eq!(answer, "created `d/e/f` (5 bytes)");
    assert_eq!(stage.content("d/e/f"), "é\r\nx".as_bytes());
    stage.file("usual", "");
    assert_eq!(mode(&stage, "d/e/f"), mode(&stage, "usual"));
    assert_eq!(names(&stage, "d/e"), ["f"]);
}

#[tokio::test]
async fn an_existing_file_keeps_its_mode_and_its_owner() {
    let stage = Stage::new();
    let path = stage.file("f", "old");
    for bits in [0o600, 0o644, 0o755, 0o666, 0o200] {
        fs::set_permissions(&path, fs::Permissions::from_mode(bits)).unwrap();
        let answer = stage.good("Write", json!({"file_path": "f", "content": "new"})).await;
        assert_eq!(answer, "replaced `f` (3 bytes)");
        assert_eq!(mode(&stage, "f"), bits);
    }
    // Only root can give a file away; for anyone else there is nothing to keep.
    if std::os::unix::fs::chown(&path, Some(12345), Some(23456)).is_ok() {
        stage.good("Write", json!({"file_path": "f", "content": "again"})).await;
        let after = fs::metadata(&path).unwrap();
        assert_eq!((after.uid(), after.gid(), after.mode() & 0o777), (12345, 23456, 0o200));
    }
}

#[tokio::test]
async fn a_link_that_stays_inside_is_written_through_and_stays_a_link() {
    let stage = Stage::new();
    stage.file("real", "old");
    stage.link("relative", "real");
    stage.link("absolute", stage.path("real"));
    stage.link("dangling", "d/new");
    stage.link("there", "d");
    for (link, target) in
        [("relative", "real"), ("absolute", "real"), ("dangling", "d/new"), ("there/x", "d/x")]
    {
        stage.good("Write", json!({"file_path": link, "content": link})).await;
        assert_eq!(stage.content(target), link.as_bytes());
    }
    for link in ["relative", "absolute", "dangling", "there"] {
        assert!(fs::symlink_metadata(stage.path(link)).unwrap().is_symlink(), "{link}");
    }
}

#[tokio::test]
async fn what_must_not_be_replaced_is_named_and_left_alone() {
    let stage = Stage::new();
    let read_only = stage.file("ro", "old");
    fs::set_permissions(read_only, fs::Permissions::from_mode(0o444)).unwrap();
    stage.file("one", "old");
    fs::hard_link(stage.path("one"), stage.path("two")).unwrap();
    fs::create_dir(stage.path("dir")).unwrap();
    stage.file("file", "old");
    let long = "n".repeat(256);
    let rows = [
        ("ro", "`ro` is read-only (mode 0444)"),
        ("one", "`one` has other hard links"),
        ("two", "`two` has other hard links"),
        ("dir", "`dir` is a directory"),
        (".", "`.` is a directory"),
        ("new/", "it ends in `/`"),
        ("file/x", "is a regular file, not a directory"),
        ("", "it is empty"),
        ("a\0b", "NUL"),
        (&long, "longer than 255 bytes"),
    ];
    for (path, expected) in rows {
        let answer = stage.bad("Write", json!({"file_path": path, "content": "new"})).await;
        assert!(answer.contains(expected), "{path}: {answer}");
        let edit = json!({"file_path": path, "old_string": "old", "new_string": "new"});
        assert!(stage.bad("Edit", edit).await.contains('`'), "{path}");
    }
    for name in ["ro", "one", "two", "file"] {
        assert_eq!(stage.content(name), b"old", "{name}");
    }
    assert!(!stage.path("new").exists());
}

#[tokio::test]
async fn odd_names_are_taken_as_they_are() {
    let stage = Stage::new();
    let longest = "n".repeat(255);
    for name in ["-rf", "two\nlines", "a:b", "ünï", " ", "*", &longest, "a\u{202e}b"] {
        stage.good("Write", json!({"file_path": name, "content": "x"})).await;
        assert_eq!(stage.content(name), b"x", "{name:?}");
        assert_eq!(stage.read(name).await, "1\tx\n", "{name:?}");
    }
}

#[tokio::test]
async fn the_residue_of_a_killed_writer_is_removed_and_a_living_one_is_left() {
    let stage = Stage::new();
    stage.file("d/.awf-0123456789abcdef.tmp", "half");
    stage.file("d/.awf-notours.tmp", "kept");
    let alive = stage.file("d/.awf-fedcba9876543210.tmp", "being written");
    let alive = fs::File::open(alive).unwrap();
    alive.lock().unwrap();
    stage.good("Write", json!({"file_path": "d/f", "content": ""})).await;
    assert_eq!(names(&stage, "d"), [".awf-fedcba9876543210.tmp", ".awf-notours.tmp", "f"]);
    drop(alive);
    stage.good("Write", json!({"file_path": "d/f", "content": ""})).await;
    assert_eq!(names(&stage, "d"), [".awf-notours.tmp", "f"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_writers_leave_one_content_whole_and_nothing_else() {
    let stage = std::sync::Arc::new(Stage::new());
    let contents = ["a".repeat(200_000), "b".repeat(100_000)];
    let writers: Vec<_> = (0..40)
        .map(|n| {
            let (stage, content) = (stage.clone(), contents[n % 2].clone());
            tokio::spawn(async move {
                stage.good("Write", json!({"file_path": "f", "content": content})).await;
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
        let seen = String::from_utf8(stage.content("f")).unwrap();
        assert!(contents.contains(&seen));
    }
    assert_eq!(names(&stage, "."), ["f"]);
}
