//! Workflows on disk: where one is looked for by name, how it is read, what it is checked against.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use awf_core::{Code, Diagnostic, Span, Workflow, nearest, shown};

use crate::{environment::Environment, report::CommandError};

mod bundle;
mod project;

pub(crate) use bundle::{Bundle, settings};
pub(crate) use project::{Project, plugin_places};

/// Where a project keeps its workflows.
pub(crate) const PROJECT_FOLDER: &str = ".awf/workflows";
const EXTENSIONS: [&str; 2] = ["yaml", "yml"];

/// A workflow's file, read. The workflow is there when it can be checked further, findings or not.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// The file, as findings name it.
    pub(crate) file: String,
    pub(crate) text: String,
    pub(crate) workflow: Option<Workflow>,
    pub(crate) findings: Vec<Diagnostic>,
}

/// Reads a workflow; nothing is checked beyond its form.
pub(crate) fn load(path: &Path) -> Result<Loaded, Diagnostic> {
    let file = path.display().to_string();
    let text = awf_config::read_text(path).map_err(|error| error.at(Span::start_of(&file)))?;
    let parsed = awf_config::parse_workflow(&file, &text);
    Ok(Loaded { file, text, workflow: parsed.workflow, findings: parsed.findings })
}

/// Brings findings into the order of their places; what was found twice is told once.
pub(crate) fn sort(findings: &mut Vec<Diagnostic>) {
    let place =
        |finding: &Diagnostic| (finding.span.clone(), finding.code, finding.message.clone());
    findings.sort_by_cached_key(place);
    findings.dedup();
}

/// Whose a folder of workflows is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// Named by `AWF_WORKFLOWS_PATH`.
    Path,
    Project,
    User,
}

impl Owner {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Project => "project",
            Self::User => "user",
        }
    }
}

/// A folder in which workflows are found by name.
#[derive(Debug)]
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    pub(crate) owner: Owner,
}

/// The folders of workflows; a name means the first hit.
pub(crate) fn folders(environment: &Environment) -> Vec<Folder> {
    let named = environment.var("AWF_WORKFLOWS_PATH").map(std::env::split_paths);
    let named = named.into_iter().flatten().map(|path| (path, Owner::Path));
    let project = (PathBuf::from(PROJECT_FOLDER), Owner::Project);
    let user = environment.config_home().map(|home| (home.join("workflows"), Owner::User));
    let all = named.chain([project]).chain(user);
    all.map(|(path, owner)| Folder { path, owner }).collect()
}

/// The file that a name or a path on the command line means.
pub(crate) fn find(name: &str, environment: &Environment) -> Result<PathBuf, CommandError> {
    let path = PathBuf::from(name);
    if is_path(name) {
        let missing = format!("there is no workflow file `{}`", shown(name));
        let hint = match Path::new(name).extension() {
            Some(_) => "check the path",
            // What the Go project calls `pack/workflow`.
            None => "check the path; workflow packs are not supported",
        };
        let missing = || CommandError::of(Code::WorkflowNotFound, missing).hinting(hint);
        return path.is_file().then_some(path).ok_or_else(missing);
    }
    let named = folders(environment).iter().find_map(|folder| named_in(&folder.path, name));
    let named = named.or_else(|| path.is_file().then_some(path));
    named.ok_or_else(|| {
        let known =
            folders(environment).into_iter().filter_map(|folder| files_in(&folder.path).ok());
        let error = not_found(name, &known.flatten().collect::<Vec<_>>());
        match elsewhere(name, environment) {
            Some(hint) => error.hinting(&hint),
            None => error,
        }
    })
}

/// Where a name that means nothing here would mean something.
fn elsewhere(name: &str, environment: &Environment) -> Option<String> {
    if let Some(file) = named_in(Path::new(""), name) {
        return Some(format!(
            "for the file beside you write `./{}`",
            shown(&file.display().to_string())
        ));
    }
    go_to_project(environment)
}

/// What to do beneath a project, whose workflows are found by name in its own directory only.
pub(crate) fn go_to_project(environment: &Environment) -> Option<String> {
    let project = project_above(environment)?;
    Some(format!("the project is above: `cd {}` first", shown(&project.display().to_string())))
}

/// The project that the working directory is beneath, where it is none itself.
fn project_above(environment: &Environment) -> Option<PathBuf> {
    let mut dirs = environment.current_dir.ancestors();
    let here = dirs.next()?;
    if here.join(".awf").is_dir() {
        return None;
    }
    dirs.find(|dir| dir.join(PROJECT_FOLDER).is_dir()).map(Path::to_owned)
}

/// The file that a name means in one folder only.
pub(crate) fn find_in(folder: &Path, name: &str) -> Result<PathBuf, CommandError> {
    let known = files_in(folder)?;
    let exact = known.iter().find(|path| path.file_name().is_some_and(|own| own == name));
    let found = exact.cloned().or_else(|| named_in(folder, name));
    found.ok_or_else(|| not_found(name, &known))
}

/// The file that `workflow: name` in the file `from` means: beside it first, since callers and called travel together.
pub(crate) fn called(from: &str, name: &str, environment: &Environment) -> Option<PathBuf> {
    let beside = Path::new(from).parent().unwrap_or(Path::new(""));
    if is_path(name) {
        let path = beside.join(name);
        return path.is_file().then_some(path);
    }
    named_in(beside, name).or_else(|| find(name, environment).ok())
}

/// The workflow files directly in a folder, by name; none when it is not there.
pub(crate) fn files_in(folder: &Path) -> Result<Vec<PathBuf>, CommandError> {
    let mut files = Vec::new();
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(files),
        Err(error) => return Err(unreadable(folder, &error)),
    };
    for entry in entries {
        let path = entry.map_err(|error| unreadable(folder, &error))?.path();
        let known = |end: &str| path.extension().is_some_and(|extension| extension == end);
        if EXTENSIONS.iter().any(|end| known(end)) && path.is_file() {
            // What lies here is called by its name alone.
            files.push(path.strip_prefix(".").map(Path::to_owned).unwrap_or(path));
        }
    }
    files.sort();
    Ok(files)
}

fn unreadable(folder: &Path, error: &io::Error) -> CommandError {
    let folder = shown(&folder.display().to_string());
    CommandError::of(Code::IoReadFailed, format!("cannot list the folder `{folder}`: {error}"))
}

fn is_path(name: &str) -> bool {
    let extension = Path::new(name).extension();
    name.contains('/') || EXTENSIONS.iter().any(|end| extension.is_some_and(|own| own == *end))
}

fn named_in(folder: &Path, name: &str) -> Option<PathBuf> {
    let paths = EXTENSIONS.iter().map(|end| folder.join(format!("{name}.{end}")));
    paths.into_iter().find(|path| path.is_file())
}

fn not_found(name: &str, files: &[PathBuf]) -> CommandError {
    let known: Vec<String> = files.iter().filter_map(|path| stem(path)).collect();
    let near: Vec<String> = nearest(name, known.iter().map(String::as_str))
        .into_iter()
        .map(|near| format!("`{}`", shown(near)))
        .collect();
    let message = format!("there is no workflow `{}`", shown(name));
    let error = CommandError::of(Code::WorkflowNotFound, message);
    if near.is_empty() {
        return error;
    }
    error.hinting(&format!("did you mean {}?", near.join(" or ")))
}

/// The name a file is found by.
pub(crate) fn stem(path: &Path) -> Option<String> {
    Some(path.file_stem()?.to_string_lossy().into_owned())
}
