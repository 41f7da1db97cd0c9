//! What ties a call's answer, record, span, log and upstream call together.

use std::fmt;

use crate::activity::ActivityId;

/// The longest that is taken from a caller, in bytes.
const LONGEST: usize = 128;

/// Names a request: the caller's own word, or one that is made. It need not be unique; the id of a record is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestId(String);

impl RequestId {
    /// A new one.
    pub fn generate() -> Self {
        Self(ActivityId::generate().to_string())
    }

    /// A caller's word, if it is 1 to 128 printable characters of ASCII without a space: it stands in headers and lines.
    pub fn parse(text: &str) -> Option<Self> {
        let printable = text.bytes().all(|byte| byte.is_ascii_graphic());
        (printable && (1..=LONGEST).contains(&text.len())).then(|| Self(text.to_owned()))
    }

    /// As it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
