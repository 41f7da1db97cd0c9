//! Templates and expressions, parsed: each must be well formed.

use awf_core::{Code, Diagnostic, Workflow};
use awf_template::{Expression, Insertion, Reference, SyntaxError, Template};

use crate::check::{
    fields::{Field, Language, Site, fields},
    subject::is_missing,
};

/// Findings of one rule in one text at most: where each is takes time to tell, and nobody reads more.
pub(super) const TOLD: usize = 100;

/// A text that parses, with what it mentions.
pub(super) struct Parsed<'a> {
    pub(super) field: Field<'a>,
    pub(super) references: Vec<Reference>,
    pub(super) insertions: Vec<Insertion>,
}

/// Every text that parses, and a finding for every one that does not.
pub(super) fn parse(workflow: &Workflow) -> (Vec<Parsed<'_>>, Vec<Diagnostic>) {
    let mut parsed = Vec::new();
    let mut findings = Vec::new();
    for field in fields(workflow).into_iter().filter(|field| is_there(workflow, field)) {
        match read(field) {
            Ok(text) => parsed.push(text),
            Err(error) => findings.push(malformed(field, error)),
        }
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

fn read(field: Field<'_>) -> Result<Parsed<'_>, SyntaxError> {
    let text = &field.text.value;
    let (references, insertions) = match field.language {
        Language::Template => {
            let template = Template::parse(text)?;
            (template.references(), template.insertions())
        }
        Language::Expression => (Expression::parse(text)?.references(), Vec::new()),
    };
    Ok(Parsed { field, references, insertions })
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
