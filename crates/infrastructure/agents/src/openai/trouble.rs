//! Why a request gave no answer, and whether it may be made again.

use std::time::Duration;

use awf_core::Usage;

/// Characters of a server's words that a message holds.
const MOST_WORDS: usize = 300;

/// A request that gave no answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Trouble {
    pub(super) message: String,
    pub(super) remedy: Remedy,
    /// What was used in vain.
    pub(super) usage: Usage,
}

/// What may be done about it. Nothing was executed in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remedy {
    /// Nothing.
    None,
    /// Ask again, after a while; the server may have said after which.
    Again(Option<Duration>),
    /// Ask again without asking for the usage, which this server does not know.
    WithoutUsage,
    /// Nothing: the model would go on for ever.
    Endless,
}

impl Trouble {
    pub(super) fn new(message: impl Into<String>, remedy: Remedy) -> Self {
        Self { message: message.into(), remedy, usage: Usage::default() }
    }

    pub(super) fn lasting(message: impl Into<String>) -> Self {
        Self::new(message, Remedy::None)
    }

    pub(super) fn passing(message: impl Into<String>) -> Self {
        Self::new(message, Remedy::Again(None))
    }
}

/// A server's words, fit for a message: one line, of bounded length, with nothing that moves a cursor.
pub(super) fn words(text: &str) -> String {
    let mut kept = String::new();
    let lines = text.split(|c: char| c.is_whitespace() || c.is_control());
    for word in lines.filter(|word| !word.is_empty()) {
        let gap = if kept.is_empty() { "" } else { " " };
        kept.extend([gap, word]);
        if kept.len() > 4 * MOST_WORDS {
            break;
        }
    }
    let mut shown: String = kept.chars().take(MOST_WORDS).flat_map(visible).collect();
    if kept.chars().nth(MOST_WORDS).is_some() {
        shown.push('…');
    }
    shown
}

/// A character as it is, unless it cannot be seen or changes how others are.
fn visible(c: char) -> impl Iterator<Item = char> {
    let plain = matches!(c, '"' | '\'' | '\\').then_some(c);
    let escaped = plain.is_none().then(|| c.escape_debug());
    plain.into_iter().chain(escaped.into_iter().flatten())
}

#[cfg(test)]
mod tests;
