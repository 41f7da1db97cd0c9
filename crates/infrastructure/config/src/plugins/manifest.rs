//! A plugin's own manifest, `plugin.yaml` in its directory.

use std::path::Path;

use awf_core::{Code, Diagnostic, Located, PluginEntry, PluginOrigin};

use crate::{
    plugins::{
        constraint, meant,
        settings::{SettingKind, Settings},
        typed::{HintsTyped, OperationTyped, StepTypeTyped},
    },
    reader::{Choice, Field, Findings, Mapping, Word, object},
    yaml::{Node, Place},
};

object! {
    /// What a plugin says about itself.
    pub(super) struct ManifestTyped;
    /// Its name.
    name: Located<String>, required;
    /// What it can be configured with.
    config: Mapping<SettingTyped>;
    /// Its operations, by name or in full; not known when absent.
    operations: Vec<OperationTyped>;
    /// Its step types, by name or with a description; not known when absent.
    step_types: Vec<StepTypeTyped>;
    /// What its operations do, by operation.
    annotations: Mapping<HintsTyped>;
    /// Its version.
    version: String, required;
    /// The versions of awf it works with, such as `>=0.5.0`.
    awf_version: Located<String>, required;
    /// What it is for.
    description: String;
    checked {
        /// Who wrote it.
        author: String;
        /// Its licence.
        license: String;
        /// Where to read more.
        homepage: String;
        /// What it offers.
        capabilities: Vec<Choice<Capability>>;
        /// Events it takes and gives.
        events: EventsTyped;
    }
}

object! {
    /// One thing a plugin can be configured with.
    pub(super) struct SettingTyped;
    /// Its value when none is given.
    default: Node;
    /// What it may be; anything when absent.
    kind = "type": Choice<SettingKind>;
    /// Whether it must be given.
    required: bool;
    /// The values there are.
    one_of = "enum": Vec<Node>;
    checked {
        /// What it is.
        description: String;
    }
}

object! {
    /// Events a plugin takes and gives.
    pub(super) struct EventsTyped;
    checked {
        /// Those it takes.
        subscribe: Vec<String>;
        /// Those it gives.
        emit: Vec<String>;
    }
}

/// What a plugin offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Capability {
    Operations,
    StepTypes,
    Validators,
    Events,
}

impl Word for Capability {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("operations", Self::Operations),
        ("step_types", Self::StepTypes),
        ("validators", Self::Validators),
        ("events", Self::Events),
    ];
}

/// What a manifest means.
pub(super) struct Manifest {
    pub(super) entry: PluginEntry,
    /// Its name.
    pub(super) place: Place,
    pub(super) settings: Settings,
}

impl ManifestTyped {
    /// The plugin, whose directory is `dir`.
    pub(super) fn meant(self, dir: &Path, findings: &mut Findings<'_>) -> Option<Manifest> {
        judge_version(self.awf_version, findings);
        let (settings, config) = Settings::meant(self.config, findings);
        let Field::Given(place, name) = self.name else { return None };
        let name = meant::plugin_name(name, findings)?;
        let operations = meant::operations(self.operations);
        let annotations = meant::annotations(self.annotations, operations.as_deref(), findings);
        let entry = PluginEntry {
            name,
            version: self.version.given(),
            description: self.description.given(),
            command: vec![dir.join(binary(dir))],
            origin: PluginOrigin::Found(dir.to_owned()),
            enabled: true,
            config,
            operations,
            step_types: meant::step_types(self.step_types),
            annotations,
            ..PluginEntry::default()
        };
        Some(Manifest { entry, place, settings })
    }
}

fn judge_version(field: Field<Located<String>>, findings: &mut Findings<'_>) {
    let Some(constraint) = field.given() else { return };
    if let Err(why) = constraint::judge(&constraint.value) {
        let finding = Diagnostic::new(Code::ConfigInvalid, format!("`awf_version`: {why}"));
        findings.add_at(finding.hinting("write it such as `>=0.5.0, <2`"), constraint.span);
    }
}

/// The binary is named after its directory.
fn binary(dir: &Path) -> String {
    let name = dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if name.starts_with("awf-plugin-") { name } else { format!("awf-plugin-{name}") }
}
