//! The form of a Rust file: its name, its size, its opening doc.

use std::path::Path;

use crate::{tree::TextFile, violation::Violation};

const MOST_LINES: usize = 500;

/// Names that say nothing, so that anything could gather beneath them.
const NAMELESS: [&str; 7] = ["util", "utils", "misc", "common", "helper", "helpers", "types"];

pub(crate) fn check(file: &TextFile) -> Vec<Violation> {
    let mut violations = Vec::new();
    let lines = file.text.lines().count();
    if lines > MOST_LINES {
        let message = format!("{lines} lines, more than {MOST_LINES}: cut it by noun");
        violations.push(Violation::in_file(&file.path, message));
    }
    if !file.text.trim_start().starts_with("//!") {
        violations.push(Violation::in_file(
            &file.path,
            "open with a `//!` doc that says what this file is",
        ));
    }
    violations.extend(check_name(&file.path));
    violations
}

fn check_name(path: &str) -> Vec<Violation> {
    if path.ends_with("/mod.rs") {
        let message = "no mod.rs: name the file after its module, beside the folder";
        return vec![Violation::in_file(path, message)];
    }
    let stems = Path::new(path).components().filter_map(|part| {
        let part = part.as_os_str().to_str()?;
        Some(part.strip_suffix(".rs").unwrap_or(part))
    });
    let nameless = stems.filter(|stem| NAMELESS.contains(&stem.rsplit('_').next().unwrap_or(stem)));
    nameless
        .map(|stem| {
            let message = format!("`{stem}` names no thing: call it after what it holds");
            Violation::in_file(path, message)
        })
        .collect()
}
