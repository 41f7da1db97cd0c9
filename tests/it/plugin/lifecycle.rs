//! Plugins end with whoever uses them, however that ends.

use std::{fs, time::Duration};

use serde_json::json;

use crate::{
    plugin::{binary, hostile},
    processes::{MARK, left_after, marked, wait_until},
    server::Server,
    workflow::interrupted,
    world::World,
};

/// A server whose plugin has left a child in a session of its own.
fn server(world: &World, mark: &str) -> Server {
    world.declare(&[hostile("bad", "leaves-child")]);
    let config = world.config(json!({"plugin_tools": [{"plugin": "bad", "expose": ["child"]}]}));
    let mut command = world.serve_command(&config);
    command.env(MARK, mark);
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
    wait_until("the sockets to be removed", || {
        fs::read_dir(world.home().join("scratch")).map_or(true, |mut left| left.next().is_none())
    });
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
        let output = world.command(["plugin", "verify"]).env(MARK, &mark).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(left_after(&mark, Duration::from_secs(5)).is_empty());
    assert_eq!(fs::read_dir(world.home().join("scratch")).unwrap().count(), 0);
}
