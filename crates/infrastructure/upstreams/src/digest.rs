//! SHA-256 over parts that cannot run into one another.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// The hash of some parts, in hex.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Digest(String);

impl Digest {
    /// Every part is preceded by its length, a missing one by a mark of its own: no text can pose as two.
    pub(crate) fn of<'p>(parts: impl IntoIterator<Item = Option<&'p str>>) -> Self {
        let mut hasher = Sha256::new();
        for part in parts {
            match part {
                None => hasher.update([0]),
                Some(text) => {
                    hasher.update([1]);
                    hasher.update(u64::try_from(text.len()).unwrap_or(u64::MAX).to_be_bytes());
                    hasher.update(text.as_bytes());
                }
            }
        }
        let mut hex = String::with_capacity(64);
        for byte in hasher.finalize() {
            // Writing to a string cannot fail.
            write!(hex, "{byte:02x}").ok();
        }
        Self(hex)
    }

    /// One that was written down.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (text.len() == 64 && text.bytes().all(digits)).then(|| Self(text.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Enough of it for a file name.
    pub(crate) fn short(&self) -> &str {
        self.0.get(..16).unwrap_or_default()
    }
}
