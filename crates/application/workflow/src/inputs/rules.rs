//! The rules an input declares for its value.

use std::path::Path;

use awf_core::{Code, Diagnostic, InputSpec};
use regex::Regex;
use serde_json::Value;

use crate::inputs::text;

/// Every rule the value breaks, in words that do not repeat a secret.
pub(super) fn broken(spec: &InputSpec, value: &Value, dir: &Path) -> Vec<Diagnostic> {
    let text = text(value);
    let number = value.as_i64();
    let rules = &spec.rules;
    let mut faults = Vec::new();
    if let Some(pattern) = &rules.pattern
        && !Regex::new(&pattern.value).is_ok_and(|pattern| pattern.is_match(&text))
    {
        faults.push(format!("must match `{}`", pattern.value));
    }
    if let Some(one_of) = &rules.one_of
        && !one_of.value.contains(&text)
    {
        faults.push(format!("must be one of {}", quoted(&one_of.value)));
    }
    if let (Some(min), Some(number)) = (&rules.min, number)
        && number < min.value
    {
        faults.push(format!("must be at least {}", min.value));
    }
    if let (Some(max), Some(number)) = (&rules.max, number)
        && number > max.value
    {
        faults.push(format!("must be at most {}", max.value));
    }
    if rules.file_exists && !dir.join(&text).is_file() {
        faults.push("must name a file that exists".to_owned());
    }
    if let Some(extensions) = &rules.file_extension
        && !extensions.value.iter().any(|extension| text.ends_with(extension.as_str()))
    {
        faults.push(format!("must end in {}", quoted(&extensions.value)));
    }
    faults.into_iter().map(|fault| finding(spec, &text, &fault)).collect()
}

fn finding(spec: &InputSpec, text: &str, fault: &str) -> Diagnostic {
    let name = &spec.name.value;
    let message = if spec.secret {
        format!("input `{name}` {fault}")
    } else {
        format!("input `{name}` {fault}, and is `{text}`")
    };
    Diagnostic::new(Code::InputValidationFailed, message)
}

fn quoted(words: &[String]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}
