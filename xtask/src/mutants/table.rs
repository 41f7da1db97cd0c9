//! The list of damages, as data.

use std::{fs, path::Path};

use anyhow::{Context, Result};
use serde::Deserialize;

pub(crate) const FILE: &str = "xtask/data/mutants.toml";

/// One damage, and who must notice it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mutant {
    /// The requirement, with a letter where it has several.
    pub(crate) id: String,
    /// What is broken, in a few words.
    pub(crate) damage: String,
    /// Relative to the workspace's root.
    pub(crate) file: String,
    /// An expression that stands once in the file.
    pub(crate) original: String,
    /// What stands in its place, of the same type.
    pub(crate) mutated: String,
    /// `path/of/file.rs::test`, as the page of requirements names it.
    pub(crate) test: String,
}

pub(crate) fn read(root: &Path) -> Result<Vec<Mutant>> {
    #[derive(Deserialize)]
    struct Table {
        mutant: Vec<Mutant>,
    }
    let text = fs::read_to_string(root.join(FILE)).with_context(|| format!("read {FILE}"))?;
    let table: Table = toml::from_str(&text).with_context(|| format!("parse {FILE}"))?;
    Ok(table.mutant)
}
