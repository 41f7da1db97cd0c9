//! What plugins offer, operations and step types: what is known of them without starting anything; and their port.

use async_trait::async_trait;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::{
    annotations::Annotations,
    diagnostic::Code,
    json::{RawJson, RawObject},
    tool::TraceContext,
};

mod catalog;

pub use catalog::{PluginCatalog, PluginEntry, PluginOrigin};

/// What an operation takes and gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OperationSchema {
    /// Its name within the plugin.
    pub name: String,
    /// What it does.
    pub description: String,
    /// What it takes.
    pub inputs: Vec<OperationInput>,
    /// The names of what it gives, with what they are.
    pub outputs: Vec<(String, String)>,
    /// What the plugin itself says it does; the project's word goes before.
    pub annotations: Annotations,
}

/// One value an operation takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OperationInput {
    /// Its name.
    pub name: String,
    /// Its type, as the plugin says it.
    pub kind: String,
    /// Whether it must be given.
    pub required: bool,
    /// Its value when none is given. Plugins say it as text, whatever the type.
    pub default: Option<Value>,
    /// What it is.
    pub description: String,
    /// A named rule such as `url` or `email`.
    pub validation: Option<String>,
    /// The values there are; any when empty.
    pub choices: Vec<Value>,
}

/// A kind of step that a plugin brings along.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepType {
    /// Its name within the plugin.
    pub name: String,
    /// What it does.
    pub description: String,
}

/// One use of an operation.
#[derive(Clone, Debug)]
pub struct OperationCall {
    /// The plugin.
    pub plugin: String,
    /// The operation.
    pub operation: String,
    /// What it is given, each value as it was written.
    pub inputs: RawObject,
    /// The trace it belongs to.
    pub trace: Option<TraceContext>,
    /// Fires when nobody wants the answer any more.
    pub cancel: CancellationToken,
}

/// What an operation gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperationResult {
    /// Whether it says it succeeded.
    pub success: bool,
    /// Its text.
    pub output: String,
    /// Its values, each as it was written.
    pub data: RawObject,
    /// What went wrong.
    pub error: Option<String>,
}

/// One step of a plugin's own type.
#[derive(Clone, Debug)]
pub struct StepTypeCall {
    /// The plugin.
    pub plugin: String,
    /// The type, without the plugin's name.
    pub step_type: String,
    /// The name of the step.
    pub step: String,
    /// The `config` of the step.
    pub config: RawJson,
    /// The inputs of the workflow.
    pub inputs: RawJson,
    /// The trace it belongs to.
    pub trace: Option<TraceContext>,
    /// Fires when nobody wants the answer any more.
    pub cancel: CancellationToken,
}

/// What a step of a plugin's own type gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepTypeResult {
    /// Its text.
    pub output: String,
    /// Its values, each as it was written.
    pub data: RawObject,
    /// 0 is success.
    pub exit_code: i32,
}

/// Why an operation gave nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OperationFailure {
    /// There is no such plugin, operation or step type.
    #[error("no operation or step type `{0}`")]
    Unknown(String),
    /// The plugin is switched off.
    #[error("plugin `{0}` is switched off")]
    Disabled(String),
    /// The plugin is not the one that was vouched for.
    #[error("{0}")]
    Altered(String),
    /// The plugin could not be started.
    #[error("{0}")]
    NotStarted(String),
    /// The plugin runs and does not speak as a plugin does.
    #[error("{0}")]
    Handshake(String),
    /// What it stands on is gone or refuses.
    #[error("{0}")]
    Unavailable(String),
    /// Nobody wants the answer any more.
    #[error("the operation was cancelled")]
    Cancelled,
}

impl OperationFailure {
    /// The stable code of the failure.
    pub fn code(&self) -> Code {
        match self {
            Self::Unknown(_) => Code::OperationUnknown,
            Self::Disabled(_) => Code::PluginDisabled,
            Self::Altered(_) => Code::PluginChecksumMismatch,
            Self::NotStarted(_) => Code::PluginStartFailed,
            Self::Handshake(_) => Code::PluginHandshakeFailed,
            Self::Unavailable(_) | Self::Cancelled => Code::OperationFailed,
        }
    }
}

/// A source of operations and step types.
#[async_trait]
pub trait OperationProvider: Send + Sync {
    /// The operations of a plugin, which may be started to be asked.
    async fn operations(&self, plugin: &str) -> Result<Vec<OperationSchema>, OperationFailure>;
    /// Uses an operation.
    async fn execute(&self, call: OperationCall) -> Result<OperationResult, OperationFailure>;
    /// Takes a step of a plugin's own type.
    async fn execute_step(&self, call: StepTypeCall) -> Result<StepTypeResult, OperationFailure> {
        Err(OperationFailure::Unknown(format!("{}.{}", call.plugin, call.step_type)))
    }
}

/// The source that has none.
pub struct NoOperations;

#[async_trait]
impl OperationProvider for NoOperations {
    async fn operations(&self, plugin: &str) -> Result<Vec<OperationSchema>, OperationFailure> {
        Err(OperationFailure::Unknown(plugin.to_owned()))
    }

    async fn execute(&self, call: OperationCall) -> Result<OperationResult, OperationFailure> {
        Err(OperationFailure::Unknown(format!("{}.{}", call.plugin, call.operation)))
    }
}
