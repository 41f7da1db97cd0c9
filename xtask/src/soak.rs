//! `cargo xtask soak`: what the build server tries a few times, tried often enough to trust: random trials, signals to
//! real agents; and every mutant of the rules that decide. Takes an hour rather than minutes.

use anyhow::{Context, Result, bail};

use crate::{
    command::{cargo, has_cargo_tool, succeed},
    peers::agents,
};

/// Asks for large numbers: our own trials by the first, proptest's by the second.
const SOAK: [(&str, &str); 2] = [("AWF_SOAK", "1"), ("PROPTEST_CASES", "20000")];

/// Where a surviving mutant would be a decision that no test holds: files of awf-core.
const DECIDING: [&str; 5] = [
    "crates/core/src/annotations.rs",
    "crates/core/src/intent.rs",
    "crates/core/src/intent/**",
    "crates/core/src/tool_set.rs",
    "crates/core/src/tool_set/**",
];

struct Part {
    name: &'static str,
    run: fn() -> Result<()>,
}

const PARTS: [Part; 3] = [
    Part { name: "trials", run: trials },
    Part { name: "agents", run: agents::soak },
    Part { name: "mutants", run: mutants },
];

/// Runs the parts with these names, or all if there are none.
pub(crate) fn run(names: &[&str]) -> Result<()> {
    if let Some(unknown) = names.iter().find(|name| PARTS.iter().all(|part| part.name != **name)) {
        let known = PARTS.map(|part| part.name).join(", ");
        bail!("soak has no part `{unknown}`; there are {known}");
    }
    for part in PARTS.iter().filter(|part| names.is_empty() || names.contains(&part.name)) {
        println!("==> {}", part.name);
        (part.run)().with_context(|| format!("soak stopped at the {}", part.name))?;
    }
    Ok(())
}

/// The profile gives a test more time than it may take with few trials.
fn trials() -> Result<()> {
    let mut tests = if has_cargo_tool("nextest") {
        cargo(&["nextest", "run", "--workspace", "--locked", "--profile", "soak"])
    } else {
        println!("cargo-nextest is not installed: running cargo test");
        cargo(&["test", "--workspace", "--all-targets", "--locked"])
    };
    tests.envs(SOAK).env("CI", "1");
    succeed(tests)
}

fn mutants() -> Result<()> {
    if !has_cargo_tool("mutants") {
        println!("skipped: cargo-mutants is not installed (cargo install --locked cargo-mutants)");
        return Ok(());
    }
    let mut mutants = cargo(&["mutants", "--package", "awf-core", "--output", "target/mutants"]);
    mutants.args(DECIDING.iter().flat_map(|files| ["--file", files]));
    succeed(mutants)
}
