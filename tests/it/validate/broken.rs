//! The broken examples: what is said of each is written beside it, and each code that `awf validate` gives has one.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use serde_json::Value;

use crate::{
    validate::{awf, examples, json, stderr, stdout},
    world::World,
};

/// Codes that no workflow file can bring about, by their beginnings, and why. Any other code needs an example: a new code
/// must be placed here or get one.
const NOT_OF_A_FILE: [(&str, &str); 29] = [
    ("USER.MCP_PROXY.INFINITE_LOOP_GUARD", "a model does it, during a run"),
    ("USER.INTENT.", "a call is refused, not a file"),
    ("USER.SERVER.NOT_APPROVED", "the servers a person approved"),
    ("EXECUTION.SERVER.", "a server, when it is needed"),
    ("SYSTEM.SERVE.", "an address"),
    ("USER.CONFIG.UNREADABLE", "the permissions of a file are not kept in the repository"),
    ("USER.CONFIG.UNSUPPORTED", "a configuration of `awf mcp-serve`"),
    ("USER.CONFIG.CONFLICT", "the configurations of a user and a project"),
    ("USER.INPUT.INVALID_FORMAT", "the command line"),
    ("USER.INPUT.INVALID_JSON", "the command line"),
    ("USER.INPUT.VALIDATION_FAILED", "the values of a run"),
    ("USER.INPUT.MISSING_VARIABLE", "the environment of a run"),
    ("USER.INPUT.ALREADY_EXISTS", "`awf init`"),
    ("USER.RUN.", "a run"),
    ("USER.WORKFLOW.NOT_FOUND", "the command line"),
    ("USER.PLUGIN.UNKNOWN", "the command line"),
    ("WORKFLOW.VALIDATION.PLUGIN_FINDING", "a plugin that runs: `awf validate --with-plugins`"),
    ("EXECUTION.COMMAND.", "a run"),
    ("EXECUTION.PARALLEL.", "a run"),
    ("EXECUTION.AGENT.", "a run"),
    ("EXECUTION.OPERATION.", "a run"),
    ("EXECUTION.TEMPLATE.", "a run"),
    ("EXECUTION.HOOK.", "a run"),
    ("EXECUTION.WORKFLOW.FAILED", "a run"),
    ("EXECUTION.PROXY.", "a run"),
    ("EXECUTION.SCRIPT.", "a run"),
    ("EXECUTION.PLUGIN.", "a run"),
    ("USER.ACTIVITY.", "the activity log"),
    ("SYSTEM.", "the machine"),
];

/// An example: the name of its file or folder, without an ending, which is its code.
fn all() -> BTreeSet<String> {
    let entries = fs::read_dir(examples().join("broken")).unwrap();
    let expected =
        entries.map(|entry| entry.unwrap().path()).filter(|path| has_ending(path, "txt"));
    expected.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|own| own == ending)
}

/// The example's file, or its folder where one file is not enough.
fn target(stem: &str) -> String {
    let file = format!("{stem}.yaml");
    if examples().join("broken").join(&file).is_file() { file } else { stem.to_owned() }
}

fn kebab(code: &str) -> String {
    code.to_lowercase().replace(['.', '_'], "-")
}

#[test]
fn every_broken_example_is_told_as_written_beside_it() {
    let world = World::new();
    let broken = examples().join("broken");
    for stem in all() {
        let target = target(&stem);
        let output = awf(&world, &broken, ["validate", &target]);
        let expected = fs::read_to_string(broken.join(format!("{stem}.txt"))).unwrap();
        assert_eq!(stdout(&output), expected, "{stem}");
        let exit = if expected.starts_with("warning") { 0 } else { 2 };
        assert_eq!(output.status.code(), Some(exit), "{stem}");
        assert_eq!(awf(&world, &broken, ["validate", "--strict", &target]).status.code(), Some(2));
    }
}

