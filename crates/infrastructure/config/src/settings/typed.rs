//! A `config.yaml` as typed. The comments here are what an editor shows.

use awf_core::OnBypass;
use serde_json::{Value, json};

use crate::{
    policy::{ActivityTyped, IntentTyped, ToolsTyped},
    reader::{Choice, Findings, Mapping, Plain, Refused, Shape, object},
    schema::Definitions,
    servers::ServersTyped,
    yaml::Node,
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
    /// What becomes of a step whose agent uses a tool of its own, past a proxy that is to be its only source: it is put on
    /// record, or it is put on record and the step fails. `record` when absent.
    on_bypass: Choice<OnBypass>;
    /// What becomes of the activity log.
    activity: ActivityTyped;
    /// What agents may use. Only the user's file may say it.
    agents: AgentsTyped;
    /// How the intent that callers declare is judged.
    intent_declaration: IntentTyped;
    /// Not supported by this version.
    notify: Refused;
    /// MCP servers whose tools may be offered, by name. One that only a project names is started after a person approved it
    /// with `awf mcp approve`.
    servers = "mcpServers": ServersTyped;
}

object! {
    /// Where spans go.
    pub(super) struct TelemetryTyped;
    /// The endpoint of an OTLP collector; nothing is sent without one.
    exporter: String;
    /// The name the spans carry.
    service_name: String;
}

object! {
    /// What agents may use.
    pub(super) struct AgentsTyped;
    /// Keys for endpoints other than the one of `OPENAI_BASE_URL`.
    keys: Vec<KeyTyped>;
}

object! {
    /// A key for an endpoint.
    pub(super) struct KeyTyped;
    /// Where the key may be sent: scheme and host, as in `https://openrouter.ai`.
    origin: OriginTyped, required;
    /// The environment variable that holds the key.
    env: String, required;
}

/// Scheme, host and perhaps a port; no path.
#[derive(Clone, Debug)]
pub(super) struct OriginTyped(pub(super) String);

impl Shape for OriginTyped {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        let text = String::read(node, findings)?;
        let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        let beyond = |c: char| matches!(c, '/' | '?' | '#' | '@' | '\\') || c.is_whitespace();
        if host.is_none_or(|host| host.is_empty() || host.contains(beyond)) {
            findings.wrong(node, "an origin such as `https://openrouter.ai`");
            return None;
        }
        Some(Self(text))
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "type": "string", "pattern": "^https?://[^/?#@\\\\\\s]+$" })
    }
}
