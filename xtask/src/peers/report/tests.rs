//! A report is good only if something passed and nothing failed.

use anyhow::anyhow;

use super::Report;

#[test]
fn one_failure_spoils_the_run() {
    let mut report = Report::default();
    report.check("first", || Ok(()));
    assert!(Report { ..report }.close().is_ok());

    let mut report = Report { peer: "rg", passed: 1, failed: 0 };
    report.check("second", || Err(anyhow!("differs")));
    let told = report.close().unwrap_err().to_string();
    assert_eq!(told, "peers: 1 of 2 checks failed");
}

#[test]
fn a_run_without_checks_does_not_pass() {
    assert!(Report::default().close().is_err());
}
