//! What servers send: chunks of a stream, or one whole answer. Everything may be missing or `null`, and what is not known
//! is passed over.

use serde::Deserialize;
use serde_json::value::RawValue;

/// One event of a stream, or the whole answer of a server that does not stream.
#[derive(Deserialize)]
pub(super) struct Chunk<'a> {
    #[serde(borrow, default)]
    pub(super) choices: Option<Vec<Choice<'a>>>,
    #[serde(borrow, default)]
    pub(super) usage: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) model: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
pub(super) struct Choice<'a> {
    #[serde(default)]
    pub(super) index: Option<u64>,
    #[serde(borrow, default)]
    pub(super) delta: Option<Delta<'a>>,
    #[serde(borrow, default)]
    pub(super) message: Option<Delta<'a>>,
    #[serde(borrow, default)]
    pub(super) finish_reason: Option<&'a RawValue>,
}

#[derive(Deserialize)]
pub(super) struct Delta<'a> {
    #[serde(borrow, default)]
    pub(super) content: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) refusal: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) tool_calls: Option<Vec<Fragment<'a>>>,
}

/// A piece of a call.
#[derive(Default, Deserialize)]
pub(super) struct Fragment<'a> {
    #[serde(borrow, default)]
    pub(super) index: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) function: Option<FunctionFragment<'a>>,
}

#[derive(Default, Deserialize)]
pub(super) struct FunctionFragment<'a> {
    #[serde(borrow, default)]
    pub(super) name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) arguments: Option<&'a RawValue>,
}

/// The usage a server reports.
#[derive(Deserialize)]
pub(super) struct Counted {
    #[serde(default)]
    pub(super) prompt_tokens: Option<u64>,
    #[serde(default)]
    pub(super) completion_tokens: Option<u64>,
    #[serde(default)]
    pub(super) cost: Option<f64>,
}

/// A text, where it is one and not empty.
pub(super) fn text(raw: Option<&RawValue>) -> Option<String> {
    let text: String = serde_json::from_str(raw?.get()).ok()?;
    Some(text).filter(|text| !text.is_empty())
}

/// Content is a text, or a list of parts some of which are.
pub(super) fn content(raw: Option<&RawValue>) -> Option<String> {
    #[derive(Deserialize)]
    struct Part<'a> {
        #[serde(borrow, default)]
        text: Option<&'a RawValue>,
    }
    text(raw).or_else(|| {
        let parts: Vec<Part<'_>> = serde_json::from_str(raw?.get()).ok()?;
        Some(parts.into_iter().filter_map(|part| text(part.text)).collect())
    })
}

/// Arguments are a text that holds JSON; some servers send the JSON itself.
pub(super) fn arguments(raw: Option<&RawValue>) -> Arguments {
    let Some(raw) = raw.filter(|raw| raw.get() != "null") else { return Arguments::None };
    match serde_json::from_str::<String>(raw.get()) {
        Ok(piece) => Arguments::Piece(piece),
        Err(_) => Arguments::Whole(raw.get().to_owned()),
    }
}

/// Arguments of a call, as far as a fragment has them.
pub(super) enum Arguments {
    None,
    /// More of the text.
    Piece(String),
    /// All of it.
    Whole(String),
}

impl Arguments {
    /// Its bytes.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Piece(text) | Self::Whole(text) => text.len(),
        }
    }
}

/// What went wrong, in the server's words: `{"error": "…"}`, `{"error": {"message": "…"}}`, or whatever it is.
pub(super) fn complaint(raw: &RawValue) -> String {
    #[derive(Deserialize)]
    struct Told<'a> {
        #[serde(borrow, default)]
        message: Option<&'a RawValue>,
    }
    let told: Option<Told<'_>> = serde_json::from_str(raw.get()).ok();
    let message = told.and_then(|told| text(told.message));
    message.or_else(|| text(Some(raw))).unwrap_or_else(|| raw.get().to_owned())
}
