//! Why a step gets no tools.

use std::{fmt, io, path::PathBuf};

use awf_core::{Code, ToolSetError};

/// Why a step gets no tools.
#[derive(Debug, thiserror::Error)]
pub enum ProxyError {
    /// Two tools would answer to one name.
    #[error(transparent)]
    Collision(#[from] ToolSetError),
    /// The sources of its tools could not be opened or listed.
    #[error("cannot offer tools to step `{step}`: {reason}")]
    Sources {
        /// The step.
        step: String,
        /// The stable code.
        code: Code,
        /// Why not.
        reason: String,
    },
    /// There is nothing to offer.
    #[error("the proxy of step `{step}` has no tools to offer")]
    Empty {
        /// The step.
        step: String,
    },
    /// The socket could not be set up.
    #[error(transparent)]
    Place(#[from] PlaceError),
}

impl ProxyError {
    /// The stable code.
    pub fn code(&self) -> Code {
        match self {
            Self::Collision(collision) => collision.code(),
            Self::Empty { .. } => Code::ProxyEmpty,
            Self::Sources { code, .. } => *code,
            Self::Place(_) => Code::ProxyUnavailable,
        }
    }
}

/// No private socket could be set up, wherever it was tried.
#[derive(Debug, thiserror::Error)]
pub struct PlaceError {
    /// Each directory, with what was wrong there.
    pub(crate) tried: Vec<(PathBuf, io::Error)>,
}

impl fmt::Display for PlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cannot set up a private socket")?;
        for (index, (dir, error)) in self.tried.iter().enumerate() {
            let before = if index == 0 { ": " } else { "; " };
            write!(f, "{before}in `{}`: {error}", dir.display())?;
        }
        Ok(())
    }
}
