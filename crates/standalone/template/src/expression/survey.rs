//! What an expression asks of its scope, found without evaluating it.

use std::ops::Range;

use crate::{
    Reference,
    expression::ast::{Expr, Kind, Step},
    template::survey::Survey,
};

/// Every mention of a value of the scope, in the order of the text.
pub(crate) fn references(expr: &Expr) -> Vec<Reference> {
    let mut references = Vec::new();
    walk(expr, Certainty::Always, &mut references);
    references
}

/// Whether an evaluation always comes to where a walk is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Certainty {
    Always,
    Maybe,
}

fn walk(expr: &Expr, certainty: Certainty, found: &mut Vec<Reference>) {
    match &expr.kind {
        Kind::Literal(_) => {}
        Kind::Namespace(name) => found.push(mention(vec![name.clone()], &expr.at, certainty)),
        Kind::List(items) | Kind::Call(_, items) => {
            for item in items {
                walk(item, certainty, found);
            }
        }
        Kind::Map(entries) => {
            for (key, value) in entries {
                walk(key, certainty, found);
                walk(value, certainty, found);
            }
        }
        Kind::Access(base, steps) => access(base, steps, certainty, found),
        Kind::Unary(_, operand) => walk(operand, certainty, found),
        Kind::Logic(_, sides) => {
            let [left, right] = &**sides;
            walk(left, certainty, found);
            walk(right, Certainty::Maybe, found);
        }
        Kind::Operator(_, sides) => {
            for side in &**sides {
                walk(side, certainty, found);
            }
        }
        Kind::Choice(parts) => {
            let [test, yes, no] = &**parts;
            walk(test, certainty, found);
            walk(yes, Certainty::Maybe, found);
            walk(no, Certainty::Maybe, found);
        }
        Kind::Action(pipeline) => {
            let inside = Survey::of_pipeline(pipeline).references.into_iter();
            found.extend(inside.map(|reference| Reference {
                certain: reference.certain && certainty == Certainty::Always,
                ..reference
            }));
        }
    }
}

fn access(base: &Expr, steps: &[Step], certainty: Certainty, found: &mut Vec<Reference>) {
    if let Kind::Namespace(name) = &base.kind {
        let mut path = vec![name.clone()];
        let mut at = base.at.clone();
        for (key, end) in steps.iter().map_while(written_out) {
            path.push(key.to_owned());
            at.end = end;
        }
        found.push(mention(path, &at, certainty));
    } else {
        walk(base, certainty, found);
    }
    for step in steps {
        if let Step::Index(index, _) = step {
            walk(index, certainty, found);
        }
    }
}

/// A key that stands in the text, and where it ends. A number is a place in a list, not a name.
fn written_out(step: &Step) -> Option<(&str, usize)> {
    match step {
        Step::Key(key, _) if key.bytes().all(|byte| byte.is_ascii_digit()) => None,
        Step::Key(key, at) => Some((key, at.end)),
        Step::Index(Expr { kind: Kind::Literal(literal), .. }, end) => {
            Some((literal.as_str()?, *end))
        }
        Step::Index(..) => None,
    }
}

fn mention(path: Vec<String>, at: &Range<usize>, certainty: Certainty) -> Reference {
    Reference { path, at: at.clone(), certain: certainty == Certainty::Always }
}
