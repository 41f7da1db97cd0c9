//! Pins on disk: they outlive us, merge, and fail closed.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path, thread};

use awf_core::{Class, Standing, ToolSource};
use serde_json::{json, value::to_raw_value};
use tempfile::TempDir;

use super::{PinError, Pins, Shelf};
use crate::{
    judge::Listed,
    screen::screen,
    spec::{Transport, UpstreamSpec},
    vault::VaultError,
};

fn spec(name: &str, identity: &str) -> UpstreamSpec {
    let transport = Transport::Http { url: String::new(), headers: Vec::new() };
    UpstreamSpec { name: name.into(), transport, identity: identity.into() }
}

fn tools(names: &[&str], description: &str, read_only: bool) -> Vec<Listed> {
    let raw = names.iter().map(|name| {
        to_raw_value(&json!({"name": name, "description": description, "inputSchema": {}, "annotations": {"readOnlyHint": read_only}})).unwrap()
    });
    screen(&ToolSource::Mcp("s".into()), raw.collect(), |_| false).tools
}

fn seen(pins: &Pins, shelf: &Shelf, tools: &[Listed]) -> Vec<(Class, Standing)> {
    let judged = pins.judge(shelf, tools).unwrap();
    judged.iter().map(|judgement| (judgement.class, judgement.standing)).collect()
}

fn file(home: &Path) -> std::path::PathBuf {
    let mut found = home.join("pins").read_dir().unwrap().map(|it| it.unwrap().path());
    found.find(|path| path.extension().is_some_and(|it| it == "json")).unwrap()
}

