//! What the page tells of this machine: what `awf doctor` proved and kept, and which servers can be used.

use std::{path::PathBuf, sync::Arc};

use awf_config::ServerSetting;
use awf_core::AgentKind;
use awf_web::{AgentChart, AgentProgram, Chart, Clinic, ProofChart, ServerChart};

use crate::{
    commands::{doctor::TRIED, mcp::sheet},
    environment::Environment,
    home::exposure,
    proofs::{Proof, Proofs},
    report::CommandError,
    wiring::Shelf,
};

/// This machine, as it was found when serving began.
pub(crate) struct Machine {
    /// What tools are served from, if any are.
    shelf: Option<Arc<Shelf>>,
    home: PathBuf,
    /// The agents, and where their programs are.
    programs: Vec<(AgentKind, AgentProgram)>,
}

impl Machine {
    pub(crate) fn new(
        shelf: Option<Arc<Shelf>>,
        environment: &Environment,
    ) -> Result<Self, CommandError> {
        let programs = TRIED.map(|kind| (kind, program(kind, environment)));
        Ok(Self { shelf, home: environment.awf_home()?, programs: programs.to_vec() })
    }
}

impl Clinic for Machine {
    fn chart(&self) -> Chart {
        // Read each time: `awf doctor` may have run since.
        let proofs = Proofs::load(&self.home);
        let agents = self.programs.iter().map(|(kind, program)| AgentChart {
            name: kind.as_str().to_owned(),
            program: program.clone(),
            proofs: proofs.history(*kind).into_iter().map(proof).collect(),
        });
        let server = |(setting, fault): (&ServerSetting, Option<String>)| ServerChart {
            name: setting.name.clone(),
            target: sheet::target(&setting.transport),
            fault,
        };
        let servers = self.shelf.as_ref();
        let servers = servers.map(|shelf| shelf.upstreams().outlook().map(server).collect());
        Chart {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            home: self.home.display().to_string(),
            exposure: exposure(&self.home),
            agents: agents.collect(),
            servers,
        }
    }
}

/// Looked for once, and not started: it may be anything.
fn program(kind: AgentKind, environment: &Environment) -> AgentProgram {
    if kind == AgentKind::OpenAiCompatible {
        return AgentProgram::Included;
    }
    let found = environment.program(kind.as_str());
    found.map_or(AgentProgram::Missing, |path| AgentProgram::At(path.display().to_string()))
}

fn proof(proof: &Proof) -> ProofChart {
    ProofChart {
        version: proof.version.clone(),
        awf_version: proof.awf_version.clone(),
        verdict: proof.verdict.as_str(),
        remains: proof.remains.clone(),
        leaks: proof.leaks.clone(),
        login: proof.login.clone(),
        at: proof.at.clone(),
    }
}
