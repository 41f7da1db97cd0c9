//! The file tools through the built server: nothing outside the root is ever touched, and odd files are refused at once.

use std::{
    fs,
    os::unix::{
        fs::{PermissionsExt as _, symlink},
        net::UnixListener,
    },
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    server::{Server, failed, text},
    world::{World, program},
};

const SECRET: &str = "the-secret-outside";

/// A world with a secret beside the root and every kind of way towards it.
fn hostile_world() -> World {
    let world = World::new();
    fs::create_dir(world.beside("root-twin")).unwrap();
    for place in ["outside.txt", "root-twin/f.txt"] {
        fs::write(world.beside(place), SECRET).unwrap();
    }
    fs::create_dir(world.beside("outside-dir")).unwrap();
    fs::write(world.beside("outside-dir/f.txt"), SECRET).unwrap();
    symlink(world.beside("outside.txt"), world.root().join("to-file")).unwrap();
    symlink("../outside.txt", world.root().join("to-file-relative")).unwrap();
    symlink(world.beside("outside-dir"), world.root().join("to-dir")).unwrap();
    symlink(world.beside("not-yet.txt"), world.root().join("dangling")).unwrap();
    symlink("link-2", world.root().join("link-1")).unwrap();
    symlink("to-file", world.root().join("link-2")).unwrap();
    world
}

fn escapes(world: &World) -> Vec<String> {
    let absolute = |name: &str| world.beside(name).to_str().unwrap().to_owned();
    let mut paths: Vec<String> = [
        "../outside.txt",
        "sub/../../outside.txt",
        "./.././outside.txt",
        "to-file",
        "to-file-relative",
        "to-dir/f.txt",
        "link-1",
        "dangling",
        "../root-twin/f.txt",
    ]
    .map(str::to_owned)
    .into();
    paths.extend(
        ["outside.txt", "root-twin/f.txt", "root/../outside.txt", "root/to-dir/f.txt"]
            .map(absolute),
    );
    paths.push(format!("/{}", absolute("outside.txt")));
    paths.push("/proc/self/root/etc/hostname".to_owned());
    paths
}

#[test]
fn no_path_leaves_the_root() {
    let world = hostile_world();
    fs::create_dir(world.root().join("sub")).unwrap();
    let mut server = world.serve();
    for path in escapes(&world) {
        let calls = [
            ("Read", json!({"file_path": path})),
            ("Write", json!({"file_path": path, "content": "overwritten"})),
            ("Edit", json!({"file_path": path, "old_string": "secret", "new_string": "gone"})),
            ("Grep", json!({"pattern": "secret", "path": path, "output_mode": "content"})),
            ("Glob", json!({"pattern": "*", "path": path})),
        ];
        for (tool, arguments) in calls {
            let result = server.call(tool, &arguments);
            assert!(failed(&result), "{tool} {path}: {result}");
            assert!(!result.to_string().contains(SECRET), "{tool} {path} leaked");
        }
    }
    assert!(!world.beside("not-yet.txt").exists(), "a dangling link was written through");
    for place in ["outside.txt", "root-twin/f.txt", "outside-dir/f.txt"] {
        assert_eq!(fs::read_to_string(world.beside(place)).unwrap(), SECRET, "{place} was changed");
    }
}

#[test]
fn a_search_does_not_follow_links_out_of_the_root() {
    let world = hostile_world();
    world.file("inside.txt", "the-secret-inside");
    let mut server = world.serve();
    let found = server.call("Grep", &json!({"pattern": "the-secret", "output_mode": "content"}));
    assert!(
        text(&found).contains("the-secret-inside") && !text(&found).contains(SECRET),
        "{found}"
    );
}

#[test]
fn absolute_paths_and_links_inside_the_root_work() {
    let world = World::new();
    let file = world.file("dir/a.txt", "hello\n");
    symlink("a.txt", world.root().join("dir/relative-link")).unwrap();
    symlink(&file, world.root().join("absolute-link")).unwrap();
    symlink(world.root().join("dir"), world.root().join("dir-link")).unwrap();
    let mut server = world.serve();
    let absolute = file.to_str().unwrap().to_owned();
    for path in [
        "dir/a.txt",
        "dir/../dir/a.txt",
        "dir/relative-link",
        "absolute-link",
        "dir-link/a.txt",
        &absolute,
    ] {
        let result = server.call("Read", &json!({"file_path": path}));
        assert!(!failed(&result) && text(&result).contains("hello"), "{path}: {result}");
    }
}

