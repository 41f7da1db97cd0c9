//! Which files a name means, and what is said when it means none.

use std::{fs, path::Path};

use crate::{
    validate::{awf, command, json, stderr, stdout},
    world::World,
};

const GOOD: &str =
    "version: '1.2'\ndescription: does it\nstates: {go: {type: command, command: 'true'}}\n";
const BAD: &str = "states: {go: {type: comand, command: 'true'}}\n";

/// A world with a workflow of each kind; `twice` is both the project's and the user's.
fn furnished() -> World {
    let world = World::new();
    world.file(".awf/workflows/deploy.yaml", GOOD);
    world.file(".awf/workflows/twice.yml", GOOD);
    let user = world.beside("config").join("awf/workflows");
    fs::create_dir_all(&user).unwrap();
    fs::write(user.join("mine.yaml"), GOOD).unwrap();
    fs::write(user.join("twice.yaml"), BAD).unwrap();
    world
}

#[track_caller]
fn check(world: &World, args: &[&str], exit: i32, said: &str) {
    let output = awf(world, &world.root(), ["validate"].iter().chain(args));
    assert_eq!((stderr(&output).as_str(), output.status.code()), (said, Some(exit)), "{args:?}");
}

#[test]
fn a_name_is_looked_for_in_the_project_then_with_the_user() {
    let world = furnished();
    check(&world, &[], 0, "2 files checked: no problems\n");
    check(&world, &["deploy"], 0, "1 file checked: no problems\n");
    check(&world, &["twice", "mine"], 0, "2 files checked: no problems\n");
    check(&world, &["."], 0, "2 files checked: no problems\n");
    check(
        &world,
        &[".awf/workflows/twice.yml", "deploy", "deploy"],
        0,
        "2 files checked: no problems\n",
    );
}

#[test]
fn the_path_of_workflows_comes_first() {
    let world = furnished();
    let first = world.beside("first");
    fs::create_dir(&first).unwrap();
    fs::write(first.join("deploy.yml"), BAD).unwrap();
    let mut command = command(&world, &world.root(), ["validate", "deploy"]);
    let output = command.env("AWF_WORKFLOWS_PATH", &first).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).contains("first/deploy.yml:1:"), "{}", stdout(&output));
}

#[test]
fn a_folder_can_be_the_only_place() {
    let world = furnished();
    world.file("others/one.yaml", GOOD);
    world.file("others/two.yaml", BAD);
    check(&world, &["--dir", "others"], 2, "2 files checked: 1 error\n");
    check(&world, &["others"], 2, "2 files checked: 1 error\n");
    check(&world, &["one", "--dir", "others"], 0, "1 file checked: no problems\n");
    check(&world, &["deploy", "--dir", "others"], 1, "no file checked: 1 error\n");
}

