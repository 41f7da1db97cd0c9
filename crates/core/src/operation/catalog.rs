//! The plugins of a project, as far as they are known without starting one.

use std::{path::PathBuf, time::Duration};

use serde_json::{Map, Value};

use crate::{
    annotations::Annotations,
    diagnostic::Span,
    operation::{OperationSchema, StepType},
};

/// Where a plugin is known from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PluginOrigin {
    /// `.awf/plugins.yaml`.
    #[default]
    Declared,
    /// Its manifest, in this directory.
    Found(PathBuf),
    /// It is part of awf.
    Included,
}

/// A plugin, as declared by `.awf/plugins.yaml`, found by its manifest, or part of awf.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PluginEntry {
    /// Its name.
    pub name: String,
    /// Where it is known from.
    pub origin: PluginOrigin,
    /// Where it is declared, or its manifest names it.
    pub span: Option<Span>,
    /// Its version, where its manifest says one.
    pub version: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// How it is started; empty when the entry only declares it.
    pub command: Vec<PathBuf>,
    /// Whether it is switched on.
    pub enabled: bool,
    /// `sha256:…` of its binary, where one is given.
    pub checksum: Option<String>,
    /// How long a call may take, where the project says so.
    pub timeout: Option<Duration>,
    /// What it is configured with.
    pub config: Map<String, Value>,
    /// Its operations, where they are declared or locked; `None` is not known.
    pub operations: Option<Vec<OperationSchema>>,
    /// Its step types, where they are declared or locked; `None` is not known.
    pub step_types: Option<Vec<StepType>>,
    /// A finding says already why no more is known of it.
    pub doubted: bool,
    /// What its operations are said to do, by operation.
    pub annotations: Vec<(String, Annotations)>,
}

impl PluginEntry {
    /// What an operation is said to do: by the project, else by the plugin itself.
    pub fn annotations_of(&self, operation: &OperationSchema) -> Annotations {
        let said = self.annotations.iter().find(|(name, _)| *name == operation.name);
        said.map_or_else(|| operation.annotations.clone(), |(_, said)| said.clone())
    }
}

/// Every plugin known without starting one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PluginCatalog {
    /// In the order found; names are unique.
    pub plugins: Vec<PluginEntry>,
}

impl PluginCatalog {
    /// The plugin of that name.
    pub fn plugin(&self, name: &str) -> Option<&PluginEntry> {
        self.plugins.iter().find(|plugin| plugin.name == name)
    }
}
