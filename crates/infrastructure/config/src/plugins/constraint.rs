//! The versions of awf that a plugin says it works with, such as `>=0.5.0, <2`.
//!
//! It is read and not held against anything: plugins written for the Go project count that project's versions.

use awf_core::shown;

/// Operators, of two that begin alike the longer first.
const OPERATORS: [&str; 9] = [">=", "<=", "!=", "==", ">", "<", "=", "^", "~"];

/// Why a text is no constraint.
pub(super) fn judge(text: &str) -> Result<(), String> {
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err("the constraint is empty".to_owned());
    }
    while !rest.is_empty() {
        let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator));
        rest = operator.and_then(|operator| rest.strip_prefix(operator)).unwrap_or(rest);
        rest = rest.trim_start();
        let end = rest.find([',', ' ', '\t']).unwrap_or(rest.len());
        let (version, behind) = rest.split_at(end);
        if !is_version(version) {
            return Err(format!("`{}` is no version", shown(version)));
        }
        rest = behind.trim_start_matches([',', ' ', '\t']);
    }
    Ok(())
}

/// Up to three numbers between points, and what semantic versions have behind them.
fn is_version(text: &str) -> bool {
    let text = text.strip_prefix('v').unwrap_or(text);
    let (text, build) = text.split_once('+').unwrap_or((text, "0"));
    let (numbers, pre) = text.split_once('-').unwrap_or((text, "0"));
    let number = |part: &str| {
        !part.is_empty() && part.len() < 20 && part.chars().all(|c| c.is_ascii_digit())
    };
    let label = |part: &str| {
        let named = |name: &str| !name.is_empty();
        part.split('.').all(named)
            && part.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c))
    };
    numbers.split('.').count() <= 3 && numbers.split('.').all(number) && label(pre) && label(build)
}

#[cfg(test)]
mod tests;
