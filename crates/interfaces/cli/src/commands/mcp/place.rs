//! The file that servers are written to, and what is configured around it.

use std::path::{Path, PathBuf};

use awf_config::{ServerOrigin, ServerSetting, Settings, is_same_name};
use awf_core::{Code, Span};
use clap::Args;

use crate::{
    environment::Environment,
    report::CommandError,
    table::printable,
    workflows::{self, Project},
};

/// Whose file is meant.
#[derive(Debug, Args)]
pub(super) struct PlaceArgs {
    /// The project's `.awf/config.yaml`, not the user's `config.yaml`
    #[arg(long)]
    project: bool,
}

/// One file, and all that is configured here.
pub(super) struct Place {
    pub(super) file: PathBuf,
    pub(super) settings: Settings,
    side: Side,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    User,
    Project,
}

impl Place {
    pub(super) fn open(args: &PlaceArgs, environment: &Environment) -> Result<Self, CommandError> {
        let dir = Project::dir_of(&environment.current_dir.join("any"), environment);
        let settings = workflows::settings(&dir, environment)?;
        let (side, home) = if args.project {
            (Side::Project, Some(dir.join(".awf")))
        } else {
            (Side::User, environment.config_home())
        };
        let home = home.ok_or_else(|| {
            let message = "cannot tell where your configuration is: HOME is not set";
            CommandError::of(Code::ConfigInvalid, message).hinting("set AWF_CONFIG_HOME")
        })?;
        Ok(Self { file: home.join("config.yaml"), settings, side })
    }

    /// Where a server of that name stands already, in any file of the same side.
    pub(super) fn taken(&self, name: &str) -> Option<&Span> {
        let good = self.settings.servers.iter().chain(&self.settings.shadowed);
        let good = good.map(|server| (&server.name, &server.origin, &server.place));
        let bad = self.settings.unusable.iter();
        let bad = bad.map(|server| (&server.name, &server.origin, &server.place));
        let mut all = good.chain(bad);
        let here = |origin: &ServerOrigin| match origin {
            ServerOrigin::User(_) => self.side == Side::User,
            ServerOrigin::Project(_) => self.side == Side::Project,
            ServerOrigin::Given(_) => false,
        };
        let found = all.find(|(other, origin, _)| here(origin) && is_same_name(other, name));
        found.map(|(_, _, place)| place)
    }

    /// The server that this very file names, whether it is used or another takes its place.
    pub(super) fn here(&self, name: &str) -> Option<&ServerSetting> {
        let mut all = self.settings.servers.iter().chain(&self.settings.shadowed);
        all.find(|server| server.name == name && server.origin.file() == self.file)
    }

    /// What to do with a server that was just written.
    pub(super) fn next(&self, name: &str) -> String {
        match self.side {
            Side::User => format!("see what it offers: awf mcp test {name}"),
            Side::Project => format!("look at it and approve it: awf mcp approve {name}"),
        }
    }
}

/// A file in a message.
pub(super) fn told(file: &Path) -> String {
    printable(&file.display().to_string())
}