#[test]
fn every_broken_example_is_about_its_own_code_and_marks_a_place() {
    let world = World::new();
    let broken = examples().join("broken");
    for stem in all() {
        let document =
            json(&awf(&world, &broken, ["validate", &target(&stem), "--format", "json"]));
        let findings = document["diagnostics"].as_array().unwrap();
        assert!(!findings.is_empty(), "{stem}");
        for finding in findings {
            assert_eq!(kebab(finding["code"].as_str().unwrap()), stem);
            let line = line_of(&broken, finding);
            let number = |key: &str| usize::try_from(finding[key].as_u64().unwrap()).unwrap();
            let within = number("end_column") <= line.chars().count() + 1;
            assert!(number("column") < number("end_column") && within, "{stem}: {finding}");
            assert_eq!(number("line"), number("end_line"), "{stem}: {finding}");
        }
    }
}

fn line_of(broken: &Path, finding: &Value) -> String {
    let text = fs::read_to_string(broken.join(finding["file"].as_str().unwrap())).unwrap();
    let line = usize::try_from(finding["line"].as_u64().unwrap()).unwrap();
    text.lines().nth(line - 1).unwrap().to_owned()
}

#[test]
fn every_code_has_an_example_or_a_reason_to_have_none() {
    let world = World::new();
    let codes = json(&awf(&world, &world.root(), ["error", "-o", "json"]));
    let mut reasons: BTreeMap<&str, usize> =
        NOT_OF_A_FILE.iter().map(|(beginning, _)| (*beginning, 0)).collect();
    let mut examples = all();
    for code in codes.as_array().unwrap() {
        let name = code["code"].as_str().unwrap();
        let exempt = NOT_OF_A_FILE.iter().find(|(beginning, _)| name.starts_with(beginning));
        let example = examples.remove(&kebab(name));
        assert!(example != exempt.is_some(), "{name} has neither an example nor a reason, or both");
        assert_eq!(code.get("example").is_some(), example, "`awf error {name}` and its example");
        if let Some((beginning, _)) = exempt {
            *reasons.get_mut(beginning).unwrap() += 1;
        }
    }
    assert_eq!(examples, BTreeSet::new(), "examples of no code");
    reasons.retain(|_, used| *used == 0);
    assert_eq!(reasons, BTreeMap::new(), "reasons for no code");
}

#[test]
fn every_example_is_linked_on_the_page_of_its_code() {
    let docs = examples().parent().unwrap().join("docs/codes");
    for stem in all() {
        let family = stem_of_family(&stem);
        let page = fs::read_to_string(docs.join(format!("{family}.md"))).unwrap();
        let link = format!("(../../examples/broken/{stem}.txt)");
        assert!(page.contains(&link), "{family}.md: link {link}");
    }
}

/// The page of a code: its first two words, which is the longest page name that its own name begins with.
fn stem_of_family(stem: &str) -> String {
    let docs = examples().parent().unwrap().join("docs/codes");
    let pages = fs::read_dir(docs).unwrap().map(|entry| entry.unwrap().path());
    let names = pages.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned());
    names.filter(|name| stem.starts_with(&format!("{name}-"))).max_by_key(String::len).unwrap()
}

#[test]
fn a_code_is_explained_by_name_by_beginning_and_by_likeness() {
    let world = World::new();
    let error = |args: &[&str]| awf(&world, &world.root(), ["error"].iter().chain(args));
    let output = error(&["user.mcp_proxy.empty_proxy"]);
    let expected = include_str!("expected/error.txt");
    assert_eq!((stdout(&output).as_str(), output.status.code()), (expected, Some(0)));

    let explained = json(&error(&["USER.RUN.NOT_FOUND", "-o", "json"]));
    let expected = serde_json::json!({
        "code": "USER.RUN.NOT_FOUND",
        "severity": "error",
        "description": "no run has that id",
        "resolution": "run `awf history` for the ids",
        "docs": "docs/codes/user-run.md",
    });
    assert_eq!(explained, expected);

    let family = stdout(&error(&["USER.MCP_PROXY"]));
    assert_eq!(family.lines().count(), 9, "{family}");
    assert!(family.starts_with("CODE "), "{family}");

    let output = error(&["USER.MCP_PROXY.EMTY_PROXY"]);
    let expected = "error[USER.INPUT.INVALID_FORMAT]: there is no code `USER.MCP_PROXY.EMTY_PROXY`\n  hint: \
                    did you mean `USER.MCP_PROXY.EMPTY_PROXY`?\n";
    assert_eq!((stderr(&output).as_str(), output.status.code()), (expected, Some(1)));
    let output = awf(&world, &world.root(), ["explain", "qqqq"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("run `awf error` for all codes"));
}
