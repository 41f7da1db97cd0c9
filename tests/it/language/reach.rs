//! What a workflow's agents may reach: the project and what the user opened, whatever the workflow says.

use std::{fs, os::unix::fs::symlink};

use crate::{workflow::Ran, world::World};

/// A project with an agent that reads `{beside}/secret.txt`, a folder of its own, and links out.
fn project() -> World {
    let world = World::new();
    let outside = world.beside("outside");
    fs::create_dir_all(outside.join("deep")).unwrap();
    fs::write(outside.join("deep/secret.txt"), "secret\n").unwrap();
    let secret = outside.join("deep/secret.txt");
    let turns = format!(
        "turns:\n  - {{call: Read, arguments: {{file_path: {}}}, expect: {{contains: secret}}}}\n  - {{say: read it}}\n",
        secret.display()
    );
    world.file("turns.yaml", turns);
    world.file("inside/note.txt", "x\n");
    symlink(&outside, world.root().join("link")).unwrap();
    world
}

/// Runs the agent with further keys, under a configuration of the user.
fn run(world: &World, keys: &str, user: &str) -> Ran {
    let home = world.beside("config");
    fs::create_dir_all(&home).unwrap();
    fs::write(home.join("config.yaml"), user).unwrap();
    let text = format!(
        "states:\n  ask: {{type: agent, provider: 'scripted:turns.yaml', prompt: x, mcp_proxy: {{enable: true}}, {keys}}}\n"
    );
    world.workflow("w", &text);
    let mut command = world.command(["run", "w", "--format", "json"]);
    Ran::of(&command.env("AWF_CONFIG_HOME", home).output().unwrap())
}

#[test]
fn a_step_reaches_no_further_than_the_project_and_what_the_user_opened() {
    let world = project();
    let outside = world.beside("outside").display().to_string();
    let wide = [
        ("tools.roots", format!("tools: {{roots: ['{outside}']}}")),
        ("tools.roots", "tools: {roots: [../outside]}".to_owned()),
        ("tools.roots", "tools: {roots: [link/deep]}".to_owned()),
        ("tools.roots", "tools: {roots: [\"{{.context.WorkingDir}}/..\"]}".to_owned()),
        ("dir", format!("dir: '{outside}'")),
        ("dir", "dir: ../outside/deep".to_owned()),
        ("dir", "dir: link".to_owned()),
    ];
    for (key, keys) in &wide {
        let ran = run(&world, keys, "{}\n");
        let error = &ran.end()["error"];
        assert_eq!((ran.code, error["code"].as_str()), (3, Some("EXECUTION.PROXY.UNAVAILABLE")));
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(&format!("`{key}` leads to")), "{keys}: {message}");
        assert!(ran.all("tool_call").is_empty(), "{keys}");
    }
    let user = format!("tools: {{roots: ['{outside}']}}\n");
    for (_, keys) in &wide[..3] {
        let ran = run(&world, keys, &user);
        assert_eq!((ran.code, ran.all("tool_call").len()), (0, 1), "{keys}: {:?}", ran.end());
    }
}

#[test]
fn a_link_in_the_configuration_of_the_project_opens_nothing() {
    let world = project();
    world.file(".awf/config.yaml", "tools: {roots: [link]}\n");
    let ran = run(&world, "description: x", "{}\n");
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert_eq!(ran.end()["error"]["code"], "EXECUTION.PROXY.UNAVAILABLE");
    world.file(".awf/config.yaml", "tools: {roots: [inside]}\n");
    world.file("turns.yaml", "turns: [{say: fine}]\n");
    assert_eq!(run(&world, "description: x", "{}\n").code, 0);
}
