//! Manifests: lints inherited, versions in one place, no features in internal crates.

use anyhow::{Context, Result};
use toml::{Table, Value};

use crate::{tree::TextFile, violation::Violation};

const DEPENDENCIES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

pub(crate) fn check(files: &[TextFile]) -> Result<Vec<Violation>> {
    let mut violations = Vec::new();
    for file in files.iter().filter(|file| file.path.ends_with("/Cargo.toml")) {
        let manifest: Table = file.text.parse().with_context(|| format!("parse {}", file.path))?;
        violations.extend(check_member(&file.path, &manifest));
    }
    Ok(violations)
}

fn check_member(path: &str, manifest: &Table) -> Vec<Violation> {
    let mut violations = Vec::new();
    if !manifest.get("lints").is_some_and(inherits) {
        violations.push(Violation::in_file(path, "add `[lints]` with `workspace = true`"));
    }
    if manifest.contains_key("features") {
        violations
            .push(Violation::in_file(path, "no features in internal crates: choose at run time"));
    }
    let targets = manifest.get("target").and_then(Value::as_table);
    let tables = targets.into_iter().flat_map(Table::values).filter_map(Value::as_table);
    for table in tables.chain([manifest]) {
        for (name, _) in own_versions(table) {
            let message = format!(
                "`{name}` has its version here: put it in [workspace.dependencies] and write `{name}.workspace = true`"
            );
            violations.push(Violation::in_file(path, message));
        }
    }
    violations
}

fn own_versions(table: &Table) -> impl Iterator<Item = (&String, &Value)> {
    let lists = DEPENDENCIES.iter().filter_map(|kind| table.get(*kind)?.as_table());
    lists.flatten().filter(|(_, dependency)| !inherits(dependency))
}

fn inherits(value: &Value) -> bool {
    value.get("workspace").and_then(Value::as_bool) == Some(true)
}