/// While a thread swaps a directory for a link out of the root, nothing read or written ever lies outside.
#[test]
fn a_path_swapped_during_the_call_never_leads_outside() {
    let world = hostile_world();
    let (door, real, link) =
        (world.root().join("door"), world.root().join("real"), world.root().join("link"));
    fs::create_dir(&real).unwrap();
    fs::write(real.join("f.txt"), "inside").unwrap();
    symlink(world.beside("outside-dir"), &link).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let swapper = thread::spawn({
        let (stop, door) = (stop.clone(), door);
        move || {
            while !stop.load(Ordering::Relaxed) {
                for target in [&real, &link] {
                    // Write may have made the door itself while it was away.
                    if fs::rename(target, &door).is_ok() {
                        fs::rename(&door, target).unwrap();
                    } else {
                        drop(fs::remove_dir_all(&door));
                    }
                }
            }
        }
    });
    let mut server = world.serve();
    for round in 0..crate::trials(300, 10_000) {
        let read = server.call("Read", &json!({"file_path": "door/f.txt"}));
        assert!(!read.to_string().contains(SECRET), "round {round} read outside: {read}");
        server.call("Write", &json!({"file_path": "door/f.txt", "content": "written"}));
        let found = server.call(
            "Grep",
            &json!({"pattern": "the-secret-outside", "path": "door", "output_mode": "content"}),
        );
        assert!(
            failed(&found) || !text(&found).contains(SECRET),
            "round {round} found outside: {found}"
        );
    }
    stop.store(true, Ordering::Relaxed);
    swapper.join().unwrap();
    assert_eq!(fs::read_to_string(world.beside("outside-dir/f.txt")).unwrap(), SECRET);
    assert_eq!(
        fs::read_dir(world.beside("outside-dir")).unwrap().count(),
        1,
        "something was left outside"
    );
}

#[test]
fn what_is_no_regular_file_is_refused_at_once() {
    let world = World::new();
    assert!(program("mkfifo").arg(world.root().join("fifo")).status().unwrap().success());
    let _listener = UnixListener::bind(world.root().join("socket")).unwrap();
    fs::create_dir(world.root().join("directory")).unwrap();
    let mut server = world.serve_with(json!({"tools": {"roots": ["/dev"]}}));
    for (path, kind) in [
        ("fifo", "FIFO"),
        ("socket", "socket"),
        ("directory", "directory"),
        ("/dev/zero", "device"),
    ] {
        for (tool, arguments) in [
            ("Read", json!({"file_path": path})),
            ("Edit", json!({"file_path": path, "old_string": "a", "new_string": "b"})),
            ("Write", json!({"file_path": path, "content": "x"})),
        ] {
            let begun = Instant::now();
            let result = server.call(tool, &arguments);
            assert!(failed(&result) && text(&result).contains(kind), "{tool} {path}: {result}");
            assert!(
                begun.elapsed() < Duration::from_secs(1),
                "{tool} {path} took {:?}",
                begun.elapsed()
            );
        }
        if kind != "directory" {
            let begun = Instant::now();
            server.call("Grep", &json!({"pattern": "x", "path": path}));
            assert!(
                begun.elapsed() < Duration::from_secs(1),
                "Grep {path} took {:?}",
                begun.elapsed()
            );
        }
    }
}

#[test]
fn write_keeps_the_mode_and_makes_parents() {
    let world = World::new();
    let file = world.file("run.sh", "old");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o750)).unwrap();
    let mut server = world.serve();
    assert!(!failed(&server.call("Write", &json!({"file_path": "run.sh", "content": "new"}))));
    assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o750);
    assert!(!failed(&server.call("Write", &json!({"file_path": "deep/er/f.txt", "content": "x"}))));
    assert_eq!(fs::read_to_string(world.root().join("deep/er/f.txt")).unwrap(), "x");
}

