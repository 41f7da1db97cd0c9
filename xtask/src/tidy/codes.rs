//! Every stable code is explained on the page of its family, and the pages explain no code that is gone.

use std::collections::BTreeSet;

use crate::{tree::TextFile, violation::Violation};

/// Where core declares them: the codes of diagnostics, and those of refusals and warnings.
const DECLARED_IN: [&str; 2] = ["crates/core/src/diagnostic", "crates/core/src/intent"];
const INDEX: &str = "docs/codes.md";
const PAGES: &str = "docs/codes/";
/// Codes without a family: what happens to a call. A word may be on both.
const CALL_PAGES: [&str; 2] = ["docs/codes/refusals.md", "docs/codes/warnings.md"];

pub(crate) fn check(files: &[TextFile]) -> Vec<Violation> {
    let declared = declared(files);
    let pages: Vec<&TextFile> = files.iter().filter(|file| file.path.starts_with(PAGES)).collect();
    let index = files.iter().find(|file| file.path == INDEX);
    let mut violations = unexplained(&declared, &pages);
    for page in pages {
        violations.extend(misplaced(page, &declared));
        let link = format!("(codes/{})", page.path.trim_start_matches(PAGES));
        if !index.is_some_and(|index| index.text.contains(&link)) {
            let message = format!("link the page `{}` here", page.path);
            violations.push(Violation::in_file(INDEX, message));
        }
    }
    violations
}

fn declared(files: &[TextFile]) -> BTreeSet<&str> {
    let of_core = |file: &&TextFile| {
        DECLARED_IN.iter().any(|prefix| file.path.starts_with(prefix))
            && !file.path.ends_with("/tests.rs")
    };
    files.iter().filter(of_core).flat_map(|file| literals(&file.text)).collect()
}

fn unexplained(declared: &BTreeSet<&str>, pages: &[&TextFile]) -> Vec<Violation> {
    let explained = |code: &str, path: &str| {
        pages.iter().any(|page| page.path == path && rows(&page.text).any(|row| row == code))
    };
    let missing = declared.iter().filter_map(|code| {
        let homes = homes(code);
        let found = homes.iter().any(|home| explained(code, home));
        let home = homes.into_iter().next().filter(|_| !found)?;
        Some(Violation::in_file(&home, format!("explain the code `{code}` here")))
    });
    missing.collect()
}

/// Rows of a page that explain what core does not have, or what another page explains.
fn misplaced(page: &TextFile, declared: &BTreeSet<&str>) -> Vec<Violation> {
    let wrong = rows(&page.text).filter_map(|code| {
        if !declared.contains(code) {
            return Some(format!("core has no code `{code}`: delete its entry"));
        }
        let homes = homes(code);
        let elsewhere = !homes.contains(&page.path);
        elsewhere.then(|| format!("the code `{code}` belongs into {}", homes.join(" or ")))
    });
    wrong.map(|message| Violation::in_file(&page.path, message)).collect()
}

/// The pages a code may stand on: that of its first two words, else those of calls.
fn homes(code: &str) -> Vec<String> {
    let words: Vec<&str> = code.split('.').collect();
    match words.as_slice() {
        [area, group, ..] => {
            let family = format!("{area}-{group}").to_lowercase().replace('_', "-");
            vec![format!("{PAGES}{family}.md")]
        }
        _ => CALL_PAGES.map(str::to_owned).to_vec(),
    }
}

/// The codes that open a row of a table; prose and headings may name other words in capitals.
fn rows(page: &str) -> impl Iterator<Item = &str> {
    let rows = page.lines().filter(|line| line.starts_with('|'));
    rows.filter_map(|row| row.split('`').nth(1)).filter(|word| is_code(word))
}

/// String literals with the shape of a code: `USER.MCP_PROXY.NAME_COLLISION`, `INTENT_MISMATCH`.
fn literals(source: &str) -> impl Iterator<Item = &str> {
    let quoted = source.lines().flat_map(|line| line.split('"').skip(1).step_by(2));
    quoted.filter(|word| is_code(word))
}

fn is_code(word: &str) -> bool {
    let letters =
        word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_' || c == '.');
    letters && word.starts_with(|c: char| c.is_ascii_uppercase()) && word.contains(['_', '.'])
}
