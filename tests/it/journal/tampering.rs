//! Changes to a log behind awf's back, and what `awf activity verify` says to them.

use std::{fs, path::PathBuf};

use serde_json::{Value, json};

use crate::{
    journal::{pipeline, small_log, verify},
    random::Random,
    world::World,
};

#[test]
fn every_kind_of_tampering_is_found() {
    type Tampering = fn(&mut Vec<String>);
    let kinds: [(&str, Tampering); 7] = [
        ("edit an event in the middle", |lines| lines[7] = lines[7].replacen("t-", "x-", 1)),
        ("edit the last event", |lines| {
            let last = lines.last_mut().unwrap();
            *last = last.replacen("duration_ms\":", "duration_ms\":1", 1);
        }),
        ("insert a copy", |lines| lines.insert(5, lines[4].clone())),
        ("swap two events", |lines| lines.swap(3, 9)),
        ("delete an event", |lines| drop(lines.remove(6))),
        ("delete the first event", |lines| drop(lines.remove(0))),
        ("delete the last event", |lines| drop(lines.pop())),
    ];
    for (kind, tamper) in kinds {
        let (world, segment) = small_log();
        assert_eq!(verify(&world).0, Some(0), "{kind}: not intact before");
        let before = fs::read_to_string(&segment).unwrap();
        let mut lines: Vec<String> = before.lines().map(|line| format!("{line}\n")).collect();
        tamper(&mut lines);
        assert_ne!(lines.concat(), before, "{kind}: changed nothing");
        fs::write(&segment, lines.concat()).unwrap();
        let (code, said) = verify(&world);
        assert_eq!(code, Some(4), "{kind}: {said}");
        assert!(said.contains("ALTERED") && said.contains("altered: "), "{kind}: {said}");
    }
}

#[test]
fn a_deleted_segment_is_found() {
    let (world, segment) = small_log();
    fs::remove_file(&segment).unwrap();
    let (code, said) = verify(&world);
    assert_eq!(code, Some(4), "{said}");
}

/// Three closed servers: their segments, then the heads, as they are.
fn three_segments() -> (World, Vec<(PathBuf, Vec<u8>)>) {
    let world = World::new();
    let config = world.config(json!({}));
    for server in 0..3 {
        assert_eq!(pipeline(&world, &config, &format!("s{server}"), 6), 6);
    }
    let activity = world.home().join("activity");
    let segments = fs::read_dir(activity.join("segments")).unwrap();
    let mut paths: Vec<_> = segments.map(|entry| entry.unwrap().path()).collect();
    paths.sort_unstable();
    paths.push(activity.join("heads.jsonl"));
    let files = paths.into_iter().map(|path| (path.clone(), fs::read(path).unwrap()));
    (world, files.collect())
}

/// One change by chance to a file of lines.
fn altered(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut below = |bound: usize| usize::try_from(random.below(bound as u64)).unwrap();
    let mut lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let (way, count, at) = (below(6), lines.len(), below(bytes.len()));
    match way {
        0 => return [&bytes[..at], &[bytes[at] ^ (1 << below(8))], &bytes[at + 1..]].concat(),
        1 => return [&bytes[..at], b"x", &bytes[at..]].concat(),
        // Never the newest entry of the heads alone: without it the log is that of a killed process.
        2 => return bytes[..at.min(bytes.len() - lines[count - 1].len() - 1)].to_vec(),
        3 => drop(lines.remove(below(count - 1))),
        4 => lines.swap(below(count / 2), count / 2 + below(count - count / 2)),
        _ => lines.insert(below(count), lines[below(count)]),
    }
    lines.concat()
}

/// The store's own tests try a thousand of these; here a sample goes through the binary.
#[test]
fn random_changes_are_all_found() {
    let (world, files) = three_segments();
    let mut random = Random::from_time();
    for trial in 0..crate::trials(50, 1_000) {
        let (path, bytes) = &files[trial % files.len()];
        fs::write(path, altered(bytes, &mut random)).unwrap();
        let (code, said) = verify(&world);
        assert_eq!(code, Some(4), "trial {trial} of {}: {said}", path.display());
        fs::write(path, bytes).unwrap();
    }
    let (code, said) = verify(&world);
    assert_eq!((code, said.as_str()), (Some(0), "intact: 36 events in 3 segments\n"));
    let [(one, first), (other, second), ..] = files.as_slice() else { panic!("{files:?}") };
    fs::write(one, second).unwrap();
    fs::write(other, first).unwrap();
    assert_eq!(verify(&world).0, Some(4), "two segments changed places");
}

/// An index that hides a refused call: the journal is intact, and it is told all the same.
#[test]
fn an_index_that_hides_a_call_is_found() {
    let world = World::new();
    for _ in 0..2 {
        let words = ["call", "tool-read", "Bash", "--args", r#"{"command": "true"}"#];
        assert_eq!(world.awf(words).status.code(), Some(5));
    }
    assert_eq!(world.activity().len(), 2);
    let verify = |code: i32| {
        let output = world.awf(["activity", "verify", "-o", "json"]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{said}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["intact"], true, "{report}");
        (report["index_strays"].as_u64().unwrap(), said)
    };
    assert_eq!(verify(0).0, 0);
    // One that has not read everything yet is none the worse for it.
    world.awf(["call", "tool-read", "Read", "--args", r#"{"file_path": "absent"}"#]);
    assert_eq!(verify(0).0, 0);
    let index = world.home().join("activity/index.sqlite");
    let mut bytes = fs::read(&index).unwrap();
    let places: Vec<usize> =
        (0..bytes.len() - 6).filter(|at| &bytes[*at..at + 6] == b"denied").collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at..at + 6].copy_from_slice(b"hidden");
    }
    fs::write(&index, bytes).unwrap();
    let (strays, said) = verify(4);
    assert_eq!(strays, 2, "{said}");
    assert!(
        said.contains("SYSTEM.ACTIVITY.INDEX_ALTERED") && said.contains("index.sqlite"),
        "{said}"
    );
    fs::remove_file(&index).unwrap();
    assert_eq!(verify(0).0, 0);
    assert_eq!(world.activity().len(), 3);
    assert_eq!(verify(0).0, 0);
}
