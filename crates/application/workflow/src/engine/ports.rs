//! What the engine stands on. It reads nothing of the world by itself but the clock.

use std::{ffi::OsString, path::PathBuf, sync::Arc};

use awf_core::{AgentFailure, AgentProvider, OnBypass, OperationProvider, Redactor, RunJournal};
use awf_process::Guard;
use awf_tools::{ToolProxyService, TraceLink};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use crate::engine::Notice;

/// What the engine stands on.
#[derive(Clone)]
pub struct EnginePorts {
    /// Starts shells; what they leave behind is swept when the run ends.
    pub guard: Guard,
    /// Gets `-c` and the command.
    pub shell: OsString,
    /// The environment of every step.
    pub env: Vec<(OsString, OsString)>,
    /// The project's directory, absolute.
    pub dir: PathBuf,
    /// A directory for files that live as long as a step: private, absolute.
    pub scratch: PathBuf,
    /// Where awf's own things are.
    pub places: Places,
    /// `context.User`.
    pub user: String,
    /// `context.Hostname`.
    pub hostname: String,
    /// The agent of a name.
    pub agents: AgentSource,
    /// Gives agents their tools; steps that ask for the proxy fail without it.
    pub proxy: Option<Arc<ToolProxyService>>,
    /// What becomes of a step whose agent goes past the proxy.
    pub on_bypass: OnBypass,
    /// Somebody at a terminal, whom agents can talk with.
    pub person: Option<Person>,
    /// The operations of plugins.
    pub operations: Arc<dyn OperationProvider>,
    /// Keeps what happened.
    pub journal: Arc<dyn RunJournal>,
    /// Strikes secrets out of what is kept and shown.
    pub redactor: Redactor,
    /// Is told of secrets that only the run brings to light, before they are used.
    pub learn: fn(&[String]),
    /// Ties spans to a trace.
    pub trace: TraceLink,
    /// Takes the news of the run; never waits.
    pub notices: Watcher,
}

/// Finds the agent of a name.
pub type AgentSource =
    Arc<dyn Fn(&str) -> Result<Arc<dyn AgentProvider>, AgentFailure> + Send + Sync>;

/// Asks a person what to say next to the agent of a step; `None` when there is nothing more to say.
pub type Person = Arc<dyn Fn(String) -> BoxFuture<'static, Option<String>> + Send + Sync>;

/// Takes the news of a run; never waits.
pub type Watcher = Arc<dyn Fn(Notice) + Send + Sync>;

/// Where awf's own things are: `awf.*` in templates, and where skills and roles are looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// `awf.prompts_dir`.
    pub prompts_dir: PathBuf,
    /// `awf.scripts_dir`.
    pub scripts_dir: PathBuf,
    /// `awf.config_dir`.
    pub config_dir: PathBuf,
    /// `awf.data_dir`.
    pub data_dir: PathBuf,
    /// `awf.workflows_dir`.
    pub workflows_dir: PathBuf,
    /// `awf.plugins_dir`.
    pub plugins_dir: PathBuf,
    /// `awf.skills_dir`.
    pub skills_dir: PathBuf,
    /// `awf.roles_dir`.
    pub roles_dir: PathBuf,
    /// Where a skill is looked for by name, in order.
    pub skills: Vec<PathBuf>,
    /// Where a role is looked for by name, in order.
    pub roles: Vec<PathBuf>,
}

impl Places {
    /// `awf` in templates.
    pub fn as_json(&self) -> Value {
        let shown = |path: &PathBuf| path.to_string_lossy().into_owned();
        json!({
            "prompts_dir": shown(&self.prompts_dir),
            "scripts_dir": shown(&self.scripts_dir),
            "config_dir": shown(&self.config_dir),
            "data_dir": shown(&self.data_dir),
            "workflows_dir": shown(&self.workflows_dir),
            "plugins_dir": shown(&self.plugins_dir),
            "skills_dir": shown(&self.skills_dir),
            "roles_dir": shown(&self.roles_dir),
            // Workflows of packs are not run by this version.
            "pack_name": "",
        })
    }
}
