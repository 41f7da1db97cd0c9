//! The file behind `awf mcp-serve --config`: which tools, beneath which root, under which rules.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use awf_core::{Ceiling, Diagnostic, IntentPolicy, PluginTools, Retention, Surface};

use crate::{
    file::read_config,
    policy::{ANNOTATIONS_MAX_AGE, ActivitySetting},
    reader::{CONFIG, Findings},
    servers::ServerSetting,
};

mod typed;

use typed::ServeTyped;

/// What the file is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Served {
    /// Tools of its own.
    Tools(ServeConfig),
    /// The tools of a run under way, behind its socket.
    Relay(RelayConfig),
}

/// The tools of a run under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelayConfig {
    /// Where the run listens.
    pub socket: PathBuf,
    /// The run, for messages.
    pub run: Option<String>,
    /// Its step, for messages.
    pub step: Option<String>,
}

/// Tools of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServeConfig {
    /// Whether the built-in tools are served.
    pub builtins: bool,
    /// Operations of plugins that are served.
    pub plugin_tools: Vec<PluginTools>,
    /// Where the file tools work; the working directory when absent.
    pub root: Option<PathBuf>,
    /// Further places where they may work.
    pub roots: Vec<PathBuf>,
    /// The highest class of tool that is offered.
    pub ceiling: Ceiling,
    /// How tools are offered.
    pub surface: Surface,
    /// Servers whose tools are served; those that are switched off too.
    pub servers: Vec<ServerSetting>,
    /// How declared intent is judged.
    pub intent: IntentPolicy,
    /// How old what a server said of its tools may be when one of them is called.
    pub annotations_max_age: Duration,
    /// What becomes of the activity log.
    pub activity: ActivitySetting,
    /// How much of it is kept.
    pub retention: Retention,
}

impl Default for ServeConfig {
    /// What an empty file means.
    fn default() -> Self {
        Self {
            builtins: true,
            plugin_tools: Vec::new(),
            root: None,
            roots: Vec::new(),
            ceiling: Ceiling::default(),
            surface: Surface::default(),
            servers: Vec::new(),
            intent: IntentPolicy::default(),
            annotations_max_age: ANNOTATIONS_MAX_AGE,
            activity: ActivitySetting::default(),
            retention: Retention::default(),
        }
    }
}

/// Reads a configuration file, JSON or YAML.
pub fn load_served(path: &Path) -> Result<Served, Vec<Diagnostic>> {
    let file = path.display().to_string();
    let mut findings = Findings::new(&file, &CONFIG, "the configuration");
    let typed: Option<ServeTyped> = read_config(path, &mut findings);
    let served = typed.and_then(|typed| typed.meant(path, &mut findings));
    let findings = findings.sorted();
    match served {
        Some(served) if findings.is_empty() => Ok(served),
        Some(_) | None => Err(findings),
    }
}

#[cfg(test)]
mod tests;
