//! A key that goes into one header and nowhere else.

use std::{borrow::Cow, fmt};

use reqwest::header::HeaderValue;

/// What stands in the place of a key.
const STRUCK: &str = "[REDACTED]";

/// The key of a model provider. It cannot be printed.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key, unless there is nothing to it. White space around it comes from files and is not part of it.
    pub fn new(text: &str) -> Option<Self> {
        Some(text.trim()).filter(|text| !text.is_empty()).map(|text| Self(text.to_owned()))
    }

    /// The header that carries it, or why none can.
    pub(super) fn header(&self) -> Result<HeaderValue, &'static str> {
        let value = HeaderValue::try_from(format!("Bearer {}", self.0));
        let mut value = value.map_err(|_| "the key holds characters that no header can carry")?;
        value.set_sensitive(true);
        Ok(value)
    }

    /// `text` without the key: a server may send back what it was sent.
    pub(super) fn strike<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if text.contains(&self.0) { text.replace(&self.0, STRUCK).into() } else { text.into() }
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(STRUCK)
    }
}
