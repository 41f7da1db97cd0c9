//! What a tool counts as, by what it says now and what it was pinned as. Pure: whoever asks keeps the pins.

use std::sync::Arc;

use awf_core::{Class, Standing, ToolDefinition, Unannotated, Unapproved, stricter};

use crate::{
    digest::Digest,
    held::Held,
    pin::{Approval, HiddenText, Parts, Pin},
};

/// A tool that passed the screen.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) definition: Arc<ToolDefinition>,
    pub(crate) hash: Digest,
    pub(crate) hidden: HiddenText,
}

/// What came of a look at a tool and its pin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Judgement {
    pub(crate) class: Class,
    pub(crate) standing: Standing,
    /// The pin to keep from now on, where it is another than before.
    pub(crate) pin: Option<Pin>,
}

/// Judges one tool.
///
/// Seen for the first time, it is pinned as it is; hidden text waits for a person. A class that rose counts at once and is
/// pinned; one that fell does not count. Which of two is stricter depends on what a tool without annotations counts as. A text that changed blocks the tool until a person looked, however often the
/// server is asked again.
pub(crate) fn judge(tool: &Listed, pin: Option<&Pin>, unannotated: Unannotated) -> Judgement {
    let said = tool.definition.annotations().class();
    let Some(pin) = pin else { return first_sight(tool, said) };
    let class = stricter(pin.class.class(unannotated), said, unannotated);
    if pin.hash != tool.hash {
        return Judgement { class, standing: Standing::Changed, pin: None };
    }
    let standing = match (tool.hidden, pin.hidden) {
        // Hidden in what the hash leaves out, and new there.
        (HiddenText::Present, HiddenText::Absent) => Standing::Unapproved(Unapproved::HiddenText),
        (HiddenText::Absent, _) | (HiddenText::Present, HiddenText::Present) => Standing::Approved,
    };
    let held = pin.class.and(said);
    let raised = (held != pin.class).then(|| Pin { class: held, ..pin.clone() });
    Judgement { class, standing, pin: raised }
}

fn first_sight(tool: &Listed, said: Class) -> Judgement {
    match tool.hidden {
        HiddenText::Present => {
            let standing = Standing::Unapproved(Unapproved::HiddenText);
            Judgement { class: said, standing, pin: None }
        }
        HiddenText::Absent => Judgement {
            class: said,
            standing: Standing::Approved,
            pin: Some(pin(tool, Approval::FirstSight)),
        },
    }
}

/// The pin of a tool as it is now.
pub(crate) fn pin(tool: &Listed, approved: Approval) -> Pin {
    Pin {
        hash: tool.hash.clone(),
        class: Held::To(tool.definition.annotations().class()),
        approved,
        hidden: tool.hidden,
        // It passed the screen, so that its parts have one form.
        parts: Parts::of(&tool.definition).unwrap_or_default().kept(),
    }
}

#[cfg(test)]
mod tests;
