//! The findings, for a person and for a program.

use serde::Serialize;

use crate::{
    commands::doctor::{Diagnosis, Known},
    proofs::Verdict,
    table::{padded, printable},
};

/// All findings.
#[derive(Serialize)]
pub(crate) struct Report {
    awf_version: &'static str,
    /// awf's own proxy, with an agent that awf plays.
    proxy: Proxy,
    agents: Vec<Agent>,
}

#[derive(Serialize)]
struct Proxy {
    works: bool,
    reason: Option<String>,
}

/// What is known of one agent. The keys are stable.
#[derive(Serialize)]
struct Agent {
    #[serde(rename = "agent")]
    name: String,
    installed: bool,
    program: Option<String>,
    version: Option<String>,
    sha256: Option<String>,
    /// How it was logged in when it was tried.
    login: Option<String>,
    verdict: Option<Verdict>,
    remains: Vec<String>,
    leaks: Vec<String>,
    reason: Option<String>,
    tested_at: Option<String>,
    cached: bool,
}

impl Report {
    pub(super) fn new(proxy: Option<String>, found: &[Diagnosis]) -> Self {
        Self {
            awf_version: env!("CARGO_PKG_VERSION"),
            proxy: Proxy { works: proxy.is_none(), reason: proxy },
            agents: found.iter().map(Agent::of).collect(),
        }
    }

    /// Whether awf works and every agent that is there keeps to it.
    pub(super) fn is_proven(&self) -> bool {
        let proven = |agent: &Agent| !agent.installed || agent.verdict == Some(Verdict::Proven);
        self.proxy.works && self.agents.iter().all(proven)
    }

    /// As lines for a person.
    pub(super) fn page(&self) -> String {
        let mut lines = vec![
            "Agents against a model that awf plays on this machine: no key, no network.".to_owned(),
            String::new(),
            match &self.proxy.reason {
                None => line("works", "awf's own proxy"),
                Some(reason) => line("BROKEN", &format!("awf's own proxy: {}", printable(reason))),
            },
        ];
        lines.extend(self.agents.iter().flat_map(Agent::lines));
        lines.push(String::new());
        lines.push(self.last_word().to_owned());
        lines.join("\n")
    }

    fn last_word(&self) -> &'static str {
        if self.agents.iter().all(|agent| !agent.installed || agent.program.is_none()) {
            "No agent program is installed here: `awf run --provider scripted:FILE` plays any of them."
        } else if self.is_proven() {
            "With `mcp_proxy: {enable: true}` their only tools are awf's. Logins by subscription were not tried."
        } else {
            "Not all of them keep to awf's tools: set `on_bypass: fail`, or use one that is proven."
        }
    }
}

impl Agent {
    fn of(diagnosis: &Diagnosis) -> Self {
        match diagnosis {
            Diagnosis::Absent(kind) => Self {
                name: kind.as_str().to_owned(),
                installed: false,
                program: None,
                version: None,
                sha256: None,
                login: None,
                verdict: None,
                remains: Vec::new(),
                leaks: Vec::new(),
                reason: None,
                tested_at: None,
                cached: false,
            },
            Diagnosis::Known(known) => Self::known(known),
        }
    }

    fn known(known: &Known) -> Self {
        let proof = known.proof.clone();
        Self {
            name: proof.agent,
            installed: true,
            program: known.program.clone(),
            version: Some(proof.version),
            sha256: Some(proof.sha256).filter(|hash| !hash.is_empty()),
            login: Some(proof.login),
            verdict: Some(proof.verdict),
            remains: proof.remains,
            leaks: proof.leaks,
            reason: known.reason.clone(),
            tested_at: Some(proof.at),
            cached: known.cached,
        }
    }

    fn lines(&self) -> Vec<String> {
        let Some(verdict) = self.verdict else {
            return vec![line("--", &format!("{}: not installed", self.name))];
        };
        let (version, login) = (self.version.as_deref(), self.login.as_deref());
        let version = printable(version.unwrap_or_default());
        let at = self.tested_at.as_deref().unwrap_or_default();
        let before = if self.cached { "tried before, " } else { "" };
        let word = match verdict {
            Verdict::Proven | Verdict::Residual => verdict.as_str().to_owned(),
            Verdict::Leaking | Verdict::Failed => verdict.as_str().to_uppercase(),
        };
        let login = login.unwrap_or_default();
        let about = format!("{} {version}, by {login}, {before}{at}", self.name);
        let mut lines = vec![line(&word, &about)];
        for (what, tools) in [("remains", &self.remains), ("leaks", &self.leaks)] {
            if !tools.is_empty() {
                lines.push(line("", &format!("{what}: {}", printable(&tools.join(", ")))));
            }
        }
        lines.extend(self.reason.as_ref().map(|reason| line("", &printable(reason))));
        lines
    }
}

fn line(word: &str, text: &str) -> String {
    format!("  {} {text}", padded(word, 9)).trim_end().to_owned()
}
