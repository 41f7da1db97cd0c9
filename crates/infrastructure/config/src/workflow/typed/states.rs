//! The `states` mapping: a name under `initial`, a state under every other key.

use awf_core::{Located, shown};
use serde_json::{Value, json};

use crate::{
    reader::{Entries, Field, Findings, Presence, Shape},
    schema::Definitions,
    workflow::typed::{Keyed, Name, StateTyped},
    yaml::{Node, Place},
};

/// The key that is no state.
const INITIAL: &str = "initial";

/// The states, in the order of the file.
#[derive(Clone, Debug)]
pub(crate) struct StatesTyped {
    pub(crate) initial: Field<Located<String>>,
    pub(crate) states: Vec<StateEntry>,
}

/// One state under its name.
#[derive(Clone, Debug)]
pub(crate) struct StateEntry {
    pub(crate) name: Located<String>,
    pub(crate) place: Place,
    /// `None` when it could not be read, which was said.
    pub(crate) state: Option<Keyed<StateTyped>>,
}

impl Shape for StatesTyped {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        let entries = Entries::of(node, findings)?;
        let initial = entries.field(INITIAL, Presence::Optional, findings);
        let states =
            entries.all().filter(|(key, ..)| *key != INITIAL).map(|(key, place, value)| {
                let subject = format!("state `{}`", shown(key));
                let state =
                    findings.within(subject, place, |findings| Keyed::read(value, findings));
                let name = Located { value: key.to_owned(), span: findings.span(place) };
                StateEntry { name: Name::judged(name, findings).0, place, state }
            });
        Some(Self { states: states.collect(), initial })
    }

    fn schema(definitions: &mut Definitions) -> Value {
        json!({
            "type": "object",
            "propertyNames": Name::key_schema(),
            "properties": { INITIAL: String::schema(definitions) },
            "additionalProperties": StateTyped::schema(definitions),
            "anyOf": [
                { "required": [INITIAL], "minProperties": 2 },
                { "minProperties": 1, "maxProperties": 1, "not": { "required": [INITIAL] } },
            ],
        })
    }
}
