//! What an expression is made of once parsed. Depth is bounded by the parser, so walking it may recurse.

use std::ops::Range;

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
    Literal(Value),
    Namespace(String),
    List(Vec<Expr>),
    Map(Vec<(Expr, Expr)>),
    /// `base.key[index]`
    Access(Box<Expr>, Vec<Step>),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<[Expr; 2]>),
    /// `test ? yes : no`
    Choice(Box<[Expr; 3]>),
    Call(Function, Vec<Expr>),
    /// `{{…}}` as in a template.
    Action(Pipeline),
}

#[derive(Debug, Clone)]
pub(crate) enum Step {
    Key(String, Range<usize>),
    Index(Expr),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unary {
    Not,
    Minus,
    Plus,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binary {
    Or,
    And,
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
    Coalesce,
}

impl Binary {
    /// The operator of that spelling, and how tightly it binds.
    pub(crate) fn written(spelling: &str) -> Option<(Self, u8)> {
        Some(match spelling {
            "||" | "or" => (Self::Or, 10),
            "&&" | "and" => (Self::And, 15),
            "==" => (Self::Equal, COMPARISON),
            "!=" => (Self::Unequal, COMPARISON),
            "<" => (Self::Less, COMPARISON),
            "<=" => (Self::LessOrEqual, COMPARISON),
            ">" => (Self::Greater, COMPARISON),
            ">=" => (Self::GreaterOrEqual, COMPARISON),
            "in" => (Self::In, COMPARISON),
            "contains" => (Self::Contains, COMPARISON),
            "startsWith" => (Self::StartsWith, COMPARISON),
            "endsWith" => (Self::EndsWith, COMPARISON),
            "matches" => (Self::Matches, COMPARISON),
            "+" => (Self::Add, 30),
            "-" => (Self::Subtract, 30),
            "*" => (Self::Multiply, 60),
            "/" => (Self::Divide, 60),
            "%" => (Self::Remainder, 60),
            "??" => (Self::Coalesce, 100),
            _ => return None,
        })
    }
}

/// How tightly comparisons bind.
const COMPARISON: u8 = 20;
/// How tightly the word `not` binds: less than a comparison, so that `not a contains b` is what it says.
pub(crate) const NOT: u8 = 18;
/// How tightly a sign before its operand binds.
pub(crate) const PREFIX: u8 = 90;
