//! The documents, taken at their word: every command is run, every shown output compared, every link followed.
//!
//! What a fenced block is follows from its info string:
//!
//! | info string | what is done with it |
//! |---|---|
//! | `sh` | each command is run and must exit with 0, or as its comment `# exits N` says |
//! | `console` | the same for each `$ command`, and what it prints must be what is shown |
//! | `console stdout` | the same, and only stdout is shown: logs are read elsewhere |
//! | `yaml NAME`, `json NAME` | a configuration: written to NAME, and `awf tools list` must take it |
//! | `yaml NAME fails` | the same, and it must be refused |
//! | `yaml workflow NAME` | written to `.awf/workflows/NAME`, and `awf validate --strict` must find nothing |
//! | `yaml workflow NAME fails` | the same, and it must find something |
//! | `yaml file NAME` | written to NAME, for the commands that follow |
//! | `sh manual`, `json agent`, `toml agent`, `text` | not run, and counted in [`NOT_RUN`] |

use std::{collections::BTreeMap, fs, thread};

use crate::world::World;

mod likeness;
mod page;
mod stage;

use page::{Block, Page};
use stage::Stage;

/// Blocks that no test can run: `(page, info string, how many)`. A new one is a decision, so it is made here.
const NOT_RUN: [(&str, &str, usize); 16] = [
    ("ARCHITECTURE.md", "text", 1),
    ("CONTRIBUTING.md", "sh manual", 2),
    ("CONTRIBUTING.md", "text", 1),
    ("README.md", "json agent", 1),
    ("README.md", "sh manual", 2),
    ("docs/activity.md", "text", 1),
    ("docs/clients.md", "json agent", 12),
    ("docs/clients.md", "sh manual", 2),
    ("docs/clients.md", "toml agent", 3),
    ("docs/gateway.md", "json agent", 3),
    ("docs/gateway.md", "sh manual", 1),
    ("docs/gateway.md", "text", 2),
    ("docs/mcp.md", "json agent", 1),
    ("docs/page.md", "sh manual", 2),
    ("docs/rest.md", "sh manual", 2),
    ("docs/validate.md", "text", 1),
];

#[test]
fn every_command_and_example_works_as_shown() {
    let pages = page::all();
    let faults: Vec<String> = thread::scope(|scope| {
        let played: Vec<_> = pages.iter().map(|page| scope.spawn(|| play(page))).collect();
        played.into_iter().flat_map(|page| page.join().unwrap()).collect()
    });
    assert!(faults.is_empty(), "{} faults\n\n{}", faults.len(), faults.join("\n\n"));
    let run = pages.iter().flat_map(Page::blocks).filter(Block::is_run).count();
    assert!(run > 30, "only {run} blocks were found: are the documents read at all?");
}

/// Plays a page from top to bottom, and says what was not as it says.
fn play(page: &Page) -> Vec<String> {
    let blocks: Vec<Block> = page.blocks().filter(Block::is_run).collect();
    if blocks.is_empty() {
        return Vec::new();
    }
    let stage = Stage::new();
    let faults = blocks.iter().flat_map(|block| stage.play(block));
    faults.map(|fault| format!("{}: {fault}", page.path)).collect()
}

#[test]
fn what_is_not_run_is_known() {
    let mut found: BTreeMap<(String, String), usize> = BTreeMap::new();
    for page in page::all() {
        for block in page.blocks().filter(|block| !block.is_run()) {
            println!("not run: {}:{} ```{}", page.path, block.line, block.info);
            *found.entry((page.path.clone(), block.info)).or_default() += 1;
        }
    }
    let found: Vec<(&str, &str, usize)> =
        found.iter().map(|((path, info), count)| (path.as_str(), info.as_str(), *count)).collect();
    assert_eq!(found, NOT_RUN);
}

#[test]
fn every_link_leads_somewhere() {
    let pages: BTreeMap<String, Page> =
        page::all().into_iter().map(|page| (page.path.clone(), page)).collect();
    let mut broken = Vec::new();
    for page in pages.values() {
        for link in page.links() {
            let (path, anchor) = link.split_once('#').unwrap_or((link.as_str(), ""));
            let target = if path.is_empty() { page.path.clone() } else { page.beside(path) };
            let anchored =
                || pages.get(&target).is_some_and(|page| page.anchors().any(|one| one == anchor));
            if !page::root().join(&target).exists() || (!anchor.is_empty() && !anchored()) {
                broken.push(format!("{}: {link}", page.path));
            }
        }
    }
    assert_eq!(broken, Vec::<String>::new());
}