#[test]
fn what_is_not_there_is_an_error_of_the_user() {
    let world = furnished();
    for (name, said) in [
        ("deplyo", "there is no workflow `deplyo`\n  hint: did you mean `deploy`?\n"),
        ("nowhere/x.yaml", "there is no workflow file `nowhere/x.yaml`\n  hint: check the path\n"),
    ] {
        let output = awf(&world, &world.root(), ["validate", name]);
        let wanted = format!("error[USER.WORKFLOW.NOT_FOUND]: {said}");
        assert_eq!((stdout(&output), output.status.code()), (wanted, Some(1)));
        assert_eq!(stderr(&output), "no file checked: 1 error\n");
    }
    let empty = World::new();
    let output = awf(&empty, &empty.root(), ["validate"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("there is no workflow in `.awf/workflows`"));
}

#[test]
fn what_is_not_there_does_not_keep_the_others_from_being_checked() {
    let world = furnished();
    world.file("bad.yaml", BAD);
    check(&world, &["deplyo", "deploy", "no.yaml"], 1, "1 file checked: 2 errors\n");
    check(&world, &["deplyo", "bad.yaml", "deploy"], 2, "2 files checked: 2 errors\n");
    for format in ["github", "sarif", "junit", "json"] {
        let args = ["validate", "deplyo", "bad.yaml", "--format", format];
        let output = awf(&world, &world.root(), args);
        assert_eq!((stderr(&output).as_str(), output.status.code()), ("", Some(2)), "{format}");
        for told in ["there is no workflow `deplyo`", "bad.yaml"] {
            assert!(stdout(&output).contains(told), "{format}: {}", stdout(&output));
        }
    }
}

#[test]
fn what_cannot_be_read_is_told_with_the_others() {
    let world = World::new();
    world.file(".awf/workflows/binary.yaml", b"states:\n  \xff\xfe\n");
    world.file(".awf/workflows/broken.yaml", BAD);
    world.file(".awf/workflows/large.yaml", "# \n".repeat(400_000));
    let document = json(&awf(&world, &world.root(), ["validate", "--format", "json"]));
    let places: Vec<(&str, &str)> = document["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| (finding["file"].as_str().unwrap(), finding["code"].as_str().unwrap()))
        .collect();
    let wanted = [
        (".awf/workflows/binary.yaml", "WORKFLOW.PARSE.YAML_SYNTAX"),
        (".awf/workflows/broken.yaml", "WORKFLOW.PARSE.INVALID_VALUE"),
        (".awf/workflows/large.yaml", "WORKFLOW.PARSE.TOO_LARGE"),
    ];
    assert_eq!(places, wanted);
}

#[test]
fn the_configuration_of_project_and_user_is_checked_once() {
    let world = furnished();
    world.file(".awf/config.yaml", "telemetry: {exportr: 'http://localhost:4318'}\n");
    fs::write(world.beside("config").join("awf/config.yaml"), "inptus: {a: b}\n").unwrap();
    let output = awf(&world, &world.root(), ["validate", "--format", "json"]);
    assert_eq!(output.status.code(), Some(2));
    let document = json(&output);
    let found = document["diagnostics"].as_array().unwrap();
    let mut files: Vec<&str> = found.iter().map(|one| one["file"].as_str().unwrap()).collect();
    files.sort_unstable();
    assert_eq!(files[0], ".awf/config.yaml");
    assert!(files[1].ends_with("config/awf/config.yaml"), "{files:?}");
    assert_eq!(files.len(), 2);
    let text = stdout(&awf(&world, &world.root(), ["validate", "deploy"]));
    assert!(text.contains("inptus: {a: b}"), "its line is shown\n{text}");
    check(&world, &["mine", "deploy"], 2, "2 files checked: 2 errors\n");
}

#[test]
fn the_list_shows_what_a_name_means() {
    let world = furnished();
    world.file(".awf/workflows/wrong.yaml", "states: [\n");
    let output = awf(&world, &world.root(), ["list"]);
    let wanted = "\
NAME    SOURCE   VERSION  DESCRIPTION
deploy  project  1.2      does it
mine    user     1.2      does it
twice   project  1.2      does it
wrong   project           (cannot be read: see `awf validate`)
";
    assert_eq!(stdout(&output), wanted);
    let listed = json(&awf(&world, &world.root(), ["ls", "-o", "json"]));
    let wanted = serde_json::json!({
        "name": "deploy",
        "source": "project",
        "path": ".awf/workflows/deploy.yaml",
        "version": "1.2",
        "description": "does it",
        "readable": true,
    });
    assert_eq!(listed[0], wanted);
    let empty = World::new();
    let output = awf(&empty, &empty.root(), ["list"]);
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("", Some(0)));
    assert!(stderr(&output).contains("there are no workflows"));
}

#[test]
fn beneath_a_project_its_directory_is_named() {
    let world = furnished();
    world.file("src/deep/x.txt", "");
    let deep = world.root().join("src/deep");
    let go = format!("the project is above: `cd {}` first", world.root().display());
    for args in
        [&["run", "deploy"][..], &["validate", "deploy"], &["validate"], &["diagram", "deploy"]]
    {
        let output = awf(&world, &deep, args);
        let told = stdout(&output) + &stderr(&output);
        assert!(told.contains("USER.WORKFLOW.NOT_FOUND"), "{args:?}\n{told}");
        assert!(told.contains(&go), "{args:?}\n{told}");
        assert_eq!(output.status.code(), Some(1), "{args:?}");
    }
    world.file("src/deep/.awf/workflows/other.yaml", GOOD);
    let told = stderr(&awf(&world, &deep, ["run", "deploy"]));
    assert!(!told.contains("cd "), "it is a project of its own\n{told}");
    let alone = World::new();
    alone.file("src/x.txt", "");
    let told = stderr(&awf(&alone, &alone.root().join("src"), ["list"]));
    assert!(told.contains("awf init"), "{told}");
}

#[test]
fn a_file_beside_is_named_by_its_path() {
    let world = World::new();
    world.file("m.yaml", GOOD);
    let output = awf(&world, &world.root(), ["run", "m"]);
    let wanted = "error[USER.WORKFLOW.NOT_FOUND]: there is no workflow `m`\n  hint: for the file beside you write \
                  `./m.yaml`\n";
    assert_eq!((stderr(&output).as_str(), output.status.code()), (wanted, Some(1)));
}

#[test]
fn what_is_printed_is_asked_for_by_either_name() {
    let world = furnished();
    for args in [&["list"][..], &["history"], &["error"], &["tools", "list"], &["activity", "list"]]
    {
        let [one, other] = ["--format", "--output"].map(|flag| {
            let output = awf(&world, &world.root(), [args, &[flag, "json"]].concat());
            assert_eq!(output.status.code(), Some(0), "{args:?}\n{}", stderr(&output));
            json(&output)
        });
        assert_eq!(one, other, "{args:?}");
    }
    // There is no run and no record to show: the flag is known all the same.
    for args in [&["status"][..], &["activity", "show", "x"]] {
        let output = awf(&world, &world.root(), [args, &["--format", "json"]].concat());
        assert!(stderr(&output).starts_with("error["), "{args:?}\n{}", stderr(&output));
    }
    assert_eq!(json(&awf(&world, &world.root(), ["validate", "-f", "json"]))["valid"], true);
}

#[test]
fn a_diagram_is_text_on_stdout_or_in_a_file() {
    let world = World::new();
    world.file(".awf/workflows/deploy.yaml", GOOD);
    let diagram =
        |args: &[&str]| awf(&world, &world.root(), ["diagram", "deploy"].iter().chain(args));
    assert!(stdout(&diagram(&[])).contains("\nflowchart TB\n"), "{}", stdout(&diagram(&[])));
    assert!(stdout(&diagram(&["--direction", "lr"])).contains("\nflowchart LR\n"));
    assert!(stdout(&diagram(&["--format", "dot"])).starts_with("digraph "));
    assert_ne!(stdout(&diagram(&["--highlight", "go"])), stdout(&diagram(&[])));
    assert_eq!(diagram(&["-o", "picture.dot"]).status.code(), Some(0));
    let written = fs::read_to_string(world.root().join("picture.dot")).unwrap();
    assert_eq!(written, stdout(&diagram(&["--format", "dot"])));

    let output = diagram(&["-o", "picture.svg"]);
    let wanted = "error[USER.INPUT.INVALID_FORMAT]: awf writes diagrams as text, not as svg\n  hint: draw it with \
                  Graphviz: `awf diagram deploy --format dot | dot -Tsvg`\n";
    assert_eq!((stderr(&output).as_str(), output.status.code()), (wanted, Some(1)));
    assert!(!Path::new(&world.root()).join("picture.svg").exists());
    let output = diagram(&["--highlight", "og"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("the workflow has no state `og`"));
}
