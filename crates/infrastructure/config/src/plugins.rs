//! Plugins known without starting one: those `.awf/plugins.yaml` declares, those whose manifest is found, and those
//! that are part of awf. What neither says of a plugin, the lock file may.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

use awf_core::{Code, Diagnostic, PluginCatalog, PluginEntry, shown};

use crate::{
    file::{parse_config, read_config, read_text},
    reader::{CONFIG, Findings, Shape},
    yaml::Place,
};

mod constraint;
mod lock;
mod manifest;
mod meant;
mod settings;
mod switch;
mod typed;

pub use lock::{Lock, LockedPlugin, read_lock, write_lock};
pub use switch::{PluginSwitch, Switched, set_enabled};

use manifest::{Manifest, ManifestTyped};
use meant::Declared;
use typed::PluginsTyped;

/// Plugins taken from one directory at most, and entries of it looked at.
const MOST_PLUGINS: usize = 256;
const MOST_ENTRIES: usize = 65_536;
/// Names no plugin can have, and whose they are.
const RESERVED: [(&str, &str); 3] = [
    // A source of tools like a plugin.
    ("builtin", "the built-in tools"),
    ("http", "operations that are part of awf"),
    ("notify", "operations that are part of awf"),
];

/// Where plugins are looked for.
pub struct PluginPlaces<'p> {
    /// The project, whose `.awf/plugins.yaml` declares some.
    pub project: &'p Path,
    /// Directories whose directories hold a manifest each. Of two with plugins of one name the first counts.
    pub dirs: Vec<PathBuf>,
    /// Plugins that are part of awf.
    pub included: Vec<PluginEntry>,
    /// The checksum of a plugin's binary, `sha256:…`; `None` when there is none that can be read.
    pub checksum: &'p dyn Fn(&PluginEntry) -> Option<String>,
}

impl PluginPlaces<'_> {
    fn declaration(&self) -> PathBuf {
        self.project.join(".awf/plugins.yaml")
    }
}

/// Every plugin of a project: declared ones first, then those found, then those that are part of awf. What is wrong is
/// told, and the rest is still known.
pub fn load_plugins(places: &PluginPlaces<'_>) -> (PluginCatalog, Vec<Diagnostic>) {
    let path = places.declaration();
    let mut known = Known::default();
    if path.exists() {
        match read_text(&path) {
            Ok(text) => known.declare(places.project, &path, &text),
            Err(finding) => {
                let span = Place::START.in_file(&path.display().to_string());
                let finding = Diagnostic::new(Code::ConfigUnreadable, finding.message);
                known.findings.push(finding.at(span));
            }
        }
    }
    known.complete(places)
}

/// The same, as if `.awf/plugins.yaml` held this text.
fn load_declared(places: &PluginPlaces<'_>, text: &str) -> (PluginCatalog, Vec<Diagnostic>) {
    let mut known = Known::default();
    known.declare(places.project, &places.declaration(), text);
    known.complete(places)
}

#[derive(Default)]
struct Known {
    plugins: Vec<PluginEntry>,
    findings: Vec<Diagnostic>,
    /// Where the declared ones stand: what is wrong with their `config` only a manifest can tell.
    declared: HashMap<String, Declared>,
    /// Where each name was met first: the directory of manifests, or `None` for the declared ones.
    homes: HashMap<String, Option<PathBuf>>,
    /// `.awf/plugins.yaml`, as it is shown.
    file: String,
    /// Something could not be read, so that what it says is not known.
    damaged: bool,
}

impl Known {
    /// Takes what `.awf/plugins.yaml` says.
    fn declare(&mut self, project: &Path, path: &Path, text: &str) {
        self.file = path.display().to_string();
        let mut findings = Findings::new(&self.file, &CONFIG, "the file");
        let typed: Option<PluginsTyped> = parse_config(text, &mut findings);
        let entries = typed.and_then(|typed| typed.plugins.given()).unwrap_or_default();
        let entries =
            entries.into_iter().filter_map(|typed| meant::entry(typed, project, &mut findings));
        let entries: Vec<_> = entries.collect();
        self.keep(findings.sorted());
        for (mut entry, declared) in entries {
            entry.span = Some(declared.place.in_file(&self.file));
            if self.homes.insert(entry.name.clone(), None).is_some() {
                let message = format!("the plugin `{}` is declared twice", shown(&entry.name));
                self.refuse(path, declared.place, message);
                self.doubt(&entry.name);
            } else {
                self.declared.insert(entry.name.clone(), declared);
                self.plugins.push(entry);
            }
        }
    }

