//! What a surface exposes: the tools of several sources under names that are unique, short enough and not forged.
//!
//! Validation and the router both build it, so that what `awf validate` accepts is what a step gets.

use std::{collections::HashMap, sync::Arc};

use crate::{
    intent::{Ceiling, Unannotated},
    nearest::nearest,
    tool::{ToolDefinition, ToolName, ToolSource},
    tool_set::{builder::Builder, name::Longer},
};

mod address;
mod builder;
mod error;
mod name;

pub use address::ToolAddress;
pub use error::{ToolSetError, Unresolved};
pub use name::{NameLimit, folded};

/// One source, with the tools it offers.
#[derive(Clone, Debug)]
pub struct SourceTools {
    /// The source; its namespace must be its own.
    pub source: ToolSource,
    /// Its tools, by the names it gives them.
    pub tools: Vec<Arc<ToolDefinition>>,
}

/// What binds the names and the choice of a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exposure {
    /// Tools above it are left out.
    pub ceiling: Ceiling,
    /// What a tool without annotations counts as.
    pub unannotated: Unannotated,
    /// What names the other side can carry.
    pub limit: NameLimit,
    /// Whether tools have such names at all.
    pub naming: Naming,
}

/// How the tools of a surface are called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Naming {
    /// By a name of their own and as `server:tool`: each needs a name that is short enough and like no other.
    #[default]
    ByName,
    /// As `server:tool` only, where nothing needs another name.
    ByAddress,
}

/// A tool under the name the model sees.
#[derive(Clone, Debug)]
pub struct ExposedTool {
    listed: Arc<ToolDefinition>,
    tool: Arc<ToolDefinition>,
}

impl ExposedTool {
    /// The name the model sees.
    pub fn name(&self) -> &ToolName {
        self.listed.name()
    }

    /// The definition as the model sees it: everything its source said, under the exposed name.
    pub fn listed(&self) -> &Arc<ToolDefinition> {
        &self.listed
    }

    /// The definition as its source gave it.
    pub fn tool(&self) -> &Arc<ToolDefinition> {
        &self.tool
    }
}

/// The tools of a surface. Lookup is one hash; listing is sorted by exposed name.
#[derive(Clone, Debug, Default)]
pub struct ToolSet {
    tools: Vec<ExposedTool>,
    /// Above the ceiling: neither listed nor callable, but known.
    hidden: Vec<Arc<ToolDefinition>>,
    exposed: HashMap<String, Place>,
    servers: HashMap<String, HashMap<String, Place>>,
    ceiling: Ceiling,
}

/// Where a name leads.
#[derive(Clone, Copy, Debug)]
enum Place {
    Listed(usize),
    /// Among those that are not listed.
    AboveCeiling(usize),
}

impl ToolSet {
    /// Names every tool and fails on the first two names that would be mistaken for each other.
    pub fn build(sources: &[SourceTools], exposure: Exposure) -> Result<Self, ToolSetError> {
        Self::with_live(sources, &[], exposure).map(|(set, _)| set)
    }

    /// The same with sources whose tools come and go. What cannot be offered of those is set aside, and told: one server
    /// must not take the tools of all others away, nor the name of one of them. A name that begins as those of another
    /// source do is that one's; of two that collide all the same the earlier one stays.
    pub fn with_live(
        fixed: &[SourceTools],
        live: &[SourceTools],
        exposure: Exposure,
    ) -> Result<(Self, Vec<ToolSetError>), ToolSetError> {
        name::check_namespaces(fixed.iter().chain(live).map(|offer| &offer.source))?;
        let mut builder = Builder::new(exposure);
        for tool in fixed.iter().flat_map(|offer| &offer.tools) {
            builder.add(tool)?;
        }
        let mut set_aside = Vec::new();
        for offer in live {
            let all = fixed.iter().chain(live).map(|offer| &offer.source);
            let longer = Longer::than(&offer.source, all);
            for tool in &offer.tools {
                let clear = match exposure.naming {
                    Naming::ByName => longer.check(tool),
                    Naming::ByAddress => Ok(()),
                };
                set_aside.extend(clear.and_then(|()| builder.add(tool)).err());
            }
        }
        let mut set = builder.finish();
        for offer in fixed.iter().chain(live) {
            set.servers.entry(offer.source.namespace().to_owned()).or_default();
        }
        Ok((set, set_aside))
    }

    /// What is listed, sorted by exposed name, or by address where there is no other name.
    pub fn tools(&self) -> &[ExposedTool] {
        &self.tools
    }

    /// The tool a model calls by the name it saw.
    pub fn by_name(&self, name: &str) -> Result<&ExposedTool, Unresolved> {
        self.at(self.exposed.get(name), name, || {
            let known = self.tools.iter().map(|tool| tool.name().as_str());
            let nearest = nearest(name, known).into_iter().map(str::to_owned).collect();
            Unresolved::UnknownTool { name: name.to_owned(), nearest }
        })
    }

    /// Where the tool comes from that a model calls by this name, be it listed or above the ceiling.
    pub fn source_of(&self, name: &str) -> Option<&ToolSource> {
        let tool = match self.exposed.get(name)? {
            Place::Listed(index) => self.tools.get(*index).map(ExposedTool::tool),
            Place::AboveCeiling(index) => self.hidden.get(*index),
        };
        tool.map(|tool| tool.source())
    }

    /// The tool behind a name that the ceiling turns away: what was refused can be told.
    pub fn hidden(
        &self,
        name: &str,
        address: Option<&ToolAddress>,
    ) -> Option<&Arc<ToolDefinition>> {
        let place = match address {
            None => self.exposed.get(name),
            Some(address) => self.servers.get(address.server())?.get(address.tool()),
        };
        match place? {
            Place::AboveCeiling(index) => self.hidden.get(*index),
            Place::Listed(_) => None,
        }
    }

    /// The tool a caller of the intent surface names as `server:tool`, or as the bare name of a built-in.
    pub fn by_address(&self, address: &ToolAddress) -> Result<&ExposedTool, Unresolved> {
        let (server, tool) = (address.server(), address.tool());
        let Some(tools) = self.servers.get(server) else {
            let known = self.servers.keys().map(String::as_str);
            let nearest = nearest(server, known).into_iter().map(str::to_owned).collect();
            return Err(Unresolved::UnknownServer { name: server.to_owned(), nearest });
        };
        let full = address.to_string();
        self.at(tools.get(tool), &full, || {
            let listed = tools.iter().filter(|(_, place)| matches!(place, Place::Listed(_)));
            let nearest = nearest(tool, listed.map(|(name, _)| name.as_str()));
            let nearest = nearest.into_iter().map(|near| format!("{server}:{near}")).collect();
            Unresolved::UnknownTool { name: full.clone(), nearest }
        })
    }

    fn at(
        &self,
        place: Option<&Place>,
        name: &str,
        unknown: impl FnOnce() -> Unresolved,
    ) -> Result<&ExposedTool, Unresolved> {
        match place {
            Some(Place::Listed(index)) => self.tools.get(*index).ok_or_else(unknown),
            Some(Place::AboveCeiling(_)) => {
                Err(Unresolved::AboveCeiling { name: name.to_owned(), ceiling: self.ceiling })
            }
            None => Err(unknown()),
        }
    }

    fn place(&mut self, tool: &ToolDefinition, place: Place) {
        let server = self.servers.entry(tool.source().namespace().to_owned()).or_default();
        server.insert(tool.name().to_string(), place);
    }
}

#[cfg(test)]
mod tests;
