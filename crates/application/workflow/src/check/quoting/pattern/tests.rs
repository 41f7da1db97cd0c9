//! Patterns that let through plain words only, and those that do not.

use proptest::prelude::*;
use regex::Regex;

use crate::check::quoting::pattern::is_harmless;

#[test]
fn patterns_of_plain_words_are_harmless() {
    for pattern in [
        "^F[0-9]{3}$",
        "^[a-z][a-z0-9-]*$",
        r"^v\d+\.\d+\.\d+(-[a-z]+)?$",
        "^(dev|staging|prod)$",
        r"^(?:\w+/)*[\w.-]+$",
        "^$",
        "^a{2,}$",
    ] {
        assert!(is_harmless(pattern), "{pattern}");
    }
}

#[test]
fn whatever_else_is_not() {
    for pattern in [
        "F[0-9]{3}",
        "^F",
        "^?$",
        "^{0}$",
        "F$",
        "^.*$",
        "^a|b$",
        "^[^x]$",
        "^[a z]$",
        "^[A-z]$",
        "^[+-z]$",
        r"^\S+$",
        r"^\$$",
        "^a;b$",
        "^(?i)a$",
        "^(?s:a)$",
        "^[[:alpha:]]$",
        "^[a--b]$",
        "^a$b$",
        "^a\nb$",
        "^(a$",
        "^a)$",
        "^[a$",
        r"^a\$",
        "^a{x}$",
        r"^\x3b$",
        r"^\n$",
        "^[a&&b]$",
    ] {
        assert!(!is_harmless(pattern), "{pattern}");
    }
}

proptest! {
    #[test]
    fn a_harmless_pattern_matches_nothing_that_harms(
        pattern in r"\^[a-c0-9\[\]\(\)|.*+?{}\\,dw$^-]{0,8}\$",
        text in r"[a-c0-9 ;&|$`'<>(){}*?~#!\n\\-]{1,6}",
    ) {
        let harms = text.contains(|c: char| " ;&|$`'<>(){}*?~#!\n\\".contains(c));
        if harms && is_harmless(&pattern) && let Ok(regex) = Regex::new(&pattern) {
            prop_assert!(!regex.is_match(&text), "{} matches {:?}", pattern, text);
        }
    }
}
