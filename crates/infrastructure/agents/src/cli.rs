//! Agents that are programs: what Claude Code, Codex, Gemini CLI and `OpenCode` have in common. Each is started with a
//! private directory, its prompt on standard input, and is gone with all it started when it has answered.
//!
//! What differs is a [`Dialect`]: the command line of a step, and how a line of the program's stream reads.

use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use async_trait::async_trait;
use awf_core::{
    AgentFailure, AgentKind, AgentNews, AgentOutcome, AgentProvider, AgentRequest, AgentWatcher,
    Isolation, ToolAccess,
};
use awf_process::{CommandSpec, Guard};
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;

use crate::cli::{
    desk::Desk,
    dialect::Dialect,
    errand::{Errand, Server},
    installed::Installed,
    ledger::Ledger,
    process::{Ears, End, Started},
    story::Ending,
};

pub(crate) mod desk;
pub(crate) mod dialect;
pub(crate) mod errand;
pub(crate) mod injection;
pub(crate) mod installed;
pub(crate) mod ledger;
pub(crate) mod lines;
pub(crate) mod options;
pub(crate) mod process;
pub(crate) mod query;
mod reserved;
#[cfg(test)]
pub(crate) mod sample;
pub(crate) mod story;

/// The name of awf's server in the configuration of every agent.
pub(crate) const SERVER: &str = "awf-proxy";

/// What is known of the isolation of one installed program.
pub type Proofs = Arc<dyn Fn(AgentKind, &Installed) -> Isolation + Send + Sync>;

/// What a program needs of its host.
#[derive(Clone)]
pub struct CliSettings {
    /// Starts it, and sees to it that nothing of it stays.
    pub guard: Guard,
    /// Where its private files go: an existing directory that only the user can enter.
    pub scratch: PathBuf,
    /// The user's home directory.
    pub home: Option<PathBuf>,
    /// The keys of its provider, which nobody else gets.
    pub keys: Vec<(OsString, OsString)>,
    /// What is known of its isolation; `None` where nothing could be said against it, so that it need not be asked for
    /// its version.
    pub proofs: Option<Proofs>,
    /// What the sessions of this run have used; one for all agents of the run.
    pub ledger: Ledger,
}

/// An agent that is a program.
pub struct CliAgent {
    dialect: Dialect,
    settings: CliSettings,
    /// What is installed, once somebody asked.
    installed: OnceCell<Installed>,
}

impl CliAgent {
    /// The agent of this kind; `None` for one that is no program.
    pub fn new(kind: AgentKind, settings: CliSettings) -> Option<Self> {
        let dialect = Dialect::of(kind)?;
        Some(Self { dialect, settings, installed: OnceCell::new() })
    }

    async fn start(
        &self,
        errand: &Errand<'_>,
        program: &Path,
        desk: &Desk,
        cancel: &CancellationToken,
    ) -> Result<Started, AgentFailure> {
        let env = self.env(errand.request);
        let query = query::Query {
            guard: &self.settings.guard,
            program,
            env: &env,
            dir: &errand.request.dir,
            cancel,
        };
        let injection = self.dialect.inject(errand, &query, desk).await?;
        let stdin = desk.lay(&injection)?;
        let spec = CommandSpec {
            program: program.into(),
            args: injection.args,
            env: merged(&env, &injection.env),
            cwd: errand.request.dir.clone(),
        };
        Started::spawn(&self.settings.guard, spec, stdin, cancel).await
    }

    /// The step's variables and the keys of the provider.
    fn env(&self, request: &AgentRequest) -> Vec<(OsString, OsString)> {
        merged(&self.settings.keys, &request.env)
    }
}

#[async_trait]
impl AgentProvider for CliAgent {
    fn kind(&self) -> AgentKind {
        self.dialect.kind()
    }

    fn patience(&self) -> Duration {
        process::PATIENCE
    }

    fn reserves(&self, variable: &OsStr) -> bool {
        reserved::is_reserved(variable)
    }

    async fn isolation(&self, request: &AgentRequest) -> Isolation {
        let Some(proofs) = &self.settings.proofs else { return Isolation::Certain };
        let env = self.env(request);
        let found = self
            .installed
            .get_or_try_init(|| installed::installed(self.kind(), &env, &self.settings.guard));
        match found.await {
            Ok(installed) => proofs(self.kind(), installed),
            Err(_) => Isolation::Unproven,
        }
    }

    async fn run(
        &self,
        request: AgentRequest,
        access: ToolAccess,
        watcher: AgentWatcher,
        cancel: CancellationToken,
    ) -> Result<AgentOutcome, AgentFailure> {
        if request.session.as_deref().is_some_and(|session| session.starts_with('-')) {
            let reason = "the session to go on with has a name that reads like a flag";
            return Err(AgentFailure::Unusable(reason.to_owned()));
        }
        let program = installed::find(self.kind(), &request.env)?;
        let server = Server::of(&access, request.trace.as_ref())?;
        let desk = Desk::make(&self.settings.scratch)?;
        let home = self.settings.home.as_deref();
        let errand = Errand { request: &request, server: server.as_ref(), home };
        let started = self.start(&errand, &program, &desk, &cancel).await?;
        let mut ears = Ears::new(self.dialect, &watcher);
        let end = started.follow(&mut ears, &cancel).await;
        let (story, complaints) = ears.close();
        let answer = match end {
            End::Cancelled => return Err(AgentFailure::Cancelled),
            End::Exited(exit) => {
                let ledger = &self.settings.ledger;
                let before = ledger.before(request.session.as_deref());
                ledger.note(story.session.as_deref(), story.total);
                story.conclude(self.kind(), &Ending { exit, before, complaints: &complaints })
            }
        };
        if answer.is_err() {
            for line in complaints.lines() {
                watcher(AgentNews::Complaint(line.to_owned()));
            }
        }
        answer
    }
}

/// `over` wins over `base`.
pub(crate) fn merged(
    base: &[(OsString, OsString)],
    over: &[(OsString, OsString)],
) -> Vec<(OsString, OsString)> {
    let kept = base.iter().filter(|(name, _)| over.iter().all(|(other, _)| other != name));
    kept.chain(over).cloned().collect()
}
