//! What an expression is made of once parsed. Depth is bounded by the parser, so walking it may recurse.

use std::{ops::Range, sync::Arc};

use serde_json::Value;

use crate::{expression::function::Function, template::ast::Pipeline};

#[derive(Debug, Clone)]
pub(crate) struct Expr {
    pub(crate) kind: Kind,
    pub(crate) at: Range<usize>,
    /// Levels of expressions from here down.
    pub(crate) depth: usize,
}

#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Literal(Arc<Value>),
    Namespace(String),
    List(Vec<Expr>),
    Map(Vec<(Expr, Expr)>),
    /// `base.key[index]`
    Access(Box<Expr>, Vec<Step>),
    Unary(Unary, Box<Expr>),
    Logic(Logic, Box<[Expr; 2]>),
    Operator(Operator, Box<[Expr; 2]>),
    /// `test ? yes : no`
    Choice(Box<[Expr; 3]>),
    Call(Function, Vec<Expr>),
    /// `{{…}}` as in a template.
    Action(Pipeline),
}

#[derive(Debug, Clone)]
pub(crate) enum Step {
    Key(String, Range<usize>),
    /// What stands in brackets, and where they end.
    Index(Expr, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unary {
    Not,
    Minus,
    Plus,
}

/// Operators that evaluate their right side only where it decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Logic {
    Or,
    And,
    Coalesce,
}

/// Operators that need both of their sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    Contains,
    StartsWith,
    EndsWith,
    Matches,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Operator {
    /// Whether it is a word that reads well after `not`: `a not in b`.
    pub(crate) fn follows_not(self) -> bool {
        matches!(
            self,
            Self::In | Self::Contains | Self::StartsWith | Self::EndsWith | Self::Matches
        )
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binary {
    Logic(Logic),
    Operator(Operator),
}

impl Binary {
    /// The operator of that spelling, and how tightly it binds.
    pub(crate) fn written(spelling: &str) -> Option<(Self, u8)> {
        let logic = |logic, tightness| Some((Self::Logic(logic), tightness));
        let operator = |operator, tightness| Some((Self::Operator(operator), tightness));
        match spelling {
            "||" | "or" => logic(Logic::Or, 10),
            "&&" | "and" => logic(Logic::And, 15),
            "==" => operator(Operator::Equal, COMPARISON),
            "!=" => operator(Operator::Unequal, COMPARISON),
            "<" => operator(Operator::Less, COMPARISON),
            "<=" => operator(Operator::LessOrEqual, COMPARISON),
            ">" => operator(Operator::Greater, COMPARISON),
            ">=" => operator(Operator::GreaterOrEqual, COMPARISON),
            "in" => operator(Operator::In, COMPARISON),
            "contains" => operator(Operator::Contains, COMPARISON),
            "startsWith" => operator(Operator::StartsWith, COMPARISON),
            "endsWith" => operator(Operator::EndsWith, COMPARISON),
            "matches" => operator(Operator::Matches, COMPARISON),
            "+" => operator(Operator::Add, 30),
            "-" => operator(Operator::Subtract, 30),
            "*" => operator(Operator::Multiply, 60),
            "/" => operator(Operator::Divide, 60),
            "%" => operator(Operator::Remainder, 60),
            "??" => logic(Logic::Coalesce, 100),
            _ => None,
        }
    }
}

/// How tightly comparisons bind.
const COMPARISON: u8 = 20;
/// How tightly the word `not` binds: less than a comparison, so that `not a contains b` is what it says.
pub(crate) const NOT: u8 = 18;
/// How tightly a sign before its operand binds.
pub(crate) const PREFIX: u8 = 90;
