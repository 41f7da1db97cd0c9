//! What an operation is given, as far as it stands in the file: of the type the plugin says, and one of its choices.

use awf_core::{Code, Diagnostic, OperationInput, OperationSchema, OperationState, Tree, shown};
use awf_template::Template;
use serde_json::{Map, Value};

/// Values that the operation cannot take.
pub(super) fn check(state: &OperationState, schema: &OperationSchema) -> Vec<Diagnostic> {
    let given = state.inputs.iter().filter_map(|(key, tree)| {
        let input = schema.inputs.iter().find(|input| input.name == key.as_str())?;
        let value = literal(tree).filter(|value| !value.is_null())?;
        fault(input, &value).map(|finding| finding.at(tree.span().clone()))
    });
    given.collect()
}

/// The value, where no template is evaluated for it; of a list or mapping only that it is one.
fn literal(tree: &Tree) -> Option<Value> {
    match tree {
        Tree::Text(text) => {
            let literal = Template::parse(&text.value).is_ok_and(|template| template.is_literal());
            literal.then(|| Value::String(text.value.clone()))
        }
        Tree::Plain(plain) => Some(plain.value.clone()),
        Tree::List(..) => Some(Value::Array(Vec::new())),
        Tree::Map(..) => Some(Value::Object(Map::new())),
    }
}

fn fault(input: &OperationInput, value: &Value) -> Option<Diagnostic> {
    let name = shown(&input.name);
    if let Some(expected) = expected(&input.kind, value) {
        let message = format!("`{name}` must be {expected}, not {}", described(value));
        return Some(Diagnostic::new(Code::ParseInvalidValue, message));
    }
    let chosen = || input.choices.iter().any(|choice| told(choice) == told(value));
    let open = input.choices.is_empty() || value.is_array() || value.is_object();
    (!open && !chosen()).then(|| {
        let listed: Vec<String> = input.choices.iter().map(told).collect();
        let message = format!("`{name}` cannot be `{}`", told(value));
        let hint = format!("use one of: {}", listed.join(", "));
        Diagnostic::new(Code::ParseInvalidValue, message).hinting(hint)
    })
}

/// What the value should be and is not. A type nobody knows is no reason to refuse.
fn expected(kind: &str, value: &Value) -> Option<&'static str> {
    let (fits, expected) = match kind {
        "string" => (value.is_string(), "text"),
        "integer" | "int" => (value.is_i64() || value.is_u64(), "a whole number"),
        "number" | "float" => (value.is_number(), "a number"),
        "boolean" | "bool" => (value.is_boolean(), "`true` or `false`"),
        "array" => (value.is_array(), "a list"),
        "object" => (value.is_object(), "a mapping"),
        _ => return None,
    };
    (!fits).then_some(expected)
}

fn described(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Bool(value) => format!("the boolean `{value}`"),
        Value::Number(value) => format!("the number `{value}`"),
        Value::String(text) => format!("the text `{}`", shown(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "a mapping".to_owned(),
    }
}

/// A value in a message, and to compare by: the wire has text for choices, whatever the type.
fn told(value: &Value) -> String {
    value.as_str().map_or_else(|| shown(&value.to_string()), shown)
}

#[cfg(test)]
mod tests;
