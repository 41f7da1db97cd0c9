//! What of a tool is searched, and how much each place counts. However long a tool talks, only so much of it is heard.

use awf_core::ToolDefinition;
use serde::Deserialize;
use serde_json::Value;

/// How deep beneath the arguments a schema is read, how many of its parts, and how much of a text.
const DEEPEST: usize = 4;
const MOST_PARTS: usize = 256;
const LONGEST_TEXT: usize = 8 * 1024;

/// A place where a word can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Name,
    Server,
    Description,
    /// The name of an argument.
    Argument,
    /// What is said about an argument, and the words it takes.
    ArgumentText,
}

/// How a field counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measure {
    /// How much one word there is worth.
    pub(crate) weight: f32,
    /// How many words are usual: in a longer text each counts for less. Fixed, so that the rank of a tool depends on what
    /// it says and not on what the others say.
    pub(crate) usual: f32,
    /// How strictly length is held against it, from 0 to 1.
    pub(crate) strictness: f32,
    /// Words beyond this many are not heard.
    pub(crate) most: usize,
}

impl Field {
    pub(crate) const ALL: [Self; 5] =
        [Self::Name, Self::Server, Self::Description, Self::Argument, Self::ArgumentText];

    pub(crate) fn measure(self) -> Measure {
        let (weight, usual, strictness, most) = match self {
            Self::Name => (3.0, 3.0, 0.5, 64),
            Self::Server => (1.0, 1.0, 0.3, 16),
            Self::Description => (1.2, 12.0, 0.5, 400),
            Self::Argument => (0.3, 5.0, 0.5, 200),
            Self::ArgumentText => (0.15, 15.0, 0.5, 400),
        };
        Measure { weight, usual, strictness, most }
    }
}

/// Hands out every text of a tool with the field it stands in.
pub(crate) fn for_each_text(tool: &ToolDefinition, mut take: impl FnMut(Field, &str)) {
    take(Field::Name, tool.name().as_str());
    take(Field::Server, tool.source().namespace());
    take(Field::Description, beginning(tool.description()));
    let Ok(rest) = serde_json::from_str::<Rest>(tool.raw().get()) else { return };
    if let Some(title) = rest.title.as_str() {
        take(Field::Description, beginning(title));
    }
    let mut left = MOST_PARTS;
    read_schema(&rest.schema, DEEPEST, &mut left, &mut take);
}

#[derive(Deserialize)]
struct Rest {
    #[serde(default)]
    title: Value,
    #[serde(default, rename = "inputSchema")]
    schema: Value,
}

fn read_schema(schema: &Value, depth: usize, left: &mut usize, take: &mut impl FnMut(Field, &str)) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for (name, argument) in
        schema.get("properties").and_then(Value::as_object).into_iter().flatten()
    {
        if *left == 0 {
            return;
        }
        *left -= 1;
        take(Field::Argument, beginning(name));
        read_words(argument, take);
        read_schema(argument, depth, left, take);
    }
    let branches =
        ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|key| schema.get(key)?.as_array());
    for beneath in branches.flatten().chain(schema.get("items")) {
        if *left == 0 {
            return;
        }
        *left -= 1;
        read_words(beneath, take);
        read_schema(beneath, depth, left, take);
    }
}

/// What a schema says in words: its description, and the words to choose from.
fn read_words(schema: &Value, take: &mut impl FnMut(Field, &str)) {
    let choices = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    let texts = schema.get("description").into_iter().chain(choices.take(MOST_PARTS));
    for text in texts.filter_map(Value::as_str) {
        take(Field::ArgumentText, beginning(text));
    }
}

fn beginning(text: &str) -> &str {
    text.get(..text.floor_char_boundary(LONGEST_TEXT)).unwrap_or_default()
}

#[cfg(test)]
mod tests;
