//! Declarations of inputs and variables: some value must be able to satisfy each.

use std::collections::HashSet;

use awf_core::{
    Code, Diagnostic, InputRules, InputSpec, InputType, Located, Severity, Span, shown,
};
use regex::Regex;
use serde_json::Value;

use crate::{check::subject::Subject, inputs::check_input};

pub(super) fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut seen = HashSet::new();
    for spec in &subject.workflow.inputs {
        if !seen.insert(spec.name.as_str()) {
            findings.push(invalid(&spec.name.span, spec, "is declared twice", "keep one of them"));
        }
        findings.extend(overriding(spec));
        findings.extend(rules(spec));
        findings.extend(default(subject, spec));
    }
    findings.extend(subject.workflow.env.iter().filter_map(variable));
    findings
}

/// Variables that a shell, a loader or most commands go by.
const RELIED_UPON: &[&str] = &[
    "BASH_ENV",
    "CDPATH",
    "DYLD_INSERT_LIBRARIES",
    "DYLD_LIBRARY_PATH",
    "ENV",
    "GIT_DIR",
    "HOME",
    "IFS",
    "LANG",
    "LC_ALL",
    "LD_AUDIT",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "LOGNAME",
    "NODE_OPTIONS",
    "OLDPWD",
    "PATH",
    "PWD",
    "PYTHONPATH",
    "SHELL",
    "SHELLOPTS",
    "TERM",
    "TMPDIR",
    "USER",
];

/// Inputs become variables of commands, in the place of those of the same name.
fn overriding(spec: &InputSpec) -> Option<Diagnostic> {
    RELIED_UPON.contains(&spec.name.as_str()).then(|| Diagnostic {
        severity: Severity::Warning,
        ..invalid(
            &spec.name.span,
            spec,
            "takes the place of a variable that commands rely on",
            "use another name: inputs become environment variables of commands",
        )
    })
}

fn rules(spec: &InputSpec) -> Vec<Diagnostic> {
    let InputRules { pattern, one_of, min, max, file_exists: _, file_extension } = &spec.rules;
    let mut findings = Vec::new();
    if let Some(pattern) = pattern
        && let Err(error) = Regex::new(&pattern.value)
    {
        let fault = format!("has a `pattern` that is no regular expression: {}", reason(&error));
        findings.push(invalid(&pattern.span, spec, &fault, "mend the pattern"));
    }
    for (key, words) in [("enum", one_of), ("file_extension", file_extension)] {
        if let Some(words) = words.as_ref().filter(|words| words.value.is_empty()) {
            let fault = format!("has an empty `{key}`");
            findings.push(invalid(&words.span, spec, &fault, "list a value, or remove the key"));
        }
    }
    for (key, bound) in [("min", min), ("max", max)] {
        if let Some(bound) = bound.as_ref().filter(|_| spec.kind != InputType::Integer) {
            let fault = format!("has `{key}`, which only numbers can obey");
            findings.push(invalid(&bound.span, spec, &fault, "add `type: integer`"));
        }
    }
    if let (Some(min), Some(max)) = (min, max)
        && min.value > max.value
    {
        let fault = format!("must be at least {} and at most {}", min.value, max.value);
        findings.push(invalid(&min.span, spec, &fault, "let `min` be no greater than `max`"));
    }
    findings
}

/// The default must pass the input's own rules.
fn default(subject: &Subject<'_>, spec: &InputSpec) -> Vec<Diagnostic> {
    let Some(default) = &spec.default else { return Vec::new() };
    if spec.secret {
        let hint = "remove the default; the value is given with each run";
        return vec![invalid(&default.span, spec, "is secret, and its default is not", hint)];
    }
    let spec = InputSpec { required: false, ..spec.clone() };
    let place = |fault: Diagnostic| {
        Diagnostic::new(Code::InvalidInput, format!("the default of {}", fault.message))
            .at(default.span.clone())
            .hinting("give a default that fits, or none")
    };
    faults(subject, &spec, &default.value).into_iter().map(place).collect()
}

/// What is wrong with a value that stands in a file. Whether a file exists is asked when the workflow runs.
pub(super) fn faults(subject: &Subject<'_>, spec: &InputSpec, value: &Value) -> Vec<Diagnostic> {
    let mut spec = spec.clone();
    spec.rules.file_exists = false;
    spec.rules.pattern.take_if(|pattern| Regex::new(&pattern.value).is_err());
    match check_input(&spec, value, subject.surroundings.dir) {
        Ok(_) => Vec::new(),
        Err(faults) => faults,
    }
}

fn variable(name: &Located<String>) -> Option<Diagnostic> {
    let well_formed = !name.value.is_empty() && !name.value.contains(['=', '\0']);
    (!well_formed).then(|| {
        let message = format!("`{}` is no name of a variable", shown(name.as_str()));
        Diagnostic::new(Code::InvalidInput, message)
            .at(name.span.clone())
            .hinting("list names under `env`, without values")
    })
}

fn invalid(at: &Span, spec: &InputSpec, fault: &str, hint: &str) -> Diagnostic {
    let message = format!("input `{}` {fault}", shown(spec.name.as_str()));
    Diagnostic::new(Code::InvalidInput, message).at(at.clone()).hinting(hint)
}

/// The last line of the report is the reason; the others draw it.
fn reason(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    last.trim_start_matches("error: ").to_owned()
}

#[cfg(test)]
mod tests;
