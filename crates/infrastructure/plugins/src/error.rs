//! Why a plugin gave nothing: one variant, and its own words, for each cause.

use std::{
    ffi::{OsStr, OsString},
    io,
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use awf_core::OperationFailure;
use awf_plugin_sdk::wire::{BadHandshake, COOKIE};
use awf_process::{Exit, SpawnError};

use crate::call::ANSWER_LIMIT;

/// Why a plugin gave nothing. Those who waited for the same start get the same error.
#[derive(Clone, Debug, thiserror::Error)]
pub enum PluginError {
    /// The project has no such plugin.
    #[error("no plugin `{plugin}`")]
    UnknownPlugin {
        /// The plugin.
        plugin: String,
    },
    /// It has no such operation or step type.
    #[error("plugin `{plugin}` has no operation or step type `{name}`")]
    UnknownOperation {
        /// The plugin.
        plugin: String,
        /// What it does not have.
        name: String,
    },
    /// Its program is nowhere.
    #[error("plugin `{plugin}`: {}", nowhere(program))]
    NotFound {
        /// The plugin.
        plugin: String,
        /// The program as declared.
        program: OsString,
    },
    /// Its program could not be read to be compared.
    #[error("plugin `{plugin}`: cannot read `{}` to check it: {source}", program.display())]
    Unreadable {
        /// The plugin.
        plugin: String,
        /// The program.
        program: PathBuf,
        /// What the system said.
        source: Arc<io::Error>,
    },
    /// Its program is not the one that was vouched for.
    #[error(
        "plugin `{plugin}` was not started: `{}` has the checksum `{actual}`, not `{expected}`, which \
         was vouched for; if the new program is wanted, run `awf plugin lock {plugin}`, or correct its `checksum`",
        program.display()
    )]
    Altered {
        /// The plugin.
        plugin: String,
        /// The program.
        program: PathBuf,
        /// What is declared.
        expected: String,
        /// What it is.
        actual: String,
    },
    /// It could not be started.
    #[error("cannot start plugin `{plugin}`: {source}{}", cause(source.as_ref()))]
    Start {
        /// The plugin.
        plugin: String,
        /// What the system said.
        source: Arc<SpawnError>,
    },
    /// What it is to be met with could not be made: its directory, our certificate.
    #[error("cannot prepare to start plugin `{plugin}`: {source}")]
    Prepare {
        /// The plugin.
        plugin: String,
        /// What failed.
        source: Arc<io::Error>,
    },
    /// It does not take us for its host.
    #[error(
        "plugin `{plugin}` did not accept awf's magic cookie `{}`: it {}; was it built for another \
         program than awf?{said}",
        COOKIE.0, ended(*exit)
    )]
    Cookie {
        /// The plugin.
        plugin: String,
        /// How it ended.
        exit: Option<Exit>,
        /// What it complained of.
        said: String,
    },
    /// It ended before it said where it listens.
    #[error("plugin `{plugin}` {} before its handshake{said}", ended(*exit))]
    Exited {
        /// The plugin.
        plugin: String,
        /// How it ended; unknown when the guard was lost.
        exit: Option<Exit>,
        /// What it complained of.
        said: String,
    },
    /// What it said first is not what a plugin says first.
    #[error("plugin `{plugin}`: {source}{}{said}", advice(source))]
    Handshake {
        /// The plugin.
        plugin: String,
        /// What was wrong.
        source: BadHandshake,
        /// What it complained of.
        said: String,
    },
    /// It says nothing.
    #[error("plugin `{plugin}` gave no handshake within {}{said}", seconds(*limit))]
    Silent {
        /// The plugin.
        plugin: String,
        /// How long it was waited for.
        limit: Duration,
        /// What it complained of.
        said: String,
    },
    /// It has shaken hands, and then takes too long.
    #[error("plugin `{plugin}` was not ready within {} of its handshake{said}", seconds(*limit))]
    Slow {
        /// The plugin.
        plugin: String,
        /// How long it was waited for.
        limit: Duration,
        /// What it complained of.
        said: String,
    },
    /// Somebody else listens on its socket.
    #[error(
        "plugin `{plugin}`: the certificate on its socket is not the one of its handshake; \
         something else listens there"
    )]
    Certificate {
        /// The plugin.
        plugin: String,
    },
    /// Its socket does not answer as it should.
    #[error("plugin `{plugin}`: cannot connect to its socket `{}`: {source}{said}", socket.display())]
    Connect {
        /// The plugin.
        plugin: String,
        /// Where it says it listens.
        socket: PathBuf,
        /// What failed.
        source: Arc<io::Error>,
        /// What it complained of.
        said: String,
    },
    /// It says that it does not serve.
    #[error("plugin `{plugin}` says it is not healthy (`{status}`){said}")]
    NotHealthy {
        /// The plugin.
        plugin: String,
        /// What it says.
        status: String,
        /// What it complained of.
        said: String,
    },
    /// It does not take its configuration.
    #[error("plugin `{plugin}` refused its configuration: {message}")]
    Init {
        /// The plugin.
        plugin: String,
        /// What it says.
        message: String,
    },
    /// It failed in one of the calls that every plugin is greeted with.
    #[error(transparent)]
    Greeting(Box<Self>),
    /// It refused a call.
    #[error("plugin `{plugin}` refused `{call}`: {message} ({code})")]
    Refused {
        /// The plugin.
        plugin: String,
        /// What was asked.
        call: String,
        /// The status, in the words of gRPC.
        code: String,
        /// What it says.
        message: String,
    },
    /// It ended while it was asked.
    #[error("plugin `{plugin}` died in `{call}`: it {}{said}", ended(*exit))]
    Died {
        /// The plugin.
        plugin: String,
        /// What was asked.
        call: String,
        /// How it ended; unknown when the guard was lost.
        exit: Option<Exit>,
        /// What it complained of.
        said: String,
    },
    /// It runs, and its connection is gone.
    #[error("plugin `{plugin}` broke its connection in `{call}`: {message}{said}")]
    Broken {
        /// The plugin.
        plugin: String,
        /// What was asked.
        call: String,
        /// What failed.
        message: String,
        /// What it complained of.
        said: String,
    },
    /// It took too long.
    #[error(
        "plugin `{plugin}` did not answer `{call}` within {}; a longer `timeout` can be declared",
        seconds(*limit)
    )]
    Deadline {
        /// The plugin.
        plugin: String,
        /// What was asked.
        call: String,
        /// How long it was waited for.
        limit: Duration,
    },
    /// It answered too much.
    #[error(
        "plugin `{plugin}` answered `{call}` with more than {} MiB; let it write to a file and \
         answer with the path",
        ANSWER_LIMIT >> 20
    )]
    TooLarge {
        /// The plugin.
        plugin: String,
        /// What was asked.
        call: String,
    },
    /// It answered nonsense.
    #[error("plugin `{plugin}` answered `{call}` with something else than `plugin.v1`: {message}")]
    Undecodable {
        /// The plugin.
        plugin: String,
        /// What was asked.
        call: String,
        /// What was wrong.
        message: String,
    },
    /// Nobody wants the answer any more.
    #[error("plugin `{plugin}`: the call was cancelled")]
    Cancelled {
        /// The plugin.
        plugin: String,
    },
    /// The run is over.
    #[error("plugin `{plugin}` is closed: the run is over")]
    Closed {
        /// The plugin.
        plugin: String,
    },
}

