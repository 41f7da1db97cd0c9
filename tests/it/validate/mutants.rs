//! Valid files, damaged at random a thousand times: nothing crashes, nothing runs, nothing takes a second.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use crate::{
    random::Random,
    trials,
    validate::{command, examples, stderr},
    world::World,
};

/// Files checked by one process. A group within a second proves each of its files to be.
const GROUP: usize = 50;
const LIMIT: Duration = Duration::from_secs(1);

/// What damage is made of: words that mean something in YAML, templates, expressions or workflows.
const SHARDS: [&str; 40] = [
    "{{",
    "}}",
    "{{.inputs.",
    "{{.states.",
    "{{range",
    "{{end}}",
    "&a ",
    "*a",
    "<<: *a",
    "!!binary ",
    "- ",
    ": ",
    "|\n",
    ">-\n",
    "\"",
    "'",
    "[",
    "]",
    "{",
    "}",
    "#",
    "\t",
    "\r\n",
    "\u{0}",
    "\u{feff}",
    "\u{202e}",
    "漢",
    "---\n",
    "...\n",
    "? ",
    "type: agent\n",
    "mcp_proxy:\n",
    "999999999999999999999",
    "-1",
    ".nan",
    "~",
    "on_success: ",
    "retry: {max_attempts: 0}",
    "while: \"((((((((((((((((((((((((\"",
    "items: \"{{range",
];

/// A workflow that would leave `marker` behind if anything of it were run, and the plugin it names.
fn bait(world: &World, marker: &Path) -> String {
    let touch = format!("touch {}", marker.display());
    world.file(
        ".awf/plugins.yaml",
        format!(
            "plugins:\n  - name: bait\n    command: [sh, -c, '{touch}']\n    operations: [bite]\n"
        ),
    );
    format!(
        "name: bait\nenv: [HOME]\nstates:\n  initial: a\n  a:\n    type: command\n    command: {touch}\n    hooks: {{pre: [{{command: \
         '{touch}'}}]}}\n    on_success: b\n  b:\n    type: operation\n    operation: bait.bite\nhooks:\n  workflow_start:\n    - \
         command: {touch}\n"
    )
}

fn valid_files() -> Vec<String> {
    let folders = ["f099", "language"].map(|folder| examples().join(folder));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut paths: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn damaged_files_are_told_and_never_run() {
    let world = World::new();
    let marker = world.beside("marker");
    let mut valid = valid_files();
    let bait = bait(&world, &marker);
    world.file("bait.yaml", &bait);
    let output = command(&world, &world.root(), ["validate", "bait.yaml"]).output();
    assert_eq!(output.unwrap().status.code(), Some(0), "the bait must be one that could run");
    valid.extend(vec![bait; 3]);
    // The same thousand each time, so that a red build is red for everybody; a soak looks further.
    let count = trials(1000, 20_000);
    let mut random = if count > 1000 { Random::from_time() } else { Random::seeded(99) };
    for group in 0..count / GROUP {
        let folder = format!("group{group}");
        for at in 0..GROUP {
            let mutant = mutated(pick(&mut random, &valid).as_bytes(), &mut random);
            world.file(&format!("{folder}/{at}.yaml"), mutant);
        }
        let (time, _) = timed(&world, &folder);
        if time > LIMIT {
            // The machine may be busy: only a file that is slow by itself is a fault.
            for at in 0..GROUP {
                let file = format!("{folder}/{at}.yaml");
                let (time, text) = timed(&world, &file);
                assert!(time < LIMIT, "{time:?} for\n{text}");
            }
        }
        fs::remove_dir_all(world.root().join(&folder)).unwrap();
    }
    assert!(!marker.exists(), "something was run");
}

/// Validates, and says how long it took; anything but "valid" or "not valid" is a fault.
fn timed(world: &World, target: &str) -> (Duration, String) {
    let begin = Instant::now();
    let output = command(world, &world.root(), ["validate", target]).output().unwrap();
    let time = begin.elapsed();
    let text = fs::read_to_string(world.root().join(target)).unwrap_or_default();
    let exit = output.status.code();
    assert!(matches!(exit, Some(0 | 2)), "exit {exit:?} for {target}\n{}\n{text}", stderr(&output));
    (time, text)
}

fn pick<'a, T>(random: &mut Random, from: &'a [T]) -> &'a T {
    &from[below(random, from.len())]
}

fn below(random: &mut Random, bound: usize) -> usize {
    usize::try_from(random.below(bound.max(1).try_into().unwrap())).unwrap()
}

/// One to four damages: a byte, a stretch, a line, or something put in.
fn mutated(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..=below(random, 4) {
        let at = below(random, bytes.len());
        let end = (at + 1 + below(random, 30)).min(bytes.len());
        match below(random, 7) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let stretch = bytes[at..end].to_vec();
                let to = below(random, bytes.len());
                bytes.splice(to..to, stretch);
            }
            2 => bytes[at..end].reverse(),
            3 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
            4 => bytes.truncate(at),
            _ => drop(bytes.splice(at..at, pick(random, &SHARDS).bytes())),
        }
    }
    bytes
}
