//! The schema and the reader, held against each other: what the one refuses the other refuses.

use std::{fs, path::Path};

use awf_core::{Code, Severity};
use jsonschema::Validator;
use serde_json::Value;

use crate::{
    config_schema, parse_script, parse_workflow,
    reader::{CONFIG, Findings, WORKFLOW},
    script_schema, workflow_schema,
    yaml::parse_tree,
};

/// Refusals that are about the shape of a file, which a schema must share.
const STRUCTURAL: &[Code] = &[
    Code::ParseUnknownField,
    Code::ProxyUnknownKey,
    Code::ParseInvalidValue,
    Code::MissingField,
    Code::ConflictingFields,
    Code::MisplacedField,
    Code::InvalidTransition,
];

/// The file as JSON; `None` when it is no tree, or one in which something is lost.
fn json(text: &str) -> Option<Value> {
    let mut findings = Findings::new("f.yaml", &WORKFLOW, "the file");
    let tree = parse_tree(text, &mut findings)?;
    findings.sorted().is_empty().then(|| tree.json())
}

fn workflow_validator() -> Validator {
    jsonschema::validator_for(&workflow_schema()).unwrap()
}

/// Fails when the two disagree on `text`; gives whether it was refused.
fn agree(validator: &Validator, name: &str, text: &str) -> bool {
    let found = parse_workflow(name, text).findings;
    let refused = found.iter().any(|finding| finding.severity == Severity::Error);
    let Some(value) = json(text) else { return refused };
    let schema: Vec<String> = validator
        .iter_errors(&value)
        .map(|error| format!("{} {error}", error.instance_path()))
        .collect();
    if !schema.is_empty() {
        assert!(refused, "only the schema refuses {name}: {schema:#?}\n{text}");
    }
    let structural: Vec<_> =
        found.iter().filter(|finding| STRUCTURAL.contains(&finding.code)).collect();
    if schema.is_empty() {
        assert!(structural.is_empty(), "only the reader refuses {name}: {structural:#?}\n{text}");
    }
    refused
}

/// Every workflow beneath `examples`.
fn examples() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples");
    let mut dirs = vec![root];
    let mut files = Vec::new();
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned());
            if path.is_dir() && path.file_name().is_some_and(|name| name != ".awf") {
                dirs.push(path);
            } else if matches!(ending.as_deref(), Some("yaml" | "yml")) {
                files.push((path.display().to_string(), fs::read_to_string(path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

/// A workflow in which every key that has an effect stands once.
const EVERYTHING: &str = include_str!("tests/everything.yaml");

#[test]
fn every_example_is_judged_alike() {
    let validator = workflow_validator();
    let examples = examples();
    assert!(examples.len() > 40, "{examples:?}");
    for (name, text) in examples {
        // What scripted agents say is another kind of file.
        if !text.lines().any(|line| line.starts_with("turns:") || line.starts_with("steps:")) {
            agree(&validator, &name, &text);
        }
    }
}

#[test]
fn every_key_is_known_to_both_and_documented() {
    let parsed = parse_workflow("everything.yaml", EVERYTHING);
    assert_eq!(parsed.findings, []);
    assert!(!agree(&workflow_validator(), "everything.yaml", EVERYTHING));
    for schema in [workflow_schema(), script_schema(), config_schema()] {
        for (name, object) in schema["$defs"].as_object().unwrap() {
            for (key, property) in object["properties"].as_object().unwrap() {
                let about = property["description"].as_str().unwrap_or_default();
                assert!(about.len() > 5, "{name}.{key} is not described");
                let without_effect = property.get("deprecated").or(property.get("not")).is_some();
                let written = EVERYTHING.contains(&format!("{key}:"));
                let of_workflow = schema["title"] == "awf workflow";
                assert!(!of_workflow || without_effect || written, "{name}.{key} is not tried");
            }
        }
    }
}

#[test]
fn both_judge_every_row_alike() {
    let validator = workflow_validator();
    for row in include_str!("tests/rows.txt").lines().filter(|row| !row.starts_with('#')) {
        let Some((verdict, state)) = row.split_once(' ') else { continue };
        let text = if state.starts_with("TOP ") {
            state.trim_start_matches("TOP ").replace('~', "\n")
        } else {
            format!("states:\n  s: {state}\n")
        };
        let refused = agree(&validator, row, &text);
        assert_eq!(refused, verdict == "no", "{row}: {:#?}", parse_workflow("f", &text).findings);
    }
}

/// Numbers that are the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides.max(1)
    }
}

/// The text with one to three mistakes of the kind people and disks make.
fn mutated(text: &str, dice: &mut Dice) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..=dice.roll(3) {
        let at = dice.roll(lines.len());
        match dice.roll(7) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[at].clone()),
            2 => lines[at].insert_str(0, "  "),
            3 => lines[at] = lines[at].strip_prefix("  ").unwrap_or(&lines[at]).to_owned(),
            4 => {
                let other = dice.roll(lines.len());
                lines.swap(at, other);
            }
            5 => {
                let broken = [":", ": [", ": {", ": &a ", ": *a"][dice.roll(5)];
                lines[at] = lines[at].replacen(": ", broken, 1);
            }
            _ => {
                let mut bytes = std::mem::take(&mut lines[at]).into_bytes();
                let byte = dice.roll(bytes.len());
                if let Some(byte) = bytes.get_mut(byte) {
                    *byte ^= 1 << dice.roll(7);
                }
                lines[at] = String::from_utf8_lossy(&bytes).into_owned();
            }
        }
        if lines.is_empty() {
            break;
        }
    }
    lines.join("\n")
}

