//! Text with `{{…}}` in it.

pub(crate) mod ast;
mod block;
mod call;
mod function;
mod piece;
pub(crate) mod pipeline;
mod printf;
pub(crate) mod render;
pub(crate) mod survey;
pub(crate) mod token;
mod words;

use serde_json::Value;

use crate::{
    EvalError, Insertion, Reference, Scope, SyntaxError,
    budget::Budget,
    template::{
        ast::Node,
        block::nodes,
        render::{Evaluation, Missing},
        survey::Survey,
    },
};

/// A parsed text with `{{…}}` in it.
#[derive(Debug, Clone)]
pub struct Template {
    nodes: Vec<Node>,
}

impl Template {
    /// Reads a text. Whatever stands outside `{{…}}` stays as it is.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        Ok(Self { nodes: nodes(text)? })
    }

    /// The text with every action replaced by what it prints.
    pub fn render(&self, scope: &dyn Scope) -> Result<String, EvalError> {
        Evaluation::new(scope, &mut Budget::new(), Missing::Error).render(&self.nodes)
    }

    /// The value of a template that is exactly one action, with its type; of any other the rendered text.
    pub fn evaluate(&self, scope: &dyn Scope) -> Result<Value, EvalError> {
        if let [Node::Print(pipeline, _)] = self.nodes.as_slice() {
            let mut budget = Budget::new();
            let value = Evaluation::new(scope, &mut budget, Missing::Error).pipeline(pipeline)?;
            return Ok(value.into_value());
        }
        self.render(scope).map(Value::String)
    }

    /// Every mention of a value of the scope, in the order of the text.
    pub fn references(&self) -> Vec<Reference> {
        Survey::of(&self.nodes).references
    }

    /// Whether there is no action in it, so that it renders to the same text always.
    pub fn is_literal(&self) -> bool {
        self.nodes.iter().all(|node| matches!(node, Node::Text(_)))
    }

    /// Every action that prints, in the order of the text.
    pub fn insertions(&self) -> Vec<Insertion> {
        Survey::of(&self.nodes).insertions
    }
}

#[cfg(test)]
mod tests;