    /// Takes the manifests, the lock file, and what is part of awf.
    fn complete(mut self, places: &PluginPlaces<'_>) -> (PluginCatalog, Vec<Diagnostic>) {
        for dir in &places.dirs {
            self.find(dir);
        }
        self.require_programs();
        let told = lock::complete(&mut self.plugins, places);
        self.findings.extend(told);
        self.judge_annotations();
        let Self { mut plugins, findings, .. } = self;
        plugins.extend(places.included.iter().cloned());
        (PluginCatalog { plugins }, findings)
    }

    /// Tells of annotations for operations that a plugin does not have, now that more is known of it: a hint that is
    /// misspelt would leave an operation without it.
    fn judge_annotations(&mut self) {
        for plugin in &self.plugins {
            let Some(known) = &plugin.operations else { continue };
            let annotated = self.declared.get(&plugin.name).map(|declared| &declared.annotated);
            for (operation, place) in annotated.into_iter().flatten() {
                let stray = meant::stray(operation, known);
                self.findings.extend(stray.map(|finding| finding.at(place.in_file(&self.file))));
            }
        }
    }

    /// Takes every manifest one level beneath `home`, in the order of the names.
    fn find(&mut self, home: &Path) {
        let Ok(entries) = fs::read_dir(home) else { return };
        let dirs = entries.take(MOST_ENTRIES).filter_map(|entry| Some(entry.ok()?.path()));
        let mut dirs: Vec<PathBuf> = dirs.filter(|dir| dir.join("plugin.yaml").exists()).collect();
        dirs.sort();
        if dirs.len() > MOST_PLUGINS {
            let message =
                format!("there are more than {MOST_PLUGINS} plugins; the rest is left out");
            let span = Place::START.in_file(&home.display().to_string());
            let hint = "keep fewer in one directory";
            self.findings
                .push(Diagnostic::new(Code::ConfigInvalid, message).hinting(hint).at(span));
        }
        for dir in dirs.iter().take(MOST_PLUGINS) {
            self.take_manifest(home, dir, &dir.join("plugin.yaml"));
        }
    }

    fn take_manifest(&mut self, home: &Path, dir: &Path, path: &Path) {
        let found = self.read(path, |typed: ManifestTyped, findings| typed.meant(dir, findings));
        let Some(Manifest { entry: mut found, place, settings }) = found.flatten() else { return };
        found.span = Some(place.in_file(&path.display().to_string()));
        let known = self.plugins.iter_mut().find(|known| known.name == found.name);
        match (self.homes.get(&found.name), known) {
            (None, _) => {
                self.findings.extend(settings.open(&found, &path.display().to_string()));
                self.homes.insert(found.name.clone(), Some(home.to_owned()));
                self.plugins.push(found);
            }
            // A declaration without a command says more about the plugin that is installed.
            (Some(None), Some(known)) if known.command.is_empty() => {
                let declared = self.declared.get(&found.name);
                meant::complete(known, found);
                let told = declared.map(|declared| settings.judge(known, declared, &self.file));
                self.findings.extend(told.into_iter().flatten());
            }
            // The project's own goes before the user's.
            (Some(Some(first)), _) if first != home => {}
            (Some(_), _) => {
                let message = format!("the plugin `{}` is there already", shown(&found.name));
                self.refuse(path, place, message);
                self.doubt(&found.name);
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
        self.keep(findings.sorted());
        read
    }

    fn keep(&mut self, findings: Vec<Diagnostic>) {
        self.damaged |= !findings.is_empty();
        self.findings.extend(findings);
    }

    /// What is wrong with a plugin is told once, and not again where it is used.
    fn doubt(&mut self, name: &str) {
        let meant = self.plugins.iter_mut().filter(|plugin| plugin.name == name);
        meant.for_each(|plugin| plugin.doubted = true);
    }

    /// Tells of plugins that nothing says how to start. Where a file is damaged, that is what has to be mended first.
    fn require_programs(&mut self) {
        if self.damaged {
            return;
        }
        let plugins = self.plugins.iter_mut();
        for plugin in plugins.filter(|plugin| plugin.enabled && plugin.command.is_empty()) {
            let message = format!(
                "plugin `{}` has neither `path` nor `command`, and no manifest was found for it",
                shown(&plugin.name)
            );
            let hint = "name its binary with `path`, or put it with its `plugin.yaml` in a directory beneath `.awf/plugins`";
            let finding = Diagnostic::new(Code::ConfigInvalid, message).hinting(hint);
            plugin.doubted = true;
            self.findings.push(Diagnostic { span: plugin.span.clone(), ..finding });
        }
    }

    fn refuse(&mut self, path: &Path, place: Place, message: String) {
        let finding = Diagnostic::new(Code::NameCollision, message);
        self.findings.push(finding.at(place.in_file(&path.display().to_string())));
    }
}

#[cfg(test)]
mod tests;
