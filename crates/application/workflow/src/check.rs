//! Everything that can be known of a workflow without starting anything. One file for each family of rules.

use std::path::{Path, PathBuf};

use awf_core::{Code, Diagnostic, PluginCatalog, Workflow, nearest, shown};
use serde_json::Value;

mod states;

/// What a workflow is checked against: the world, as far as it may be looked at.
pub struct Surroundings<'a> {
    /// Every plugin there is, without starting one.
    pub plugins: &'a PluginCatalog,
    /// The project's directory.
    pub dir: &'a Path,
    /// The values of the namespace `awf`, an object: `prompts_dir`, `scripts_dir`…
    pub awf: &'a Value,
    /// Where skills are looked for by name, the first hit wins.
    pub skill_dirs: &'a [PathBuf],
    /// Where roles are looked for by name, the first hit wins.
    pub role_dirs: &'a [PathBuf],
    /// Whether a regular file is there.
    pub file_exists: &'a dyn Fn(&Path) -> bool,
    /// The workflow that a `call_workflow` means: from the calling file, by name or by a path beside that file.
    pub workflows: &'a dyn Fn(&str, &str) -> Option<Workflow>,
}

/// Every finding, sorted by place.
pub fn check(workflow: &Workflow, surroundings: &Surroundings<'_>) -> Vec<Diagnostic> {
    let _ = surroundings;
    let mut findings = states::check(workflow);
    findings.sort_by(|a, b| {
        let key = |finding: &Diagnostic| (finding.span.clone(), finding.code.as_str());
        key(a).cmp(&key(b)).then_with(|| a.message.cmp(&b.message))
    });
    findings.dedup();
    findings
}

/// A finding about a name that is not known, hinting at the nearest that are.
fn unknown<'a>(
    code: Code,
    message: impl Into<String>,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    let finding = Diagnostic::new(code, message);
    let near: Vec<String> =
        nearest(name, known).into_iter().map(|near| format!("`{}`", shown(near))).collect();
    if near.is_empty() {
        return finding;
    }
    finding.hinting(format!("did you mean {}?", near.join(" or ")))
}
