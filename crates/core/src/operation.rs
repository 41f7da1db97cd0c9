//! Operations of plugins: what one is, what is known of them without starting anything; and their port.

use std::path::PathBuf;

use async_trait::async_trait;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::{annotations::Annotations, tool::TraceContext};

/// What an operation takes and gives.
#[derive(Clone, Debug, PartialEq)]
pub struct OperationSchema {
    /// Its name within the plugin.
    pub name: String,
    /// What it does.
    pub description: String,
    /// What it takes.
    pub inputs: Vec<OperationInput>,
    /// The names of what it gives, with what they are.
    pub outputs: Vec<(String, String)>,
}

/// One value an operation takes.
#[derive(Clone, Debug, PartialEq)]
pub struct OperationInput {
    /// Its name.
    pub name: String,
    /// Its type, as the plugin says it.
    pub kind: String,
    /// Whether it must be given.
    pub required: bool,
    /// Its value when none is given.
    pub default: Option<Value>,
    /// What it is.
    pub description: String,
    /// A named rule such as `url` or `email`.
    pub validation: Option<String>,
}

/// A plugin, as declared by `.awf/plugins.yaml` or found by its manifest.
#[derive(Clone, Debug, PartialEq)]
pub struct PluginEntry {
    /// Its name.
    pub name: String,
    /// How it is started; empty when the entry only declares it.
    pub command: Vec<PathBuf>,
    /// Whether it is switched on.
    pub enabled: bool,
    /// `sha256:…` of its binary, where one is given.
    pub checksum: Option<String>,
    /// What it is configured with.
    pub config: Map<String, Value>,
    /// Its operations, where they are declared; `None` is not known.
    pub operations: Option<Vec<OperationSchema>>,
    /// What its operations are said to do, by operation.
    pub annotations: Vec<(String, Annotations)>,
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

/// One use of an operation.
#[derive(Clone, Debug)]
pub struct OperationCall {
    /// The plugin.
    pub plugin: String,
    /// The operation.
    pub operation: String,
    /// What it is given.
    pub inputs: Map<String, Value>,
    /// The trace it belongs to.
    pub trace: Option<TraceContext>,
    /// Fires when nobody wants the answer any more.
    pub cancel: CancellationToken,
}

/// What an operation gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OperationResult {
    /// Whether it says it succeeded.
    pub success: bool,
    /// Its text.
    pub output: String,
    /// Its values.
    pub data: Map<String, Value>,
    /// What went wrong.
    pub error: Option<String>,
}

/// Why an operation gave nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OperationFailure {
    /// There is no such plugin or operation.
    #[error("no operation `{0}`")]
    Unknown(String),
    /// What it stands on is gone or refuses.
    #[error("{0}")]
    Unavailable(String),
    /// Nobody wants the answer any more.
    #[error("the operation was cancelled")]
    Cancelled,
}

/// A source of operations.
#[async_trait]
pub trait OperationProvider: Send + Sync {
    /// What it has, by plugin.
    async fn operations(&self) -> Result<Vec<(String, OperationSchema)>, OperationFailure>;
    /// Uses one.
    async fn execute(&self, call: OperationCall) -> Result<OperationResult, OperationFailure>;
}

/// The source that has none.
pub struct NoOperations;

#[async_trait]
impl OperationProvider for NoOperations {
    async fn operations(&self) -> Result<Vec<(String, OperationSchema)>, OperationFailure> {
        Ok(Vec::new())
    }

    async fn execute(&self, call: OperationCall) -> Result<OperationResult, OperationFailure> {
        Err(OperationFailure::Unknown(format!("{}.{}", call.plugin, call.operation)))
    }
}
