//! The workspace as it is: its members, what each depends on, and their shipped sources.

use std::path::Path;

use anyhow::{Context, Result};
use cargo_metadata::{DependencyKind, MetadataCommand, Package};

use crate::tree::{self, TextFile};

#[derive(Debug, Clone)]
pub(crate) struct Graph {
    pub(crate) members: Vec<Member>,
}

#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) name: String,
    /// Its `Cargo.toml`, relative to the workspace root.
    pub(crate) manifest: String,
    pub(crate) edges: Vec<Edge>,
    /// What is compiled into the crate itself: `src/` and `build.rs`, without unit tests.
    pub(crate) sources: Vec<TextFile>,
}

/// A line in a manifest: the package depended upon, by its real name even when renamed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) to: String,
    pub(crate) kind: EdgeKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EdgeKind {
    /// A normal or build dependency.
    Shipped,
    /// A dev-dependency.
    Test,
}

impl Graph {
    /// Declared dependencies suffice, so nothing is resolved and no network is asked.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let metadata = MetadataCommand::new()
            .manifest_path(root.join("Cargo.toml"))
            .no_deps()
            .exec()
            .context("run cargo metadata")?;
        let files = tree::read(root)?;
        let members =
            metadata.packages.iter().map(|package| member(root, package, &files)).collect();
        Ok(Self { members })
    }

    pub(crate) fn member(&self, name: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.name == name)
    }
}

impl Member {
    pub(crate) fn targets(&self, kind: EdgeKind) -> impl Iterator<Item = &str> {
        self.edges.iter().filter(move |edge| edge.kind == kind).map(|edge| edge.to.as_str())
    }
}

fn member(root: &Path, package: &Package, files: &[TextFile]) -> Member {
    let manifest = package.manifest_path.as_std_path();
    let manifest = manifest.strip_prefix(root).unwrap_or(manifest).to_string_lossy().into_owned();
    let folder = manifest.trim_end_matches("Cargo.toml");
    let edges = package.dependencies.iter().map(|dependency| Edge {
        to: dependency.name.clone(),
        kind: match dependency.kind {
            DependencyKind::Development => EdgeKind::Test,
            _ => EdgeKind::Shipped,
        },
    });
    let rust = files.iter().filter(|file| file.is_rust());
    let sources = rust.filter(|file| file.path.strip_prefix(folder).is_some_and(is_shipped));
    Member {
        name: package.name.to_string(),
        edges: edges.collect(),
        sources: sources.cloned().collect(),
        manifest,
    }
}

/// `path` is that of a Rust file, relative to the crate's folder.
fn is_shipped(path: &str) -> bool {
    let unit_test = path.ends_with("/tests.rs") || path.contains("/tests/");
    (path.starts_with("src/") && !unit_test) || path == "build.rs"
}
