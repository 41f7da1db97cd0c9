//! Where words of others reach a shell unquoted: whoever chooses them can run commands.

use awf_core::{Code, Diagnostic, InputSpec, InputType, StateKind, shown};

use crate::check::{fields::Sink, subject::Subject, texts::Parsed};

pub(super) fn check(subject: &Subject<'_>, texts: &[Parsed<'_>]) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for Parsed { field, insertions, .. } in
        texts.iter().filter(|text| text.field.sink == Sink::Shell)
    {
        for insertion in insertions.iter().filter(|insertion| !insertion.escaped) {
            let finding = insertion.references.iter().find_map(|reference| {
                let path: Vec<&str> = reference.path.iter().map(String::as_str).collect();
                finding(subject, &path)
            });
            findings.extend(
                finding.map(|finding| finding.at(field.text.span_of(insertion.at.clone()))),
            );
        }
    }
    findings
}

fn finding(subject: &Subject<'_>, path: &[&str]) -> Option<Diagnostic> {
    match *path {
        ["inputs", name, ..] => {
            let spec = subject.workflow.inputs.iter().find(|spec| spec.name.as_str() == name)?;
            free(spec).then(|| {
                let message = format!("input `{}` reaches the shell unquoted", shown(name));
                let hint = format!(
                    "write `{{{{escape .inputs.{name}}}}}`, or use the variable `\"${name}\"`"
                );
                Diagnostic::new(Code::UnquotedInput, message).hinting(hint)
            })
        }
        ["states", name, "Output" | "Response" | "JSON", ..] => {
            let state = subject.state(name)?;
            matches!(state.kind, StateKind::Agent(_)).then(|| {
                let message =
                    format!("the answer of agent `{}` reaches the shell unquoted", shown(name));
                let hint = format!("write `{{{{escape .{}}}}}`", path.join("."));
                Diagnostic::new(Code::UnquotedInput, message).hinting(hint)
            })
        }
        _ => None,
    }
}

/// Whether any text may be given. Numbers, yes and no, and the words of a list can do no harm.
fn free(spec: &InputSpec) -> bool {
    spec.kind == InputType::String && spec.rules.one_of.is_none()
}

#[cfg(test)]
mod tests;
