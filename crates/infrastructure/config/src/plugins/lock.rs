//! `.awf/plugins.lock`: what plugins said they have when they were asked last, each bound to its binary.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use awf_core::{
    Code, Diagnostic, OperationSchema, PluginEntry, PluginOrigin, Span, StepType, shown,
};

use crate::{
    file::{LARGEST, Readers, read_text, write_text},
    plugins::PluginPlaces,
};

mod wire;

/// What is locked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lock {
    /// In the order of their names.
    pub plugins: Vec<LockedPlugin>,
}

/// One plugin, as it was when it was asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LockedPlugin {
    /// Its name.
    pub name: String,
    /// `sha256:…` of its binary.
    pub checksum: String,
    /// Its version, where it says one.
    pub version: Option<String>,
    /// Its operations.
    pub operations: Vec<OperationSchema>,
    /// Its step types.
    pub step_types: Vec<StepType>,
}

/// The lock file of a project; `None` when it has none.
pub fn read_lock(project: &Path) -> Result<Option<Lock>, Diagnostic> {
    let path = path(project);
    if !path.exists() {
        return Ok(None);
    }
    let wrong = |why: String| {
        let message = format!("the lock file is damaged: {why}");
        let finding = Diagnostic::new(Code::ConfigInvalid, message).at(start(&path));
        finding.hinting("run `awf plugin lock` to write it anew")
    };
    let text = read_text(&path).map_err(|finding| wrong(finding.message))?;
    match wire::read(&text) {
        Ok(lock) => match twice(&lock) {
            Some(name) => Err(wrong(format!("it has plugin `{}` twice", shown(name)))),
            None => Ok(Some(lock)),
        },
        Err(wire::Unreadable::Damaged(why)) => Err(wrong(why)),
        Err(wire::Unreadable::Newer(version)) => {
            let message = format!(
                "the lock file has format {version}, and this version of awf knows format {}",
                wire::FORMAT
            );
            let finding = Diagnostic::new(Code::ConfigInvalid, message).at(start(&path));
            Err(finding.hinting("use a newer awf, or run `awf plugin lock` to write it anew"))
        }
    }
}

fn twice(lock: &Lock) -> Option<&str> {
    let mut names = HashSet::new();
    lock.plugins.iter().map(|locked| locked.name.as_str()).find(|name| !names.insert(*name))
}

/// Puts `lock` in the place of the project's lock file, whole or not at all. The same plugins give the same bytes.
pub fn write_lock(project: &Path, lock: &Lock) -> Result<(), Diagnostic> {
    let text = wire::written(lock);
    if text.len() > LARGEST {
        let message = "what the plugins say is more than a lock file holds, which is 1 MiB";
        let finding = Diagnostic::new(Code::IoWriteFailed, message);
        return Err(finding.hinting("lock fewer plugins: declare the `operations` of the others"));
    }
    write_text(&path(project), &text, Readers::Usual)
}

/// Adds what is locked to what is known, and tells what cannot be relied on.
pub(super) fn complete(plugins: &mut [PluginEntry], places: &PluginPlaces<'_>) -> Vec<Diagnostic> {
    let lock = match read_lock(places.project) {
        Ok(Some(lock)) => lock,
        Ok(None) => return Vec::new(),
        Err(finding) => {
            for plugin in plugins {
                plugin.doubted = true;
            }
            return vec![finding];
        }
    };
    let mut findings = Vec::new();
    for locked in lock.plugins {
        let known = plugins.iter_mut().find(|plugin| plugin.name == locked.name);
        let Some(plugin) = known.filter(|plugin| plugin.origin != PluginOrigin::Included) else {
            continue;
        };
        let actual = needs(plugin, &locked).then(|| (places.checksum)(plugin));
        // Also where it is another now: whoever starts it must find that out.
        plugin.checksum.get_or_insert_with(|| locked.checksum.clone());
        match actual {
            None => {}
            Some(Some(actual)) if actual.eq_ignore_ascii_case(&locked.checksum) => {
                plugin.version = plugin.version.take().or(locked.version);
                complete_operations(&mut plugin.operations, locked.operations);
                complete_step_types(&mut plugin.step_types, locked.step_types);
            }
            Some(Some(_)) => {
                plugin.doubted = true;
                let why = "is not the one that was locked";
                findings.push(unreliable(&locked.name, why, places.project));
            }
            Some(None) => {
                plugin.doubted = true;
                let why = "cannot be read, so it may not be the one that was locked";
                findings.push(unreliable(&locked.name, why, places.project));
            }
        }
    }
    findings
}

/// Whether the lock can say more than the project does.
fn needs(plugin: &PluginEntry, locked: &LockedPlugin) -> bool {
    let more = |known: &OperationSchema| {
        let told = locked.operations.iter().any(|locked| locked.name == known.name);
        told && is_bare(known)
    };
    let operations = plugin.operations.as_ref().is_none_or(|known| known.iter().any(more));
    plugin.enabled && (operations || plugin.step_types.is_none())
}

/// Whether no more is known of an operation than its name.
fn is_bare(operation: &OperationSchema) -> bool {
    let name = operation.name.clone();
    *operation == OperationSchema { name, ..OperationSchema::default() }
}

/// All that are locked; of a list, only what stands in it by name alone.
fn complete_operations(known: &mut Option<Vec<OperationSchema>>, locked: Vec<OperationSchema>) {
    let Some(known) = known else {
        *known = Some(locked);
        return;
    };
    for operation in known.iter_mut().filter(|operation| is_bare(operation)) {
        if let Some(locked) = locked.iter().find(|locked| locked.name == operation.name) {
            operation.clone_from(locked);
        }
    }
}

/// The same for step types.
fn complete_step_types(known: &mut Option<Vec<StepType>>, locked: Vec<StepType>) {
    let Some(known) = known else {
        *known = Some(locked);
        return;
    };
    for step_type in known.iter_mut().filter(|known| known.description.is_empty()) {
        if let Some(locked) = locked.iter().find(|locked| locked.name == step_type.name) {
            step_type.clone_from(locked);
        }
    }
}

/// The warning about a binary that what is locked may not be about.
fn unreliable(plugin: &str, why: &str, project: &Path) -> Diagnostic {
    let message = format!("the binary of plugin `{}` {why}", shown(plugin));
    Diagnostic::new(Code::UnverifiedOperation, message)
        .at(start(&path(project)))
        .hinting("check where it came from, then run `awf plugin lock`")
}

fn path(project: &Path) -> PathBuf {
    project.join(".awf/plugins.lock")
}

fn start(path: &Path) -> Span {
    Span::start_of(&path.display().to_string())
}

#[cfg(test)]
mod tests;
