//! The findings, for a person and for a program.

use std::path::Path;

use awf_core::AgentKind;
use serde::Serialize;

use crate::{
    commands::doctor::{Diagnosis, Known},
    home::exposure,
    proofs::Verdict,
    table::{padded, printable},
};

/// All findings.
#[derive(Serialize)]
pub(crate) struct Report {
    awf_version: &'static str,
    /// Where awf keeps its data.
    home: Home,
    /// awf's own proxy, with an agent that awf plays.
    proxy: Proxy,
    agents: Vec<Agent>,
    /// The one that was asked for by name.
    #[serde(skip)]
    wanted: Option<AgentKind>,
}

#[derive(Serialize)]
struct Home {
    path: String,
    /// What is wrong with it, and what to do.
    warning: Option<String>,
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
    /// Of the home and the proxy so far. `wanted` is the one agent that was asked for by name.
    pub(super) fn new(home: &Path, proxy: Option<String>, wanted: Option<AgentKind>) -> Self {
        let home = Home { path: home.display().to_string(), warning: exposure(home) };
        let proxy = Proxy { works: proxy.is_none(), reason: proxy };
        Self { awf_version: env!("CARGO_PKG_VERSION"), home, proxy, agents: Vec::new(), wanted }
    }

    /// Adds what was found of an agent, and gives it as lines for a person.
    pub(super) fn add(&mut self, found: &Diagnosis) -> Vec<String> {
        let agent = Agent::of(found);
        let lines = agent.lines();
        self.agents.push(agent);
        lines
    }

    /// What is known before any agent is tried.
    pub(super) fn first_lines(&self) -> Vec<String> {
        let home = self.home.warning.as_ref().map(|warning| line("OPEN", &printable(warning)));
        let proxy = match &self.proxy.reason {
            None => line("works", "awf's own proxy"),
            Some(reason) => line("BROKEN", &format!("awf's own proxy: {}", printable(reason))),
        };
        home.into_iter().chain([proxy]).collect()
    }

    /// Whether awf works and every agent that is there keeps to it. One that was asked for must be there.
    pub(super) fn is_proven(&self) -> bool {
        let proven = |agent: &Agent| match agent.verdict {
            Some(verdict) => verdict == Verdict::Proven,
            None => self.wanted.is_none(),
        };
        self.proxy.works && self.agents.iter().all(proven)
    }

    pub(super) fn last_word(&self) -> &'static str {
        let some = |verdict| self.agents.iter().any(|agent| agent.verdict == Some(verdict));
        if some(Verdict::Leaking) || some(Verdict::Residual) {
            "Not all of them keep to awf's tools: set `on_bypass: fail`, or use one that is proven."
        } else if some(Verdict::Failed) || !self.proxy.works {
            "Not all could be tried, and what was not tried is not proven."
        } else if self.agents.iter().all(|agent| !agent.installed) {
            "It is not installed here: `awf run --provider scripted:FILE` plays any agent."
        } else if self.wanted.is_none() && self.agents.iter().all(|agent| agent.program.is_none()) {
            "No agent program is installed here: `awf run --provider scripted:FILE` plays any of them."
        } else {
            "With `mcp_proxy: {enable: true}` their only tools are awf's. Logins by subscription were not tried."
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
                let reach = match (what, verdict) {
                    ("remains", Verdict::Proven) => ", which reach nothing",
                    _ => "",
                };
                let tools = printable(&tools.join(", "));
                lines.push(line("", &format!("{what}: {tools}{reach}")));
            }
        }
        lines.extend(self.reason.as_ref().map(|reason| line("", &printable(reason))));
        lines
    }
}

fn line(word: &str, text: &str) -> String {
    format!("  {} {text}", padded(word, 9)).trim_end().to_owned()
}
