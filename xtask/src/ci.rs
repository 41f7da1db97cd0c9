//! `cargo xtask ci`: what the build server runs, in its order, stopping at the first failure.

use anyhow::{Context, Result};

use crate::{
    arch,
    command::{cargo, has_cargo_tool, succeed},
    tidy,
};

type Step = (&'static str, fn() -> Result<()>);

/// The quick ones first, so that a slip in form is told before a long build.
const STEPS: [Step; 8] = [
    ("fmt", fmt),
    ("arch", arch::run),
    ("tidy", tidy::run),
    ("clippy", clippy),
    ("test", test),
    ("doctest", doctest),
    ("doc", doc),
    ("deny", deny),
];

pub(crate) fn run() -> Result<()> {
    for (name, step) in STEPS {
        println!("==> {name}");
        step().with_context(|| format!("ci stopped at {name}"))?;
    }
    println!("ci: all {} steps passed", STEPS.len());
    Ok(())
}

fn fmt() -> Result<()> {
    succeed(cargo(&["fmt", "--all", "--check"]))
}

fn clippy() -> Result<()> {
    succeed(cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]))
}

fn test() -> Result<()> {
    // CI=1 makes a snapshot that differs fail instead of writing a file beside it.
    let mut tests = if has_cargo_tool("nextest") {
        cargo(&["nextest", "run", "--workspace", "--locked"])
    } else {
        println!("cargo-nextest is not installed: running cargo test");
        cargo(&["test", "--workspace", "--all-targets", "--locked"])
    };
    tests.env("CI", "1");
    succeed(tests)
}

fn doctest() -> Result<()> {
    succeed(cargo(&["test", "--workspace", "--doc", "--locked"]))
}

fn doc() -> Result<()> {
    let mut doc = cargo(&["doc", "--workspace", "--no-deps", "--locked"]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    succeed(doc)
}

fn deny() -> Result<()> {
    if !has_cargo_tool("deny") {
        println!("skipped: cargo-deny is not installed (cargo install --locked cargo-deny)");
        return Ok(());
    }
    succeed(cargo(&["deny", "--locked", "check", "bans", "licenses", "sources"]))
}
