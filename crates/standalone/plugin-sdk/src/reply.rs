//! What a handler gives back.

use serde::Serialize;
use serde_json::value::to_raw_value;

use crate::{Failure, values::Values};

/// Text, and values by name.
#[derive(Debug, Default)]
pub struct Reply {
    text: String,
    data: Values,
    exit_code: i32,
    /// The first value that is no JSON. A builder that may fail at each step would be no builder.
    flaw: Option<Failure>,
}

impl Reply {
    /// Text, and no values yet.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A value by its name. A [`crate::RawValue`] is passed on to the last digit.
    #[must_use]
    pub fn data(mut self, name: &str, value: impl Serialize) -> Self {
        match to_raw_value(&value) {
            Ok(value) => self.data.set(name, value),
            Err(error) => {
                self.flaw.get_or_insert_with(|| format!("value `{name}`: {error}").into());
            }
        }
        self
    }

    /// What a step ends with; 0, unless said, is success. An operation that fails gives an error instead.
    #[must_use]
    pub fn exit_code(mut self, code: i32) -> Self {
        self.exit_code = code;
        self
    }

    /// Its parts, if all of its values are JSON.
    pub(crate) fn into_parts(self) -> Result<(String, Values, i32), Failure> {
        match self.flaw {
            Some(flaw) => Err(flaw),
            None => Ok((self.text, self.data, self.exit_code)),
        }
    }
}
