//! How bad an issue is, and where it is.

use super::*;

#[test]
fn what_is_not_said_is_an_error() {
    let rows = [
        (0, IssueSeverity::Error),
        (1, IssueSeverity::Warning),
        (2, IssueSeverity::Error),
        (3, IssueSeverity::Info),
        (9, IssueSeverity::Error),
    ];
    for (severity, expected) in rows {
        let said = ValidationIssue { severity, message: "m".into(), ..<_>::default() };
        let expected =
            Issue { severity: expected, message: "m".into(), step: Some("a".into()), field: None };
        assert_eq!(issue(said, Some(&"a".to_owned())), expected);
    }
}

#[test]
fn a_plugin_may_point_at_another_step() {
    let said = ValidationIssue { step: "b".into(), field: "f".into(), ..<_>::default() };
    let found = issue(said, Some(&"a".to_owned()));
    assert_eq!((found.step.as_deref(), found.field.as_deref()), (Some("b"), Some("f")));
}
