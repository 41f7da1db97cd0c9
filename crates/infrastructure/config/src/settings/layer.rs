//! What one configuration file says, with the places of what may conflict.

use std::path::{Path, PathBuf};

use awf_core::{Mode, OnBypass, Operation, Unannotated};
use serde_json::{Map, Value};

use crate::{
    policy::{ActivityTyped, Durability, IntentTyped, ToolsTyped},
    reader::{Choice, Field, Findings},
    settings::{
        KeyGrant, ServerSetting, server,
        typed::{KeyTyped, SettingsTyped},
        unsupported,
    },
    yaml::Place,
};

/// One file: what it says, and where.
#[derive(Default)]
pub(super) struct Layer {
    pub(super) file: String,
    /// Where relative paths begin.
    pub(super) base: PathBuf,
    pub(super) inputs: Map<String, Value>,
    pub(super) exporter: Option<(String, Place)>,
    pub(super) service_name: Option<String>,
    pub(super) allow: Option<(Operation, Place)>,
    pub(super) roots: Vec<(PathBuf, Place)>,
    pub(super) mode: Option<(Mode, Place)>,
    pub(super) strict: Option<(bool, Place)>,
    pub(super) unannotated: Option<(Unannotated, Place)>,
    pub(super) servers: Option<(Vec<ServerSetting>, Place)>,
    pub(super) on_bypass: Option<(OnBypass, Place)>,
    pub(super) enabled: Option<(bool, Place)>,
    pub(super) durability: Option<(Durability, Place)>,
    pub(super) keys: Option<(Vec<KeyGrant>, Place)>,
}

impl Layer {
    /// What `typed` says, which was read from `path`.
    pub(super) fn of(path: &Path, typed: SettingsTyped, findings: &mut Findings<'_>) -> Self {
        if let Some(place) = typed.notify.key() {
            findings.add(unsupported("notify"), place);
        }
        let servers = said(typed.servers);
        let inputs = typed.inputs.given().map(|inputs| inputs.0).unwrap_or_default();
        let mut layer = Self {
            file: path.display().to_string(),
            base: base(path),
            inputs: inputs
                .into_iter()
                .filter_map(|(name, _, given)| Some((name, Value::String(given.scalar?.text))))
                .collect(),
            servers: servers.map(|(servers, place)| (server::meant(servers, findings), place)),
            on_bypass: chosen(typed.on_bypass),
            ..Self::default()
        };
        if let Some(telemetry) = typed.telemetry.given() {
            layer.exporter = said(telemetry.exporter);
            layer.service_name = telemetry.service_name.given();
        }
        if let Some(ToolsTyped { allow, roots }) = typed.tools.given() {
            layer.allow = chosen(allow);
            let roots = roots.given().unwrap_or_default();
            layer.roots = roots.into_iter().map(|root| (root.path, root.place)).collect();
        }
        if let Some(IntentTyped { mode, strict_server_validation, unannotated }) =
            typed.intent_declaration.given()
        {
            layer.mode = chosen(mode);
            layer.strict = said(strict_server_validation);
            layer.unannotated = chosen(unannotated);
        }
        if let Some(ActivityTyped { enabled, durability }) = typed.activity.given() {
            layer.enabled = said(enabled);
            layer.durability = chosen(durability);
        }
        if let Some(agents) = typed.agents.given() {
            layer.keys = said(agents.keys)
                .map(|(keys, place)| (keys.into_iter().filter_map(granted).collect(), place));
        }
        layer
    }
}

/// Relative paths of `<project>/.awf/config.yaml` begin at the project, those of another file beside it.
fn base(path: &Path) -> PathBuf {
    let dir = path.parent().unwrap_or(Path::new(""));
    if dir.file_name().is_some_and(|name| name == ".awf") {
        dir.parent().unwrap_or(dir)
    } else {
        dir
    }
    .to_owned()
}

fn granted(key: KeyTyped) -> Option<KeyGrant> {
    Some(KeyGrant { origin: key.origin.given()?.0, env: key.env.given()? })
}

fn said<T>(field: Field<T>) -> Option<(T, Place)> {
    let place = field.key()?;
    field.given().map(|value| (value, place))
}

fn chosen<T>(field: Field<Choice<T>>) -> Option<(T, Place)> {
    said(field).map(|(choice, place)| (choice.0, place))
}
