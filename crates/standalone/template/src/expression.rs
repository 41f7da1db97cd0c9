//! Conditions: `states.build.ExitCode == 0 && inputs.env != "prod"`.

mod ast;
mod eval;
mod function;
mod operator;
mod parse;
mod pattern;
mod survey;
mod token;

use serde_json::Value;

use crate::{EvalError, Reference, Scope, SyntaxError, budget::Budget, expression::ast::Expr};

/// A parsed condition, or any other computation.
#[derive(Debug, Clone)]
pub struct Expression {
    root: Expr,
}

impl Expression {
    /// Reads an expression.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        Ok(Self { root: parse::expression(text)? })
    }

    /// Its value. What is not there is null.
    pub fn evaluate(&self, scope: &dyn Scope) -> Result<Value, EvalError> {
        Ok(eval::evaluate(&self.root, scope, &mut Budget::new())?.into_value())
    }

    /// Its value as a condition: null is false, the texts `true` and `false` are what they say, and anything else
    /// but a boolean is an error.
    pub fn test(&self, scope: &dyn Scope) -> Result<bool, EvalError> {
        eval::tested(&self.root, scope, &mut Budget::new())
    }

    /// Every mention of a value of the scope, in the order of the text.
    pub fn references(&self) -> Vec<Reference> {
        survey::references(&self.root)
    }
}

#[cfg(test)]
mod tests;
