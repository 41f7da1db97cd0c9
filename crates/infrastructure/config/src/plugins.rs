//! Plugins known without starting one: those `.awf/plugins.yaml` declares, and those whose manifest is found.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

use awf_core::{Code, Diagnostic, PluginCatalog, PluginEntry, shown};

use crate::{
    file::read_config,
    reader::{CONFIG, Findings, Shape},
    yaml::Place,
};

mod manifest;
mod meant;
mod typed;

use manifest::ManifestTyped;
use typed::PluginsTyped;

/// Directories looked into for manifests at most.
const MOST_DIRECTORIES: usize = 256;
/// The built-in tools are a source of tools like a plugin, and have this name.
const RESERVED: &str = "builtin";

/// Every plugin of a project: declared ones first, then those found in the project, then those in `data_dir`. What is
/// wrong is told, and the rest is still known.
pub fn load_plugins(project: &Path, data_dir: Option<&Path>) -> (PluginCatalog, Vec<Diagnostic>) {
    let mut known = Known::default();
    known.declare(project);
    known.find(&project.join(".awf/plugins"));
    if let Some(data_dir) = data_dir {
        known.find(&data_dir.join("plugins"));
    }
    let Known { plugins, findings, .. } = known;
    (PluginCatalog { plugins }, findings)
}

#[derive(Default)]
struct Known {
    plugins: Vec<PluginEntry>,
    findings: Vec<Diagnostic>,
    /// Where each name was met first: the directory of manifests, or `None` for the declared ones.
    homes: HashMap<String, Option<PathBuf>>,
}

impl Known {
    /// Takes what `.awf/plugins.yaml` says, if it is there.
    fn declare(&mut self, project: &Path) {
        let path = project.join(".awf/plugins.yaml");
        if !path.exists() {
            return;
        }
        let declared = self.read(&path, |typed: PluginsTyped, findings| {
            let entries = typed.plugins.given().unwrap_or_default();
            let entries =
                entries.into_iter().filter_map(|typed| meant::entry(typed, project, findings));
            entries.collect::<Vec<_>>()
        });
        for (entry, place) in declared.unwrap_or_default() {
            if self.homes.insert(entry.name.clone(), None).is_some() {
                self.refuse(
                    &path,
                    place,
                    format!("the plugin `{}` is declared twice", shown(&entry.name)),
                );
            } else {
                self.plugins.push(entry);
            }
        }
    }

    /// Takes every manifest one level beneath `home`, in the order of the names.
    fn find(&mut self, home: &Path) {
        let Ok(entries) = fs::read_dir(home) else { return };
        let mut dirs: Vec<PathBuf> =
            entries.take(MOST_DIRECTORIES).filter_map(|entry| Some(entry.ok()?.path())).collect();
        dirs.sort();
        for dir in dirs {
            let path = dir.join("plugin.yaml");
            if path.exists() {
                self.take_manifest(home, &dir, &path);
            }
        }
    }

    fn take_manifest(&mut self, home: &Path, dir: &Path, path: &Path) {
        let found = self.read(path, |typed: ManifestTyped, findings| typed.meant(dir, findings));
        let Some((found, place)) = found.flatten() else { return };
        let declared = self.plugins.iter_mut().find(|known| known.name == found.name);
        match (self.homes.get(&found.name), declared) {
            (None, _) => {
                self.homes.insert(found.name.clone(), Some(home.to_owned()));
                self.plugins.push(found);
            }
            // A declaration without a command says more about the plugin that is installed.
            (Some(None), Some(declared)) if declared.command.is_empty() => {
                meant::complete(declared, found);
            }
            // The project's own goes before the user's.
            (Some(Some(first)), _) if first != home => {}
            (Some(_), _) => {
                let message = format!("the plugin `{}` is there already", shown(&found.name));
                self.refuse(path, place, message);
            }
        }
    }

    /// Reads a file and keeps what was found in it.
    fn read<T: Shape, R>(
        &mut self,
        path: &Path,
        meant: impl FnOnce(T, &mut Findings<'_>) -> R,
    ) -> Option<R> {
        let file = path.display().to_string();
        let mut findings = Findings::new(&file, &CONFIG, "the file");
        let typed = read_config(path, &mut findings);
        let read = typed.map(|typed| meant(typed, &mut findings));
        self.findings.extend(findings.sorted());
        read
    }

    fn refuse(&mut self, path: &Path, place: Place, message: String) {
        let finding = Diagnostic::new(Code::NameCollision, message);
        self.findings.push(finding.at(place.in_file(&path.display().to_string())));
    }
}

#[cfg(test)]
mod tests;
