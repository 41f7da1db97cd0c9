//! `server:tool`, the way the intent surface names a tool.

use std::fmt;

use crate::{
    intent::{Refusal, RefusalCode, Variant},
    json::RawJson,
    tool::{ToolName, ToolSource},
    tool_set::Unresolved,
};

/// The tools that may be named without their server. Fixed here because a name is judged before any tool is looked up.
const BARE: [&str; 6] = ["Read", "Write", "Edit", "Bash", "Glob", "Grep"];

/// A tool named as `server:tool`, split at the first colon. A bare name is one of the built-ins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolAddress {
    server: String,
    tool: String,
}

impl ToolAddress {
    /// Reads the `name` of a call through `variant`.
    pub fn read(variant: Variant, name: Option<&RawJson>) -> Result<Self, Refusal> {
        let text =
            name.and_then(|raw| serde_json::from_str::<Option<String>>(raw.get()).transpose());
        match (text, name) {
            (Some(Ok(text)), _) => Self::required(variant, &text),
            (Some(Err(_)), Some(raw)) => {
                Err(Unresolved::InvalidName { name: raw.get().to_owned() }.refusal())
            }
            (Some(Err(_)) | None, _) => Self::required(variant, ""),
        }
    }

    /// The name of a call through `variant`, which must be there and well formed before anything else is looked at.
    pub fn required(variant: Variant, name: &str) -> Result<Self, Refusal> {
        if name.is_empty() {
            let message = format!("name is required for {variant}");
            return Err(Refusal { code: RefusalCode::InvalidName, message });
        }
        Self::parse(name).map_err(|unresolved| unresolved.refusal())
    }

    /// Reads `server:tool`, or the bare name of a built-in.
    pub fn parse(text: &str) -> Result<Self, Unresolved> {
        let (server, tool) = match text.split_once(':') {
            Some((server, tool)) => (server, tool),
            None if BARE.contains(&text) => (ToolSource::Builtin.namespace(), text),
            None => return Err(Unresolved::InvalidName { name: text.to_owned() }),
        };
        if server.is_empty() || ToolName::parse(tool).is_err() {
            return Err(Unresolved::InvalidName { name: text.to_owned() });
        }
        Ok(Self { server: server.to_owned(), tool: tool.to_owned() })
    }

    /// The half before the colon.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// The half after it.
    pub fn tool(&self) -> &str {
        &self.tool
    }
}

impl fmt::Display for ToolAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.server, self.tool)
    }
}

#[cfg(test)]
mod tests;
