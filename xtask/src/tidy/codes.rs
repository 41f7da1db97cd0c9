//! Every stable code is explained in the documentation, and the documentation explains no code that is gone.

use std::collections::BTreeSet;

use crate::{tree::TextFile, violation::Violation};

/// Where core declares them: the codes of diagnostics, and those of refusals and warnings.
const DECLARED_IN: [&str; 2] = ["crates/core/src/diagnostic", "crates/core/src/intent"];
const CODES_PAGE: &str = "docs/codes.md";

pub(crate) fn check(files: &[TextFile]) -> Vec<Violation> {
    let texts = |prefixes: &[&str]| {
        let found =
            files.iter().filter(|file| prefixes.iter().any(|prefix| file.path.starts_with(prefix)));
        let told = found.filter(|file| !file.path.ends_with("/tests.rs"));
        told.map(|file| file.text.as_str()).collect::<Vec<_>>().join("\n")
    };
    compare(&texts(&DECLARED_IN), &texts(&[CODES_PAGE]))
}

/// `source` says codes as string literals, `page` as words in backticks.
pub(crate) fn compare(source: &str, page: &str) -> Vec<Violation> {
    let declared = codes_between(source, '"');
    let explained = codes_between(page, '`');
    let missing =
        declared.difference(&explained).map(|code| format!("explain the code `{code}` here"));
    let entries = entries(page);
    let gone = entries
        .difference(&declared)
        .map(|code| format!("core has no code `{code}`: delete its entry"));
    missing.chain(gone).map(|message| Violation::in_file(CODES_PAGE, message)).collect()
}

/// The codes that open a heading or a row of a table; prose may name other words in capitals.
fn entries(page: &str) -> BTreeSet<&str> {
    let rows = page.lines().filter(|line| line.starts_with(['#', '|']));
    rows.filter_map(|row| row.split('`').nth(1)).filter(|word| is_code(word)).collect()
}

/// What stands between two `quote`s and has the shape of a code: `USER.MCP_PROXY.NAME_COLLISION`, `INTENT_MISMATCH`.
fn codes_between(text: &str, quote: char) -> BTreeSet<&str> {
    let quoted = text.lines().flat_map(|line| line.split(quote).skip(1).step_by(2));
    quoted.filter(|word| is_code(word)).collect()
}

fn is_code(word: &str) -> bool {
    let letters =
        word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_' || c == '.');
    letters && word.starts_with(|c: char| c.is_ascii_uppercase()) && word.contains(['_', '.'])
}
