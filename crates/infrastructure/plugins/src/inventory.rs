//! What a plugin says it is and has.

use awf_core::{OperationSchema, StepType};
use awf_plugin_sdk::wire::v1;

/// What a plugin says it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PluginInfo {
    /// What it calls itself.
    pub name: String,
    /// Its version.
    pub version: String,
    /// What it is for.
    pub description: String,
}

/// What a plugin has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inventory {
    /// What it is.
    pub info: PluginInfo,
    /// Its operations.
    pub operations: Vec<OperationSchema>,
    /// Its step types, without its own name before them.
    pub step_types: Vec<StepType>,
}

impl From<v1::GetInfoResponse> for PluginInfo {
    fn from(said: v1::GetInfoResponse) -> Self {
        let v1::GetInfoResponse { name, version, description, capabilities: _ } = said;
        Self { name, version, description }
    }
}
