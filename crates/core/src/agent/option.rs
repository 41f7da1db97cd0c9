//! Why an option of a step cannot be honoured. The same before a run and in it.

use super::{AgentFailure, AgentKind};
use crate::shown;

/// What is wrong with one of the `options` of a step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionFault {
    /// The provider has no such option.
    #[error("option `{}` is not known to provider `{}`", shown(name), provider.as_str())]
    Unknown {
        /// The provider.
        provider: AgentKind,
        /// The option, as written.
        name: String,
        /// Those it has.
        known: Vec<&'static str>,
    },
    /// The value is none that the option can have.
    #[error("{0}")]
    Value(String),
    /// It would open tools that the agent is not to have.
    #[error(
        "option `{name}` gives provider `{}` tools of its own, and `intercept_builtins: true` leaves it none",
        provider.as_str()
    )]
    OwnTools {
        /// The provider.
        provider: AgentKind,
        /// The option.
        name: &'static str,
    },
}

impl OptionFault {
    /// What to do about it, where the fault does not say so itself.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Unknown { known, .. } => Some(format!("use `{}`", known.join("`, `"))),
            Self::Value(_) => None,
            Self::OwnTools { .. } => Some("remove one of the two".to_owned()),
        }
    }
}

impl From<OptionFault> for AgentFailure {
    fn from(fault: OptionFault) -> Self {
        Self::Unusable(match fault.hint() {
            Some(hint) => format!("{fault}; {hint}"),
            None => fault.to_string(),
        })
    }
}