#[test]
fn every_configuration_key_is_explained() {
    let page = page::read("docs/configuration.md");
    let world = World::new();
    for (before, typed) in [
        ("", "qqq: 1"),
        ("tools.", "tools: {qqq: 1}"),
        ("intent_declaration.", "intent_declaration: {qqq: 1}"),
        ("activity.", "activity: {qqq: 1}"),
    ] {
        let file = world.file("keys.yaml", typed);
        let output = world.awf(["tools", "list", "--config", file.to_str().unwrap()]);
        let complaint = String::from_utf8(output.stderr).unwrap();
        let (_, known) = complaint.trim_end().split_once("known keys here: ").unwrap();
        let blocks = ["tools", "intent_declaration", "activity"];
        for key in known.split(", ").filter(|key| !blocks.contains(key)) {
            let row = format!("\n| `{before}{key}` |");
            assert!(page.text.contains(&row), "no row for `{before}{key}`");
        }
    }
}

#[test]
fn every_tool_argument_is_explained() {
    let page = page::read("docs/tools.md");
    let world = World::new();
    world.file("only.yaml", "root: .\n");
    let tools = world.awf_json(["tools", "list", "-o", "json", "--config", "only.yaml"]);
    for tool in tools.as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        let section = page.section(name).unwrap_or_else(|| panic!("no section `{name}`"));
        for argument in tool["inputSchema"]["properties"].as_object().unwrap().keys() {
            let explained = section
                .lines()
                .any(|line| line.starts_with('|') && line.contains(&format!("`{argument}`")));
            assert!(explained, "no row for `{argument}` of {name}");
        }
    }
}

#[test]
fn every_xtask_command_named_exists() {
    let source = fs::read_to_string(page::root().join("xtask/src/main.rs")).unwrap();
    for page in page::all() {
        for rest in page.text.split("cargo xtask ").skip(1) {
            let command: String = rest.chars().take_while(char::is_ascii_lowercase).collect();
            let known = source.contains(&format!("[\"{command}\""));
            assert!(known || command.is_empty(), "{}: no `cargo xtask {command}`", page.path);
        }
    }
}

#[test]
fn every_test_named_as_a_proof_exists() {
    for page in ["docs/conformance-f099.md", "docs/conformance-018.md"].map(page::read) {
        let named: Vec<(&str, &str)> =
            page.text.split('`').filter_map(|word| word.split_once(".rs::")).collect();
        assert!(named.len() > 15, "only {} tests are named", named.len());
        for (file, test) in named {
            let text = fs::read_to_string(page::root().join(format!("{file}.rs")));
            let text = text.unwrap_or_else(|error| panic!("{file}.rs: {error}"));
            let attribute = text.split(&format!("fn {test}(")).next().unwrap_or_default();
            let tested = attribute.rsplit('\n').take(3).any(|line| line.contains("test"));
            assert!(attribute.len() < text.len() && tested, "no test `{test}` in {file}.rs");
        }
    }
}

/// Every requirement of spec 018 has a row.
#[test]
fn every_requirement_of_018_is_accounted_for() {
    let page = page::read("docs/conformance-018.md");
    let requirements = (1..=42).map(|number| format!("FR-{number:03}"));
    let measures = (1..=8).map(|number| format!("SC-{number:03}"));
    for id in requirements.chain(measures) {
        let rows = page.text.lines().filter(|line| line.starts_with(&format!("| {id} |"))).count();
        assert_eq!(rows, 1, "rows of {id}");
    }
}

#[test]
fn the_first_page_is_short_and_says_what_awf_is_not() {
    let readme = page::read("README.md");
    assert!(readme.text.lines().count() < 120);
    assert!(readme.text.contains("awf is not a sandbox: Bash can do what the user can"));
}

/// A block by its place, for messages.
fn place(block: &Block) -> String {
    format!("line {}", block.line)
}
