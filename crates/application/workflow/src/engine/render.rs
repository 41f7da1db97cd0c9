//! Texts of a workflow with their values put in.

use awf_core::{Code, StepError, Text, Tree};
use awf_template::{EvalError, Expression, Scope, SyntaxError, Template};
use serde_json::{Map, Value};

/// A template as text.
pub(super) fn render(text: &Text, scope: &dyn Scope) -> Result<String, StepError> {
    if !text.value.contains("{{") {
        return Ok(text.value.clone());
    }
    let template = Template::parse(&text.value).map_err(|error| no_syntax(text, &error))?;
    template.render(scope).map_err(|error| no_value(text, &error))
}

/// The text of a file, as a template; faults are told by the file's name.
pub(super) fn render_file(file: &str, text: &str, scope: &dyn Scope) -> Result<String, StepError> {
    if !text.contains("{{") {
        return Ok(text.to_owned());
    }
    let failed = |message: &str, at: usize| {
        let line = text.get(..at).unwrap_or_default().matches('\n').count() + 1;
        StepError { code: Code::TemplateFailed, message: format!("{file}:{line}: {message}") }
    };
    let template = Template::parse(text).map_err(|error| failed(&error.message, error.at.start))?;
    template.render(scope).map_err(|error| failed(&error.message, error.at.start))
}

/// A value whose texts are templates. A text that is one template keeps the type of its value.
pub(super) fn value(tree: &Tree, scope: &dyn Scope) -> Result<Value, StepError> {
    match tree {
        Tree::Text(text) => {
            let template = Template::parse(&text.value).map_err(|error| no_syntax(text, &error))?;
            template.evaluate(scope).map_err(|error| no_value(text, &error))
        }
        Tree::Plain(plain) => Ok(plain.value.clone()),
        Tree::List(items, _) => items.iter().map(|item| value(item, scope)).collect(),
        Tree::Map(entries, _) => {
            let entries = entries.iter();
            entries.map(|(key, item)| Ok((key.value.clone(), value(item, scope)?))).collect()
        }
    }
}

/// A mapping whose texts are templates.
pub(super) fn values(
    entries: &[(awf_core::Located<String>, Tree)],
    scope: &dyn Scope,
) -> Result<Map<String, Value>, StepError> {
    entries.iter().map(|(key, item)| Ok((key.value.clone(), value(item, scope)?))).collect()
}

/// Whether a condition holds.
pub(super) fn test(text: &Text, scope: &dyn Scope) -> Result<bool, StepError> {
    let expression = Expression::parse(&text.value).map_err(|error| no_syntax(text, &error))?;
    expression.test(scope).map_err(|error| no_value(text, &error))
}

/// The value of an expression; a text with `{{…}}` in it is rendered instead.
pub(super) fn compute(text: &Text, scope: &dyn Scope) -> Result<Value, StepError> {
    if text.value.contains("{{") {
        return render(text, scope).map(Value::from);
    }
    let expression = Expression::parse(&text.value).map_err(|error| no_syntax(text, &error))?;
    expression.evaluate(scope).map_err(|error| no_value(text, &error))
}

fn no_syntax(text: &Text, error: &SyntaxError) -> StepError {
    fault(text, error.at.clone(), &error.message)
}

fn no_value(text: &Text, error: &EvalError) -> StepError {
    fault(text, error.at.clone(), &error.message)
}

fn fault(text: &Text, at: std::ops::Range<usize>, message: &str) -> StepError {
    let place = text.span_of(at);
    let message = format!("{}:{}:{}: {message}", place.file, place.line, place.column);
    StepError { code: Code::TemplateFailed, message }
}
