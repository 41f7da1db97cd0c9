//! Everything that can be known of a workflow without starting anything. One file for each family of rules.
//!
//! A rule may overlook a fault; it never reports one that is none. Every rule is bounded, whatever the file holds.

use std::path::{Path, PathBuf};

use awf_core::{AgentKind, Diagnostic, OptionFault, PluginCatalog, Reach, Workflow};
use serde_json::Value;

use crate::check::{flow::Flow, subject::Subject};

mod calls;
mod custom;
mod fields;
mod files;
mod flow;
mod graph;
mod inputs;
mod namespaces;
mod operations;
mod options;
mod order;
mod parts;
mod providers;
mod proxy;
mod quoting;
mod references;
mod states;
mod subject;
mod texts;
mod transitions;

pub use namespaces::STATE_PROPERTIES;

/// Whether a provider takes an option; no value is one that only the run knows.
pub type OptionRule<'a> =
    &'a dyn Fn(AgentKind, Reach, &str, Option<&Value>) -> Result<(), OptionFault>;

/// What a workflow is checked against: the world, as far as it may be looked at.
pub struct Surroundings<'a> {
    /// Every plugin there is, without starting one.
    pub plugins: &'a PluginCatalog,
    /// The MCP servers that can be used; `None` where that cannot be told.
    pub servers: Option<&'a [String]>,
    /// The project's directory.
    pub dir: &'a Path,
    /// The values of the namespace `awf`, an object: `prompts_dir`, `scripts_dir`…
    pub awf: &'a Value,
    /// Where skills are looked for by name, the first hit wins.
    pub skill_dirs: &'a [PathBuf],
    /// Where roles are looked for by name, the first hit wins.
    pub role_dirs: &'a [PathBuf],
    /// Who plays the part of every agent, whatever the file says.
    pub provider: Option<&'a str>,
    /// What the providers say of options.
    pub option: OptionRule<'a>,
    /// Whether a regular file is there.
    pub file_exists: &'a dyn Fn(&Path) -> bool,
    /// The text of a file, if there is one that can be read.
    pub read_file: &'a dyn Fn(&Path) -> Option<String>,
    /// The workflow that a `call_workflow` means: from the calling file, by name or by a path beside that file.
    pub workflows: &'a dyn Fn(&str, &str) -> Option<Workflow>,
}

/// Every finding, sorted by place, each once.
pub fn check(workflow: &Workflow, surroundings: &Surroundings<'_>) -> Vec<Diagnostic> {
    let subject = Subject::new(workflow, surroundings);
    let flow = Flow::new(&subject);
    let (texts, malformed) = texts::parse(workflow);
    let mut findings = [
        malformed,
        inputs::check(&subject),
        states::check(&subject),
        parts::check(&subject),
        transitions::check(&subject),
        graph::check(&subject, &flow),
        references::check(&subject, &texts),
        order::check(&subject, &flow, &texts),
        quoting::check(&subject, &texts),
        files::check(&subject),
        providers::check(&subject),
        options::check(&subject),
        proxy::check(&subject),
        operations::check(&subject),
        custom::check(&subject),
        calls::check(&subject),
    ]
    .concat();
    findings.sort_by(|a, b| place(a).cmp(&place(b)).then_with(|| a.message.cmp(&b.message)));
    findings.dedup();
    findings
}

/// What findings are sorted by: file, line, column, then the code.
fn place(finding: &Diagnostic) -> (Option<(&str, usize, usize)>, &'static str) {
    let span = finding.span.as_ref();
    (span.map(|span| (span.file.as_str(), span.line, span.column)), finding.code.as_str())
}

#[cfg(test)]
mod tests;
