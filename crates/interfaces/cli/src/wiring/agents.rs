//! The agents there are: programs, if they are installed, and scripts. Asked for before anything runs.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    sync::Arc,
};

use awf_agents::{
    CliAgent, CliSettings, Installed, Ledger, OpenAiAgent, OpenAiSettings, ScriptedAgent,
};
use awf_core::{AgentFailure, AgentKind, AgentProvider, Diagnostic};
use awf_process::{Grace, Guard};
use awf_workflow::AgentSource;

use crate::{environment::Environment, proofs::Proofs, snippet::unmarked};

/// What agents are made with.
pub(crate) struct AgentParts<'a> {
    /// The project's directory, where scripts are.
    pub(crate) dir: &'a Path,
    pub(crate) guard: &'a Guard,
    /// The run's private directory.
    pub(crate) scratch: &'a Path,
    pub(crate) environment: &'a Environment,
    /// Where awf keeps its data.
    pub(crate) data: &'a Path,
    pub(crate) openai: OpenAiSettings,
}

/// Finds an agent by its name.
pub(crate) fn agents(parts: AgentParts<'_>) -> AgentSource {
    let AgentParts { dir, guard, scratch, environment, data, openai } = parts;
    let (dir, guard) = (dir.to_owned(), guard.clone());
    let programs = Programs {
        env: environment.for_shell(),
        keys: AgentKind::ALL.map(|kind| (kind, environment.keys_for(kind))).to_vec(),
        scratch: scratch.to_owned(),
        home: environment.home(),
        ledger: Ledger::default(),
        proofs: Arc::new(Proofs::load(data)),
    };
    Arc::new(move |name| match (AgentKind::parse(name), name.strip_prefix("scripted:")) {
        (Some(AgentKind::Scripted), Some(file)) => scripted(&dir.join(file), &guard),
        (Some(AgentKind::Scripted), None) => Err(AgentFailure::Unusable(
            "the scripted agent needs its file: `scripted:turns.yaml`".to_owned(),
        )),
        (
            Some(
                kind @ (AgentKind::Claude
                | AgentKind::Gemini
                | AgentKind::Codex
                | AgentKind::OpenCode),
            ),
            _,
        ) => programs.agent(kind, &guard),
        (Some(AgentKind::OpenAiCompatible), _) => Ok(Arc::new(OpenAiAgent::new(openai.clone()))),
        (None, _) => Err(AgentFailure::Unsupported(name.to_owned())),
    })
}

/// Which program of an agent the `PATH` leads to.
pub(crate) async fn installed(
    kind: AgentKind,
    environment: &Environment,
) -> Result<Installed, AgentFailure> {
    let guard = super::guard(&environment.executable);
    let found = awf_agents::installed(kind, &environment.for_shell(), &guard).await;
    if let Err(error) = guard.stop(Grace::NONE).await {
        tracing::warn!(%error, "what an agent started to tell its version could not be ended");
    }
    found
}

/// What programs are made with.
struct Programs {
    /// Where they are looked for.
    env: Vec<(OsString, OsString)>,
    /// The keys each of them gets.
    keys: Vec<(AgentKind, Vec<(OsString, OsString)>)>,
    scratch: PathBuf,
    home: Option<PathBuf>,
    ledger: Ledger,
    proofs: Arc<Proofs>,
}

impl Programs {
    fn agent(
        &self,
        kind: AgentKind,
        guard: &Guard,
    ) -> Result<Arc<dyn AgentProvider>, AgentFailure> {
        awf_agents::find(kind, &self.env)?;
        let keys = self.keys.iter().filter(|(owner, _)| *owner == kind);
        let settings = CliSettings {
            guard: guard.clone(),
            scratch: self.scratch.clone(),
            home: self.home.clone(),
            keys: keys.flat_map(|(_, keys)| keys).cloned().collect(),
            ledger: self.ledger.clone(),
            proofs: self.proofs.doubt(kind).then(|| {
                let proofs = self.proofs.clone();
                Arc::new(move |kind, installed: &Installed| proofs.isolation(kind, installed)) as _
            }),
        };
        let agent = CliAgent::new(kind, settings);
        let agent = agent.ok_or_else(|| AgentFailure::Unsupported(kind.as_str().to_owned()))?;
        Ok(Arc::new(agent))
    }
}

fn scripted(file: &Path, guard: &Guard) -> Result<Arc<dyn AgentProvider>, AgentFailure> {
    let unusable = |finding: &Diagnostic| AgentFailure::Unusable(unmarked(finding));
    let text = awf_config::read_text(file).map_err(|finding| unusable(&finding))?;
    let script = awf_config::parse_script(&file.display().to_string(), &text);
    let script = script.map_err(|findings| {
        findings
            .first()
            .map_or_else(|| AgentFailure::Unusable("the script has no turns".to_owned()), unusable)
    })?;
    Ok(Arc::new(ScriptedAgent::new(script, guard.clone())))
}
