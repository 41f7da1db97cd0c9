//! A plugin's own manifest, `plugin.yaml` in its directory.

use std::path::Path;

use awf_core::{Located, PluginEntry, PluginOrigin};
use serde_json::{Map, Value};

use crate::{
    plugins::{
        meant,
        typed::{HintsTyped, OperationTyped},
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
    /// What its operations do, by operation.
    annotations: Mapping<HintsTyped>;
    checked {
        /// Its version.
        version: String, required;
        /// The versions of awf it works with, such as `>=0.5.0`.
        awf_version: String, required;
        /// What it is for.
        description: String;
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
    checked {
        /// What it may be.
        kind = "type": String;
        /// Whether it must be given.
        required: bool;
        /// What it is.
        description: String;
        /// The values there are.
        one_of = "enum": Vec<String>;
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

impl ManifestTyped {
    /// The plugin, whose directory is `dir`, and the place of its name.
    pub(super) fn meant(
        self,
        dir: &Path,
        findings: &mut Findings<'_>,
    ) -> Option<(PluginEntry, Place)> {
        let Field::Given(place, name) = self.name else { return None };
        let name = meant::plugin_name(name, findings)?;
        let operations = meant::operations(self.operations);
        let annotations = meant::annotations(self.annotations, operations.as_deref(), findings);
        let entry = PluginEntry {
            name,
            command: vec![dir.join(binary(dir))],
            origin: PluginOrigin::Found(dir.to_owned()),
            enabled: true,
            config: defaults(self.config),
            operations,
            annotations,
            ..PluginEntry::default()
        };
        Some((entry, place))
    }
}

/// The binary is named after its directory.
fn binary(dir: &Path) -> String {
    let name = dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if name.starts_with("awf-plugin-") { name } else { format!("awf-plugin-{name}") }
}

fn defaults(config: Field<Mapping<SettingTyped>>) -> Map<String, Value> {
    let config = config.given().map(|config| config.0).unwrap_or_default();
    let defaults = config.into_iter().filter_map(|(key, _, setting)| {
        setting.default.given().filter(|value| !value.is_null()).map(|value| (key, value.json()))
    });
    defaults.collect()
}
