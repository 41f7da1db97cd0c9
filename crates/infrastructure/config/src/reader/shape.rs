//! What can be read from a tree, and the schema of what can be read.

use serde_json::{Value, json};

use crate::{
    reader::Findings,
    schema::Definitions,
    yaml::{Node, NodeValue, Place},
};

/// A type that can be read from a tree.
pub(crate) trait Shape: Sized {
    /// Reads it; `None` after saying why not.
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self>;
    /// The JSON Schema of what it reads.
    fn schema(definitions: &mut Definitions) -> Value;
}

/// The value of one key.
#[derive(Clone, Debug)]
pub(crate) enum Field<T> {
    /// The key is not there.
    Absent,
    /// It is, and what is wrong with its value was said.
    Bad(Place),
    /// It is: the place of the key, and the value.
    Given(Place, T),
}

impl<T> Field<T> {
    /// The value, if there is one.
    pub(crate) fn given(self) -> Option<T> {
        match self {
            Self::Given(_, value) => Some(value),
            Self::Absent | Self::Bad(_) => None,
        }
    }

    /// The field, which is absent from now on.
    pub(crate) fn take(&mut self) -> Self {
        std::mem::replace(self, Self::Absent)
    }

    /// The place of the key, if it is there.
    pub(crate) fn key(&self) -> Option<Place> {
        match self {
            Self::Absent => None,
            Self::Bad(place) | Self::Given(place, _) => Some(*place),
        }
    }
}

/// A key that has no effect, with any value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Useless;

impl Shape for Useless {
    fn read(_: &Node, _: &mut Findings<'_>) -> Option<Self> {
        Some(Self)
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "deprecated": true })
    }
}

/// A key that is known, so that the refusal can say what to do instead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refused;

impl Shape for Refused {
    fn read(_: &Node, _: &mut Findings<'_>) -> Option<Self> {
        Some(Self)
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "not": {} })
    }
}

/// One of a few words.
pub(crate) trait Word: Copy + 'static {
    /// The words and what they mean.
    const WORDS: &'static [(&'static str, Self)];
}

/// A word that was chosen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice<T>(pub(crate) T);

impl<T: Word> Shape for Choice<T> {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        let words: Vec<&str> = T::WORDS.iter().map(|(word, _)| *word).collect();
        let Some(scalar) = node.scalar() else {
            findings.wrong(node, &format!("one of: {}", words.join(", ")));
            return None;
        };
        let chosen = T::WORDS.iter().find(|(word, _)| *word == scalar.text);
        if chosen.is_none() {
            findings.not_one_of(node, &scalar.text, &words);
        }
        chosen.map(|(_, meaning)| Self(*meaning))
    }

    fn schema(_: &mut Definitions) -> Value {
        let words: Vec<&str> = T::WORDS.iter().map(|(word, _)| *word).collect();
        json!({ "enum": words })
    }
}

impl<T: Shape> Shape for Vec<T> {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        match &node.value {
            NodeValue::List(items) => {
                let subject = format!("an item of {}", findings.subject());
                let read = items.iter().filter_map(|item| {
                    findings.within(subject.clone(), item.place, |findings| T::read(item, findings))
                });
                Some(read.collect())
            }
            // A key whose items were all commented out.
            NodeValue::Scalar(scalar) if scalar.is_null() => Some(Self::new()),
            NodeValue::Scalar(_) | NodeValue::Map(_) => {
                findings.wrong(node, "a list");
                None
            }
        }
    }

    fn schema(definitions: &mut Definitions) -> Value {
        json!({ "type": ["array", "null"], "items": T::schema(definitions) })
    }
}

/// A mapping from names the author chose, in the order of the file.
#[derive(Clone, Debug)]
pub(crate) struct Mapping<T>(pub(crate) Vec<(String, Place, T)>);

impl<T: Shape> Shape for Mapping<T> {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        match &node.value {
            NodeValue::Map(entries) => {
                let read = entries.iter().filter_map(|entry| {
                    let subject = format!("`{}`", awf_core::shown(&entry.key));
                    let value = findings.within(subject, entry.key_place, |findings| {
                        T::read(&entry.value, findings)
                    })?;
                    Some((entry.key.clone(), entry.key_place, value))
                });
                Some(Self(read.collect()))
            }
            NodeValue::Scalar(scalar) if scalar.is_null() => Some(Self(Vec::new())),
            NodeValue::Scalar(_) | NodeValue::List(_) => {
                findings.wrong(node, "a mapping");
                None
            }
        }
    }

    fn schema(definitions: &mut Definitions) -> Value {
        json!({ "type": ["object", "null"], "additionalProperties": T::schema(definitions) })
    }
}
