//! What an operation takes, declared.

use std::fmt;

use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};

use crate::wire::v1::InputSchema;

/// The types there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    String,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// True or false.
    Boolean,
    /// A list.
    Array,
    /// Values by name.
    Object,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::String => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Array => "array",
            Self::Object => "object",
        })
    }
}

/// One value that an operation takes.
#[derive(Clone, Debug)]
pub struct Input {
    schema: InputSchema,
    default: Option<Value>,
}

impl Input {
    /// Of any type; it need not be given.
    pub fn new(name: &str, kind: Kind) -> Self {
        let schema =
            InputSchema { name: name.to_owned(), r#type: kind.to_string(), ..Default::default() };
        Self { schema, default: None }
    }

    /// Text.
    pub fn string(name: &str) -> Self {
        Self::new(name, Kind::String)
    }

    /// A whole number.
    pub fn integer(name: &str) -> Self {
        Self::new(name, Kind::Integer)
    }

    /// Any number.
    pub fn number(name: &str) -> Self {
        Self::new(name, Kind::Number)
    }

    /// True or false.
    pub fn boolean(name: &str) -> Self {
        Self::new(name, Kind::Boolean)
    }

    /// A list.
    pub fn array(name: &str) -> Self {
        Self::new(name, Kind::Array)
    }

    /// Values by name.
    pub fn object(name: &str) -> Self {
        Self::new(name, Kind::Object)
    }

    /// It must be given: without it the handler is not called.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.schema.required = true;
        self
    }

    /// What it is.
    #[must_use]
    pub fn description(mut self, text: &str) -> Self {
        text.clone_into(&mut self.schema.description);
        self
    }

    /// Its value when none is given.
    #[must_use]
    pub fn default(mut self, value: impl Into<Value>) -> Self {
        let value = value.into();
        // The wire has room for text alone; what is text already stands there without quotes.
        self.schema.default = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        self.default = Some(value);
        self
    }

    /// The values there are.
    #[must_use]
    pub fn choices<V: Into<Value>>(mut self, values: impl IntoIterator<Item = V>) -> Self {
        let values = values.into_iter().map(|value| value.into().to_string().into_bytes());
        self.schema.choices = values.collect();
        self
    }

    /// It is an address of the web.
    #[must_use]
    pub fn url(mut self) -> Self {
        "url".clone_into(&mut self.schema.validation);
        self
    }

    /// It is an address of mail.
    #[must_use]
    pub fn email(mut self) -> Self {
        "email".clone_into(&mut self.schema.validation);
        self
    }

    pub(crate) fn schema(&self) -> &InputSchema {
        &self.schema
    }

    /// What stands in for it when it is not given.
    pub(crate) fn fallback(&self) -> Option<Box<RawValue>> {
        self.default.as_ref().and_then(|value| to_raw_value(value).ok())
    }
}
