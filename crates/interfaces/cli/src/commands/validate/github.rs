//! `--format github`: workflow commands that GitHub Actions turns into annotations.

use awf_core::Diagnostic;

pub(super) fn lines(findings: &[Diagnostic]) -> String {
    findings.iter().map(line).collect()
}

fn line(finding: &Diagnostic) -> String {
    let place = finding.span.as_ref().map(|span| {
        format!(
            "file={},line={},col={},endLine={},endColumn={},",
            property(&span.file),
            span.line,
            span.column,
            span.end_line,
            span.end_column
        )
    });
    let hint = finding.hint.as_ref().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
    format!(
        "::{} {}title={}::{}\n",
        finding.severity.as_str(),
        place.unwrap_or_default(),
        property(finding.code.as_str()),
        data(&format!("{}{hint}", finding.message))
    )
}

/// The message: what would end the line is encoded.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property: also what would end it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
