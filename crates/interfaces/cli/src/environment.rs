//! The state of the world, read once at the start and passed down: environment, working directory, home.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::PathBuf,
};

use awf_core::{AgentKind, Code, GivenBy, TraceContext, secrets_in};

use crate::report::CommandError;

/// Variables that hold keys of model providers or of awf itself: no child of awf gets them unless it needs them.
const WITHHELD: [&str; 10] = [
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "OPENAI_API_KEY",
    "CODEX_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "OPENROUTER_API_KEY",
    "OTEL_EXPORTER_OTLP_HEADERS",
    "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
];

/// Whether a variable is kept from children, whoever sets it.
pub(crate) fn is_withheld(name: &OsStr) -> bool {
    WITHHELD.iter().any(|withheld| name == OsStr::new(withheld))
}

/// Which of them an agent needs.
fn keys_of(kind: AgentKind) -> &'static [&'static str] {
    match kind {
        AgentKind::Claude => {
            &["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"]
        }
        AgentKind::Gemini => &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        AgentKind::Codex => &["OPENAI_API_KEY", "CODEX_API_KEY"],
        // It speaks to all of them, as its configuration says.
        AgentKind::OpenCode => &[
            "ANTHROPIC_API_KEY",
            "OPENAI_API_KEY",
            "GEMINI_API_KEY",
            "GOOGLE_API_KEY",
            "OPENROUTER_API_KEY",
        ],
        AgentKind::OpenAiCompatible => &["OPENAI_API_KEY"],
        AgentKind::Scripted => &[],
    }
}

/// What this process was started with.
pub(crate) struct Environment {
    variables: BTreeMap<OsString, OsString>,
    /// The directory it was started in.
    pub(crate) current_dir: PathBuf,
    /// This executable, for the guard process.
    pub(crate) executable: PathBuf,
}