impl PluginError {
    /// The same, before anything was asked of the plugin for anybody's sake.
    pub(crate) fn at_greeting(self) -> Self {
        match self {
            own @ (Self::Init { .. } | Self::NotHealthy { .. } | Self::Closed { .. }) => own,
            other => Self::Greeting(Box::new(other)),
        }
    }
}

impl From<PluginError> for OperationFailure {
    fn from(error: PluginError) -> Self {
        let words = error.to_string();
        match error {
            PluginError::UnknownPlugin { plugin } => Self::Unknown(plugin),
            PluginError::UnknownOperation { plugin, name } => {
                Self::Unknown(format!("{plugin}.{name}"))
            }
            PluginError::Altered { .. } => Self::Altered(words),
            PluginError::NotFound { .. }
            | PluginError::Unreadable { .. }
            | PluginError::Start { .. }
            | PluginError::Prepare { .. }
            | PluginError::Init { .. }
            | PluginError::Greeting(_)
            | PluginError::NotHealthy { .. }
            | PluginError::Exited { .. } => Self::NotStarted(words),
            PluginError::Cookie { .. }
            | PluginError::Handshake { .. }
            | PluginError::Silent { .. }
            | PluginError::Certificate { .. }
            | PluginError::Slow { .. }
            | PluginError::Connect { .. } => Self::Handshake(words),
            PluginError::Refused { .. }
            | PluginError::Died { .. }
            | PluginError::Broken { .. }
            | PluginError::Deadline { .. }
            | PluginError::TooLarge { .. }
            | PluginError::Undecodable { .. }
            | PluginError::Closed { .. } => Self::Unavailable(words),
            PluginError::Cancelled { .. } => Self::Cancelled,
        }
    }
}

fn nowhere(program: &OsStr) -> String {
    if program.is_empty() {
        return "nothing says which program it is: give it a `path` or a `command`, or install it with its manifest".to_owned();
    }
    format!("there is no program `{}`; give its path, or put it in the `PATH`", program.display())
}

/// What the system said.
fn cause(error: &SpawnError) -> String {
    std::error::Error::source(error).map(|cause| format!(": {cause}")).unwrap_or_default()
}

fn ended(exit: Option<Exit>) -> String {
    match exit {
        Some(Exit::Code(code)) => format!("exited with code {code}"),
        Some(Exit::Signal(signal)) => format!("was ended by signal {signal}"),
        None => "was ended with the process guard".to_owned(),
    }
}

/// What whoever wrote the plugin can do.
fn advice(fault: &BadHandshake) -> &'static str {
    match fault {
        BadHandshake::NoHandshake(_) => {
            "; nothing may be printed before the handshake, log to standard error instead"
        }
        BadHandshake::CoreVersion(_) | BadHandshake::AppVersion(_) => {
            "; it must be built for this version"
        }
        BadHandshake::Network(_)
        | BadHandshake::Protocol(_)
        | BadHandshake::NoCertificate
        | BadHandshake::BadCertificate => "",
    }
}

fn seconds(limit: Duration) -> String {
    format!("{} s", limit.as_secs_f64())
}

#[cfg(test)]
mod tests;
