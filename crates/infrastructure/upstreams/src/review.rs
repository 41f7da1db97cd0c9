//! What a person is shown before they approve a tool.

use awf_core::{Class, Standing};

use crate::{
    book::Known,
    judge::Listed,
    pin::{HiddenText, Kept, Parts},
};

/// A tool that a person has to look at. All texts are the server's own: show them escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// The tool.
    pub tool: String,
    /// What is not as it was approved.
    pub changes: Vec<Change>,
}

/// One thing that is not as it was approved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Which.
    pub field: Field,
    /// How it was, where that is known and not too long to be kept.
    pub old: Option<String>,
    /// How it is now.
    pub new: Option<String>,
}

/// What can differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// How its name is spelt.
    Name,
    /// What it says it does.
    Description,
    /// What it takes.
    InputSchema,
    /// What it gives.
    OutputSchema,
    /// What it is called for people.
    Title,
    /// What its annotations say besides that.
    Annotations,
    /// What it says about its effects.
    Class {
        /// What it is held to.
        from: Class,
        /// What it says now.
        to: Class,
    },
    /// It holds characters that nobody sees; `new` is every text that does.
    HiddenText,
}

/// What is to be looked at in a tool; `None` if nothing.
pub(crate) fn review(tool: &Listed, known: &Known<'_>) -> Option<Review> {
    let definition = &tool.definition;
    let name = definition.name().as_str();
    let (pinned, pin) = known.pin(name).unzip();
    let said = definition.annotations().class();
    let held = pin.and_then(|pin| pin.class.besides(said));
    if definition.standing() == Standing::Approved && held.is_none() {
        return None;
    }
    let mut changes = Vec::new();
    if let Some(old) = pinned.filter(|old| *old != name) {
        let (old, new) = (Some(old.to_owned()), Some(name.to_owned()));
        changes.push(Change { field: Field::Name, old, new });
    }
    if let Some(pin) = pin {
        // It passed the screen, so that its parts have one form.
        changes.extend(parts(&pin.parts, &Parts::of(definition).unwrap_or_default()));
    }
    if let Some(held) = held {
        let field = Field::Class { from: held, to: said };
        let words = |class: Class| Some(class.as_str().to_owned());
        changes.push(Change { field, old: words(held), new: words(said) });
    }
    if tool.hidden == HiddenText::Present {
        let hiding = crate::canonical::strings(definition.raw().get())
            .filter(|text| crate::hidden::holds_hidden(text))
            .collect::<Vec<_>>();
        changes.push(Change { field: Field::HiddenText, old: None, new: Some(hiding.join("\n")) });
    }
    Some(Review { tool: definition.name().to_string(), changes })
}

fn parts(old: &Parts<Kept>, new: &Parts<String>) -> Vec<Change> {
    let pairs = [
        (Field::Description, &old.description, &new.description),
        (Field::InputSchema, &old.input_schema, &new.input_schema),
        (Field::OutputSchema, &old.output_schema, &new.output_schema),
        (Field::Title, &old.title, &new.title),
        (Field::Annotations, &old.remarks, &new.remarks),
    ];
    let differs = |old: &Option<Kept>, new: &Option<String>| match (old, new) {
        (Some(old), Some(new)) => !old.says(new),
        (None, None) => false,
        (Some(_), None) | (None, Some(_)) => true,
    };
    pairs
        .into_iter()
        .filter(|(_, old, new)| differs(old, new))
        .map(|(field, old, new)| Change {
            field,
            old: old.as_ref().and_then(Kept::text).map(plain),
            new: new.as_deref().map(plain),
        })
        .collect()
}

/// A text without its quotes; all else as JSON.
fn plain(canonical: &str) -> String {
    serde_json::from_str::<String>(canonical).unwrap_or_else(|_| canonical.to_owned())
}

#[cfg(test)]
mod tests;