impl Environment {
    /// Reads it. Called once, by `main`.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that reads the process environment"
    )]
    pub(crate) fn read() -> Result<Self, CommandError> {
        let current_dir = std::env::current_dir().map_err(|error| {
            CommandError::of(
                Code::IoReadFailed,
                format!("cannot tell the working directory: {error}"),
            )
        })?;
        // The running image, even after the file was replaced by an upgrade.
        let executable = PathBuf::from("/proc/self/exe");
        Ok(Self { variables: std::env::vars_os().collect(), current_dir, executable })
    }

    /// This executable as another program can start it: `/proc/self` would be that program.
    pub(crate) fn program_for_others(&self) -> PathBuf {
        let own = std::fs::read_link(&self.executable).ok().filter(|path| path.is_file());
        own.unwrap_or_else(|| format!("/proc/{}/exe", std::process::id()).into())
    }

    /// The same process elsewhere: in another directory, with some variables set and others not.
    pub(crate) fn elsewhere(
        &self,
        current_dir: PathBuf,
        set: &[(&str, OsString)],
        unset: impl Fn(&OsStr) -> bool,
    ) -> Self {
        let mut variables = self.variables.clone();
        variables.retain(|name, _| !unset(name));
        variables.extend(set.iter().map(|(name, value)| (OsString::from(name), value.clone())));
        Self { variables, current_dir, executable: self.executable.clone() }
    }

    /// A variable, if it is set, not empty and valid UTF-8.
    pub(crate) fn var(&self, name: &str) -> Option<&str> {
        self.variables
            .get(OsStr::new(name))
            .and_then(|value| value.to_str())
            .filter(|value| !value.is_empty())
    }

    /// Where awf keeps its data: `AWF_HOME`, else `$XDG_DATA_HOME/awf`, else `~/.local/share/awf`.
    pub(crate) fn awf_home(&self) -> Result<PathBuf, CommandError> {
        if let Some(home) = self.path("AWF_HOME") {
            return Ok(self.current_dir.join(home));
        }
        self.xdg("XDG_DATA_HOME", ".local/share").map(|data| data.join("awf")).ok_or_else(|| {
            CommandError::of(
                Code::ConfigInvalid,
                "cannot tell where to keep the activity log: HOME is not set",
            )
            .hinting("set AWF_HOME to a directory of your own")
        })
    }

    /// Where a user keeps configuration and workflows for all projects: `AWF_CONFIG_HOME`, else `$XDG_CONFIG_HOME/awf`.
    pub(crate) fn config_home(&self) -> Option<PathBuf> {
        match self.path("AWF_CONFIG_HOME") {
            Some(home) => Some(self.current_dir.join(home)),
            None => self.xdg("XDG_CONFIG_HOME", ".config").map(|config| config.join("awf")),
        }
    }

    /// Where sockets of this user go: `$XDG_RUNTIME_DIR`, else the temporary directory.
    pub(crate) fn runtime_dir(&self) -> PathBuf {
        self.absolute("XDG_RUNTIME_DIR").unwrap_or_else(|| self.temp_dir())
    }

    /// Where sockets may be. A long path cannot name one, so the shortest comes last.
    pub(crate) fn socket_dirs(&self) -> Vec<PathBuf> {
        vec![self.runtime_dir(), self.temp_dir(), "/tmp".into()]
    }

    pub(crate) fn temp_dir(&self) -> PathBuf {
        self.absolute("TMPDIR").unwrap_or_else(|| "/tmp".into())
    }

    fn path(&self, name: &str) -> Option<PathBuf> {
        let value = self.variables.get(OsStr::new(name)).filter(|value| !value.is_empty());
        value.map(PathBuf::from)
    }

    fn absolute(&self, name: &str) -> Option<PathBuf> {
        self.path(name).filter(|path| path.is_absolute())
    }

    /// A base directory, or its place beneath the home directory.
    fn xdg(&self, name: &str, beneath_home: &str) -> Option<PathBuf> {
        self.absolute(name).or_else(|| Some(self.absolute("HOME")?.join(beneath_home)))
    }

    /// The user's home directory.
    pub(crate) fn home(&self) -> Option<PathBuf> {
        self.absolute("HOME")
    }

    /// The trace this process was started within, if its parent said so.
    pub(crate) fn trace_context(&self) -> Option<TraceContext> {
        let traceparent = self.var("TRACEPARENT")?.to_owned();
        Some(TraceContext { traceparent, tracestate: self.var("TRACESTATE").map(str::to_owned) })
    }

    /// The shell of the Bash tool: bash where there is one, else the system's `sh`.
    pub(crate) fn shell(&self) -> OsString {
        self.program("bash").map_or_else(|| "/bin/sh".into(), PathBuf::into_os_string)
    }

    /// The shell of a workflow's steps: the user's own, else the system's `sh`.
    pub(crate) fn step_shell(&self) -> OsString {
        self.absolute("SHELL").map_or_else(|| "/bin/sh".into(), PathBuf::into_os_string)
    }

    /// A program on the path.
    pub(crate) fn program(&self, name: &str) -> Option<PathBuf> {
        let paths =
            self.variables.get(OsStr::new("PATH")).map(std::env::split_paths).into_iter().flatten();
        let named = paths.filter(|path| path.is_absolute()).map(|path| path.join(name));
        named.into_iter().find(|path| path.is_file())
    }

    /// Who runs this.
    pub(crate) fn user(&self) -> String {
        let named = self.var("USER").or_else(|| self.var("LOGNAME"));
        named.map_or_else(|| rustix::process::getuid().as_raw().to_string(), str::to_owned)
    }

    /// Where this runs.
    pub(crate) fn hostname() -> String {
        rustix::system::uname().nodename().to_string_lossy().into_owned()
    }

    /// What templates see of it: everything but the withheld keys and what is no text.
    pub(crate) fn readable(&self) -> BTreeMap<String, String> {
        let text = |(name, value): (OsString, OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        self.for_shell().into_iter().filter_map(text).collect()
    }

    /// What a shell started by a tool gets: everything but the withheld keys.
    pub(crate) fn for_shell(&self) -> Vec<(OsString, OsString)> {
        self.variables
            .iter()
            .filter(|(name, _)| !is_withheld(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    /// The withheld keys that this agent needs, for it alone.
    pub(crate) fn keys_for(&self, kind: AgentKind) -> Vec<(OsString, OsString)> {
        let set = |name: &&str| {
            let value = self.variables.get(OsStr::new(name))?;
            Some((OsString::from(name), value.clone()))
        };
        keys_of(kind).iter().filter_map(set).collect()
    }

    /// The same without these variables.
    pub(crate) fn without(&self, names: &[&str]) -> Self {
        let named = |name: &OsStr| names.iter().any(|gone| name == OsStr::new(gone));
        self.elsewhere(self.current_dir.clone(), &[], named)
    }

    /// What of it is secret, so that it can be struck out of everything awf writes: values of variables whose names say so,
    /// passwords in addresses, headers of the exporter.
    pub(crate) fn secrets(&self) -> Vec<String> {
        let texts = self.variables.iter();
        let texts = texts.filter_map(|(name, value)| Some((name.to_str()?, value.to_str()?)));
        texts
            .flat_map(|(name, value)| match name {
                "OTEL_EXPORTER_OTLP_HEADERS" | "OTEL_EXPORTER_OTLP_TRACES_HEADERS" => {
                    let headers = value.split(',').filter_map(|pair| pair.split_once('='));
                    headers
                        .flat_map(|(name, value)| secrets_in(GivenBy::Header, name.trim(), value))
                        .collect()
                }
                _ => secrets_in(GivenBy::Environment, name, value),
            })
            .collect()
    }
}
