//! Conditions: `states.build.ExitCode == 0 && inputs.env != "prod"`.

use serde_json::Value;

use crate::{EvalError, Reference, Scope, SyntaxError, Template};

/// A parsed condition, or any other computation.
#[derive(Debug, Clone)]
pub struct Expression {
    value: Template,
}

impl Expression {
    /// Reads an expression.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        Ok(Self { value: Template::parse(&format!("{{{{{text}}}}}"))? })
    }

    /// Its value. What is not there is null.
    pub fn evaluate(&self, scope: &dyn Scope) -> Result<Value, EvalError> {
        Ok(self.value.evaluate(scope).unwrap_or_default())
    }

    /// Its value as a condition: null is false, the texts `true` and `false` are what they say.
    pub fn test(&self, scope: &dyn Scope) -> Result<bool, EvalError> {
        match self.evaluate(scope)? {
            Value::Bool(value) => Ok(value),
            Value::Null => Ok(false),
            value => Err(EvalError::new(format!("`{value}` is not a boolean"), 0..0)),
        }
    }

    /// Every mention of a value of the scope, in the order of the text.
    pub fn references(&self) -> Vec<Reference> {
        self.value.references()
    }
}
