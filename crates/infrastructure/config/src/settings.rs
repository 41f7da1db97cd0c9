//! What the user and the project configured. A project may only tighten what the user has.

use std::{path::PathBuf, time::Duration};

use awf_core::{Ceiling, Code, Diagnostic, IntentPolicy, OnBypass, Retention};
use serde_json::{Map, Value};

use crate::{
    policy::{ANNOTATIONS_MAX_AGE, ActivitySetting},
    schema,
    servers::{ServerSetting, UnusableServer},
};

mod files;
mod grade;
mod intent;
mod layer;
mod tighten;
mod typed;

pub use files::SettingsFiles;
pub(crate) use files::servers_in;
use typed::SettingsTyped;

/// What is configured.
#[derive(Clone, Debug, PartialEq)]
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
    /// How old what a server said of its tools may be when one of them is called.
    pub annotations_max_age: Duration,
    /// Servers whose tools may be offered, the user's first; those that are switched off too.
    pub servers: Vec<ServerSetting>,
    /// Servers of the project that a server of the user hides.
    pub shadowed: Vec<ServerSetting>,
    /// Servers of files that other programs share, which awf cannot use.
    pub unusable: Vec<UnusableServer>,
    /// What becomes of a step whose agent goes past the proxy.
    pub on_bypass: OnBypass,
    /// What becomes of the activity log.
    pub activity: ActivitySetting,
    /// How much of it is kept; the user's only.
    pub retention: Retention,
    /// Keys for endpoints; the user's only.
    pub keys: Vec<KeyGrant>,
    /// What should be looked at in the files, and is no reason not to follow them.
    pub warnings: Vec<Diagnostic>,
}

impl Default for Settings {
    /// What is meant where nothing is said.
    fn default() -> Self {
        Self {
            inputs: Map::default(),
            telemetry: TelemetrySettings::default(),
            ceiling: Ceiling::default(),
            roots: Vec::new(),
            user_roots: Vec::new(),
            intent: IntentPolicy::default(),
            annotations_max_age: ANNOTATIONS_MAX_AGE,
            servers: Vec::new(),
            shadowed: Vec::new(),
            unusable: Vec::new(),
            on_bypass: OnBypass::default(),
            activity: ActivitySetting::default(),
            retention: Retention::default(),
            keys: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

impl Settings {
    /// The server of that name, on or off.
    pub fn server(&self, name: &str) -> Option<&ServerSetting> {
        self.servers.iter().find(|server| server.name == name)
    }
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

/// Reads the user's files and the project's, and joins them. The project's own lies in `.awf`, and its relative paths
/// begin beside that.
pub fn load_settings(files: &SettingsFiles) -> Result<Settings, Vec<Diagnostic>> {
    let loaded = files::load(files);
    if !loaded.faults.is_empty() {
        return Err(loaded.faults);
    }
    let settings = tighten::join(loaded.user, loaded.project)?;
    Ok(Settings { warnings: loaded.warnings, ..settings })
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
