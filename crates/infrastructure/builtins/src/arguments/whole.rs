//! A whole number within bounds: one type gives both the check and the schema, so that they cannot drift.

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de::Visitor};

/// A whole number from `MIN` to `MAX`. Fractions and numbers in quotes are refused, not rounded or read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Whole<const MIN: u32, const MAX: u32>(u32);

impl<const MIN: u32, const MAX: u32> Whole<MIN, MAX> {
    pub(crate) fn get(self) -> u32 {
        self.0
    }

    fn refuse<E: serde::de::Error>(given: impl fmt::Display) -> E {
        E::custom(format_args!("{given} is not a whole number from {MIN} to {MAX}"))
    }
}

impl<'de, const MIN: u32, const MAX: u32> Deserialize<'de> for Whole<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_u64(Number)
    }
}

struct Number<const MIN: u32, const MAX: u32>;

impl<const MIN: u32, const MAX: u32> Visitor<'_> for Number<MIN, MAX> {
    type Value = Whole<MIN, MAX>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {MIN} to {MAX}")
    }

    fn visit_u64<E: serde::de::Error>(self, given: u64) -> Result<Self::Value, E> {
        u32::try_from(given)
            .ok()
            .filter(|number| (MIN..=MAX).contains(number))
            .map(Whole)
            .ok_or_else(|| Whole::<MIN, MAX>::refuse(given))
    }

    fn visit_i64<E: serde::de::Error>(self, given: i64) -> Result<Self::Value, E> {
        Err(Whole::<MIN, MAX>::refuse(given))
    }

    fn visit_f64<E: serde::de::Error>(self, given: f64) -> Result<Self::Value, E> {
        Err(E::custom(format_args!("{given:?} is not a whole number from {MIN} to {MAX}")))
    }
}

impl<const MIN: u32, const MAX: u32> JsonSchema for Whole<MIN, MAX> {
    fn schema_name() -> Cow<'static, str> {
        format!("Whole{MIN}To{MAX}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer", "minimum": MIN, "maximum": MAX})
    }
}