#[test]
fn another_process_finds_what_was_pinned() {
    let home = TempDir::new().unwrap();
    let of = |pins: &Pins, description, read_only| {
        seen(pins, &pins.shelf(&spec("s", "f")), &tools(&["a"], description, read_only))[0]
    };
    let first = Pins::open(home.path());
    assert_eq!(of(&first, "d", false), (Class::Write, Standing::Approved));
    let second = Pins::open(home.path());
    assert_eq!(of(&second, "d", true), (Class::Write, Standing::Approved), "held");
    assert_eq!(of(&second, "other", true), (Class::Write, Standing::Changed));
    assert_eq!(of(&second, "d", false), (Class::Write, Standing::Approved), "back again");
    let shelf = second.shelf(&spec("s", "f"));
    let lowered = tools(&["a"], "other", true);
    second.approve(&shelf, &lowered.iter().collect::<Vec<_>>()).unwrap();
    assert_eq!(of(&first, "other", true), (Class::Read, Standing::Approved));
    assert_eq!(of(&first, "d", false), (Class::Write, Standing::Changed));
    assert_eq!(file(home.path()).metadata().unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn another_spelling_of_a_known_name_is_no_first_sight() {
    let home = TempDir::new().unwrap();
    let pins = Pins::open(home.path());
    let shelf = pins.shelf(&spec("s", "f"));
    assert_eq!(seen(&pins, &shelf, &tools(&["get_file"], "d", false))[0].1, Standing::Approved);
    let other = tools(&["Get-File", "getfile"], "d", true);
    let expected = [(Class::Write, Standing::Changed), (Class::Read, Standing::Approved)];
    for _ in 0..2 {
        assert_eq!(seen(&pins, &shelf, &other), expected);
    }
    pins.approve(&shelf, &other.iter().collect::<Vec<_>>()).unwrap();
    assert_eq!(seen(&pins, &shelf, &other)[0], (Class::Read, Standing::Approved));
    assert_eq!(seen(&pins, &shelf, &tools(&["get_file"], "d", true))[0].0, Class::Write);
}

#[test]
fn servers_are_told_apart_by_name_and_identity() {
    let home = TempDir::new().unwrap();
    let pins = Pins::open(home.path());
    let shelves = [("a/../b", "f"), ("a_.._b", "f"), ("a/../b", "g")]
        .map(|(name, print)| pins.shelf(&spec(name, print)).path);
    for (number, path) in shelves.iter().enumerate() {
        assert_eq!(path.parent(), Some(home.path().join("pins").as_path()));
        assert!(!shelves[..number].contains(path));
    }
}

#[test]
fn writers_at_once_lose_nothing_and_agree() {
    let home = TempDir::new().unwrap();
    let names: Vec<String> = (0..12).map(|number| format!("t{number}")).collect();
    thread::scope(|scope| {
        for name in &names {
            let home = home.path();
            scope.spawn(move || {
                let pins = Pins::open(home);
                let shelf = pins.shelf(&spec("s", "f"));
                // Its own tool, and one that all see in another form: only one of them may be first.
                let mut listed = tools(&[name], "d", false);
                listed.extend(tools(&["shared"], name, false));
                seen(&pins, &shelf, &listed);
            });
        }
    });
    let pins = Pins::open(home.path());
    let shelf = pins.shelf(&spec("s", "f"));
    assert_eq!(pins.read(&shelf).unwrap().len(), names.len() + 1);
    let views = names.iter().map(|name| seen(&pins, &shelf, &tools(&["shared"], name, false))[0].1);
    assert_eq!(views.filter(|standing| *standing == Standing::Approved).count(), 1);
}

#[test]
fn a_damaged_file_opens_no_door_and_is_not_touched() {
    let home = TempDir::new().unwrap();
    let pins = Pins::open(home.path());
    let shelf = pins.shelf(&spec("s", "f"));
    seen(&pins, &shelf, &tools(&["a"], "d", false));
    let path = file(home.path());
    let good = fs::read_to_string(&path).unwrap();
    for bad in ["", "garbage", good.get(..good.len() / 2).unwrap()] {
        fs::write(&path, bad).unwrap();
        for listed in [tools(&["a"], "d", false), tools(&["new"], "d", true)] {
            let error = pins.judge(&shelf, &listed).unwrap_err();
            assert!(
                matches!(&error, PinError::Vault(VaultError::Damaged { path: named, .. }) if *named == path),
                "{error}"
            );
            pins.approve(&shelf, &listed.iter().collect::<Vec<_>>()).unwrap_err();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), bad);
    }
}

#[test]
fn where_nothing_can_be_written_first_sight_holds_for_this_process() {
    let home = TempDir::new().unwrap();
    // A file where the folder should be: so it is for every user, the mightiest too.
    fs::write(home.path().join("pins"), "").unwrap();
    let pins = Pins::open(&home.path().join("pins"));
    let shelf = pins.shelf(&spec("s", "f"));
    let read = pins.read(&shelf);
    assert!(matches!(read, Err(PinError::Vault(VaultError::Read { .. }))), "unreadable is closed");
    let home = TempDir::new().unwrap();
    fs::create_dir(home.path().join("pins")).unwrap();
    let pins = Pins::open(home.path());
    let shelf = pins.shelf(&spec("s", "f"));
    let mut lock = shelf.path.clone().into_os_string();
    lock.push(".lock");
    fs::create_dir(lock).unwrap();
    let see =
        |description, read_only| seen(&pins, &shelf, &tools(&["a"], description, read_only))[0];
    assert_eq!(see("d", true), (Class::Read, Standing::Approved));
    assert_eq!(see("other", true), (Class::Read, Standing::Changed), "remembered");
    assert_eq!(see("d", false), (Class::Write, Standing::Approved), "raised");
    assert_eq!(see("d", true), (Class::Write, Standing::Approved), "and held");
    assert!(!shelf.path.exists());
    assert!(pins.approve(&shelf, &[]).is_err(), "a person is told that it does not last");
}

#[test]
fn a_book_has_an_end() {
    let home = TempDir::new().unwrap();
    let pins = Pins::open(home.path());
    let shelf = pins.shelf(&spec("s", "f"));
    let names: Vec<String> = (0..=super::MOST_PINS).map(|number| format!("t{number}")).collect();
    let listed = tools(&names.iter().map(String::as_str).collect::<Vec<_>>(), "d", false);
    let error = pins.judge(&shelf, &listed).unwrap_err();
    assert!(matches!(error, PinError::Full { .. }), "{error}");
    assert!(!shelf.path.exists());
}
