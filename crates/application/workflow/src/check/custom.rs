//! Steps of a plugin's own type: the plugin must be there, switched on, and have the type.

use awf_core::{Code, CustomState, Diagnostic, StateKind, shown};

use crate::check::{
    operations::{plugin_of, unverified},
    subject::Subject,
};

pub(super) fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = aliases(subject);
    for state in &subject.workflow.states {
        if let StateKind::Custom(custom) = &state.kind {
            findings.extend(of_state(subject, custom));
        }
    }
    findings
}

/// Other names for plugins: each must stand for one.
fn aliases(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let plugins = subject.workflow.plugins.iter().map(|(_, plugin)| plugin);
    let missing = plugins.filter_map(|plugin| {
        let finding = plugin_of(subject, Code::UnknownStepType, plugin.as_str()).err()?;
        Some(finding.at(plugin.span.clone()))
    });
    missing.collect()
}

fn of_state(subject: &Subject<'_>, state: &CustomState) -> Option<Diagnostic> {
    let name = &state.step_type;
    let (plugin, step_type) = name.as_str().split_once('.')?;
    let aliased = subject.workflow.plugins.iter().any(|(_, known)| known.as_str() == plugin);
    let plugin = match plugin_of(subject, Code::UnknownStepType, plugin) {
        Ok(plugin) => plugin,
        // Told where the other name is given.
        Err(_) if aliased => return None,
        Err(finding) => return Some(finding.at(name.span.clone())),
    };
    let Some(known) = &plugin.step_types else {
        return unverified("step types", plugin, name);
    };
    if known.iter().any(|known| known.name == step_type) {
        return None;
    }
    let (owner, wanted) = (shown(&plugin.name), shown(step_type));
    let message = format!("plugin `{owner}` has no step type `{wanted}`");
    let known = known.iter().map(|known| known.name.as_str());
    let finding = subject.unknown(Code::UnknownStepType, message, step_type, known);
    let finding = finding.at(name.span.clone());
    let is_operation = plugin.operations.iter().flatten().any(|known| known.name == step_type);
    if !is_operation {
        return Some(finding);
    }
    Some(finding.hinting(format!(
        "`{wanted}` is an operation: write `type: operation` and `operation: {owner}.{wanted}`"
    )))
}

#[cfg(test)]
mod tests;
