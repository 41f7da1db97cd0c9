//! `--format json`: one document, whose shape is stable.

use awf_core::Diagnostic;
use serde::Serialize;

use crate::commands::validate::Inspection;

#[derive(Serialize)]
pub(super) struct Document<'a> {
    valid: bool,
    diagnostics: Vec<Finding<'a>>,
}

#[derive(Serialize)]
struct Finding<'a> {
    code: &'a str,
    severity: &'a str,
    message: &'a str,
    #[serde(flatten)]
    place: Option<Place<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}

#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

pub(super) fn document(inspection: &Inspection) -> Document<'_> {
    let diagnostics = inspection.findings.iter().map(Finding::from).collect();
    Document { valid: inspection.is_valid(), diagnostics }
}

impl<'a> From<&'a Diagnostic> for Finding<'a> {
    fn from(finding: &'a Diagnostic) -> Self {
        let place = finding.span.as_ref().map(|span| Place {
            file: &span.file,
            line: span.line,
            column: span.column,
            end_line: span.end_line,
            end_column: span.end_column,
        });
        Self {
            code: finding.code.as_str(),
            severity: finding.severity.as_str(),
            message: &finding.message,
            place,
            hint: finding.hint.as_deref(),
        }
    }
}
