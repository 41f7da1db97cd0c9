//! Operators that need both of their sides.

use std::cmp::Ordering;

use serde_json::Value;

use crate::{
    expression::{ast::Operator, pattern},
    value::{Number, equals, kind, order, text},
};

/// The longest text `+` makes.
const LONGEST: usize = 16 << 20;

/// The result, or why there is none.
pub(crate) fn apply(operator: Operator, left: &Value, right: &Value) -> Result<Value, String> {
    let ordered = |wanted: fn(Ordering) -> bool| {
        order(left, right).map(|order| Value::Bool(order.is_some_and(wanted)))
    };
    match operator {
        Operator::Equal => Ok(equals(left, right).into()),
        Operator::Unequal => Ok((!equals(left, right)).into()),
        Operator::Less => ordered(Ordering::is_lt),
        Operator::LessOrEqual => ordered(Ordering::is_le),
        Operator::Greater => ordered(Ordering::is_gt),
        Operator::GreaterOrEqual => ordered(Ordering::is_ge),
        Operator::In => member(left, right).map(Value::Bool),
        Operator::Contains => contains(left, right).map(Value::Bool),
        Operator::StartsWith => of_texts(left, right, |text, part| Ok(text.starts_with(part))),
        Operator::EndsWith => of_texts(left, right, |text, part| Ok(text.ends_with(part))),
        Operator::Matches => {
            of_texts(left, right, |text, part| Ok(pattern::compile(part)?.is_match(text)))
        }
        Operator::Add => add(left, right),
        Operator::Subtract => numbers(left, right, "-", i64::checked_sub, |a, b| a - b),
        Operator::Multiply => numbers(left, right, "*", i64::checked_mul, |a, b| a * b),
        Operator::Divide => divide(left, right),
        Operator::Remainder => remainder(left, right),
    }
}

/// Whether a list has the element, or a map the key. Nothing is in null.
fn member(element: &Value, all: &Value) -> Result<bool, String> {
    match all {
        Value::Null => Ok(false),
        Value::Array(items) => Ok(items.iter().any(|item| equals(item, element))),
        Value::Object(map) => Ok(map.contains_key(&*text(element))),
        Value::String(_) => {
            Err("`in` needs a list or a map; of text ask `text contains part`".into())
        }
        Value::Bool(_) | Value::Number(_) => {
            Err(format!("`in` needs a list or a map, this is {}", kind(all)))
        }
    }
}

/// Whether a text has the part, or a list the element. Null contains nothing.
fn contains(whole: &Value, part: &Value) -> Result<bool, String> {
    match (whole, part) {
        (Value::Null, _) | (_, Value::Null) => Ok(false),
        (Value::Array(_), _) => member(part, whole),
        (Value::Object(_), _) => {
            Err("`contains` needs text or a list; of a map ask `key in map`".into())
        }
        (Value::String(_) | Value::Bool(_) | Value::Number(_), part) => {
            Ok(text(whole).contains(&*text(part)))
        }
    }
}

fn of_texts(
    left: &Value,
    right: &Value,
    ask: impl Fn(&str, &str) -> Result<bool, String>,
) -> Result<Value, String> {
    for side in [left, right] {
        match side {
            Value::Null => return Ok(Value::Bool(false)),
            Value::Array(_) | Value::Object(_) => {
                return Err(format!("this operator needs text, not {}", kind(side)));
            }
            Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    ask(&text(left), &text(right)).map(Value::Bool)
}

/// Two texts become one; anything else must be numbers.
fn add(left: &Value, right: &Value) -> Result<Value, String> {
    match (left, right) {
        (Value::String(a), Value::String(b)) if a.len() + b.len() > LONGEST => {
            Err(format!("the text grew beyond {} MiB", LONGEST >> 20))
        }
        (Value::String(a), Value::String(b)) => Ok(Value::String([a.as_str(), b].concat())),
        _ => numbers(left, right, "+", i64::checked_add, |a, b| a + b),
    }
}

fn numbers(
    left: &Value,
    right: &Value,
    sign: &str,
    whole: fn(i64, i64) -> Option<i64>,
    float: fn(f64, f64) -> f64,
) -> Result<Value, String> {
    match sides(left, right, sign)? {
        (Number::Whole(a), Number::Whole(b)) => {
            whole(a, b).map(Value::from).ok_or_else(|| format!("`{sign}` gives too large a number"))
        }
        (a, b) => finite(float(a.float(), b.float()), sign),
    }
}

/// Whole if it comes out whole, as in `6 / 2`; otherwise not, as in `7 / 2`.
fn divide(left: &Value, right: &Value) -> Result<Value, String> {
    let (a, b) = sides(left, right, "/")?;
    if b.float() == 0.0 {
        return Err("division by zero".into());
    }
    if let (Number::Whole(a), Number::Whole(b)) = (a, b)
        && let (Some(quotient), Some(0)) = (a.checked_div(b), a.checked_rem(b))
    {
        return Ok(quotient.into());
    }
    finite(a.float() / b.float(), "/")
}

fn remainder(left: &Value, right: &Value) -> Result<Value, String> {
    match sides(left, right, "%")? {
        (_, Number::Whole(0)) => Err("division by zero".into()),
        (Number::Whole(a), Number::Whole(b)) => Ok(a.checked_rem(b).unwrap_or(0).into()),
        _ => Err("`%` needs whole numbers".into()),
    }
}

fn sides(left: &Value, right: &Value, sign: &str) -> Result<(Number, Number), String> {
    let number = |side: &Value| {
        Number::meant(side).ok_or_else(|| format!("`{sign}` needs numbers, not {}", kind(side)))
    };
    Ok((number(left)?, number(right)?))
}

fn finite(float: f64, sign: &str) -> Result<Value, String> {
    if float.is_finite() {
        Ok(float.into())
    } else {
        Err(format!("`{sign}` gives too large a number"))
    }
}
