//! The `mcp_proxy` and `tools` blocks: there must be tools, each must exist, and each must have a name of its own.

use std::collections::HashSet;

use awf_core::{AgentState, Code, Diagnostic, Located, McpProxy, PluginTools, StateKind, shown};
use awf_tools::input_schema;

use crate::check::{
    operations::{no_operation, plugin_of, unverified},
    subject::Subject,
};

mod names;
mod servers;

pub(super) fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for state in &subject.workflow.states {
        let StateKind::Agent(agent) = &state.kind else { continue };
        if let Some(proxy) = &agent.proxy {
            findings.extend(of_proxy(subject, agent, proxy));
        }
    }
    findings
}

fn of_proxy(subject: &Subject<'_>, agent: &AgentState, proxy: &McpProxy) -> Vec<Diagnostic> {
    let mut findings = Vec::from_iter(empty(agent, proxy));
    let plugins = proxy.plugin_tools.iter().map(|tools| &tools.plugin);
    findings.extend(twice(plugins, "plugin"));
    for tools in &proxy.plugin_tools {
        findings.extend(of_plugin(subject, tools));
        findings.extend(twice(tools.expose.iter(), "operation"));
    }
    findings.extend(servers::check(subject, agent));
    findings.extend(names::check(subject, agent, proxy));
    findings
}

fn empty(agent: &AgentState, proxy: &McpProxy) -> Option<Diagnostic> {
    let offers = proxy.intercept_builtins
        || proxy.plugin_tools.iter().any(|tools| !tools.expose.is_empty())
        || !agent.tools.servers.is_empty();
    (proxy.enable && !offers).then(|| {
        Diagnostic::new(Code::ProxyEmpty, "the proxy is enabled and offers no tools")
            .at(proxy.span.clone())
    })
}

fn of_plugin(subject: &Subject<'_>, tools: &PluginTools) -> Vec<Diagnostic> {
    let plugin = match plugin_of(subject, Code::ProxyUnknownPlugin, tools.plugin.as_str()) {
        Ok(plugin) => plugin,
        Err(finding) => return vec![finding.at(tools.plugin.span.clone())],
    };
    let Some(known) = &plugin.operations else {
        return Vec::from_iter(unverified("operations", plugin, &tools.plugin));
    };
    let told = tools.expose.iter().filter_map(|name| {
        let finding = match known.iter().find(|schema| schema.name == name.as_str()) {
            Some(schema) => input_schema(schema).err()?.diagnostic(),
            None => no_operation(subject, Code::ProxyUnknownOperation, plugin, name.as_str()),
        };
        Some(finding.at(name.span.clone()))
    });
    told.collect()
}

fn twice<'a>(
    names: impl Iterator<Item = &'a Located<String>>,
    what: &str,
) -> impl Iterator<Item = Diagnostic> {
    let mut seen = HashSet::new();
    names.filter(move |name| !seen.insert(name.as_str())).map(move |name| {
        let message = format!("{what} `{}` is listed twice", shown(name.as_str()));
        Diagnostic::new(Code::NameCollision, message).at(name.span.clone()).hinting("list it once")
    })
}

#[cfg(test)]
mod tests;
