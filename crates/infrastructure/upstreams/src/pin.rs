//! A pin: what a tool said of itself when it was approved.

use awf_core::{RawJson, RawObject, ToolDefinition};

use crate::{
    canonical::{Ambiguous, canonical},
    digest::Digest,
    held::Held,
};

/// Texts longer than this are kept as their hash only.
const LONGEST_TEXT: usize = 64 * 1024;

/// What a class is read from, and what is said beside it: no text, whatever it is.
const HINTS: [&str; 4] = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

/// What a tool was approved as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pin {
    /// Of the name and all parts.
    pub(crate) hash: Digest,
    /// What it was then, or rose to since; only a person lowers it.
    pub(crate) class: Held,
    pub(crate) approved: Approval,
    /// Whether it held hidden text when it was approved.
    pub(crate) hidden: HiddenText,
    pub(crate) parts: Parts<Kept>,
}

/// Who approved a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Approval {
    /// Nobody: it was so when it was first seen.
    FirstSight,
    Person,
}

/// Whether a definition holds characters that nobody sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum HiddenText {
    #[default]
    Absent,
    Present,
}

/// What a model reads of a tool, besides its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts<T> {
    pub(crate) title: Option<T>,
    pub(crate) description: Option<T>,
    pub(crate) input_schema: Option<T>,
    pub(crate) output_schema: Option<T>,
    /// What its annotations say besides the hints its class is read from.
    pub(crate) remarks: Option<T>,
}

/// A part as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// Whole.
    Text(String),
    /// Too long to keep: what it hashes to.
    Hash(Digest),
}

impl Kept {
    pub(crate) fn says(&self, text: &str) -> bool {
        match self {
            Self::Text(kept) => kept == text,
            Self::Hash(hash) => *hash == Digest::of([Some(text)]),
        }
    }

    /// The text, where it was kept.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Hash(_) => None,
        }
    }

    fn of(text: String) -> Self {
        if text.len() > LONGEST_TEXT {
            Self::Hash(Digest::of([Some(text.as_str())]))
        } else {
            Self::Text(text)
        }
    }
}

impl Parts<String> {
    /// The parts of a tool, each in its one form.
    pub(crate) fn of(tool: &ToolDefinition) -> Result<Self, Ambiguous> {
        let fields = RawObject::read(tool.raw()).map_err(|_| Ambiguous::NotJson)?;
        let part = |key: &str| fields.get(key).map(|raw| canonical(raw.get())).transpose();
        Ok(Self {
            title: part("title")?,
            description: part("description")?,
            input_schema: part("inputSchema")?,
            output_schema: part("outputSchema")?,
            remarks: fields.get("annotations").map(remarks).transpose()?.flatten(),
        })
    }

    /// What stands for all of them and the name.
    pub(crate) fn hash(&self, name: &str) -> Digest {
        let Self { title, description, input_schema, output_schema, remarks } = self;
        let parts = [description, input_schema, output_schema, title, remarks];
        Digest::of([Some(name)].into_iter().chain(parts.map(Option::as_deref)))
    }

    pub(crate) fn kept(self) -> Parts<Kept> {
        let Self { title, description, input_schema, output_schema, remarks } = self;
        Parts {
            title: title.map(Kept::of),
            description: description.map(Kept::of),
            input_schema: input_schema.map(Kept::of),
            output_schema: output_schema.map(Kept::of),
            remarks: remarks.map(Kept::of),
        }
    }
}

/// Annotations but for the hints: a title, and whatever else a vendor puts there, is text that a model may read.
fn remarks(annotations: &RawJson) -> Result<Option<String>, Ambiguous> {
    let Ok(fields) = RawObject::read(annotations) else {
        return canonical(annotations.get()).map(Some);
    };
    let is_hint = |key: &str, value: &RawJson| {
        HINTS.contains(&key) && matches!(value.get(), "true" | "false" | "null")
    };
    let mut rest = RawObject::default();
    for (key, value) in fields.iter().filter(|(key, value)| !is_hint(key, value)) {
        rest.set(key, value.clone());
    }
    let empty = rest.iter().next().is_none();
    if empty { Ok(None) } else { canonical(rest.into_raw().get()).map(Some) }
}
