//! The limits of the activity log as typed.

use std::time::Duration;

use awf_core::Retention;
use serde_json::{Value, json};

use crate::{
    period,
    policy::ActivityTyped,
    reader::{Field, Findings, Shape},
    schema::Definitions,
    yaml::Node,
};

const DAY: u64 = 86_400;

/// How old something may get: whole days, or a duration that is longer than nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Age(Duration);

impl Age {
    fn parse(text: &str) -> Option<Self> {
        let days = text.strip_suffix('d').map(|days| days.parse::<u64>().ok()?.checked_mul(DAY));
        let age = match days {
            Some(seconds) => Duration::from_secs(seconds?),
            None => period::parse(text).ok()?,
        };
        (!age.is_zero()).then_some(Self(age))
    }
}

impl Shape for Age {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        let age = node.scalar().and_then(|scalar| Self::parse(&scalar.text));
        if age.is_none() {
            findings.wrong(node, "a duration longer than nothing, such as `90d` or `36h`");
        }
        age
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "anyOf": [
            { "type": "integer", "minimum": 1 },
            { "type": "string", "pattern": "^([0-9]+d|\\+?([0-9]+|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+))$" },
        ] })
    }
}

/// How many there may be: one at least.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count(u64);

impl Shape for Count {
    fn read(node: &Node, findings: &mut Findings<'_>) -> Option<Self> {
        let number = node.scalar().and_then(|scalar| scalar.text.parse().ok());
        let count = number.filter(|count| *count > 0).map(Self);
        if count.is_none() {
            findings.wrong(node, "a whole number above 0");
        }
        count
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "type": "integer", "minimum": 1 })
    }
}

impl ActivityTyped {
    pub(crate) fn retention(&self) -> Retention {
        Retention {
            max_age: given(&self.max_age).map(|age| age.0),
            max_records: given(&self.max_records).map(|count| count.0),
            max_bytes: given(&self.max_bytes).map(|size| size.0),
        }
    }
}

fn given<T>(field: &Field<T>) -> Option<&T> {
    match field {
        Field::Given(_, value) => Some(value),
        Field::Absent | Field::Bad(_) => None,
    }
}
