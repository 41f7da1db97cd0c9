//! What of a server's list can be offered at all. One bad tool never costs the others.

use std::{collections::HashMap, fmt, sync::Arc};

use awf_core::{RawJson, ToolDefinition, ToolSource, folded, shown};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use crate::{
    canonical::{Ambiguous, strings},
    hidden::holds_hidden,
    judge::Listed,
    pin::{HiddenText, Parts},
};

/// Names that mean something of awf's own wherever they appear, folded as [`folded`] does.
const RESERVED: [&str; 5] =
    ["retrieve_tools", "call_tool", "call_tool_read", "call_tool_write", "call_tool_destructive"];

/// A tool that a server lists and nobody is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withheld {
    /// Its name, fit to be printed.
    pub name: String,
    /// Why.
    pub reason: WithheldReason,
}

/// Why a tool is withheld.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum WithheldReason {
    /// It cannot be read: what is wrong with it.
    Malformed(String),
    /// A schema of it gives a key twice.
    Ambiguous,
    /// Its name is one of awf's own.
    Reserved,
    /// A tool of that name is listed before it.
    Twice,
    /// Its name looks like that of this tool, listed before it or known from before.
    LookAlike(String),
}

impl fmt::Display for WithheldReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(what) => f.write_str(what),
            Self::Ambiguous => f.write_str("a schema of it gives a key twice"),
            Self::Reserved => f.write_str("its name is reserved"),
            Self::Twice => f.write_str("it is listed twice"),
            Self::LookAlike(other) => write!(f, "its name looks like `{other}`"),
        }
    }
}

/// What came of a list.
#[derive(Debug, Default)]
pub(crate) struct Screened {
    pub(crate) tools: Vec<Listed>,
    pub(crate) withheld: Vec<Withheld>,
}

/// Looks at everything that a server lists, in its order. Of tools that look alike the first one stays, unless another is
/// known from before: `is_known` by its name.
pub(crate) fn screen(
    source: &ToolSource,
    raw: Vec<Box<RawValue>>,
    is_known: impl Fn(&str) -> bool,
) -> Screened {
    let mut screened = Screened::default();
    let mut names = Names { known: HashMap::new(), taken: HashMap::new() };
    for name in raw.iter().filter_map(|raw| name_of(raw)).filter(|name| is_known(name)) {
        names.known.entry(folded(&name)).or_insert(name);
    }
    for raw in raw {
        match tool(source, &mut names, raw) {
            Ok(tool) => screened.tools.push(tool),
            Err(withheld) => screened.withheld.push(withheld),
        }
    }
    screened
}

/// Names by what they look like.
struct Names {
    /// Listed, and known from before.
    known: HashMap<String, String>,
    /// Those so far.
    taken: HashMap<String, String>,
}

impl Names {
    /// The tool that this one is to be taken for.
    fn instead_of(&self, name: &str, folded: &str) -> Option<&str> {
        let known = self.known.get(folded).filter(|known| *known != name);
        known.or_else(|| self.taken.get(folded)).map(String::as_str)
    }
}

/// The name that an object has, if it has one.
fn name_of(raw: &RawValue) -> Option<String> {
    #[derive(Deserialize)]
    struct Named {
        name: String,
    }
    serde_json::from_str::<Named>(raw.get()).ok().map(|named| named.name)
}

fn tool(source: &ToolSource, names: &mut Names, raw: Box<RawValue>) -> Result<Listed, Withheld> {
    let raw = RawJson::from(raw);
    let definition = ToolDefinition::from_raw(source.clone(), raw.clone()).map_err(|error| {
        Withheld { name: name_in(&raw), reason: WithheldReason::Malformed(error.to_string()) }
    })?;
    let name = definition.name().as_str();
    let withheld = |reason| Withheld { name: shown(name), reason };
    let folded = folded(name);
    if RESERVED.contains(&folded.as_str()) {
        return Err(withheld(WithheldReason::Reserved));
    }
    if let Some(other) = names.instead_of(name, &folded) {
        let twice = other == name;
        let reason =
            if twice { WithheldReason::Twice } else { WithheldReason::LookAlike(other.to_owned()) };
        return Err(withheld(reason));
    }
    let parts = Parts::of(&definition).map_err(|why| {
        withheld(match why {
            Ambiguous::Twice => WithheldReason::Ambiguous,
            Ambiguous::NotJson => WithheldReason::Malformed("it is nested too deep".to_owned()),
        })
    })?;
    let hash = parts.hash(name);
    names.taken.insert(folded, name.to_owned());
    let hidden = if strings(raw.get()).any(|text| holds_hidden(&text)) {
        HiddenText::Present
    } else {
        HiddenText::Absent
    };
    Ok(Listed { definition: Arc::new(definition), hash, hidden })
}

/// The name of what is no definition, as far as it has one.
fn name_in(raw: &RawJson) -> String {
    let value: Value = serde_json::from_str(raw.get()).unwrap_or_default();
    value.get("name").and_then(Value::as_str).map_or_else(|| "?".to_owned(), shown)
}

#[cfg(test)]
mod tests;
