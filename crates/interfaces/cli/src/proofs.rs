//! What `awf doctor` found out, kept so that a run knows how far an agent can be trusted to keep to its tools. A finding is
//! of one version of one file: another version, or another file, is another agent.

use std::{
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
};

use awf_agents::Installed;
use awf_core::{AgentKind, Isolation};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

/// What was found of one version of one agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Proof {
    pub(crate) agent: String,
    pub(crate) version: String,
    /// Of its program.
    pub(crate) sha256: String,
    /// Of awf: another one asks the agent otherwise.
    pub(crate) awf_version: String,
    /// How the agent was logged in when it was tried.
    pub(crate) login: String,
    pub(crate) verdict: Verdict,
    /// Tools that awf does not offer and that stay all the same.
    pub(crate) remains: Vec<String>,
    /// What went past awf.
    pub(crate) leaks: Vec<String>,
    /// When, RFC 3339.
    pub(crate) at: String,
}

/// What is to be made of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    /// The model was offered awf's tools and nothing that reaches anything else; tools it invented had no effect.
    Proven,
    /// Other tools stay on offer, but none that was tried had an effect.
    Residual,
    /// Something went past awf.
    Leaking,
    /// It could not be tried.
    Failed,
}

impl Verdict {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::Residual => "residual",
            Self::Leaking => "leaking",
            Self::Failed => "failed",
        }
    }
}

/// All that was found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proofs {
    path: PathBuf,
    found: Vec<Proof>,
}

impl Proofs {
    /// Reads what is kept in `home`. What cannot be read is as good as unknown.
    pub(crate) fn load(home: &Path) -> Self {
        let path = home.join("doctor.json");
        let text = fs::read_to_string(&path).unwrap_or_default();
        Self { path, found: serde_json::from_str(&text).unwrap_or_default() }
    }

    /// What was found of this very program, by this very awf.
    pub(crate) fn of(&self, installed: &Installed) -> Option<&Proof> {
        self.found.iter().find(|proof| {
            proof.agent == installed.kind.as_str()
                && proof.version == installed.version
                && proof.sha256 == installed.sha256
                && proof.awf_version == env!("CARGO_PKG_VERSION")
        })
    }

    /// Everything that was found of an agent, whatever its version, the newest finding first.
    pub(crate) fn history(&self, kind: AgentKind) -> Vec<&Proof> {
        let mut found: Vec<&Proof> =
            self.found.iter().filter(|proof| proof.agent == kind.as_str()).collect();
        found.sort_by(|one, other| other.at.cmp(&one.at));
        found
    }

    /// Whether some version of an agent may go past awf: by its kind, or because one was seen to.
    pub(crate) fn doubt(&self, kind: AgentKind) -> bool {
        let seen =
            |proof: &Proof| proof.agent == kind.as_str() && proof.verdict == Verdict::Leaking;
        kind.coexists() || self.found.iter().any(seen)
    }

    /// What a step may count on.
    pub(crate) fn isolation(&self, kind: AgentKind, installed: &Installed) -> Isolation {
        let proof = self.of(installed);
        match proof.map_or(Verdict::Failed, |proof| proof.verdict) {
            Verdict::Leaking => {
                Isolation::Leaking(proof.map(|proof| proof.leaks.join(", ")).unwrap_or_default())
            }
            Verdict::Residual | Verdict::Failed if kind.coexists() => Isolation::Unproven,
            Verdict::Proven | Verdict::Residual | Verdict::Failed => Isolation::Certain,
        }
    }

    /// Keeps a finding in the place of an earlier one.
    pub(crate) fn keep(&mut self, proof: Proof) -> io::Result<()> {
        let same = |known: &Proof| {
            (&known.agent, &known.version, &known.sha256)
                == (&proof.agent, &proof.version, &proof.sha256)
        };
        self.found.retain(|known| !same(known));
        self.found.push(proof);
        let named = |error: io::Error| {
            io::Error::new(error.kind(), format!("cannot write `{}`: {error}", self.path.display()))
        };
        self.save().map_err(named)
    }

    /// Whole or not at all; readable to nobody else.
    fn save(&self) -> io::Result<()> {
        let dir = self.path.parent().unwrap_or(Path::new("/"));
        fs::create_dir_all(dir)?;
        let mut file = NamedTempFile::new_in(dir)?;
        serde_json::to_writer_pretty(&mut file, &self.found)?;
        file.write_all(b"\n")?;
        file.persist(&self.path)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
