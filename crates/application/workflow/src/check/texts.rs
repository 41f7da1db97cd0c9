//! Templates and expressions, parsed: each must be well formed.

use std::borrow::Cow;

use awf_core::{Code, Diagnostic, Workflow};
use awf_template::{Expression, Insertion, Reference, SyntaxError, Template};

use crate::check::{
    fields::{Field, Language, Site, fields},
    subject::is_missing,
};

/// Findings of one rule in one text at most: where each is takes time to tell, and nobody reads more.
pub(super) const TOLD: usize = 100;

/// Faults told of one template at most: after each it is read anew.
const FAULTS: usize = 5;

/// A text that parses, with what it mentions.
pub(super) struct Parsed<'a> {
    pub(super) field: Field<'a>,
    pub(super) references: Vec<Reference>,
    pub(super) insertions: Vec<Insertion>,
}

/// Every text that parses, as far as it does, and a finding for every fault.
pub(super) fn parse(workflow: &Workflow) -> (Vec<Parsed<'_>>, Vec<Diagnostic>) {
    let mut parsed = Vec::new();
    let mut findings = Vec::new();
    for field in fields(workflow).into_iter().filter(|field| is_there(workflow, field)) {
        let (read, errors) = read(field);
        parsed.extend(read);
        findings.extend(errors.into_iter().map(|error| malformed(field, error)));
    }
    (parsed, findings)
}

fn is_there(workflow: &Workflow, field: &Field<'_>) -> bool {
    let state = match field.site {
        Site::State(place, _) => workflow.states.get(place),
        Site::Run(_) => None,
    };
    !state.is_some_and(|state| is_missing(state, &field.text.value, &field.text.span))
}

fn read(field: Field<'_>) -> (Option<Parsed<'_>>, Vec<SyntaxError>) {
    let text = &field.text.value;
    match field.language {
        Language::Template => {
            let (template, errors) = template(text);
            let parsed = template.map(|template| Parsed {
                field,
                references: template.references(),
                insertions: template.insertions(),
            });
            (parsed, errors)
        }
        Language::Expression => match Expression::parse(text) {
            Ok(expression) => {
                let references = expression.references();
                (Some(Parsed { field, references, insertions: Vec::new() }), Vec::new())
            }
            Err(error) => (None, vec![error]),
        },
    }
}

/// Reads a template past its faults: what is wrong with one action must not hide what is wrong with the others.
fn template(text: &str) -> (Option<Template>, Vec<SyntaxError>) {
    let mut text = Cow::Borrowed(text);
    let mut errors: Vec<SyntaxError> = Vec::new();
    while errors.len() < FAULTS {
        let error = match Template::parse(&text) {
            Ok(template) => return (Some(template), errors),
            Err(error) => error,
        };
        let action = error.action.clone();
        errors.push(error);
        let Some(action) = action else { break };
        // As many spaces, so that everything else keeps its place.
        text.to_mut().replace_range(action.clone(), &" ".repeat(action.len()));
    }
    (None, errors)
}

fn malformed(field: Field<'_>, error: SyntaxError) -> Diagnostic {
    let code = match field.language {
        Language::Template => Code::InvalidTemplate,
        Language::Expression => Code::InvalidExpression,
    };
    let finding = Diagnostic::new(code, error.message).at(field.text.span_of(error.at));
    match error.hint {
        Some(hint) => finding.hinting(hint),
        None => finding,
    }
}

#[cfg(test)]
mod tests;
