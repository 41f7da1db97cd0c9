//! Plugins end with whoever uses them, however that ends.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _},
    os::{
        fd::OwnedFd,
        unix::{fs::PermissionsExt as _, net::UnixStream},
    },
    path::PathBuf,
    process::Stdio,
    thread,
    time::Duration,
};

use serde_json::json;

use crate::{
    plugin::{binary, hostile},
    processes::{MARK, left_after, marked, wait_until},
    server::{Server, text},
    workflow::interrupted,
    world::{World, program},
};

/// Where sockets of this world are.
fn runtime(world: &World) -> PathBuf {
    let dir = world.beside("run");
    fs::create_dir_all(&dir).unwrap();
    dir
}

/// How much is left there.
fn sockets(world: &World) -> usize {
    fs::read_dir(runtime(world)).unwrap().count()
}

/// A server whose plugin has left a child in a session of its own.
fn server(world: &World, mark: &str) -> Server {
    world.declare(&[hostile("bad", "leaves-child")]);
    let config = world.config(json!({"plugin_tools": [{"plugin": "bad", "expose": ["child"]}]}));
    let mut command = world.serve_command(&config);
    command.env(MARK, mark).env("XDG_RUNTIME_DIR", runtime(world));
    let mut server = Server::start(command);
    server.handshake();
    server.call("bad_child", &json!({}));
    // awf, the plugin, its child; guards have no environment.
    wait_until("the plugin's child", || marked(mark).len() >= 3);
    server
}

#[test]
fn nothing_is_left_when_the_server_ends() {
    let world = World::new();
    let mark = format!("plugin-eof-{}", std::process::id());
    let (status, told) = server(&world, &mark).close();
    assert!(status.success(), "{told}");
    assert!(left_after(&mark, Duration::from_secs(5)).is_empty());
}

#[test]
fn nothing_is_left_when_the_server_is_killed() {
    let world = World::new();
    let mark = format!("plugin-kill-{}", std::process::id());
    server(&world, &mark).kill();
    assert!(left_after(&mark, Duration::from_secs(5)).is_empty());
    wait_until("the sockets to be removed", || sockets(&world) == 0);
}

#[test]
fn an_interrupted_run_ends_its_plugins() {
    let world = World::new();
    let mut plugin = hostile("bad", "hang");
    plugin["timeout"] = json!("5m");
    world.declare(&[plugin]);
    world.workflow("w", "name: w\nstates:\n  initial: both\n  both: {type: parallel, parallel: [hang, mark]}\n  hang: {type: operation, operation: bad.hang}\n  mark: {type: step, command: 'touch begun'}\n");
    let begun = world.root().join("begun");
    interrupted(world.command(["run", "w"]), "plugin-int", &begun);
}

#[test]
fn starting_and_ending_plugins_again_and_again_leaves_nothing() {
    let world = World::new();
    world.declare(&[json!({"name": "example", "path": binary("awf-plugin-example")})]);
    let mark = format!("plugin-cycles-{}", std::process::id());
    for _ in 0..crate::trials(10, 100) {
        let mut command = world.command(["plugin", "verify"]);
        command.env(MARK, &mark).env("XDG_RUNTIME_DIR", runtime(&world));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(left_after(&mark, Duration::from_secs(5)).is_empty());
    assert_eq!(sockets(&world), 0);
}

/// How many descriptors and threads a process has.
fn held(pid: u32) -> (usize, usize) {
    let count = |what: &str| fs::read_dir(format!("/proc/{pid}/{what}")).unwrap().count();
    (count("fd"), count("task"))
}

#[test]
fn a_plugin_that_dies_again_and_again_costs_its_server_nothing() {
    let world = World::new();
    world.declare(&[hostile("bad", "crash")]);
    let mark = format!("plugin-crashes-{}", std::process::id());
    let config =
        world.config(json!({"plugin_tools": [{"plugin": "bad", "expose": ["crash", "ok"]}]}));
    let mut command = world.serve_command(&config);
    command.env(MARK, &mark);
    let mut server = Server::start(command);
    server.handshake();
    let mut cycle = || {
        server.call("bad_crash", &json!({}));
        assert_eq!(text(&server.call("bad_ok", &json!({}))), "ok");
        (held(server.pid()), marked(&mark).len())
    };
    let first = cycle();
    for _ in 0..crate::trials(10, 100) {
        cycle();
    }
    assert_eq!(cycle(), first);
    server.close();
    assert!(left_after(&mark, Duration::from_secs(5)).is_empty());
}

/// A host that dies closes the guard's socket first, and lets go of its directories when it can.
#[test]
fn a_guard_waits_for_the_end_of_a_dying_host() {
    let (world, place) = (World::new(), rustix::process::geteuid().as_raw());
    let left = runtime(&world).join(format!("awf-{place}/s-left"));
    fs::create_dir_all(&left).unwrap();
    for path in [left.parent().unwrap(), &left] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o700)).unwrap();
    }
    let lock = fs::File::open(&left).unwrap();
    lock.try_lock().unwrap();
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    // The host: a shell that has started the guard, does not hold the socket, and ends when it is told to.
    let script = r#""$@" <&1 >/dev/null & exec >&-; echo $! >&2; read end"#;
    let mut host = program("sh");
    host.args(["-c", script, "host", env!("CARGO_BIN_EXE_awf"), "__guard"]);
    host.args([world.home(), runtime(&world)]);
    host.stdin(Stdio::piped()).stdout(OwnedFd::from(theirs)).stderr(Stdio::piped());
    let mut host = host.spawn().unwrap();
    let mut guard = String::new();
    BufReader::new(host.stderr.take().unwrap()).read_line(&mut guard).unwrap();
    let guard = PathBuf::from(format!("/proc/{}", guard.trim()));
    ours.read_exact(&mut [0; 4]).expect("its greeting");
    drop(ours);
    // Nothing tells that something does not happen.
    thread::sleep(Duration::from_millis(300));
    // What has ended has no words left.
    let words = fs::read(guard.join("cmdline")).unwrap_or_default();
    assert!(!words.is_empty(), "the guard did not wait for its host");
    drop(lock);
    drop(host.stdin.take());
    host.wait().unwrap();
    wait_until("what it left to be removed", || !left.exists());
}
