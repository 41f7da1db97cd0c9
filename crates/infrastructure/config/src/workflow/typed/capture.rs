//! The `capture` block as typed.

use awf_core::Encoding;
use serde_json::{Value, json};

use crate::{
    reader::{Choice, Findings, Shape, Word, object},
    schema::Definitions,
    workflow::typed::Name,
    yaml::{Node, Scalar},
};

object! {
    /// What is kept of a step's output.
    pub(crate) struct CaptureTyped;
    /// Keeps stdout as `captured.<name>`; `true` keeps it under the name of the state.
    stdout: CaptureName;
    /// Keeps stderr as `captured.<name>`; `true` keeps it under the name of the state and `_stderr`.
    stderr: CaptureName;
    /// How much of each is kept: bytes, or a size such as `10MB`.
    max_size: Size;
    /// How bytes become text; `utf-8` when absent.
    encoding: Choice<Encoding>;
}

/// A name, or whether to take the state's own.
#[derive(Clone, Debug)]
pub(crate) enum CaptureName {
    Own(bool),
    Named(Name),
}

impl Shape for CaptureName {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        match node.scalar().and_then(Scalar::boolean) {
            Some(own) => Some(Self::Own(own)),
            None => Name::read(node, findings).map(Self::Named),
        }
    }

    fn schema(definitions: &mut Definitions) -> Value {
        Name::schema(definitions)
    }
}

/// Bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size(pub(crate) u64);

/// The endings of a size, longest first, and how often they double.
const UNITS: &[(&str, u32)] = &[
    ("kib", 10),
    ("mib", 20),
    ("gib", 30),
    ("kb", 10),
    ("mb", 20),
    ("gb", 30),
    ("k", 10),
    ("m", 20),
    ("g", 30),
    ("b", 0),
    ("", 0),
];

impl Size {
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase();
        let (digits, doubled) = UNITS
            .iter()
            .find_map(|(unit, doubled)| Some((text.strip_suffix(unit)?.trim_end(), *doubled)))?;
        let plain = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
        let bytes = digits.parse::<u64>().ok().filter(|bytes| plain && *bytes > 0)?;
        bytes.checked_mul(1 << doubled).map(Self)
    }
}

impl Shape for Size {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        let size = node.scalar().and_then(|scalar| Self::parse(&scalar.text));
        if size.is_none() {
            findings.wrong(node, "a number of bytes or a size such as `10MB`");
        }
        size
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "anyOf": [
            { "type": "integer", "minimum": 1 },
            { "type": "string", "pattern": "^\\s*0*[1-9][0-9]*\\s*([KkMmGg]([Ii]?[Bb])?|[Bb])?\\s*$" },
        ] })
    }
}

impl Word for Encoding {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("utf-8", Self::Utf8),
        ("utf8", Self::Utf8),
        ("latin1", Self::Latin1),
        ("iso-8859-1", Self::Latin1),
        ("base64", Self::Base64),
    ];
}
