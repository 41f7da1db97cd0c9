//! Operation states: the operation must be one a plugin declares, and must be given what it needs and nothing else.

use awf_core::{
    Code, Diagnostic, Located, OperationSchema, OperationState, PluginEntry, StateKind, shown,
};

use crate::check::subject::{Subject, is_missing};

mod values;

pub(super) fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for state in &subject.workflow.states {
        if let StateKind::Operation(operation) = &state.kind
            && !is_missing(state, operation.operation.as_str(), &operation.operation.span)
        {
            findings.extend(of_state(subject, operation));
        }
    }
    findings
}

fn of_state(subject: &Subject<'_>, state: &OperationState) -> Vec<Diagnostic> {
    let name = &state.operation;
    let Some((plugin, operation)) = name.as_str().split_once('.') else {
        let message = format!("operation `{}` names no plugin", shown(name.as_str()));
        let finding = Diagnostic::new(Code::UnknownPluginOperation, message);
        return vec![finding.at(name.span.clone())];
    };
    let plugin = match plugin_of(subject, Code::UnknownPluginOperation, plugin) {
        Ok(plugin) => plugin,
        Err(finding) => return vec![finding.at(name.span.clone())],
    };
    let Some(known) = &plugin.operations else {
        return Vec::from_iter(unverified("operations", plugin, name));
    };
    let Some(schema) = known.iter().find(|schema| schema.name == operation) else {
        let code = Code::UnknownPluginOperation;
        let finding = no_operation(subject, code, plugin, operation).at(name.span.clone());
        return vec![step_type_instead(finding, plugin, operation)];
    };
    let mut findings = lacking(state, schema);
    findings.extend(strange(subject, state, schema));
    findings.extend(values::check(state, schema));
    findings
}

/// The same finding, where the name is that of a step type.
fn step_type_instead(finding: Diagnostic, plugin: &PluginEntry, name: &str) -> Diagnostic {
    let is_type = plugin.step_types.iter().flatten().any(|known| known.name == name);
    if !is_type {
        return finding;
    }
    let (plugin, name) = (shown(&plugin.name), shown(name));
    finding.hinting(format!("`{name}` is a step type: write `type: {plugin}.{name}`"))
}

/// What the operation does not take. One that declares no inputs may take any.
fn strange(
    subject: &Subject<'_>,
    state: &OperationState,
    schema: &OperationSchema,
) -> Vec<Diagnostic> {
    let known = || schema.inputs.iter().map(|input| input.name.as_str());
    let keys = state.inputs.iter().map(|(key, _)| key);
    keys.filter(|key| !schema.inputs.is_empty() && !known().any(|known| known == key.as_str()))
        .map(|key| {
            let (operation, input) = (shown(state.operation.as_str()), shown(key.as_str()));
            let message = format!("operation `{operation}` has no input `{input}`");
            let plugin = state.operation.as_str().split('.').next().map(shown).unwrap_or_default();
            let finding = Diagnostic::new(Code::InputUnknown, message)
                .at(key.span.clone())
                .hinting(format!("run `awf plugin info {plugin}` for what it takes"));
            subject.suggest(finding, key.as_str(), known())
        })
        .collect()
}

/// What the operation cannot do without. A declaration by name alone asks for nothing.
fn lacking(state: &OperationState, schema: &OperationSchema) -> Vec<Diagnostic> {
    let given = |name: &str| state.inputs.iter().any(|(key, _)| key.as_str() == name);
    let needed = schema.inputs.iter().filter(|input| input.required && input.default.is_none());
    needed
        .filter(|input| !given(&input.name))
        .map(|input| {
            let (operation, input) = (shown(state.operation.as_str()), shown(&input.name));
            let message = format!("operation `{operation}` is not given `{input}`");
            Diagnostic::new(Code::MissingField, message)
                .at(state.operation.span.clone())
                .hinting(format!("add `{input}` under `inputs`"))
        })
        .collect()
}

/// The plugin of that name, if it is there and switched on.
pub(super) fn plugin_of<'a>(
    subject: &Subject<'a>,
    code: Code,
    name: &str,
) -> Result<&'a PluginEntry, Diagnostic> {
    let plugins = subject.surroundings.plugins;
    match plugins.plugin(name) {
        Some(plugin) if plugin.enabled => Ok(plugin),
        Some(_) => {
            let message = format!("plugin `{}` is switched off", shown(name));
            let hint = format!("run `awf plugin enable {}`", shown(name));
            Err(Diagnostic::new(code, message).hinting(hint))
        }
        None => {
            let message = format!("plugin `{}` is not declared", shown(name));
            let known = plugins.plugins.iter().map(|plugin| plugin.name.as_str());
            let finding =
                Diagnostic::new(code, message).hinting("declare the plugin in `.awf/plugins.yaml`");
            Err(subject.suggest(finding, name, known))
        }
    }
}

/// The finding about an operation that its plugin does not declare.
pub(super) fn no_operation(
    subject: &Subject<'_>,
    code: Code,
    plugin: &PluginEntry,
    name: &str,
) -> Diagnostic {
    let message = format!("plugin `{}` has no operation `{}`", shown(&plugin.name), shown(name));
    let known = plugin.operations.iter().flatten().map(|schema| schema.name.as_str());
    subject.unknown(code, message, name, known)
}

/// The finding about a plugin of which nobody declared what it has, unless it is told already why that is so.
pub(super) fn unverified(
    what: &str,
    plugin: &PluginEntry,
    at: &Located<String>,
) -> Option<Diagnostic> {
    let message = format!("the {what} of plugin `{}` are not known", shown(&plugin.name));
    let finding = Diagnostic::new(Code::UnverifiedOperation, message).at(at.span.clone());
    (!plugin.doubted).then_some(finding)
}

#[cfg(test)]
mod tests;
