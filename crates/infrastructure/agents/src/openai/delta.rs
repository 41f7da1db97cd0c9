//! An answer put together from its pieces. Servers differ in what they leave out and what they repeat.

use awf_core::{NotJson, RawJson, Usage};
use serde_json::{Value, value::RawValue};

use crate::openai::wire::{
    Arguments, Chunk, Counted, Delta, Fragment, arguments, complaint, content, text,
};

/// The most text and arguments that are kept of one answer.
pub(super) const MOST_KEPT: usize = 4 * 1024 * 1024;
/// Bytes to a token, roughly.
const TOKEN: usize = 4;

/// What a model answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) calls: Vec<Asked>,
    /// Why it stopped, in the server's word.
    pub(super) finish: Option<String>,
    /// What the server counted, if it did.
    counted: Option<Usage>,
    pub(super) model: Option<String>,
    /// Bytes of text and arguments.
    kept: usize,
}

/// A call the model asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    /// Empty where the server gave none.
    pub(super) id: String,
    pub(super) name: String,
    /// As the model wrote them.
    pub(super) arguments: String,
    index: Option<u64>,
}

/// Why pieces do not make an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Misfit {
    /// There is more of it than is kept.
    TooLong,
    /// The server sent an error in its place.
    Error(String),
    /// More calls than a turn may have.
    TooManyCalls,
}

impl Answer {
    /// Adds a chunk and gives the text that came with it. More than `most` calls are refused.
    pub(super) fn add(&mut self, chunk: Chunk<'_>, most: usize) -> Result<String, Misfit> {
        if let Some(error) = chunk.error.filter(|error| error.get() != "null") {
            return Err(Misfit::Error(complaint(error)));
        }
        self.counted = chunk.usage.and_then(counted).or(self.counted);
        self.model = self.model.take().or_else(|| text(chunk.model));
        let mut said = String::new();
        let choices = chunk.choices.unwrap_or_default().into_iter();
        for choice in choices.filter(|choice| choice.index.unwrap_or(0) == 0) {
            for delta in [choice.delta, choice.message].into_iter().flatten() {
                self.take_in(delta, &mut said)?;
            }
            self.finish = text(choice.finish_reason).or(self.finish.take());
        }
        if self.calls.len() > most {
            return Err(Misfit::TooManyCalls);
        }
        self.keep(said.len())?;
        self.text.push_str(&said);
        Ok(said)
    }

    /// What the server counted, else a guess from what the model `read` and wrote.
    pub(super) fn usage(&self, read: usize) -> Usage {
        let tokens = |bytes: usize| u64::try_from(bytes.div_ceil(TOKEN)).unwrap_or(u64::MAX);
        self.counted.unwrap_or_else(|| Usage {
            input_tokens: tokens(read),
            output_tokens: tokens(self.kept),
            estimated: true,
            cost: None,
        })
    }

    /// Whether there is anything to it at all.
    pub(super) fn is_begun(&self) -> bool {
        self.kept > 0 || !self.calls.is_empty()
    }

    /// Every call with a name of its own to answer by; what is no call at all is dropped. `turn` makes ids that no
    /// other turn has.
    pub(super) fn settle(&mut self, turn: usize) {
        self.calls.retain(|call| !call.name.is_empty() || !call.arguments.is_empty());
        for place in 0..self.calls.len() {
            let (before, behind) = self.calls.split_at_mut(place);
            let Some(call) = behind.first_mut() else { continue };
            if call.id.is_empty() || before.iter().any(|other| other.id == call.id) {
                call.id = format!("call_{turn}_{place}");
            }
        }
    }

    fn take_in(&mut self, delta: Delta<'_>, said: &mut String) -> Result<(), Misfit> {
        said.extend(content(delta.content));
        said.extend(text(delta.refusal));
        for fragment in delta.tool_calls.unwrap_or_default() {
            self.piece(Piece::read(fragment))?;
        }
        Ok(())
    }

