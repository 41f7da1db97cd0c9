//! A `config.yaml` as typed. The comments here are what an editor shows.

use crate::{
    policy::{ActivityTyped, IntentTyped, ToolsTyped},
    reader::{Mapping, Plain, Refused, object},
};

object! {
    /// What awf is configured with, by the user or by a project. A project may only tighten what the user has.
    pub(super) struct SettingsTyped;
    /// Values for inputs of workflows, by name. `--input` wins over them, they win over an input's default; nothing is none.
    inputs: Mapping<Plain>;
    /// Where spans go.
    telemetry: TelemetryTyped;
    /// What tools may do, and where.
    tools: ToolsTyped;
    /// What becomes of the activity log.
    activity: ActivityTyped;
    /// How the intent that callers declare is judged.
    intent_declaration: IntentTyped;
    /// Not supported by this version.
    notify: Refused;
    /// Not supported by this version.
    servers = "mcpServers": Refused;
}

object! {
    /// Where spans go.
    pub(super) struct TelemetryTyped;
    /// The endpoint of an OTLP collector; nothing is sent without one.
    exporter: String;
    /// The name the spans carry.
    service_name: String;
}
