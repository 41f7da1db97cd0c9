//! Workflow files, good and bad, as text.

use awf_core::{StateKind, Workflow};

use super::parse_workflow;

/// The findings as `line:column-end code message (hint)`.
fn findings(text: &str) -> Vec<String> {
    let shown = parse_workflow("dir/flow.yaml", text).findings.into_iter().map(|finding| {
        let span = finding.span.unwrap();
        let (line, column, end) = (span.line, span.column, span.end_column);
        let hint = finding.hint.unwrap_or_default();
        format!("{line}:{column}-{end} {} {} ({hint})", finding.code, finding.message)
    });
    shown.collect()
}

fn meant(text: &str) -> Workflow {
    let parsed = parse_workflow("dir/flow.yaml", text);
    assert_eq!(parsed.findings, [], "{text}");
    parsed.workflow.unwrap()
}

#[test]
fn one_state_needs_neither_name_nor_initial() {
    let workflow = meant("states:\n  only: {type: Step, command: 'true'}\n");
    assert_eq!(workflow.name.value, "flow");
    assert_eq!(workflow.initial.value, "only");
    assert!(matches!(workflow.states[0].kind, StateKind::Command(_)));
}