#[test]
fn a_write_cut_short_by_a_kill_leaves_the_old_or_the_new_content() {
    let (old, new) = ("old ".repeat(500_000), "new ".repeat(500_000));
    let world = World::new();
    let file = world.file("big.txt", &old);
    for trial in 0..crate::trials(10, 200) {
        fs::write(&file, &old).unwrap();
        let mut server = world.serve();
        server.send_call("Write", &json!({"file_path": "big.txt", "content": new}));
        thread::sleep(Duration::from_micros(300 * trial as u64));
        server.kill();
        let content = fs::read_to_string(&file).unwrap();
        assert!(
            content == old || content == new,
            "trial {trial}: {} bytes of neither",
            content.len()
        );
    }
    let mut server = world.serve();
    server.call("Write", &json!({"file_path": "last.txt", "content": "x"}));
    let names: Vec<_> =
        fs::read_dir(world.root()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "a killed write left something behind: {names:?}");
}

#[test]
fn edit_reports_how_many_matches_it_found() {
    let world = World::new();
    let file = world.file("f.txt", "one two\r\none three");
    let mut server = world.serve();
    let edit = |server: &mut Server, old: &str, new: &str, all: bool| {
        server.call("Edit", &json!({"file_path": "f.txt", "old_string": old, "new_string": new, "replace_all": all}))
    };
    let absent = edit(&mut server, "four", "x", false);
    assert!(failed(&absent) && text(&absent).contains("0 matches"), "{absent}");
    let ambiguous = edit(&mut server, "one", "x", false);
    assert!(failed(&ambiguous) && text(&ambiguous).contains("found 2 times"), "{ambiguous}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "one two\r\none three");
    assert!(!failed(&edit(&mut server, "two", "2", false)));
    assert!(!failed(&edit(&mut server, "one", "1", true)));
    assert_eq!(fs::read_to_string(&file).unwrap(), "1 2\r\n1 three");
}

#[test]
fn ill_typed_numbers_are_refused_with_the_path_of_the_argument() {
    let world = World::new();
    world.file("f.txt", "x\n");
    let mut server = world.serve();
    let rows: [(&str, Value, &str); 9] = [
        ("Read", json!({"file_path": "f.txt", "offset": -1}), "offset"),
        ("Read", json!({"file_path": "f.txt", "offset": 0}), "offset"),
        ("Read", json!({"file_path": "f.txt", "limit": "ten"}), "limit"),
        ("Read", json!({"file_path": "f.txt", "limit": 1.5}), "limit"),
        ("Read", json!({"file_path": 7}), "file_path"),
        ("Grep", json!({"pattern": "x", "head_limit": -3}), "head_limit"),
        ("Grep", json!({"pattern": "x", "-A": 1e300}), "-A"),
        ("Bash", json!({"command": "true", "timeout": 600_001}), "timeout"),
        ("Bash", json!({"command": "true", "timeout": -5}), "timeout"),
    ];
    for (tool, arguments, path) in rows {
        let result = server.call(tool, &arguments);
        assert!(failed(&result) && text(&result).contains(path), "{tool} {arguments}: {result}");
        assert_eq!(result["structuredContent"]["code"], "INVALID_ARGUMENTS", "{result}");
    }
}

#[test]
fn the_file_that_configures_the_server_cannot_be_written() {
    let world = World::new();
    let config = world
        .file("serve.json", json!({"root": world.root(), "tools": {"allow": "write"}}).to_string());
    let mut server = Server::start(world.serve_command(&config));
    server.handshake();
    for (tool, arguments) in [
        ("Write", json!({"file_path": "serve.json", "content": "{}"})),
        (
            "Edit",
            json!({"file_path": "serve.json", "old_string": "write", "new_string": "destructive"}),
        ),
    ] {
        let result = server.call(tool, &arguments);
        assert!(failed(&result), "{tool}: {result}");
    }
    assert!(fs::read_to_string(&config).unwrap().contains("write"));
}

#[test]
fn awf_s_own_files_cannot_be_written() {
    let world = World::new();
    world.file(".awf/config.yaml", "tools: {}\n");
    let mut server = world.serve();
    for path in [".awf/config.yaml", ".awf/new.yaml", "./.awf/../.awf/config.yaml"] {
        let result = server.call("Write", &json!({"file_path": path, "content": "x"}));
        assert!(failed(&result), "{path}: {result}");
    }
    assert_eq!(fs::read_to_string(world.root().join(".awf/config.yaml")).unwrap(), "tools: {}\n");
}
