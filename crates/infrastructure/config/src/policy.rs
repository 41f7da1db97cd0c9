//! Blocks that several configuration files share: what tools may do, how intent is judged, what is kept.

use std::{path::PathBuf, time::Duration};

use awf_core::{IntentPolicy, Mode, OnBypass, Operation, Strictness, Unannotated};
use serde_json::Value;

use crate::{
    limits::{Age, Count},
    period::Period,
    reader::{Choice, Field, Findings, Shape, Word, object},
    schema::Definitions,
    workflow::Size,
    yaml::{Node, Place},
};

object! {
    /// What tools may do, and where.
    pub(crate) struct ToolsTyped;
    /// The highest class of tool that is offered; `destructive` when absent.
    allow: Choice<Operation>;
    /// Further places where the file tools may work.
    roots: Vec<Root>;
}

object! {
    /// How the intent that callers declare is judged.
    pub(crate) struct IntentTyped;
    /// Whether callers must declare what they do; `two_key` when absent.
    mode: Choice<Mode>;
    /// Whether a tool that is marked destructive is refused to milder variants; `true` when absent.
    strict_server_validation: bool;
    /// What a tool without annotations counts as; `trust` when absent.
    unannotated: Choice<Unannotated>;
    /// How old what a server said of its tools may be when one is called: older, and it is asked again. `0` asks before
    /// every call; `10s` when absent.
    annotations_max_age: Period;
}

object! {
    /// What becomes of the activity log.
    pub(crate) struct ActivityTyped;
    /// Whether it is kept; `true` when absent.
    enabled: bool;
    /// What it survives: the death of the process, or a power cut. `process` when absent.
    durability: Choice<Durability>;
    /// How old records may get, such as `90d`; no limit when absent.
    max_age: Age;
    /// How many calls it may hold; no limit when absent.
    max_records: Count;
    /// How large it may grow, such as `256MB`; no limit when absent.
    max_bytes: Size;
}

/// What the activity log survives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Durability {
    #[default]
    Process,
    Power,
}

/// What becomes of the activity log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ActivitySetting {
    /// Nothing is kept.
    Off,
    /// Kept: survives the death of the process.
    #[default]
    Process,
    /// Kept: survives a power cut, at the price of a sync before every call that changes something.
    Power,
}

impl ActivityTyped {
    pub(crate) fn meant(self) -> ActivitySetting {
        let durability = self.durability.given().map(|durability| durability.0);
        let kept = self.enabled.given().unwrap_or(true);
        ActivitySetting::of(kept.then(|| durability.unwrap_or_default()))
    }
}

impl ActivitySetting {
    /// `None` is not kept at all.
    pub(crate) fn of(kept: Option<Durability>) -> Self {
        match kept {
            None => Self::Off,
            Some(Durability::Process) => Self::Process,
            Some(Durability::Power) => Self::Power,
        }
    }
}

/// How old what a server said of its tools may be, where nobody says.
pub(crate) const ANNOTATIONS_MAX_AGE: Duration = Duration::from_secs(10);

impl IntentTyped {
    /// How old annotations may be, and where that is said; what is no duration is told.
    pub(crate) fn max_age(&self, findings: &mut Findings<'_>) -> Option<(Duration, Place)> {
        let Field::Given(key, period) = &self.annotations_max_age else { return None };
        match &period.duration {
            Ok(duration) => Some((*duration, *key)),
            Err(why) => {
                let hint = "write whole seconds (`30`) or a duration (`1500ms`, `2m`)";
                let message = format!("`annotations_max_age`: {why}");
                findings.hint(findings.dialect().invalid, period.place, message, hint);
                None
            }
        }
    }

    pub(crate) fn meant(self) -> IntentPolicy {
        IntentPolicy {
            mode: self.mode.given().map(|mode| mode.0).unwrap_or_default(),
            strictness: strictness(&self.strict_server_validation),
            unannotated: self.unannotated.given().map(|class| class.0).unwrap_or_default(),
        }
    }
}

fn strictness(field: &Field<bool>) -> Strictness {
    match field {
        Field::Given(_, false) => Strictness::Permissive,
        Field::Given(_, true) | Field::Absent | Field::Bad(_) => Strictness::Strict,
    }
}

/// A directory.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub(crate) path: PathBuf,
    pub(crate) place: Place,
}

impl Shape for Root {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        String::read(node, findings).map(|path| Self { path: path.into(), place: node.place })
    }

    fn schema(definitions: &mut Definitions) -> Value {
        String::schema(definitions)
    }
}

impl Word for Mode {
    const WORDS: &'static [(&'static str, Self)] =
        &[("two_key", Self::TwoKey), ("inferred", Self::Inferred)];
}

impl Word for Unannotated {
    const WORDS: &'static [(&'static str, Self)] =
        &[("trust", Self::Trust), ("write", Self::Write), ("destructive", Self::Destructive)];
}

impl Word for OnBypass {
    const WORDS: &'static [(&'static str, Self)] =
        &[("record", Self::Record), ("fail", Self::Fail)];
}

impl Word for Durability {
    const WORDS: &'static [(&'static str, Self)] =
        &[("process", Self::Process), ("power", Self::Power)];
}
