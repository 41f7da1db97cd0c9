//! Expressions evaluated. What is not there is null.

use std::ops::Range;

use serde_json::{Map, Value};

use crate::{
    EvalError, Scope,
    budget::Budget,
    expression::{
        ast::{Expr, Kind, Logic, Operator, Step, Unary},
        function::Function,
        operator,
    },
    template::render::{Evaluation, Missing},
    value::{Held, Number, boolean, kind, length, text, weight},
};

/// Steps that compiling a pattern costs.
const PATTERN_STEPS: usize = 1_000;

/// The value of an expression.
pub(crate) fn evaluate<'s>(
    expr: &Expr,
    scope: &'s dyn Scope,
    budget: &mut Budget,
) -> Result<Held<'s>, EvalError> {
    budget.spend(1, &expr.at)?;
    match &expr.kind {
        Kind::Literal(value) => Ok(Held::Made(value.clone())),
        Kind::Namespace(name) => Ok(scope.root(name).map_or(Held::null(), Held::Lent)),
        Kind::List(items) => list(items, scope, budget),
        Kind::Map(entries) => map(entries, scope, budget),
        Kind::Access(base, steps) => access(base, steps, scope, budget),
        Kind::Unary(unary, operand) => {
            let value = evaluate(operand, scope, budget)?;
            negated(*unary, &value, &operand.at)
        }
        Kind::Logic(logic, sides) => decided(*logic, sides, scope, budget),
        Kind::Operator(operator, sides) => {
            let [left, right] = &**sides;
            let (left, right) = (evaluate(left, scope, budget)?, evaluate(right, scope, budget)?);
            apply(*operator, &left, &right, &expr.at, budget)
        }
        Kind::Choice(parts) => {
            let [test, yes, no] = &**parts;
            let branch = if tested(test, scope, budget)? { yes } else { no };
            evaluate(branch, scope, budget)
        }
        Kind::Call(function, arguments) => {
            let mut values = Vec::with_capacity(arguments.len());
            for argument in arguments {
                values.push(evaluate(argument, scope, budget)?);
            }
            call(*function, &values, &expr.at, budget)
        }
        Kind::Action(pipeline) => Evaluation::new(scope, budget, Missing::Null).pipeline(pipeline),
    }
}

/// The value of an expression as a condition.
pub(crate) fn tested(
    expr: &Expr,
    scope: &dyn Scope,
    budget: &mut Budget,
) -> Result<bool, EvalError> {
    truth(&*evaluate(expr, scope, budget)?, &expr.at)
}

fn truth(value: &Value, at: &Range<usize>) -> Result<bool, EvalError> {
    match (value, boolean(value)) {
        (Value::Null, _) => Ok(false),
        (_, Some(truth)) => Ok(truth),
        (_, None) => {
            let message = format!("a condition must be true or false, this is {}", shown(value));
            Err(EvalError::new(message, at.clone()))
        }
    }
}

/// A value for a message: what kind it is, and a short one as it is.
fn shown(value: &Value) -> String {
    match value {
        Value::Number(_) | Value::String(_) if weight(value) <= 40 => {
            format!("{} `{}`", kind(value), text(value))
        }
        _ => kind(value).to_owned(),
    }
}

fn list<'s>(
    items: &[Expr],
    scope: &'s dyn Scope,
    budget: &mut Budget,
) -> Result<Held<'s>, EvalError> {
    let mut values = Vec::with_capacity(items.len());
    for item in items {
        values.push(owned(item, scope, budget)?);
    }
    Ok(Held::made(values))
}

fn map<'s>(
    entries: &[(Expr, Expr)],
    scope: &'s dyn Scope,
    budget: &mut Budget,
) -> Result<Held<'s>, EvalError> {
    let mut made = Map::new();
    for (key, value) in entries {
        let key = text(&*evaluate(key, scope, budget)?).into_owned();
        made.insert(key, owned(value, scope, budget)?);
    }
    Ok(Held::made(made))
}

fn owned(expr: &Expr, scope: &dyn Scope, budget: &mut Budget) -> Result<Value, EvalError> {
    let value = evaluate(expr, scope, budget)?;
    budget.spend_bytes(weight(&value), &expr.at)?;
    Ok(value.into_value())
}

