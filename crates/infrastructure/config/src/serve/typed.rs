//! The file as typed, and what it means.

use std::path::{Path, PathBuf};

use awf_core::{Ceiling, Code, Diagnostic, Located, Operation, Surface};
use serde_json::Value;

use crate::{
    policy::{ANNOTATIONS_MAX_AGE, ActivityTyped, IntentTyped, ToolsTyped},
    reader::{Choice, Field, Findings, Shape, object},
    schema::Definitions,
    serve::{RelayConfig, ServeConfig, Served},
    servers::{
        Ownership, ServerList, ServerOrigin, ServerSetting, ServersTyped, Switch, Whereabouts,
        check_names,
    },
    workflow::PluginToolsTyped,
    yaml::{Node, NodeValue},
};

object! {
    /// Tools of its own.
    pub(super) struct ToolsFileTyped;
    /// Whether the built-ins are served; `true` when absent.
    intercept_builtins: Located<bool>;
    /// Operations of plugins to serve.
    plugin_tools: Vec<PluginToolsTyped>;
    /// Where the file tools work; the working directory when absent.
    root: String;
    /// How tools are offered; `direct` when absent.
    surface: Choice<Surface>;
    /// MCP servers whose tools are served, by name.
    servers = "mcpServers": ServersTyped;
    /// How the intent that callers declare is judged.
    intent_declaration: IntentTyped;
    /// What tools may do, and where.
    tools: ToolsTyped;
    /// What becomes of the activity log.
    activity: ActivityTyped;
}

object! {
    /// The file of a step's session: what else a file could say is for the run to decide.
    pub(super) struct RelayTyped;
    /// Where the run listens.
    socket: String, required;
    /// The run, for messages.
    run: String;
    /// Its step, for messages.
    step: String;
}

/// Either kind of file; `socket` tells them apart.
#[derive(Clone, Debug)]
pub(super) enum ServeTyped {
    Tools(Box<ToolsFileTyped>),
    Relay(RelayTyped),
}

impl Shape for ServeTyped {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        let relays = match &node.value {
            NodeValue::Map(entries) => entries.iter().any(|entry| entry.key == "socket"),
            NodeValue::Scalar(_) | NodeValue::List(_) => false,
        };
        if relays {
            RelayTyped::read(node, findings).map(Self::Relay)
        } else {
            ToolsFileTyped::read(node, findings).map(|typed| Self::Tools(Box::new(typed)))
        }
    }

    fn schema(definitions: &mut Definitions) -> Value {
        let kinds = [ToolsFileTyped::schema(definitions), RelayTyped::schema(definitions)];
        serde_json::json!({ "anyOf": kinds })
    }
}

impl ServeTyped {
    /// What was typed, as far as it can be meant.
    pub(super) fn meant(self, file: &Path, findings: &mut Findings<'_>) -> Option<Served> {
        match self {
            Self::Relay(RelayTyped { socket, run, step }) => Some(Served::Relay(RelayConfig {
                socket: socket.given()?.into(),
                run: run.given(),
                step: step.given(),
            })),
            Self::Tools(typed) => {
                let servers = typed.servers(file, findings);
                typed.tell_empty(&servers, findings);
                let max_age = match &typed.intent_declaration {
                    Field::Given(_, intent) => intent.max_age(findings),
                    Field::Absent | Field::Bad(_) => None,
                };
                let annotations_max_age = max_age.map_or(ANNOTATIONS_MAX_AGE, |(age, _)| age);
                Some(Served::Tools(ServeConfig { servers, annotations_max_age, ..typed.meant() }))
            }
        }
    }
}

impl ToolsFileTyped {
    fn meant(self) -> ServeConfig {
        let (allow, roots) = match self.tools.given() {
            Some(ToolsTyped { allow, roots }) => (allow.given(), roots.given()),
            None => (None, None),
        };
        let intent = self.intent_declaration.given().map(IntentTyped::meant);
        let activity = self.activity.given();
        let retention = activity.as_ref().map(ActivityTyped::retention);
        let plugin_tools = self.plugin_tools.given().unwrap_or_default();
        ServeConfig {
            builtins: self.intercept_builtins.given().is_none_or(|served| served.value),
            plugin_tools: plugin_tools.into_iter().filter_map(PluginToolsTyped::meant).collect(),
            root: self.root.given().map(PathBuf::from),
            roots: roots.unwrap_or_default().into_iter().map(|root| root.path).collect(),
            ceiling: Ceiling(allow.map_or(Operation::Destructive, |allow| allow.0)),
            surface: self.surface.given().map(|surface| surface.0).unwrap_or_default(),
            intent: intent.unwrap_or_default(),
            activity: activity.map(ActivityTyped::meant).unwrap_or_default(),
            retention: retention.unwrap_or_default(),
            ..ServeConfig::default()
        }
    }

    /// Its servers; whoever gives the file on the command line asks for them.
    fn servers(&self, file: &Path, findings: &mut Findings<'_>) -> Vec<ServerSetting> {
        let Field::Given(_, typed) = &self.servers else { return Vec::new() };
        let origin = ServerOrigin::Given(file.to_owned());
        let place = Whereabouts { ownership: Ownership::Own, origin, ground: None };
        let list = ServerList::of(typed.clone(), &place, findings);
        findings.take(check_names(list.names()));
        list.servers
    }

    /// Without built-ins there must be something else to serve.
    fn tell_empty(&self, servers: &[ServerSetting], findings: &mut Findings<'_>) {
        let offers = match &self.plugin_tools {
            Field::Given(_, tools) => tools.iter().any(PluginToolsTyped::offers),
            // What could not be read was told.
            Field::Bad(_) => true,
            Field::Absent => false,
        };
        if let Field::Given(_, Located { value: false, span }) = &self.intercept_builtins
            && !offers
            && servers.iter().all(|server| server.switch == Switch::Off)
        {
            let message = "`intercept_builtins: false` leaves no tools to serve";
            findings.add_at(Diagnostic::new(Code::ProxyEmpty, message), span.clone());
        }
    }
}