#[test]
fn mistakes_of_every_kind_are_told_inside_the_file() {
    let validator = workflow_validator();
    let mut seeds: Vec<String> = examples().into_iter().map(|(_, text)| text).collect();
    seeds.retain(|text| !text.is_empty());
    seeds.push(EVERYTHING.to_owned());
    let mut dice = Dice(20);
    let mut refused = 0;
    for round in 0..2_000 {
        let seed = dice.roll(seeds.len());
        let text = mutated(&seeds[seed], &mut dice);
        let parsed = parse_workflow("f.yaml", &text);
        let lines = text.lines().count() + 1;
        for finding in &parsed.findings {
            let span = finding.span.as_ref().unwrap();
            let within = span.line >= 1 && span.line <= lines && span.column >= 1;
            let forward = (span.line, span.column) < (span.end_line, span.end_column);
            assert!(within && forward && span.end_line <= lines, "{round}: {finding:?}\n{text}");
        }
        refused += usize::from(!parsed.findings.is_empty());
        agree(&validator, &format!("round {round}"), &text);
        drop(parse_script("f.yaml", &text));
    }
    assert!(refused > 500, "the mutations are too mild: {refused}");
}

#[test]
fn scripts_are_judged_alike() {
    let validator = jsonschema::validator_for(&script_schema()).unwrap();
    let rows = [
        ("turns: []", true),
        ("steps: {a: [{say: x}]}", true),
        (
            "turns:\n- {say: x, call: Read, arguments: {a: [1]}, expect: {contains: [a, b], error: true}}",
            true,
        ),
        ("turns:\n- calls: [{tool: Read, expect: {contains: a, refused: true}}]", true),
        ("turns:\n- fail: x", true),
        ("{}", false),
        ("turns:\n- {}", false),
        ("turns:\n- {call: a, calls: []}", false),
        ("turns:\n- {fail: a, call: b}", false),
        ("turns:\n- {say: a, arguments: {}}", false),
        ("turns:\n- {calls: [{}]}", false),
        ("turns:\n- {call: a, expect: {contain: x}}", false),
        ("turns:\n- {call: a, expect: {error: 'true'}}", false),
        ("turns:\n- {call: a, arguments: [1]}", false),
        ("turn: []\nturns: []", false),
        ("steps: [a]", false),
    ];
    for (text, good) in rows {
        assert_eq!(parse_script("s.yaml", text).is_ok(), good, "{text}");
        assert_eq!(validator.is_valid(&json(text).unwrap()), good, "{text}");
    }
}

#[test]
fn configurations_are_judged_alike() {
    let validator = jsonschema::validator_for(&config_schema()).unwrap();
    let rows = [
        ("{}", true),
        ("inputs: {a: 1, b: x}\ntelemetry: {exporter: x, service_name: y}", true),
        ("tools: {allow: read, roots: [a]}\nactivity: {enabled: true, durability: power}", true),
        (
            "intent_declaration: {mode: two_key, strict_server_validation: true, unannotated: write}",
            true,
        ),
        ("tools: {alow: read}", false),
        ("tools: {allow: all}", false),
        ("activity: {enabled: yes}", false),
        ("inputs: {a: [1]}", false),
        ("notify: {}", false),
        ("mcpServers: {}", true),
        ("mcpServers: {a: {command: x, args: [y], env: {A: b}, cwd: c}}\non_bypass: fail", true),
        ("mcpServers: {a: {args: [y]}}", false),
        (
            "mcpServers: {a: {url: 'https://h/mcp', headers: {A: b}, type: http, enabled: false}}",
            true,
        ),
        ("mcpServers: [{name: a, command: x, working_dir: d, protocol: auto}]", true),
        ("mcpServers: [{command: x}]", false),
        ("mcpServers: [x]", false),
        ("mcpServers: x", false),
        ("mcpServers: {a: {url: 'https://h', args: [y]}}", false),
        ("mcpServers: {a: {command: x, headers: {A: b}}}", false),
        ("mcpServers: {a: {command: x, type: sse}}", false),
        ("mcpServers: {a: {command: x, oauth: {}}}", false),
        ("mcpServers: {a: {command: x, quarantined: false}}", false),
        ("mcpServers: {a: {command: x, comand: y}}", false),
        ("intent_declaration: {annotations_max_age: 1500ms}", true),
        ("intent_declaration: {annotations_max_age: 0}", true),
        ("intent_declaration: {annotations_max_age: soon}", false),
        ("mcpServers: {a: {command: x, url: 'http://h'}}", false),
        ("on_bypass: never", false),
        ("telemetry: {exporter: }", false),
    ];
    for (text, good) in rows {
        let mut findings = Findings::new("c.yaml", &CONFIG, "the configuration");
        let tree = parse_tree(text, &mut findings).unwrap();
        assert_eq!(validator.is_valid(&tree.json()), good, "{text}");
        let dir = tempfile::TempDir::new().unwrap();
        let file = dir.path().join("config.yaml");
        fs::write(&file, text).unwrap();
        let files = crate::SettingsFiles { user: Some(file), ..Default::default() };
        assert_eq!(crate::load_settings(&files).is_ok(), good, "{text}");
    }
}
