//! `--format junit`: one test case for each file. A case fails with all that is wrong with its file.

use std::collections::BTreeMap;

use awf_core::Diagnostic;

use crate::{
    commands::validate::{Inspection, counted},
    palette::Palette,
    snippet::render,
    table::printable,
};

pub(super) fn document(inspection: &Inspection) -> String {
    let cases = cases(inspection);
    let fails = |findings: &[&Diagnostic]| findings.iter().any(|one| inspection.condemns(one));
    let failures = cases.values().filter(|findings| fails(findings)).count();
    let elements: String =
        cases.iter().map(|(file, findings)| case(file, findings, inspection)).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"awf validate\" tests=\"{}\" \
         failures=\"{failures}\" errors=\"0\" skipped=\"0\">\n{elements}  </testsuite>\n</testsuites>\n",
        cases.len()
    )
}

/// The files that were given, and others that something was found in.
fn cases(inspection: &Inspection) -> BTreeMap<&str, Vec<&Diagnostic>> {
    let given = inspection.files.iter().map(|file| (file.as_str(), Vec::new()));
    let mut cases: BTreeMap<&str, Vec<&Diagnostic>> = given.collect();
    for finding in &inspection.findings {
        let file = finding.span.as_ref().map_or("awf", |span| span.file.as_str());
        cases.entry(file).or_default().push(finding);
    }
    cases
}

fn case(file: &str, findings: &[&Diagnostic], inspection: &Inspection) -> String {
    let name = escaped(&printable(file));
    let open = format!("    <testcase name=\"{name}\" classname=\"awf.validate\"");
    if findings.is_empty() {
        return format!("{open}/>\n");
    }
    let (failures, notes): (Vec<&Diagnostic>, Vec<&Diagnostic>) =
        findings.iter().partition(|finding| inspection.condemns(finding));
    let failure = counted(failures.len(), "problem").map(|message| {
        let text = told(&failures, inspection);
        format!("      <failure message=\"{message}\">{text}</failure>\n")
    });
    let noted = (!notes.is_empty())
        .then(|| format!("      <system-out>{}</system-out>\n", told(&notes, inspection)));
    let inside = failure.unwrap_or_default() + &noted.unwrap_or_default();
    format!("{open}>\n{inside}    </testcase>\n")
}

fn told(findings: &[&Diagnostic], inspection: &Inspection) -> String {
    let texts = findings.iter().map(|finding| render(finding, &inspection.sources, Palette::Plain));
    escaped(&texts.collect::<Vec<_>>().join("\n\n"))
}

/// Text within XML. Control characters, which XML cannot hold, were written out before; two more code points are not
/// allowed in it.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
