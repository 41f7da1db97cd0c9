//! What a surface exposes: the tools of several sources under names that are unique, short enough and not forged.
//!
//! Validation and the router both build it, so that what `awf validate` accepts is what a step gets.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use crate::{
    intent::{Ceiling, Unannotated},
    nearest::nearest,
    tool::{ToolDefinition, ToolName, ToolSource},
};

mod address;
mod error;
mod name;

pub use address::ToolAddress;
pub use error::{ToolSetError, Unresolved};
pub use name::NameLimit;

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
        name::check_namespaces(sources.iter().map(|offer| &offer.source))?;
        let mut set = Self { ceiling: exposure.ceiling, ..Self::default() };
        let mut listed = BTreeMap::new();
        for tool in sources.iter().flat_map(|offer| &offer.tools) {
            let exposed = name::exposed(tool, exposure.limit)?;
            let class = tool.class();
            if exposure.ceiling.permits(class, exposure.unannotated) {
                add(&mut listed, exposed, tool)?;
            } else {
                let place = Place::AboveCeiling(set.hidden.len());
                set.hidden.push(tool.clone());
                set.exposed.insert(exposed.to_string(), place);
                set.place(tool, place);
            }
        }
        name::check_collisions(listed.values())?;
        for (index, tool) in listed.into_values().enumerate() {
            set.exposed.insert(tool.name().to_string(), Place::Listed(index));
            set.place(&tool.tool, Place::Listed(index));
            set.tools.push(tool);
        }
        for offer in sources {
            set.servers.entry(offer.source.namespace().to_owned()).or_default();
        }
        Ok(set)
    }

    /// What is listed, sorted by exposed name.
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

fn add(
    listed: &mut BTreeMap<ToolName, ExposedTool>,
    exposed: ToolName,
    tool: &Arc<ToolDefinition>,
) -> Result<(), ToolSetError> {
    let shown = if exposed == *tool.name() {
        Arc::clone(tool)
    } else {
        Arc::new(tool.renamed(exposed.clone())?)
    };
    let entry = ExposedTool { listed: shown, tool: Arc::clone(tool) };
    match listed.insert(exposed, entry) {
        None => Ok(()),
        Some(other) => Err(ToolSetError::collision(&other.tool, tool)),
    }
}

#[cfg(test)]
mod tests;
