//! Where words of others reach a shell unquoted: whoever chooses them can run commands.

use std::collections::HashMap;

use awf_core::{Code, Diagnostic, InputSpec, InputType, Located, StateKind, shown};

use crate::check::{
    fields::Sink,
    subject::Subject,
    texts::{Parsed, TOLD},
};

mod pattern;

pub(super) fn check(subject: &Subject<'_>, texts: &[Parsed<'_>]) -> Vec<Diagnostic> {
    let inputs = subject.workflow.inputs.iter().map(|spec| (spec.name.as_str(), spec)).collect();
    let shells = texts.iter().filter(|text| text.field.sink == Sink::Shell);
    let mut findings = Vec::new();
    for Parsed { field, insertions, .. } in shells {
        let open = insertions.iter().filter(|insertion| !insertion.escaped);
        let found = open.filter_map(|insertion| {
            let mut references = insertion.references.iter();
            let finding = references.find_map(|found| finding(subject, &inputs, &found.path))?;
            Some(finding.at(field.text.span_of(insertion.at.clone())))
        });
        findings.extend(found.take(TOLD));
    }
    findings
}

fn finding(
    subject: &Subject<'_>,
    inputs: &HashMap<&str, &InputSpec>,
    path: &[String],
) -> Option<Diagnostic> {
    let words: Vec<&str> = path.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["inputs", name, ..] => inputs.get(name).filter(|spec| free(spec)).map(|_| {
            let message = format!("input `{}` reaches the shell unquoted", shown(name));
            let hint =
                format!("write `{{{{escape .inputs.{name}}}}}`, or use the variable `\"${name}\"`");
            Diagnostic::new(Code::UnquotedInput, message).hinting(hint)
        }),
        // All of them at once, or one that is chosen when it runs.
        ["inputs"] => inputs.values().any(|spec| free(spec)).then(|| {
            let message = "inputs reach the shell unquoted".to_owned();
            let hint = "name the input and write `{{escape .inputs.NAME}}`, or escape each";
            Diagnostic::new(Code::UnquotedInput, message).hinting(hint.to_owned())
        }),
        ["states", name, "Output" | "Response" | "JSON", ..] => {
            let state = subject.state(name)?;
            matches!(state.kind, StateKind::Agent(_)).then(|| {
                let message =
                    format!("the answer of agent `{}` reaches the shell unquoted", shown(name));
                let hint = format!("write `{{{{escape .{}}}}}`", words.join("."));
                Diagnostic::new(Code::UnquotedInput, message).hinting(hint)
            })
        }
        _ => None,
    }
}

/// Whether any text may be given. Numbers, yes and no, the words of a list and plain words can do no harm.
fn free(spec: &InputSpec) -> bool {
    let harmless = |pattern: &Located<String>| pattern::is_harmless(pattern.as_str());
    spec.kind == InputType::String
        && spec.rules.one_of.is_none()
        && !spec.rules.pattern.as_ref().is_some_and(harmless)
}

#[cfg(test)]
mod tests;
