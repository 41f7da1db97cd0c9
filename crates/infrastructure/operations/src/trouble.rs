//! Why an operation came to nothing.

/// Nothing of what a request carried may stand in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// Nobody wants the answer any more.
    Cancelled,
    /// For the caller to read, and often to mend.
    Told(String),
}

impl Trouble {
    pub(crate) fn told(message: impl Into<String>) -> Self {
        Self::Told(message.into())
    }
}
