//! Names: from a source's name for a tool to the one a model sees, and when two of those are mistaken for each other.

use std::collections::HashMap;

use crate::{
    intent::Variant,
    tool::{ToolDefinition, ToolName, ToolSource},
    tool_set::ToolSetError,
};

/// The tool that finds tools on the intent surface; the other reserved names are the variants.
const RETRIEVE_TOOLS: &str = "retrieve_tools";
/// Characters the mark of a shortened name takes: `_` and eight hex digits.
const MARK: usize = 9;
/// No prefix may leave less than this: the mark, and something to recognise.
const SHORTEST_LIMIT: usize = 16;

/// What names the other side can carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameLimit {
    longest: usize,
    dots: Dots,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dots {
    Kept,
    Replaced,
}

impl NameLimit {
    /// MCP: 128 of `A-Z a-z 0-9 _ - .`.
    pub const MCP: Self = Self { longest: 128, dots: Dots::Kept };
    /// The chat completions API: 64 of `A-Z a-z 0-9 _ -`.
    pub const OPENAI: Self = Self { longest: 64, dots: Dots::Replaced };

    /// Gemini: 63, of which the client takes `prefix` for its own.
    pub fn gemini(prefix: usize) -> Self {
        Self { longest: 63_usize.saturating_sub(prefix).max(SHORTEST_LIMIT), dots: Dots::Replaced }
    }

    /// `full` if it fits; else its beginning with a mark that depends on all of it and on nothing else.
    pub fn fit(self, full: &str) -> String {
        let carried = |c: char| {
            c.is_ascii_alphanumeric()
                || matches!(c, '_' | '-')
                || (c == '.' && self.dots == Dots::Kept)
        };
        if full.len() <= self.longest && full.chars().all(carried) {
            return full.to_owned();
        }
        let head = full.chars().map(|c| if carried(c) { c } else { '_' }).take(self.longest - MARK);
        format!("{}_{:08x}", head.collect::<String>(), digest(full))
    }
}

impl Default for NameLimit {
    fn default() -> Self {
        Self::MCP
    }
}

/// FNV-1a over 64 bits, folded to 32: stable for ever, and a clash is an error, not a mix-up.
fn digest(text: &str) -> u64 {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    (hash >> 32) ^ (hash & 0xffff_ffff)
}

/// The name a model sees: `Read` for a built-in, `<namespace>_<tool>` for all others.
pub(super) fn exposed(tool: &ToolDefinition, limit: NameLimit) -> Result<ToolName, ToolSetError> {
    let full = match tool.source() {
        ToolSource::Builtin => tool.name().to_string(),
        ToolSource::Plugin(namespace) | ToolSource::Mcp(namespace) => {
            let full = format!("{namespace}_{}", tool.name());
            if is_reserved(&full) {
                return Err(ToolSetError::Reserved { tool: tool.qualified_name() });
            }
            full
        }
    };
    let fitted = limit.fit(&full);
    ToolName::parse(&fitted).map_err(|bad| ToolSetError::Definition(bad.into()))
}

/// Fails when a foreign tool takes the name of one of awf's own.
pub(super) fn check_reserved(tool: &ToolDefinition) -> Result<(), ToolSetError> {
    let foreign = *tool.source() != ToolSource::Builtin;
    if foreign && is_reserved(tool.name().as_str()) {
        return Err(ToolSetError::Reserved { tool: tool.qualified_name() });
    }
    Ok(())
}

fn is_reserved(name: &str) -> bool {
    let name = folded(name);
    name == RETRIEVE_TOOLS || Variant::ALL.iter().any(|variant| variant.as_str() == name)
}

/// A name as a model may take it: clients fold what they cannot carry, and case is no distinction.
pub fn folded(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' })
        .collect()
}

/// The sources whose tools have names that begin as names of `own` can: `git_hub` beside `git`.
pub(super) struct Longer<'a>(Vec<(&'a str, String)>);

impl<'a> Longer<'a> {
    pub(super) fn than(own: &ToolSource, all: impl Iterator<Item = &'a ToolSource>) -> Self {
        let before = format!("{}_", folded(own.namespace()));
        let longer = all.map(ToolSource::namespace).filter_map(|namespace| {
            let folded = folded(namespace);
            Some((namespace, format!("{}_", folded.strip_prefix(&before)?)))
        });
        Self(longer.collect())
    }

    /// Fails when a tool's name is for one of them to give. Whether they have such a tool now does not matter: they come and
    /// go, and a name must lead to the same source as long as that one is there.
    pub(super) fn check(&self, tool: &ToolDefinition) -> Result<(), ToolSetError> {
        if self.0.is_empty() {
            return Ok(());
        }
        let name = folded(tool.name().as_str());
        match self.0.iter().find(|(_, rest)| name.starts_with(rest)) {
            None => Ok(()),
            Some((other, _)) => Err(ToolSetError::Foreign {
                tool: tool.qualified_name(),
                other: (*other).to_owned(),
            }),
        }
    }
}

/// Fails when two sources share a namespace, or one cannot stand before a colon.
pub(super) fn check_namespaces<'a>(
    sources: impl Iterator<Item = &'a ToolSource>,
) -> Result<(), ToolSetError> {
    let mut taken: HashMap<String, &ToolSource> = HashMap::new();
    for source in sources {
        let namespace = source.namespace();
        if namespace.is_empty()
            || namespace.contains(|c: char| c == ':' || c.is_whitespace() || c.is_control())
        {
            return Err(ToolSetError::BadNamespace { namespace: namespace.to_owned() });
        }
        if let Some(other) = taken.insert(folded(namespace), source) {
            return Err(ToolSetError::SharedNamespace {
                first: other.clone(),
                second: source.clone(),
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
