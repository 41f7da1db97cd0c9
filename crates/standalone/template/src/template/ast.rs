//! What a template is made of once parsed. Depth is bounded by the parser, so walking it may recurse.

use std::{ops::Range, sync::Arc};

use serde_json::Value;

use crate::template::function::Function;

#[derive(Debug, Clone)]
pub(crate) enum Node {
    Text(String),
    /// An action that prints; the place has its braces.
    Print(Pipeline, Range<usize>),
    /// An action that only sets a variable.
    Set(Pipeline),
    If(Choice),
    /// As `if`, and what was tested is `.` in the branch.
    With(Choice),
    Range(Loop),
}

/// `if … else if … else`: the first branch whose pipeline is true.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub(crate) branches: Vec<(Pipeline, Vec<Node>)>,
    pub(crate) otherwise: Vec<Node>,
}

/// `range`: the body once for each element, or `otherwise` when there is none.
#[derive(Debug, Clone)]
pub(crate) struct Loop {
    pub(crate) names: LoopNames,
    pub(crate) subject: Pipeline,
    pub(crate) body: Vec<Node>,
    pub(crate) otherwise: Vec<Node>,
}

/// The variables a loop declares; they take the next free slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LoopNames {
    None,
    Element,
    KeyAndElement,
}

/// Commands, each but the first fed with the result of the one before.
#[derive(Debug, Clone)]
pub(crate) struct Pipeline {
    pub(crate) binding: Binding,
    pub(crate) commands: Vec<Command>,
    pub(crate) at: Range<usize>,
}

/// The variable a pipeline's result goes to. Variables live on a stack, whose shape is known from the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binding {
    None,
    Declare,
    Assign(usize),
}

#[derive(Debug, Clone)]
pub(crate) enum Command {
    Operand(Operand),
    Call { function: Function, arguments: Vec<Operand>, at: Range<usize> },
}

#[derive(Debug, Clone)]
pub(crate) struct Operand {
    pub(crate) base: Base,
    /// What is reached from the base: `.a.b`.
    pub(crate) keys: Vec<String>,
    pub(crate) at: Range<usize>,
}

#[derive(Debug, Clone)]
pub(crate) enum Base {
    Literal(Arc<Value>),
    /// A namespace of the scope.
    Namespace(String),
    /// The element of the innermost `range` or `with`.
    Element,
    Variable {
        name: String,
        slot: usize,
    },
    Group(Box<Pipeline>),
}
