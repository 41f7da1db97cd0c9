//! The names a step's tools would have: judged by the same set that the step's router is built on.

use std::sync::Arc;

use awf_core::{
    AgentState, Ceiling, Diagnostic, Exposure, Hint, Located, McpProxy, OperationSchema,
    PluginEntry, PluginTools, SourceTools, ToolDefinition, ToolSet, ToolSetError, ToolSource,
};
use serde_json::{Value, json};

use crate::check::subject::Subject;

/// The built-in tools, with what they say of themselves (decision D9): read-only, destructive.
const BUILTINS: [(&str, bool, bool); 6] = [
    ("Read", true, false),
    ("Glob", true, false),
    ("Grep", true, false),
    ("Write", false, false),
    ("Edit", false, false),
    ("Bash", false, true),
];

/// Collisions told at most for one step; the set stops at the first of those that are left.
const TOLD: usize = 10;

pub(super) fn check(
    subject: &Subject<'_>,
    agent: &AgentState,
    proxy: &McpProxy,
) -> Vec<Diagnostic> {
    let mut sources = plugins(subject, proxy);
    if proxy.intercept_builtins {
        sources.insert(0, builtins());
    }
    sources.extend(servers(agent));
    let ceiling = agent.tools.allow.map_or_else(Ceiling::default, Ceiling);
    let naming = agent.tools.surface.naming();
    let exposure = Exposure { ceiling, naming, ..Exposure::default() };
    let mut findings = Vec::new();
    while findings.len() < TOLD {
        let Err(error) = ToolSet::build(&sources, exposure) else { break };
        let Some(culprit) = culprit(&error) else { break };
        let Some(place) = remove(&mut sources, &culprit, agent, proxy) else { break };
        findings.push(error.diagnostic().at(place.span.clone()));
    }
    findings
}

/// What has to go for the rest to be judged.
enum Culprit {
    Tool(String),
    Source(ToolSource),
}

fn culprit(error: &ToolSetError) -> Option<Culprit> {
    match error {
        ToolSetError::Collision { first, second } => {
            // A built-in is never at fault: it cannot be renamed.
            let foreign = if second.starts_with("builtin:") { first } else { second };
            Some(Culprit::Tool(foreign.clone()))
        }
        ToolSetError::Reserved { tool } | ToolSetError::Foreign { tool, .. } => {
            Some(Culprit::Tool(tool.clone()))
        }
        ToolSetError::SharedNamespace { second, .. } => Some(Culprit::Source(second.clone())),
        // The name comes from the project's list of plugins, where it is reported.
        ToolSetError::BadNamespace { .. } | ToolSetError::Definition(_) => None,
    }
}

/// Takes the culprit out of the sources, and says where it was asked for.
fn remove<'p>(
    sources: &mut Vec<SourceTools>,
    culprit: &Culprit,
    agent: &'p AgentState,
    proxy: &'p McpProxy,
) -> Option<&'p Located<String>> {
    match culprit {
        Culprit::Tool(tool) => {
            for source in sources.iter_mut() {
                source.tools.retain(|own| own.qualified_name() != *tool);
            }
            let named = |tools: &'p PluginTools| {
                tools
                    .expose
                    .iter()
                    .find(|name| format!("{}:{}", tools.plugin.value, name.value) == *tool)
            };
            proxy.plugin_tools.iter().find_map(named)
        }
        Culprit::Source(source) => {
            sources.retain(|offer| offer.source != *source);
            let named = |name: &&Located<String>| name.as_str() == source.namespace();
            match source {
                ToolSource::Builtin => None,
                ToolSource::Plugin(_) => {
                    proxy.plugin_tools.iter().map(|tools| &tools.plugin).find(named)
                }
                ToolSource::Mcp(_) => agent.tools.servers.iter().find(named),
            }
        }
    }
}

fn builtins() -> SourceTools {
    let tools = BUILTINS.iter().filter_map(|(name, reads, destroys)| {
        let hints = json!({ "readOnlyHint": reads, "destructiveHint": destroys });
        definition(ToolSource::Builtin, name, &hints)
    });
    SourceTools { source: ToolSource::Builtin, tools: tools.collect() }
}

/// Each plugin once, with each operation once: what is listed twice is told elsewhere.
fn plugins(subject: &Subject<'_>, proxy: &McpProxy) -> Vec<SourceTools> {
    let mut sources: Vec<SourceTools> = Vec::new();
    for tools in &proxy.plugin_tools {
        let source = ToolSource::Plugin(tools.plugin.value.clone());
        if sources.iter().any(|offer| offer.source == source) {
            continue;
        }
        let entry = subject.surroundings.plugins.plugin(tools.plugin.as_str());
        let mut names: Vec<&str> = tools.expose.iter().map(Located::as_str).collect();
        names.sort_unstable();
        names.dedup();
        let tools = names.into_iter();
        let tools = tools.filter_map(|name| definition(source.clone(), name, &hints(entry, name)));
        sources.push(SourceTools { tools: tools.collect(), source });
    }
    sources
}

/// Each server once, without its tools: only it knows them.
fn servers(agent: &AgentState) -> Vec<SourceTools> {
    let mut names: Vec<&str> = agent.tools.servers.iter().map(Located::as_str).collect();
    names.sort_unstable();
    names.dedup();
    // A name that is none is told where the server is declared.
    let good = |name: &&str| !name.is_empty() && !name.contains([':', ' ', '\t', '\n']);
    let source =
        |name: &str| SourceTools { source: ToolSource::Mcp(name.to_owned()), tools: Vec::new() };
    names.into_iter().filter(good).map(source).collect()
}

/// What is said of an operation, as a tool would say it: by the project, else by the plugin itself.
fn hints(plugin: Option<&PluginEntry>, operation: &str) -> Value {
    let named = OperationSchema { name: operation.to_owned(), ..OperationSchema::default() };
    let said = plugin.map(|plugin| {
        let known = plugin.operations.iter().flatten().find(|schema| schema.name == operation);
        plugin.annotations_of(known.unwrap_or(&named))
    });
    let Some(said) = said else { return json!({}) };
    let value = |hint: Hint| match hint {
        Hint::Set(set) => Value::Bool(set),
        Hint::Absent | Hint::Malformed => Value::Null,
    };
    json!({ "readOnlyHint": value(said.read_only), "destructiveHint": value(said.destructive) })
}

/// A name that no tool can have is an operation no plugin has: told elsewhere.
fn definition(source: ToolSource, name: &str, hints: &Value) -> Option<Arc<ToolDefinition>> {
    let raw = json!({ "name": name, "inputSchema": { "type": "object" }, "annotations": hints });
    ToolDefinition::from_raw(source, raw.into()).ok().map(Arc::new)
}