    fn piece(&mut self, piece: Piece) -> Result<(), Misfit> {
        self.keep(piece.len())?;
        let call = self.call_of(&piece);
        call.name_it(&piece);
        match piece.arguments {
            Arguments::None => {}
            Arguments::Piece(more) => call.arguments.push_str(&more),
            Arguments::Whole(whole) => call.arguments = whole,
        }
        Ok(())
    }

    /// The call a piece belongs to; a new one where it belongs to none.
    fn call_of(&mut self, piece: &Piece) -> &mut Asked {
        let known = match piece.index {
            Some(_) => self.calls.iter().rposition(|call| call.index == piece.index),
            None if !piece.id.is_empty() => self.calls.iter().rposition(|call| call.id == piece.id),
            None => self.calls.len().checked_sub(1),
        };
        let place = known
            .filter(|place| self.calls.get(*place).is_some_and(|call| call.goes_on(piece)))
            .unwrap_or_else(|| {
                self.calls.push(Asked { index: piece.index, ..Asked::default() });
                self.calls.len() - 1
            });
        &mut self.calls[place]
    }

    fn keep(&mut self, bytes: usize) -> Result<(), Misfit> {
        self.kept += bytes;
        if self.kept > MOST_KEPT { Err(Misfit::TooLong) } else { Ok(()) }
    }
}

/// A piece of a call, read.
struct Piece {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: Arguments,
}

impl Piece {
    fn read(fragment: Fragment<'_>) -> Self {
        let function = fragment.function.unwrap_or_default();
        Self {
            index: fragment.index.and_then(|raw| raw.get().parse().ok()),
            id: text(fragment.id).unwrap_or_default(),
            name: text(function.name).unwrap_or_default(),
            arguments: arguments(function.arguments),
        }
    }

    fn len(&self) -> usize {
        self.name.len() + self.arguments.len()
    }
}

impl Asked {
    /// Whether a piece that points to this call is more of it. One with a name begins a call, but some servers repeat
    /// the name with every piece, and others count every call as the first.
    fn goes_on(&self, piece: &Piece) -> bool {
        let same_id = !piece.id.is_empty() && piece.id == self.id;
        if piece.name.is_empty() || self.name.is_empty() || same_id {
            return true;
        }
        let same_name = piece.name == self.name;
        if self.is_whole() {
            return same_name && piece.arguments.len() == 0;
        }
        let two_ids = !piece.id.is_empty() && !self.id.is_empty();
        same_name || (piece.index.is_some() && !two_ids)
    }

    fn is_whole(&self) -> bool {
        serde_json::from_str::<&RawValue>(&self.arguments).is_ok()
    }

    /// The first id counts; a name comes whole, in pieces, or again and again.
    fn name_it(&mut self, piece: &Piece) {
        if self.id.is_empty() {
            self.id.clone_from(&piece.id);
        }
        let open = self.name.is_empty() || self.arguments.is_empty();
        if open && self.name != piece.name {
            self.name.push_str(&piece.name);
        }
    }

    /// The arguments as JSON, or why they are none. No arguments are empty ones.
    pub(super) fn parsed(&self) -> Result<RawJson, NotJson> {
        match self.arguments.trim() {
            "" | "null" => Ok(RawJson::empty_object()),
            written => RawJson::parse(written),
        }
    }

    /// The arguments as they can be sent back: servers refuse a history that holds anything but objects.
    pub(super) fn returned(&self) -> String {
        let object = self.parsed().ok().filter(|json| json.get().starts_with('{'));
        object.map_or_else(|| "{}".to_owned(), RawJson::into_string)
    }
}

fn counted(raw: &RawValue) -> Option<Usage> {
    let counted: Counted = serde_json::from_str(raw.get()).ok()?;
    Some(Usage {
        input_tokens: counted.prompt_tokens?,
        output_tokens: counted.completion_tokens.unwrap_or(0),
        estimated: false,
        cost: counted.cost.filter(|cost| cost.is_finite()),
    })
}

/// The call as it stands in the history.
impl From<&Asked> for Value {
    fn from(call: &Asked) -> Self {
        serde_json::json!({
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": call.returned()},
        })
    }
}

#[cfg(test)]
mod tests;