fn access<'s>(
    base: &Expr,
    steps: &[Step],
    scope: &'s dyn Scope,
    budget: &mut Budget,
) -> Result<Held<'s>, EvalError> {
    let mut value = evaluate(base, scope, budget)?;
    for step in steps {
        let inner = match step {
            Step::Key(key, _) => value.key(key),
            Step::Index(index, _) => {
                let key = evaluate(index, scope, budget)?;
                budget.spend_bytes(weight(&key), &index.at)?;
                let place = |items: &Vec<Value>| Number::meant(&key)?.place(items.len());
                match value.as_array() {
                    Some(items) => place(items).and_then(|place| value.place(place)),
                    None => value.key(&text(&key)),
                }
            }
        };
        value = inner.unwrap_or(Held::null());
        budget.spend_bytes(value.copied(), &base.at)?;
    }
    Ok(value)
}

fn negated<'s>(unary: Unary, value: &Value, at: &Range<usize>) -> Result<Held<'s>, EvalError> {
    let number = || {
        Number::meant(value)
            .ok_or_else(|| EvalError::new(format!("{} is not a number", shown(value)), at.clone()))
    };
    Ok(match unary {
        Unary::Not => Held::made(!truth(value, at)?),
        Unary::Plus => Held::made(number()?),
        Unary::Minus => match number()? {
            Number::Whole(whole) => match whole.checked_neg() {
                Some(negative) => Held::made(negative),
                None => return Err(EvalError::new("the number is too large", at.clone())),
            },
            Number::Float(float) => Held::made(-float),
        },
    })
}

/// The right side is evaluated only where it decides.
fn decided<'s>(
    logic: Logic,
    sides: &[Expr; 2],
    scope: &'s dyn Scope,
    budget: &mut Budget,
) -> Result<Held<'s>, EvalError> {
    let [left, right] = sides;
    match logic {
        Logic::And => Ok(Held::made(tested(left, scope, budget)? && tested(right, scope, budget)?)),
        Logic::Or => Ok(Held::made(tested(left, scope, budget)? || tested(right, scope, budget)?)),
        Logic::Coalesce => {
            let value = evaluate(left, scope, budget)?;
            if value.is_null() { evaluate(right, scope, budget) } else { Ok(value) }
        }
    }
}

fn apply<'s>(
    operator: Operator,
    left: &Value,
    right: &Value,
    at: &Range<usize>,
    budget: &mut Budget,
) -> Result<Held<'s>, EvalError> {
    budget.spend_bytes(weight(left) + weight(right), at)?;
    if operator == Operator::Matches {
        budget.spend(PATTERN_STEPS, at)?;
    }
    operator::apply(operator, left, right)
        .map(Held::made)
        .map_err(|message| EvalError::new(message, at.clone()))
}

/// The number of arguments was checked when the text was read.
fn call<'s>(
    function: Function,
    values: &[Held<'s>],
    at: &Range<usize>,
    budget: &mut Budget,
) -> Result<Held<'s>, EvalError> {
    let fail = |message: String| EvalError::new(message, at.clone());
    let [value, ..] = values else { return Ok(Held::null()) };
    let second = values.get(1).cloned().unwrap_or(Held::null());
    let asked = |operator, budget: &mut Budget| apply(operator, value, &second, at, budget);
    budget.spend_bytes(weight(value), at)?;
    Ok(Held::made(match function {
        Function::Contains => return asked(Operator::Contains, budget),
        Function::HasPrefix => return asked(Operator::StartsWith, budget),
        Function::HasSuffix => return asked(Operator::EndsWith, budget),
        Function::Matches => return asked(Operator::Matches, budget),
        Function::Len => Value::from(length(value).map_err(fail)?),
        Function::Lower => Value::from(text(value).to_lowercase()),
        Function::Upper => Value::from(text(value).to_uppercase()),
        Function::Trim => Value::from(text(value).trim()),
        Function::String => Value::from(text(value)),
        Function::Int => {
            let whole = Number::meant(value).and_then(Number::truncated);
            whole
                .map(Value::from)
                .ok_or_else(|| fail(format!("{} is not a number", shown(value))))?
        }
        Function::Float => {
            let number = Number::meant(value).map(Number::float);
            number
                .map(Value::from)
                .ok_or_else(|| fail(format!("{} is not a number", shown(value))))?
        }
    }))
}
