//! What may never be shown: one redactor for every sink (records, logs, spans, error texts, terminals).
//!
//! Three rules, in this order at every place: values the host knows to be secret, in the forms they travel in; values
//! that stand behind a name that says so; shapes that only secrets have. Too much is struck out rather than too little.
//! Every pass is linear in the text and runs on the path of every call.

use std::borrow::Cow;

use crate::json::RawJson;

mod capture;
mod given;
mod json;
mod known;
mod names;
mod patch;
mod shapes;
mod text;

pub use capture::capture;
pub use given::{GivenBy, secrets_in};
pub use names::is_sensitive;

use known::Known;
use text::Names;

/// What stands where a secret stood.
const MARK: &str = "[redacted]";

/// Strikes secrets out of text and JSON.
#[derive(Clone, Debug, Default)]
pub struct Redactor {
    known: Known,
}

impl Redactor {
    /// A redactor that knows `secrets` by value. Values of less than six bytes are left out: they would strike out
    /// ordinary words.
    pub fn new<S: AsRef<str>>(secrets: impl IntoIterator<Item = S>) -> Self {
        Self { known: Known::new(secrets) }
    }

    /// The same redactor, which knows these as well.
    #[must_use]
    pub fn knowing<S: AsRef<str>>(mut self, secrets: impl IntoIterator<Item = S>) -> Self {
        self.known.learn(secrets);
        self
    }

    /// The text without secrets; borrowed when there were none.
    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        text::redact(&self.known, text, text.len(), Names::Heeded)
    }

    /// The same for text of our own, in which a name is only a name: known values and shapes are struck out.
    pub fn own_text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        text::redact(&self.known, text, text.len(), Names::Ignored)
    }

    /// How many bytes of a text that is still coming can be given to [`Self::text`]: what is left may be the beginning of a
    /// known secret.
    pub fn settled(&self, text: &[u8]) -> usize {
        self.known.settled(text)
    }

    /// The last `most` bytes of a text without secrets. It should be given more than that: a secret whose beginning was
    /// thrown away is no longer recognised, and only what lies before the cut is safe from that.
    pub fn tail(&self, bytes: &[u8], most: usize) -> String {
        let text = String::from_utf8_lossy(bytes);
        let clean = self.text(&text);
        let from = clean.ceil_char_boundary(clean.len().saturating_sub(most));
        clean.get(from..).unwrap_or_default().to_owned()
    }

    /// The value without secrets. Keys stay in order, numbers stay as written, and the result is always JSON.
    pub fn json(&self, raw: &RawJson) -> RawJson {
        match json::redact(&self.known, raw.get(), raw.get().len()) {
            Cow::Borrowed(_) => raw.clone(),
            Cow::Owned(text) => RawJson::parse(text)
                .unwrap_or_else(|_| RawJson::from(serde_json::Value::from(MARK))),
        }
    }
}

#[cfg(test)]
mod tests;
