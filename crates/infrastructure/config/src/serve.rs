//! The file behind `awf mcp-serve --config`: which tools, beneath which root, under which rules.

use std::{
    fs::File,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use awf_core::{Ceiling, Code, Diagnostic, IntentPolicy, shown};

use crate::parse::parse;

mod relay;
mod typed;

use relay::{Kind, RelayFile};
use typed::ServeFile;

pub use relay::RelayConfig;

/// No configuration is this large.
const LARGEST: u64 = 1024 * 1024;

/// What the file is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Served {
    /// Tools of its own.
    Tools(ServeConfig),
    /// The tools of a run under way, behind its socket.
    Relay(RelayConfig),
}

/// Tools of its own.
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
pub fn load_served(path: &Path) -> Result<Served, Vec<Diagnostic>> {
    let file = path.display().to_string();
    let text = read(path).map_err(|error| {
        let message = format!("cannot read `{}`: {error}", shown(&file));
        vec![Diagnostic::new(Code::ConfigUnreadable, message)]
    })?;
    meant(&file, &text)
}

fn meant(file: &str, text: &str) -> Result<Served, Vec<Diagnostic>> {
    let kind: Kind = parse(file, text).map_err(|finding| vec![finding])?;
    if kind.socket.is_some() {
        let typed: RelayFile = parse(file, text).map_err(|finding| vec![finding])?;
        return Ok(Served::Relay(typed.into()));
    }
    let typed: ServeFile = parse(file, text).map_err(|finding| vec![finding])?;
    typed.meant(file).map(Served::Tools)
}

/// The whole text; a file that never ends is not waited for.
fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(LARGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LARGEST {
        return Err(io::Error::other("it is larger than 1 MiB"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests;
