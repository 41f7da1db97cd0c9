//! The file of a step's session: `socket` and what it belongs to, and nothing beside it. What else a file could say is
//! for the run to decide, so it is refused here and never ignored.

use std::path::PathBuf;

use serde::{Deserialize, de::IgnoredAny};

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

/// Tells the two kinds of file apart; everything else is left to them.
#[derive(Deserialize)]
pub(super) struct Kind {
    pub(super) socket: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RelayFile {
    socket: PathBuf,
    run: Option<String>,
    step: Option<String>,
}

impl From<RelayFile> for RelayConfig {
    fn from(RelayFile { socket, run, step }: RelayFile) -> Self {
        Self { socket, run, step }
    }
}
