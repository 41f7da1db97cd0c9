//! Why a set of tools cannot be exposed, and why a name leads to none of them.

use crate::{
    diagnostic::{Code, Diagnostic},
    intent::{Ceiling, Refusal, RefusalCode},
    shown::shown,
    tool::{BadDefinition, ToolDefinition, ToolSource},
};

/// Why a set of tools cannot be exposed.
#[derive(Debug, thiserror::Error)]
pub enum ToolSetError {
    /// Two tools would be mistaken for each other.
    #[error("tools `{first}` and `{second}` would be seen under the same name")]
    Collision {
        /// `server:tool` of one.
        first: String,
        /// `server:tool` of the other.
        second: String,
    },
    /// A tool would be taken for one of another source, now or when that one has such a tool.
    #[error("tool `{tool}` would be taken for a tool of `{other}`")]
    Foreign {
        /// `server:tool`.
        tool: String,
        /// The source whose names begin like that.
        other: String,
    },
    /// Two sources would be mistaken for each other.
    #[error("`{first}` and `{second}` share one namespace")]
    SharedNamespace {
        /// One source.
        first: ToolSource,
        /// The other.
        second: ToolSource,
    },
    /// A foreign tool would be taken for one of awf's own.
    #[error("tool `{tool}` takes a name that is reserved for awf")]
    Reserved {
        /// `server:tool`.
        tool: String,
    },
    /// A source's name cannot stand before the colon of `server:tool`.
    #[error("`{}` is no name for a source of tools: it is empty or holds a colon, a blank or a control character", shown(.namespace))]
    BadNamespace {
        /// The name.
        namespace: String,
    },
    /// A definition cannot be written under its exposed name.
    #[error(transparent)]
    Definition(#[from] BadDefinition),
}

impl ToolSetError {
    pub(super) fn collision(first: &ToolDefinition, second: &ToolDefinition) -> Self {
        let (first, second) = (first.qualified_name(), second.qualified_name());
        Self::Collision { first, second }
    }

    /// The stable code.
    pub fn code(&self) -> Code {
        match self {
            Self::Collision { .. }
            | Self::Foreign { .. }
            | Self::SharedNamespace { .. }
            | Self::Reserved { .. } => Code::NameCollision,
            Self::BadNamespace { .. } | Self::Definition(_) => Code::ConfigInvalid,
        }
    }

    /// The finding a report shows.
    pub fn diagnostic(&self) -> Diagnostic {
        Diagnostic::new(self.code(), self.to_string())
    }
}

/// Why a name leads to no tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unresolved {
    /// Not `server:tool`.
    InvalidName {
        /// As it was written.
        name: String,
    },
    /// No such server.
    UnknownServer {
        /// As it was written.
        name: String,
        /// The closest known.
        nearest: Vec<String>,
    },
    /// No such tool.
    UnknownTool {
        /// As it was written.
        name: String,
        /// The closest known.
        nearest: Vec<String>,
    },
    /// There is one, but its class is above the ceiling.
    AboveCeiling {
        /// As it was written.
        name: String,
        /// The ceiling.
        ceiling: Ceiling,
    },
}

impl Unresolved {
    /// The answer to the call.
    pub fn refusal(&self) -> Refusal {
        let (code, message) = match self {
            Self::InvalidName { name } => (
                RefusalCode::InvalidName,
                format!("Invalid tool name '{}': use server:tool", shown(name)),
            ),
            Self::UnknownServer { name, nearest } => (
                RefusalCode::UnknownServer,
                format!("Unknown server '{}'{}", shown(name), did_you_mean(nearest)),
            ),
            Self::UnknownTool { name, nearest } => (
                RefusalCode::UnknownTool,
                format!("Unknown tool '{}'{}", shown(name), did_you_mean(nearest)),
            ),
            Self::AboveCeiling { name, ceiling } => return ceiling.refusal(name),
        };
        Refusal { code, message }
    }
}

fn did_you_mean(nearest: &[String]) -> String {
    if nearest.is_empty() {
        return String::new();
    }
    let names: Vec<String> = nearest.iter().map(|name| format!("'{}'", shown(name))).collect();
    format!(": did you mean {}?", names.join(" or "))
}
