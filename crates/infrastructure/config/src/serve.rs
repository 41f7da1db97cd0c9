//! The file behind `awf mcp-serve --config`: which tools, beneath which root, under which rules.

use std::{
    fs,
    path::{Path, PathBuf},
};

use awf_core::{Ceiling, Code, Diagnostic, IntentPolicy};

use crate::parse::parse;

mod typed;

use typed::ServeFile;

/// What the file means.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServeConfig {
    /// Where the file tools work; the working directory when absent.
    pub root: Option<PathBuf>,
    /// Further places where they may work.
    pub roots: Vec<PathBuf>,
    /// The highest class of tool that is offered.
    pub ceiling: Ceiling,
    /// How declared intent is judged.
    pub intent: IntentPolicy,
    /// What becomes of the activity log.
    pub activity: ActivitySetting,
}

/// What becomes of the activity log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ActivitySetting {
    /// Nothing is kept.
    Off,
    /// Kept: survives the death of the process.
    #[default]
    Process,
    /// Kept: survives a power cut, at the price of a sync before every call that changes something.
    Power,
}

/// Reads a configuration file, JSON or YAML.
pub fn load_serve_config(path: &Path) -> Result<ServeConfig, Vec<Diagnostic>> {
    let file = path.display().to_string();
    let text = fs::read_to_string(path).map_err(|error| {
        vec![Diagnostic::new(Code::ConfigUnreadable, format!("cannot read `{file}`: {error}"))]
    })?;
    let typed: ServeFile = parse(&file, &text).map_err(|finding| vec![finding])?;
    typed.meant(&file)
}

#[cfg(test)]
mod tests;
