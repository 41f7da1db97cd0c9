//! Why a request failed, in words, without the URL.

use std::{error::Error, io};

/// Characters of a reason that a message holds.
const MOST: usize = 300;

/// What is known of it, as plainly as it can be said.
pub(super) fn cause(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut innermost: &dyn Error = &error;
    let mut resolving = false;
    while let Some(source) = innermost.source() {
        resolving |= source.to_string().starts_with("dns error");
        innermost = source;
    }
    if resolving {
        return "the name of the host cannot be resolved".to_owned();
    }
    match innermost.downcast_ref::<io::Error>().map(io::Error::kind) {
        Some(io::ErrorKind::ConnectionRefused) => {
            "the connection was refused; does anything listen there?".to_owned()
        }
        Some(io::ErrorKind::ConnectionReset | io::ErrorKind::UnexpectedEof) => {
            "the connection was closed".to_owned()
        }
        _ => words(&innermost.to_string()),
    }
}

/// One line, of bounded length, with nothing that moves a cursor.
fn words(text: &str) -> String {
    let plain = text.chars().map(|c| if c.is_control() || c.is_whitespace() { ' ' } else { c });
    plain.take(MOST).collect()
}
