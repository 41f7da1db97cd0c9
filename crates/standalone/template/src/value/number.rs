//! Numbers: whole ones stay whole, and text that reads like a number can be one.

use std::{cmp::Ordering, fmt};

use serde_json::Value;

use crate::value::short;

/// Below this, whole floats are written out in full; JSON's own notation serves above.
const WRITTEN_OUT: f64 = 1e15;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Whole(i64),
    Float(f64),
}

impl Number {
    pub(crate) fn new(number: &serde_json::Number) -> Self {
        match number.as_i64() {
            Some(whole) => Self::Whole(whole),
            None => Self::Float(number.as_f64().unwrap_or(f64::NAN)),
        }
    }

    /// The number a value is meant as: itself, or text that reads like one.
    pub(crate) fn meant(value: &Value) -> Option<Self> {
        match value {
            Value::Number(number) => Some(Self::new(number)),
            Value::String(text) => Self::read(short(text)?),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        }
    }

    /// Decimal notation only: `inf`, `nan` and the like are words here.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let decimal = |byte: u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
        if !text.bytes().all(decimal) || !text.bytes().any(|byte| byte.is_ascii_digit()) {
            return None;
        }
        if let Ok(whole) = text.parse() {
            return Some(Self::Whole(whole));
        }
        text.parse().ok().filter(|float: &f64| float.is_finite()).map(Self::Float)
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "a float next to a whole number makes both floats"
    )]
    pub(crate) fn float(self) -> f64 {
        match self {
            Self::Whole(whole) => whole as f64,
            Self::Float(float) => float,
        }
    }

    /// Without its fraction, if what remains fits.
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked first")]
    pub(crate) fn truncated(self) -> Option<i64> {
        match self {
            Self::Whole(whole) => Some(whole),
            Self::Float(float) => (float.abs() < 9e18).then_some(float as i64),
        }
    }

    /// A place in a list of `length`; negative ones count from the end.
    pub(crate) fn place(self, length: usize) -> Option<usize> {
        let Self::Whole(place) = self else { return None };
        let place = match usize::try_from(place) {
            Ok(place) => place,
            Err(_) => length.checked_sub(usize::try_from(place.unsigned_abs()).ok()?)?,
        };
        (place < length).then_some(place)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Whole(left), Self::Whole(right)) => Some(left.cmp(right)),
            _ => self.float().partial_cmp(&other.float()),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(whole) => write!(f, "{whole}"),
            Self::Float(float) if float.fract() == 0.0 && float.abs() < WRITTEN_OUT => {
                write!(f, "{float:.0}")
            }
            Self::Float(float) => write!(f, "{float:?}"),
        }
    }
}

impl From<Number> for Value {
    fn from(number: Number) -> Self {
        match number {
            Number::Whole(whole) => Self::from(whole),
            Number::Float(float) => Self::from(float),
        }
    }
}
