//! `cargo xtask soak`: what the build server tries a few times, tried often enough to trust; and every mutant of the rules
//! that decide. Takes an hour rather than minutes.

use anyhow::{Context, Result};

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

pub(crate) fn run() -> Result<()> {
    println!("==> trials");
    trials().context("soak stopped at the trials")?;
    println!("==> agents");
    agents::soak().context("soak stopped at the agents")?;
    println!("==> mutants");
    mutants().context("soak stopped at the mutants")
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
