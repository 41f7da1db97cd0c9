//! What the user and the project configured. A project may only tighten what the user has.

use std::path::{Path, PathBuf};

use awf_core::{Ceiling, Code, Diagnostic, IntentPolicy, OnBypass};
use serde_json::{Map, Value};

use crate::{
    file::read_config,
    policy::ActivitySetting,
    reader::{CONFIG, Findings},
    schema,
};

mod grade;
mod layer;
mod server;
mod tighten;
mod typed;

use layer::Layer;
pub use server::ServerSetting;
use typed::SettingsTyped;

/// What is configured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Values for inputs of workflows, by name; the text that was written.
    pub inputs: Map<String, Value>,
    /// Where spans go.
    pub telemetry: TelemetrySettings,
    /// The highest class of tool that is offered.
    pub ceiling: Ceiling,
    /// Further places where the file tools may work.
    pub roots: Vec<PathBuf>,
    /// Those of them that the user opened, wherever they are; the project's must lie within these or within itself.
    pub user_roots: Vec<PathBuf>,
    /// How declared intent is judged.
    pub intent: IntentPolicy,
    /// Servers whose tools steps may be offered.
    pub servers: Vec<ServerSetting>,
    /// What becomes of a step whose agent goes past the proxy.
    pub on_bypass: OnBypass,
    /// What becomes of the activity log.
    pub activity: ActivitySetting,
    /// Keys for endpoints; the user's only.
    pub keys: Vec<KeyGrant>,
}

/// A key that may be sent to an endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyGrant {
    /// Scheme, host and perhaps a port.
    pub origin: String,
    /// The environment variable that holds the key.
    pub env: String,
}

/// Where spans go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TelemetrySettings {
    /// The endpoint of a collector; nothing is sent without one.
    pub exporter: Option<String>,
    /// The name the spans carry.
    pub service_name: Option<String>,
}

/// Reads the user's file and the project's, where they are, and joins them. The project's lies in `.awf`, and its relative
/// paths begin beside that.
pub fn load_settings(
    user: Option<&Path>,
    project: Option<&Path>,
) -> Result<Settings, Vec<Diagnostic>> {
    let mut found = Vec::new();
    let mut load = |path: &Path| {
        let file = path.display().to_string();
        let mut findings = Findings::new(&file, &CONFIG, "the configuration");
        let typed: Option<SettingsTyped> = read_config(path, &mut findings);
        let layer = typed.map(|typed| Layer::of(path, typed, &mut findings));
        found.extend(findings.sorted());
        layer
    };
    let user = user.and_then(&mut load);
    let project = project.and_then(&mut load);
    if found.is_empty() {
        tighten::join(user.unwrap_or_default(), project.unwrap_or_default())
    } else {
        Err(found)
    }
}

/// The JSON Schema of the user's and the project's `config.yaml`.
pub fn config_schema() -> Value {
    schema::document::<SettingsTyped>("awf configuration")
}

/// A setting awf knows and cannot honour: refused, never ignored.
fn unsupported(key: &str) -> Diagnostic {
    let message = format!("`{key}` is not supported by this version of awf");
    Diagnostic::new(Code::ConfigUnsupported, message)
}

#[cfg(test)]
mod tests;
