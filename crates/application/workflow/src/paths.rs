//! Where the files that a workflow names may be: the places that are looked at, in order.

use std::path::{Path, PathBuf};

use awf_core::{Located, Skill};

/// What a skill's directory holds.
const SKILL_FILE: &str = "SKILL.md";
/// What a role's directory holds.
const ROLE_FILE: &str = "AGENTS.md";

/// A prompt or script: beside the workflow's file, since they travel together, else in the project.
pub(crate) fn file_places(workflow: &str, project: &Path, path: &str) -> Vec<PathBuf> {
    let beside = Path::new(workflow).parent().unwrap_or(Path::new("")).join(path);
    let in_project = project.join(path);
    if beside == in_project { vec![beside] } else { vec![beside, in_project] }
}

/// A skill: by name in the directories for skills; by path its directory or its file.
pub(crate) fn skill_places(
    skill: &Skill,
    workflow: &str,
    project: &Path,
    dirs: &[PathBuf],
) -> Vec<PathBuf> {
    match skill {
        Skill::Named(name) => named(name.as_str(), SKILL_FILE, dirs),
        Skill::At(path) => file_places(workflow, project, path.as_str())
            .into_iter()
            .flat_map(|place| [place.join(SKILL_FILE), place])
            .collect(),
    }
}

/// A role: a word is a name in the directories for roles, anything with a slash is the path of its directory.
pub(crate) fn role_places(
    role: &Located<String>,
    workflow: &str,
    project: &Path,
    dirs: &[PathBuf],
) -> Vec<PathBuf> {
    let role = role.as_str();
    if !role.contains('/') {
        return named(role, ROLE_FILE, dirs);
    }
    let places = file_places(workflow, project, role).into_iter();
    places.map(|place| place.join(ROLE_FILE)).collect()
}

/// A name is one step down, never a way out.
fn named(name: &str, file: &str, dirs: &[PathBuf]) -> Vec<PathBuf> {
    if name.is_empty() || name.contains('/') || matches!(name, "." | "..") {
        return Vec::new();
    }
    dirs.iter().map(|dir| dir.join(name).join(file)).collect()
}

#[cfg(test)]
mod tests;
