//! What a workflow is given: gathered, turned into the declared types, held against the rules, all faults at once.

use std::path::Path;

use awf_core::{Code, Diagnostic, InputSpec, InputType, Workflow, nearest};
use serde_json::{Map, Value};

mod rules;

/// What a run is given, checked and typed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs(Map<String, Value>);

impl Inputs {
    /// All values by name.
    pub fn values(&self) -> &Map<String, Value> {
        &self.0
    }

    /// The same, to keep.
    pub fn into_values(self) -> Map<String, Value> {
        self.0
    }
}

/// Where values come from.
#[derive(Clone, Copy, Debug)]
pub struct InputSources<'a> {
    /// What was given for this run; wins.
    pub given: &'a [(String, Value)],
    /// What the project's configuration has; wins over the declared default. May have more than the workflow takes.
    pub configured: &'a Map<String, Value>,
    /// Where relative paths of `file_exists` begin.
    pub dir: &'a Path,
}

impl InputSources<'_> {
    /// The value of an input, before it is typed.
    fn value_of(&self, spec: &InputSpec) -> Option<Value> {
        let name = &spec.name.value;
        let given = self.given.iter().rev().find(|(given, _)| given == name);
        given
            .map(|(_, value)| value)
            .or_else(|| self.configured.get(name))
            .or_else(|| spec.default.as_ref().map(|default| &default.value))
            .filter(|value| !value.is_null())
            .cloned()
    }
}

/// The required inputs that nobody has given, so that a person can be asked for them.
pub fn missing_inputs<'w>(
    workflow: &'w Workflow,
    sources: &InputSources<'_>,
) -> Vec<&'w InputSpec> {
    let lacking = |spec: &&InputSpec| spec.required && is_empty(sources.value_of(spec).as_ref());
    workflow.inputs.iter().filter(lacking).collect()
}

/// Gathers, types and checks the inputs of a workflow. Every fault is found, not just the first.
pub fn resolve_inputs(
    workflow: &Workflow,
    sources: &InputSources<'_>,
) -> Result<Inputs, Vec<Diagnostic>> {
    let mut findings = unknown(workflow, sources);
    let mut values = Map::new();
    for spec in &workflow.inputs {
        match resolve(spec, sources) {
            Ok(value) => {
                values.insert(spec.name.value.clone(), value);
            }
            Err(faults) => findings.extend(faults),
        }
    }
    if findings.is_empty() { Ok(Inputs(values)) } else { Err(findings) }
}

/// One value against its declaration: what a person is told who has just typed it.
pub fn check_input(spec: &InputSpec, value: &Value, dir: &Path) -> Result<Value, Vec<Diagnostic>> {
    let given = [(spec.name.value.clone(), value.clone())];
    resolve(spec, &InputSources { given: &given, configured: &Map::new(), dir })
}

fn unknown(workflow: &Workflow, sources: &InputSources<'_>) -> Vec<Diagnostic> {
    let known = || workflow.inputs.iter().map(|spec| spec.name.as_str());
    let stranger = |name: &&String| !known().any(|known| known == name.as_str());
    let report = |name: &String| {
        let finding = Diagnostic::new(
            Code::InputUnknown,
            format!("workflow `{}` has no input `{name}`", workflow.name.value),
        );
        match nearest(name, known()).first() {
            Some(near) => finding.hinting(format!("did you mean `{near}`?")),
            None => finding,
        }
    };
    sources.given.iter().map(|(name, _)| name).filter(stranger).map(report).collect()
}

fn resolve(spec: &InputSpec, sources: &InputSources<'_>) -> Result<Value, Vec<Diagnostic>> {
    let value = sources.value_of(spec);
    let name = &spec.name.value;
    if is_empty(value.as_ref()) {
        return match (spec.required, spec.kind) {
            (true, _) => Err(vec![
                Diagnostic::new(Code::InputMissing, format!("input `{name}` is required"))
                    .hinting(format!("give it with `--input {name}=…`")),
            ]),
            // A template may name it: what was not given is empty text, or nothing where there is no empty value.
            (false, InputType::String) => Ok(Value::from("")),
            (false, InputType::Integer | InputType::Boolean) => Ok(Value::Null),
        };
    }
    let value = value.unwrap_or_default();
    let typed = typed(spec, &value).ok_or_else(|| {
        let kind = spec.kind.as_str();
        let shown =
            if spec.secret { "its value".to_owned() } else { format!("`{}`", text(&value)) };
        vec![
            Diagnostic::new(
                Code::InputValidationFailed,
                format!("input `{name}`: {shown} is no {kind}"),
            )
            .hinting(wanted(spec.kind)),
        ]
    })?;
    let faults = rules::broken(spec, &typed, sources.dir);
    if faults.is_empty() { Ok(typed) } else { Err(faults) }
}

/// What a value of that type is like.
fn wanted(kind: InputType) -> &'static str {
    match kind {
        InputType::String => "string: any text",
        InputType::Integer => "integer: a whole number, such as `3`",
        InputType::Boolean => "boolean: `true`, `yes`, `1`, `false`, `no` or `0`",
    }
}

fn is_empty(value: Option<&Value>) -> bool {
    value.is_none_or(|value| value.as_str() == Some(""))
}

/// The value as its type has it, if it is of that type.
fn typed(spec: &InputSpec, value: &Value) -> Option<Value> {
    let text = text(value);
    match spec.kind {
        InputType::String => Some(Value::from(text)),
        InputType::Integer => text.trim().parse::<i64>().ok().map(Value::from),
        InputType::Boolean => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "1" => Some(Value::Bool(true)),
            "false" | "no" | "0" => Some(Value::Bool(false)),
            _ => None,
        },
    }
}

/// A value as the user would type it.
pub(crate) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            value.to_string()
        }
    }
}

#[cfg(test)]
mod tests;
