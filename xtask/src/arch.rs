//! `cargo xtask arch`: who may know whom.
//!
//! Every dependency between crates of the workspace must stand in `arch-rules.toml`, every line of that file must be
//! used by one, and no line can permit what the rings forbid. External crates with one owner are held the same way.

mod edges;
mod externals;
mod graph;
mod ring;
mod rules;

use anyhow::{Context, Result};

use crate::{
    tree,
    violation::{Violation, none_of},
};
use graph::Graph;
use rules::Rules;

const RULES_FILE: &str = "arch-rules.toml";

pub(crate) fn run() -> Result<()> {
    let root = tree::root();
    let text = std::fs::read_to_string(root.join(RULES_FILE))
        .with_context(|| format!("read {RULES_FILE}"))?;
    let rules = Rules::parse(&text)?;
    let graph = Graph::read(&root)?;
    none_of("arch", check(&graph, &rules))?;
    println!("arch: {} crates keep to {RULES_FILE}", graph.members.len());
    Ok(())
}

fn check(graph: &Graph, rules: &Rules) -> Vec<Violation> {
    let mut violations = edges::check(graph, rules);
    violations.extend(externals::check(graph, rules));
    violations.extend(externals::check_calls(graph, rules));
    violations
}

#[cfg(test)]
mod tests;
