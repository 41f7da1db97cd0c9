//! Which files are meant by what was typed.

use std::path::{Path, PathBuf};

use awf_core::shown;

use crate::{
    commands::validate::nothing_in,
    environment::Environment,
    report::CommandError,
    workflows::{self, PROJECT_FOLDER},
};

/// The files, in the order typed, each once. Checking nothing is an error: a build that checks nothing must not be green.
pub(super) fn resolve(
    typed: &[String],
    dir: Option<&Path>,
    environment: &Environment,
) -> Result<Vec<PathBuf>, CommandError> {
    let mut files = Vec::new();
    match (typed, dir) {
        ([], None) => files.extend(all_in(Path::new(PROJECT_FOLDER))?),
        ([], Some(dir)) => files.extend(all_in(dir)?),
        (typed, None) => {
            for name in typed {
                files.extend(named(name, environment)?);
            }
        }
        (typed, Some(dir)) => {
            for name in typed {
                files.push(workflows::find_in(dir, name)?);
            }
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    files.retain(|file| seen.insert(file.clone()));
    Ok(files)
}

fn named(name: &str, environment: &Environment) -> Result<Vec<PathBuf>, CommandError> {
    match workflows::find(name, environment) {
        Ok(file) => Ok(vec![file]),
        Err(_) if Path::new(name).is_dir() => folder(Path::new(name)),
        Err(error) => Err(error),
    }
}

/// A project's workflows, where the folder is that of a project; else what lies in it.
fn folder(folder: &Path) -> Result<Vec<PathBuf>, CommandError> {
    let of_project = folder.join(PROJECT_FOLDER);
    all_in(if of_project.is_dir() { &of_project } else { folder })
}

fn all_in(folder: &Path) -> Result<Vec<PathBuf>, CommandError> {
    let files = workflows::files_in(folder)?;
    if files.is_empty() {
        return Err(nothing_in(&shown(&folder.display().to_string())));
    }
    Ok(files)
}
