//! Which files are meant by what was typed.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use awf_core::{Diagnostic, shown};

use crate::{
    commands::validate::nothing_in,
    environment::Environment,
    report::CommandError,
    workflows::{self, PROJECT_FOLDER},
};

/// What is to be checked.
#[derive(Debug, Default)]
pub(super) struct Targets {
    /// The files, in the order typed, each once.
    pub(super) files: Vec<PathBuf>,
    /// What was typed and means no file.
    pub(super) findings: Vec<Diagnostic>,
}

/// What is not there does not keep the others from being checked. Checking nothing at all is an error: a build that checks
/// nothing must not be green.
pub(super) fn resolve(
    typed: &[String],
    dir: Option<&Path>,
    environment: &Environment,
) -> Result<Targets, CommandError> {
    let mut targets = Targets::default();
    if typed.is_empty() {
        targets.files = match dir {
            Some(dir) => all_in(dir)?,
            None => all_in(Path::new(PROJECT_FOLDER)).map_err(|error| {
                let hint = workflows::go_to_project(environment);
                hint.iter().fold(error, |error, hint| error.hinting(hint))
            })?,
        };
    }
    for name in typed {
        let found = match dir {
            None => named(name, environment),
            Some(dir) => workflows::find_in(dir, name).map(|file| vec![file]),
        };
        match found {
            Ok(files) => targets.files.extend(files),
            Err(error) => targets.findings.extend(error.into_findings()),
        }
    }
    let mut seen = BTreeSet::new();
    targets.files.retain(|file| seen.insert(file.clone()));
    Ok(targets)
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
