//! Files that a workflow names: prompts, scripts, skills and roles must be there.

use std::path::{Path, PathBuf};

use awf_core::{
    AgentState, Code, CommandSource, Diagnostic, PromptSource, Skill, State, StateKind, Text, shown,
};
use awf_template::{Scope, Template};
use serde_json::Value;

use crate::{
    check::{Surroundings, subject::Subject},
    paths::{file_places, role_places, skill_places},
};

pub(super) fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    subject.workflow.states.iter().flat_map(|state| of_state(subject, state)).collect()
}

fn of_state(subject: &Subject<'_>, state: &State) -> Vec<Diagnostic> {
    match &state.kind {
        StateKind::Command(CommandSource::Script(path)) => {
            Vec::from_iter(file(subject, "script", path))
        }
        StateKind::Agent(agent) => of_agent(subject, agent),
        StateKind::Command(CommandSource::Inline(_))
        | StateKind::Parallel(_)
        | StateKind::Loop(_)
        | StateKind::Operation(_)
        | StateKind::Custom(_)
        | StateKind::Call(_)
        | StateKind::Terminal(_) => Vec::new(),
    }
}

fn of_agent(subject: &Subject<'_>, agent: &AgentState) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    match &agent.prompt {
        PromptSource::File(path) => findings.extend(file(subject, "prompt", path)),
        PromptSource::Inline(_) => {}
    }
    let (workflow, around) = (&subject.workflow.file, subject.surroundings);
    for skill in &agent.skills {
        let (Skill::Named(name) | Skill::At(name)) = skill;
        let places = skill_places(skill, workflow, around.dir, around.skill_dirs);
        if !any_exists(around, &places) {
            let message = format!("there is no skill `{}`", shown(name.as_str()));
            let finding = Diagnostic::new(Code::InputMissingSkill, message);
            findings.push(finding.at(name.span.clone()));
        }
    }
    if let Some(role) = &agent.role {
        let places = role_places(role, workflow, around.dir, around.role_dirs);
        if !any_exists(around, &places) {
            let message = format!("there is no role `{}`", shown(role.as_str()));
            let finding = Diagnostic::new(Code::InputMissingRole, message);
            findings.push(finding.at(role.span.clone()));
        }
    }
    findings
}

fn file(subject: &Subject<'_>, what: &str, path: &Text) -> Option<Diagnostic> {
    let around = subject.surroundings;
    let (known, places) = known_places(subject, path)?;
    if any_exists(around, &places) {
        return None;
    }
    let looked: Vec<String> =
        places.iter().map(|place| format!("`{}`", shown(&place.display().to_string()))).collect();
    let message = format!("{what} file `{}` does not exist", shown(&known));
    let finding = Diagnostic::new(Code::InputMissingFile, message).at(path.span.clone());
    Some(finding.hinting(format!("it was looked for at {}", looked.join(" and "))))
}

/// A path as it will be, if that is known before a run, and where its file may be.
pub(super) fn known_places(subject: &Subject<'_>, path: &Text) -> Option<(String, Vec<PathBuf>)> {
    let around = subject.surroundings;
    let known = Template::parse(&path.value).ok()?.render(&Known(around.awf)).ok()?;
    let places = file_places(&subject.workflow.file, around.dir, &known);
    Some((known, places))
}

fn any_exists(around: &Surroundings<'_>, places: &[PathBuf]) -> bool {
    places.iter().any(|place| (around.file_exists)(Path::new(place)))
}

/// All that is known of a path before a run: awf's own directories.
struct Known<'a>(&'a Value);

impl Scope for Known<'_> {
    fn root(&self, name: &str) -> Option<&Value> {
        (name == "awf").then_some(self.0)
    }

    fn read_file(&self, _path: &str) -> Result<String, String> {
        Err("no file is read before a run".to_owned())
    }
}

#[cfg(test)]
mod tests;
