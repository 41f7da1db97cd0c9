//! What an agent is asked and told: skills before the prompt, the role before the system prompt.

use awf_core::{AgentState, Code, PromptSource, Skill, StepError};

use crate::{
    engine::{
        bench::Bench,
        files::read_first,
        render::{render, render_file},
    },
    paths::{file_places, role_places, skill_places},
};

/// The skills, then the prompt.
pub(super) fn prompt(bench: &Bench<'_>, state: &AgentState) -> Result<String, StepError> {
    let mut parts = Vec::new();
    for skill in &state.skills {
        parts.push(skill_text(bench, skill)?);
    }
    parts.push(match &state.prompt {
        PromptSource::Inline(text) => render(text, &bench.view)?,
        PromptSource::File(path) => {
            let named = render(path, &bench.view)?;
            let places = absolute(bench, file_places(bench.file, &bench.ports.dir, &named));
            let what = format!("prompt file `{named}`");
            let (_, text) = read_first(places, Code::InputMissingFile, &what)?;
            render_file(&named, &text, &bench.view)?
        }
    });
    Ok(parts.join("\n\n"))
}

/// The role, then the system prompt.
pub(super) fn system_prompt(
    bench: &Bench<'_>,
    state: &AgentState,
) -> Result<Option<String>, StepError> {
    let mut parts = Vec::new();
    if let Some(role) = &state.role {
        let dirs = &bench.ports.places.roles;
        let places = absolute(bench, role_places(role, bench.file, &bench.ports.dir, dirs));
        let what = format!("role `{}`", role.value);
        let (_, text) = read_first(places, Code::InputMissingRole, &what)?;
        parts.push(text.trim_end().to_owned());
    }
    if let Some(text) = &state.system_prompt {
        parts.push(render(text, &bench.view)?);
    }
    Ok((!parts.is_empty()).then(|| parts.join("\n\n")))
}

fn skill_text(bench: &Bench<'_>, skill: &Skill) -> Result<String, StepError> {
    let (Skill::Named(name) | Skill::At(name)) = skill;
    let dirs = &bench.ports.places.skills;
    let places = absolute(bench, skill_places(skill, bench.file, &bench.ports.dir, dirs));
    let what = format!("skill `{}`", name.value);
    let (_, text) = read_first(places, Code::InputMissingSkill, &what)?;
    Ok(text.trim_end().to_owned())
}

/// A workflow's file may be named relative to the project.
fn absolute(bench: &Bench<'_>, places: Vec<std::path::PathBuf>) -> Vec<std::path::PathBuf> {
    places.into_iter().map(|place| bench.ports.dir.join(place)).collect()
}
