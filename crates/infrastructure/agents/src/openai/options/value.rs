//! Values of options. A template gives text, so numbers may come as text.

use std::{ops::RangeInclusive, time::Duration};

use awf_core::{OptionFault, shown};
use serde_json::{Map, Value};

/// Units and their seconds; of two that begin alike the longer stands first.
const UNITS: [(&str, f64); 4] = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
/// No wait is longer than a day.
const LONGEST: f64 = 86_400.0;

/// The options a step gives.
pub(super) struct Given<'a>(pub(super) &'a Map<String, Value>);

impl Given<'_> {
    /// A value that says something.
    fn value(&self, key: &str) -> Option<&Value> {
        self.0.get(key).filter(|value| !value.is_null() && value.as_str() != Some(""))
    }

    fn wrong<T>(key: &str, value: &Value, expected: &str) -> Result<T, OptionFault> {
        let value = match (key, value) {
            ("api_key", _) => String::new(),
            (_, Value::String(text)) => format!(": {}", shown(text)),
            (_, other) => format!(": {}", shown(&other.to_string())),
        };
        Err(OptionFault::Value(format!("`{key}{value}` must be {expected}")))
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<String>, OptionFault> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => Self::wrong(key, other, "a text"),
        }
    }

    pub(super) fn number(
        &self,
        key: &str,
        range: RangeInclusive<f64>,
    ) -> Result<Option<f64>, OptionFault> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let number = number(value).filter(|number| range.contains(number));
        if number.is_some() {
            return Ok(number);
        }
        let expected = format!("a number from {} to {}", range.start(), range.end());
        Self::wrong(key, value, &expected)
    }

    pub(super) fn count(
        &self,
        key: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, OptionFault> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let count = match value {
            Value::String(text) => text.trim().parse().ok(),
            other => other.as_u64(),
        };
        let count = count.filter(|count| range.contains(count));
        if count.is_some() {
            return Ok(count);
        }
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        Self::wrong(key, value, &expected)
    }

    pub(super) fn size(
        &self,
        key: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<usize>, OptionFault> {
        Ok(self.count(key, range)?.and_then(|count| usize::try_from(count).ok()))
    }

    /// Seconds, or a duration such as `1m30s`; nothing that is over at once.
    pub(super) fn duration(&self, key: &str) -> Result<Option<Duration>, OptionFault> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let seconds = number(value).or_else(|| seconds(value.as_str()?));
        match seconds.filter(|seconds| (0.001..=LONGEST).contains(seconds)) {
            Some(seconds) => Ok(Some(Duration::from_secs_f64(seconds))),
            None => {
                Self::wrong(key, value, "seconds or a duration such as `90s`, and a day at most")
            }
        }
    }

    pub(super) fn object(&self, key: &str) -> Result<Option<Value>, OptionFault> {
        match self.value(key) {
            None => Ok(None),
            Some(object @ Value::Object(_)) => Ok(Some(object.clone())),
            Some(other) => Self::wrong(key, other, "a mapping such as `{type: json_object}`"),
        }
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_f64(),
    }
}

/// `1m30s` in seconds.
fn seconds(text: &str) -> Option<f64> {
    let mut rest = text.trim();
    let mut total = 0.0;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, behind) = rest.split_at(end);
        let (unit, length) = UNITS.iter().find(|(unit, _)| behind.starts_with(unit))?;
        total += number.parse::<f64>().ok()? * length;
        rest = behind.strip_prefix(unit)?;
    }
    Some(total)
}
