//! What a server is, and what it stands on.

use std::{ffi::OsString, fmt, path::PathBuf, sync::Arc, time::Duration};

use awf_core::Redactor;
use awf_process::Guard;

use crate::pins::Pins;

/// A server that speaks MCP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpstreamSpec {
    /// What it is called: the half before the colon.
    pub name: String,
    /// How it is reached.
    pub transport: Transport,
    /// What makes it this server and no other, whatever it is given: its pins are kept under this.
    pub identity: String,
}

/// How a server is reached.
#[derive(Clone, PartialEq, Eq)]
pub enum Transport {
    /// A program, over its standard input and output.
    Stdio {
        /// The program.
        command: OsString,
        /// Its arguments.
        args: Vec<OsString>,
        /// Its environment, whole.
        env: Vec<(OsString, OsString)>,
        /// Where it runs.
        cwd: PathBuf,
    },
    /// An address, over streamable HTTP.
    Http {
        /// The address.
        url: String,
        /// What every request carries.
        headers: Vec<(String, String)>,
    },
}

impl fmt::Debug for Transport {
    /// Environment and headers hold secrets: only their names are told.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdio { command, args, env, cwd } => {
                let env: Vec<_> = env.iter().map(|(name, _)| name).collect();
                let mut told = f.debug_struct("Stdio");
                told.field("command", command).field("args", &args.len());
                told.field("env", &env).field("cwd", cwd).finish()
            }
            Self::Http { url: _, headers } => {
                let headers: Vec<_> = headers.iter().map(|(name, _)| name).collect();
                f.debug_struct("Http").field("headers", &headers).finish_non_exhaustive()
            }
        }
    }
}

/// What a server stands on.
#[derive(Clone, Debug)]
pub struct Ground {
    /// Starts it, and ends it with us.
    pub guard: Guard,
    /// What its tools were approved as.
    pub pins: Arc<Pins>,
    /// A list older than this is asked for again before a call is judged by it.
    pub max_age: Duration,
    /// How long things may take.
    pub limits: Limits,
    /// Strikes out of what is said of a server, and of what it said when it failed, what may not be repeated.
    pub redactor: Redactor,
}

/// How long a server may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Until it has started and listed its tools; and for any later list.
    pub ready: Duration,
    /// For a call.
    pub call: Duration,
    /// How long a call waits for a newer list where it needs one; without it there is no call.
    pub news: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            ready: Duration::from_secs(30),
            call: Duration::from_mins(10),
            news: Duration::from_secs(5),
        }
    }
}
