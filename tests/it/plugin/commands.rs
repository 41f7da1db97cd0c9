//! `awf plugin`.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::{
    plugin::{binary, hostile, operation},
    world::World,
};

fn told(world: &World, args: &[&str]) -> (i32, String, String) {
    let output = world.awf(args);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn plugins_are_listed_without_being_started() {
    let world = World::new();
    let mark = world.beside("started");
    world.declare(&[json!({"name": "lazy", "command": ["sh", "-c", format!("touch {}", mark.display())], "operations": ["nap"], "annotations": {"nap": {"readOnlyHint": true}}})]);
    let (code, table, _) = told(&world, &["plugin", "list"]);
    assert_eq!(code, 0);
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let rows: Vec<Vec<String>> = table.lines().map(words).collect();
    assert_eq!(rows[1][..4], ["lazy", "enabled", "declared", "1"].map(str::to_owned));
    let included: Vec<&str> = rows[2..].iter().map(|row| row[0].as_str()).collect();
    assert_eq!(included, ["http", "notify"]);
    let listed = world.awf_json(["plugin", "list", "--operations", "-o", "json"]);
    assert_eq!((&listed[0]["name"], &listed[0]["class"]), (&json!("lazy.nap"), &json!("read")));
    let info = world.awf_json(["plugin", "info", "lazy", "-o", "json"]);
    assert_eq!(info["operations"][0]["name"], "nap");
    let (code, _, error) = told(&world, &["plugin", "info", "lasy"]);
    assert_eq!(code, 1);
    assert!(
        error.contains("USER.PLUGIN.UNKNOWN") && error.contains("did you mean `lazy`?"),
        "{error}"
    );
    assert!(!mark.exists());
}

#[test]
fn a_plugin_is_switched_off_and_on_where_it_is_declared() {
    let world = World::new();
    let path = binary("awf-plugin-example");
    let text =
        format!("# ours\nplugins:\n  - name: example # the one\n    path: {}\n", path.display());
    world.file(".awf/plugins.yaml", &text);
    let step = operation("example.echo", &json!({"value": 1}));
    assert_eq!(told(&world, &["plugin", "disable", "example"]).0, 0);
    let now = fs::read_to_string(world.root().join(".awf/plugins.yaml")).unwrap();
    assert!(
        now.contains("# ours") && now.contains("# the one") && now.contains("enabled: false"),
        "{now}"
    );
    let ran = world.run(&step, &[]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("switched off"), "{}", ran.stderr);
    assert_eq!(told(&world, &["plugin", "enable", "example"]).0, 0);
    assert_eq!(world.run(&step, &[]).code, 0);
    assert_eq!(told(&world, &["plugin", "disable", "http"]).0, 1);
}

#[test]
fn a_lock_vouches_for_a_binary() {
    let world = World::new();
    let copy = world.root().join("bin/plugin");
    fs::create_dir_all(copy.parent().unwrap()).unwrap();
    fs::copy(binary("awf-plugin-example"), &copy).unwrap();
    world.declare(&[json!({"name": "example", "path": "bin/plugin"})]);
    let step = operation("example.echo", &json!({"value": 1}));
    let (code, _, said) = told(&world, &["plugin", "lock"]);
    assert_eq!(code, 0, "{said}");
    let lock: Value =
        serde_json::from_str(&fs::read_to_string(world.root().join(".awf/plugins.lock")).unwrap())
            .unwrap();
    assert!(lock.to_string().contains("sha256:"), "{lock}");
    assert_eq!(world.run(&step, &[]).code, 0);
    alter(&copy);
    let ran = world.run(&step, &[]);
    assert_eq!(
        (ran.code, &ran.end()["error"]["code"]),
        (3, &json!("EXECUTION.PLUGIN.CHECKSUM_MISMATCH"))
    );
    let (_, found, said) = told(&world, &["validate", "w"]);
    let warnings = format!("{found}{said}").matches("UNVERIFIED_OPERATION").count();
    assert_eq!(warnings, 1, "one cause, one warning: {found} {said}");
    let (code, table, _) = told(&world, &["plugin", "verify"]);
    assert_eq!(code, 3);
    assert!(table.contains("unsound") && table.contains("differs"), "{table}");
    assert!(table.contains("awf plugin lock example"), "{table}");
    assert_eq!(told(&world, &["plugin", "lock"]).0, 0);
    assert_eq!(world.run(&step, &[]).code, 0);
}

#[test]
fn what_is_switched_off_stays_vouched_for() {
    let world = World::with_example();
    assert_eq!(told(&world, &["plugin", "lock"]).0, 0);
    let lock = || fs::read_to_string(world.root().join(".awf/plugins.lock")).unwrap();
    let before = lock();
    assert_eq!(told(&world, &["plugin", "disable", "example"]).0, 0);
    assert_eq!(told(&world, &["plugin", "lock"]).0, 0);
    assert_eq!(lock(), before);
    let (code, _, said) = told(&world, &["plugin", "verify", "example"]);
    assert_eq!(code, 3);
    assert!(said.contains("awf plugin enable example"), "{said}");
    world.declare(&[]);
    assert_eq!(told(&world, &["plugin", "lock"]).0, 0);
    assert!(!lock().contains("example"), "{}", lock());
}

#[test]
fn a_damaged_lock_is_told_and_written_anew() {
    let world = World::with_example();
    world.workflow("w", &operation("example.echo", &json!({"value": 1})));
    assert_eq!(told(&world, &["plugin", "lock"]).0, 0);
    let path = world.root().join(".awf/plugins.lock");
    let sound = fs::read_to_string(&path).unwrap();
    let twice: Value = serde_json::from_str(&sound).unwrap();
    let twice = json!({"format": 1, "plugins": [twice["plugins"][0], twice["plugins"][0]]});
    for damaged in ["{", &sound.replace("\"format\": 1", "\"format\": 99"), &twice.to_string()] {
        fs::write(&path, damaged).unwrap();
        let (code, _, said) = told(&world, &["run", "w"]);
        assert_eq!(code, 2, "{said}");
        assert!(said.contains("awf plugin lock"), "{said}");
        assert_eq!(told(&world, &["plugin", "list"]).0, 1);
        assert_eq!(told(&world, &["plugin", "lock"]).0, 0);
        assert_eq!(fs::read_to_string(&path).unwrap(), sound);
    }
}

#[test]
fn a_program_that_is_not_there_cannot_be_locked() {
    let world = World::new();
    world.declare(&[json!({"name": "example", "path": "bin/unbuilt"})]);
    let (code, _, said) = told(&world, &["plugin", "lock"]);
    assert_eq!(code, 3);
    assert!(
        said.contains("EXECUTION.PLUGIN.START_FAILED") && said.contains("bin/unbuilt"),
        "{said}"
    );
    assert!(!world.root().join(".awf/plugins.lock").exists());
}

/// Another binary that works as well: what comes behind a program's own bytes is not read.
fn alter(binary: &Path) {
    let mut bytes = fs::read(binary).unwrap();
    bytes.push(0);
    fs::write(binary, bytes).unwrap();
}

#[test]
fn verify_tells_the_sound_from_the_unsound() {
    let world = World::new();
    world.declare(&[
        json!({"name": "example", "path": binary("awf-plugin-example")}),
        hostile("bad", "wrong-core"),
    ]);
    let output = world.awf(["plugin", "verify", "-o", "json"]);
    assert_eq!(output.status.code(), Some(3));
    let verdicts: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&verdicts[0]["name"], &verdicts[0]["sound"]), (&json!("example"), &json!(true)));
    assert_eq!(verdicts[1]["code"], "EXECUTION.PLUGIN.HANDSHAKE_FAILED");
    assert!(world.awf(["plugin", "verify", "example"]).status.success());
}

#[test]
fn init_writes_a_plugin_into_an_empty_place_only() {
    let world = World::new();
    let (code, _, said) = told(&world, &["plugin", "init", "awf-plugin-weather"]);
    assert_eq!(code, 0, "{said}");
    let main = fs::read_to_string(world.root().join("awf-plugin-weather/src/main.rs")).unwrap();
    assert!(main.lines().count() < 40 && main.contains("weather"), "{main}");
    let (code, _, said) = told(&world, &["plugin", "init", "awf-plugin-weather"]);
    assert_eq!(code, 1);
    assert!(said.contains("not empty"), "{said}");
    assert_eq!(told(&world, &["plugin", "init", "x", "--name", "No Name"]).0, 1);
    let (code, _, said) = told(&world, &["plugin", "init", "http"]);
    assert_eq!(code, 1);
    assert!(said.contains("part of awf"), "{said}");
}
