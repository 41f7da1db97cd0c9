//! `arch-rules.toml`, parsed.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rules {
    /// Crate by crate: which crates of the workspace it uses.
    pub(crate) crates: BTreeMap<String, Permit>,
    /// External crates with owners. The key may end in `*`.
    pub(crate) external: BTreeMap<String, Permit>,
    /// Functions with owners: the text to look for in shipped code, and the crates that may say it.
    pub(crate) calls: BTreeMap<String, Vec<String>>,
}

/// Who, in shipped code and in tests. An empty list permits nobody.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Permit {
    #[serde(default)]
    pub(crate) ships: Vec<String>,
    #[serde(default)]
    pub(crate) tests: Vec<String>,
}

impl Rules {
    pub(crate) fn parse(text: &str) -> Result<Self> {
        toml::from_str(text).context("parse arch-rules.toml")
    }
}

/// Whether the key of an `[external]` line names this package.
pub(crate) fn names(key: &str, package: &str) -> bool {
    match key.strip_suffix('*') {
        Some(prefix) => package.starts_with(prefix),
        None => key == package,
    }
}
