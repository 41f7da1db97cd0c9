//! What one configuration file says, with the places of what may conflict.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use awf_core::{Mode, OnBypass, Operation, Retention, Span, Unannotated};
use serde_json::{Map, Value};

use crate::{
    policy::{ActivityTyped, Durability, IntentTyped, ToolsTyped},
    reader::{Choice, Field, Findings},
    servers::{ForeignTyped, ServerList, ServersTyped, Whereabouts},
    settings::{
        KeyGrant,
        typed::{KeyTyped, SettingsTyped},
        unsupported,
    },
};

/// A value and where it is said.
pub(super) type Said<T> = Option<(T, Span)>;

/// One file: what it says, and where.
#[derive(Default)]
pub(super) struct Layer {
    /// Where relative paths begin.
    pub(super) base: PathBuf,
    pub(super) inputs: Map<String, Value>,
    pub(super) exporter: Said<String>,
    pub(super) service_name: Option<String>,
    pub(super) allow: Said<Operation>,
    pub(super) roots: Vec<(PathBuf, Span)>,
    pub(super) on_bypass: Said<OnBypass>,
    pub(super) enabled: Said<bool>,
    pub(super) durability: Said<Durability>,
    pub(super) retention: Retention,
    /// Where limits are said, and which.
    pub(super) limits: Vec<(&'static str, Span)>,
    pub(super) keys: Said<Vec<KeyGrant>>,
    pub(super) shared: SharedLayer,
}

/// What files of other programs say as well.
#[derive(Default)]
pub(super) struct SharedLayer {
    pub(super) mode: Said<Mode>,
    pub(super) strict: Said<bool>,
    pub(super) unannotated: Said<Unannotated>,
    pub(super) max_age: Said<Duration>,
    pub(super) servers: ServerList,
}

impl Layer {
    /// What `typed` says, which was read from `path`.
    pub(super) fn of(
        path: &Path,
        typed: SettingsTyped,
        place: &Whereabouts<'_>,
        findings: &mut Findings<'_>,
    ) -> Self {
        if let Some(place) = typed.notify.key() {
            findings.add(unsupported("notify"), place);
        }
        let inputs = typed.inputs.given().map(|inputs| inputs.0).unwrap_or_default();
        let shared = SharedLayer::of(typed.servers, typed.intent_declaration, place, findings);
        let mut layer = Self {
            base: base(path),
            inputs: inputs
                .into_iter()
                .filter_map(|(name, _, given)| Some((name, Value::String(given.scalar?.text))))
                .collect(),
            on_bypass: chosen(typed.on_bypass, findings),
            shared,
            ..Self::default()
        };
        if let Some(telemetry) = typed.telemetry.given() {
            layer.exporter = said(telemetry.exporter, findings);
            layer.service_name = telemetry.service_name.given();
        }
        if let Some(ToolsTyped { allow, roots }) = typed.tools.given() {
            layer.allow = chosen(allow, findings);
            let roots = roots.given().unwrap_or_default().into_iter();
            layer.roots = roots.map(|root| (root.path, findings.span(root.place))).collect();
        }
        if let Some(activity) = typed.activity.given() {
            layer.retention = activity.retention();
            layer.limits = limits(&activity, findings);
            layer.enabled = said(activity.enabled, findings);
            layer.durability = chosen(activity.durability, findings);
        }
        if let Some(agents) = typed.agents.given() {
            layer.keys = said(agents.keys, findings)
                .map(|(keys, place)| (keys.into_iter().filter_map(granted).collect(), place));
        }
        layer
    }
}

impl SharedLayer {
    fn of(
        servers: Field<ServersTyped>,
        intent: Field<IntentTyped>,
        place: &Whereabouts<'_>,
        findings: &mut Findings<'_>,
    ) -> Self {
        let servers = ServerList::of(servers.given().unwrap_or_default(), place, findings);
        let Some(intent) = intent.given() else { return Self { servers, ..Self::default() } };
        let max_age = intent.max_age(findings);
        Self {
            mode: chosen(intent.mode, findings),
            strict: said(intent.strict_server_validation, findings),
            unannotated: chosen(intent.unannotated, findings),
            max_age: max_age.map(|(age, place)| (age, findings.span(place))),
            servers,
        }
    }

    /// What a file of other programs says.
    pub(super) fn foreign(
        typed: ForeignTyped,
        place: &Whereabouts<'_>,
        findings: &mut Findings<'_>,
    ) -> Self {
        Self::of(typed.servers, typed.intent_declaration, place, findings)
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

fn limits(activity: &ActivityTyped, findings: &Findings<'_>) -> Vec<(&'static str, Span)> {
    let ActivityTyped { max_age, max_records, max_bytes, .. } = activity;
    let said = [
        ("activity.max_age", max_age.key()),
        ("activity.max_records", max_records.key()),
        ("activity.max_bytes", max_bytes.key()),
    ];
    let said = said.into_iter().filter_map(|(key, place)| Some((key, findings.span(place?))));
    said.collect()
}

fn said<T>(field: Field<T>, findings: &Findings<'_>) -> Said<T> {
    let place = findings.span(field.key()?);
    field.given().map(|value| (value, place))
}

fn chosen<T>(field: Field<Choice<T>>, findings: &Findings<'_>) -> Said<T> {
    said(field, findings).map(|(choice, place)| (choice.0, place))
}
