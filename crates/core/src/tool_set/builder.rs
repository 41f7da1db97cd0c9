//! A set in the making: tools come one by one, and each either fits beside those before it or does not.

use std::{
    collections::{BTreeMap, HashMap, hash_map::Entry},
    sync::Arc,
};

use crate::{
    tool::{ToolDefinition, ToolName},
    tool_set::{ExposedTool, Exposure, Naming, Place, ToolSet, ToolSetError, name},
};

pub(super) struct Builder {
    exposure: Exposure,
    set: ToolSet,
    /// Every tool so far, by its address: a source that gives one name twice leaves open which of them it will run.
    known: HashMap<String, Arc<ToolDefinition>>,
    /// What will be listed, by the name it is listed under.
    listed: BTreeMap<String, ExposedTool>,
    /// Listed names as a model may take them, with the names as they are.
    taken: HashMap<String, String>,
}

impl Builder {
    pub(super) fn new(exposure: Exposure) -> Self {
        let set = ToolSet { ceiling: exposure.ceiling, ..ToolSet::default() };
        let (known, listed, taken) = (HashMap::new(), BTreeMap::new(), HashMap::new());
        Self { exposure, set, known, listed, taken }
    }

    /// Adds a tool, unless it would be mistaken for one that is there.
    pub(super) fn add(&mut self, tool: &Arc<ToolDefinition>) -> Result<(), ToolSetError> {
        let address = tool.qualified_name();
        if let Some(other) = self.known.get(&address) {
            return Err(ToolSetError::collision(other, tool));
        }
        name::check_reserved(tool)?;
        let Exposure { ceiling, unannotated, naming, limit } = self.exposure;
        let permitted = ceiling.permits(tool.class(), unannotated);
        match naming {
            Naming::ByName => {
                let exposed = name::exposed(tool, limit)?;
                if permitted {
                    self.list(exposed, tool)?;
                } else {
                    let place = self.hide(tool);
                    self.set.exposed.insert(exposed.to_string(), place);
                }
            }
            Naming::ByAddress if permitted => {
                let entry = ExposedTool { listed: Arc::clone(tool), tool: Arc::clone(tool) };
                self.listed.insert(address.clone(), entry);
            }
            Naming::ByAddress => {
                self.hide(tool);
            }
        }
        self.known.insert(address, Arc::clone(tool));
        Ok(())
    }

    pub(super) fn finish(self) -> ToolSet {
        let Self { exposure, mut set, known: _, listed, taken: _ } = self;
        for (index, (name, tool)) in listed.into_iter().enumerate() {
            let place = Place::Listed(index);
            if exposure.naming == Naming::ByName {
                set.exposed.insert(name, place);
            }
            set.place(&tool.tool, place);
            set.tools.push(tool);
        }
        set
    }

    fn list(&mut self, exposed: ToolName, tool: &Arc<ToolDefinition>) -> Result<(), ToolSetError> {
        let name = exposed.to_string();
        let listed = if exposed == *tool.name() {
            Arc::clone(tool)
        } else {
            Arc::new(tool.renamed(exposed)?)
        };
        match self.taken.entry(name::folded(&name)) {
            Entry::Vacant(free) => free.insert(name.clone()),
            Entry::Occupied(other) => {
                return Err(match self.listed.get(other.get()) {
                    Some(other) if *other.name() <= *listed.name() => {
                        ToolSetError::collision(&other.tool, tool)
                    }
                    Some(other) => ToolSetError::collision(tool, &other.tool),
                    None => ToolSetError::collision(tool, tool),
                });
            }
        };
        self.listed.insert(name, ExposedTool { listed, tool: Arc::clone(tool) });
        Ok(())
    }

    fn hide(&mut self, tool: &Arc<ToolDefinition>) -> Place {
        let place = Place::AboveCeiling(self.set.hidden.len());
        self.set.hidden.push(Arc::clone(tool));
        self.set.place(tool, place);
        place
    }
}
