//! Variables that a step may not set for a program. A workflow comes with a project, and a program holds the user's key:
//! who could choose the program, what it loads or whom it asks would have that key.

use std::ffi::OsStr;

/// Which program runs, what it loads, and where it finds the user's settings.
const NAMES: [&str; 5] = ["PATH", "HOME", "SHELL", "ENV", "BASH_ENV"];
/// The settings of the programs and of what runs them.
const FAMILIES: [&str; 12] = [
    "ANTHROPIC_",
    "CLAUDE_",
    "OPENAI_",
    "CODEX_",
    "GEMINI_",
    "GOOGLE_",
    "OPENCODE_",
    "XDG_",
    "NODE_",
    "BUN_",
    "LD_",
    "SSL_CERT_",
];
/// Whom it asks, and through whom.
const ENDINGS: [&str; 2] = ["_BASE_URL", "_PROXY"];

pub(crate) fn is_reserved(variable: &OsStr) -> bool {
    // Proxies are known in lower case, too.
    let name = variable.to_string_lossy().to_ascii_uppercase();
    NAMES.contains(&name.as_str())
        || FAMILIES.iter().any(|family| name.starts_with(family))
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests;
