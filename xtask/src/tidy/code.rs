//! What may not stand in code: long functions, silenced lints, skipped or inline tests, unfinished work.

use crate::{
    rust_source::{code_only, functions, line_of},
    tree::TextFile,
    violation::Violation,
};

const MOST_FUNCTION_LINES: usize = 80;

/// A piece of code, and what to do instead.
const FORBIDDEN: [(&str, &str); 6] = [
    ("#[ignore", "a test that does not run proves nothing: mend it or delete it"),
    ("#[should_panic", "assert on the value, not on a panic"),
    ("#[allow", "use `#[expect(…, reason = \"…\")]` on the smallest item"),
    ("#![allow", "use `#[expect(…, reason = \"…\")]` on the smallest item"),
    ("todo!", "finish it, or leave it out until it has content"),
    ("unimplemented!", "finish it, or leave it out until it has content"),
];

pub(crate) fn check(file: &TextFile) -> Vec<Violation> {
    let code = code_only(&file.text);
    let mut violations = Vec::new();
    for function in functions(&code).iter().filter(|function| function.lines > MOST_FUNCTION_LINES)
    {
        let message = format!(
            "`{}` has {} lines, more than {MOST_FUNCTION_LINES}: cut it by what it does",
            function.name, function.lines
        );
        violations.push(Violation::at_line(&file.path, function.line, message));
    }
    for (piece, instead) in FORBIDDEN {
        violations.extend(code.match_indices(piece).map(|(at, _)| {
            Violation::at_line(&file.path, line_of(&code, at), format!("`{piece}`: {instead}"))
        }));
    }
    violations.extend(inline_tests(&code).map(|at| {
        let message =
            "unit tests live in a file of their own: `#[cfg(test)] mod tests;` at the foot";
        Violation::at_line(&file.path, line_of(&code, at), message)
    }));
    violations
}

/// Where `#[cfg(test)]` guards a module written out in place.
fn inline_tests(code: &str) -> impl Iterator<Item = usize> {
    const GUARD: &str = "#[cfg(test)]";
    code.match_indices(GUARD).map(|(at, _)| at).filter(|at| {
        let item = code.get(at + GUARD.len()..).unwrap_or_default().trim_start();
        let module = item.strip_prefix("pub(crate) ").unwrap_or(item).strip_prefix("mod ");
        module.is_some_and(|module| {
            module.trim_start_matches(|c| c != '{' && c != ';').starts_with('{')
        })
    })
}
