//! The functions of templates at work.

use std::{cmp::Ordering, ops::Range};

use serde_json::Value;

use crate::{
    EvalError,
    template::{
        ast::Operand,
        function::Function,
        printf::printf,
        render::{Evaluation, absent, written},
        words,
    },
    value::{Held, Number, equals, kind, length, order, text, weight},
};

/// The longest file `readFile` gives.
const LONGEST_FILE: usize = 1 << 20;

/// Calls a function. What comes through the pipe is the last argument.
pub(crate) fn call<'s>(
    evaluation: &mut Evaluation<'s, '_>,
    function: Function,
    arguments: &[Operand],
    fed: Option<Held<'s>>,
    at: &Range<usize>,
) -> Result<Held<'s>, EvalError> {
    evaluation.budget.spend(1, at)?;
    match function {
        Function::And => return first(evaluation, arguments, fed, |value| !is_true(value)),
        Function::Or => return first(evaluation, arguments, fed, is_true),
        Function::Index => return index(evaluation, arguments, fed),
        _ => {}
    }
    let mut values = Vec::with_capacity(arguments.len() + 1);
    for argument in arguments {
        values.push(evaluation.operand(argument)?);
    }
    // A list or a text that is piped comes last, where these two have their separator.
    if matches!(function, Function::Split | Function::Join) && fed.is_some() {
        values.splice(0..0, fed);
    } else {
        values.extend(fed);
    }
    let read: usize = values.iter().map(|value| read_by(function, value)).sum();
    evaluation.budget.spend_bytes(read, at)?;
    let result = match (function, values.as_slice()) {
        (Function::ReadFile, [path]) => read_file(evaluation, &text(path), at)?,
        (_, values) => compute(function, values, at)?,
    };
    evaluation.budget.spend_bytes(weight(&result), at)?;
    Ok(Held::made(result))
}

/// How many bytes of an argument a function reads.
fn read_by(function: Function, value: &Value) -> usize {
    match function {
        Function::Len | Function::Not => 0,
        _ => weight(value),
    }
}

/// The first argument that is `wanted`, or the last. Those behind it are not evaluated.
fn first<'s>(
    evaluation: &mut Evaluation<'s, '_>,
    arguments: &[Operand],
    fed: Option<Held<'s>>,
    wanted: impl Fn(&Value) -> bool,
) -> Result<Held<'s>, EvalError> {
    let mut value = Held::null();
    for argument in arguments {
        value = evaluation.operand(argument)?;
        if wanted(&value) {
            return Ok(value);
        }
    }
    Ok(fed.unwrap_or(value))
}

/// What is found in the first argument under the keys and at the places that follow.
fn index<'s>(
    evaluation: &mut Evaluation<'s, '_>,
    arguments: &[Operand],
    fed: Option<Held<'s>>,
) -> Result<Held<'s>, EvalError> {
    let mut steps = Vec::with_capacity(arguments.len() + 1);
    for argument in arguments {
        steps.push((evaluation.operand(argument)?, argument.at.clone()));
    }
    let end = arguments.last().map_or(0, |last| last.at.end);
    steps.extend(fed.map(|value| (value, end..end)));
    let mut path = arguments.first().map_or("…".to_owned(), |base| written(base, &base.keys));
    let mut steps = steps.into_iter();
    let mut value = steps.next().map_or(Held::null(), |(base, _)| base);
    for (key, at) in steps {
        let shown = text(&key);
        let inner = format!("{path}.{shown}");
        let found = match &*key {
            Value::String(key) => value.key(key),
            Value::Number(place) => value
                .as_array()
                .and_then(|items| Number::new(place).place(items.len()))
                .and_then(|place| value.place(place)),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
                let message = format!("`index` takes names and numbers, this is {}", kind(&key));
                return Err(EvalError::new(message, at));
            }
        };
        value = match found {
            Some(found) => found,
            None => return evaluation.missing(|| absent(&path, &inner, &shown, &value), &at),
        };
        path = inner;
    }
    Ok(value)
}

/// The functions that need nothing but their arguments. Their number was checked when the text was read.
fn compute(function: Function, values: &[Held<'_>], at: &Range<usize>) -> Result<Value, EvalError> {
    let fail = |message: String| EvalError::new(message, at.clone());
    Ok(match (function, values) {
        (Function::Eq, [value, others @ ..]) => {
            others.iter().any(|other| equals(value, other)).into()
        }
        (Function::Ne, [left, right]) => (!equals(left, right)).into(),
        (Function::Lt, [left, right]) => {
            order(left, right).map_err(fail)?.is_some_and(Ordering::is_lt).into()
        }
        (Function::Le, [left, right]) => {
            order(left, right).map_err(fail)?.is_some_and(Ordering::is_le).into()
        }
        (Function::Gt, [left, right]) => {
            order(left, right).map_err(fail)?.is_some_and(Ordering::is_gt).into()
        }
        (Function::Ge, [left, right]) => {
            order(left, right).map_err(fail)?.is_some_and(Ordering::is_ge).into()
        }
        (Function::Not, [value]) => (!is_true(value)).into(),
        (Function::Len, [value]) => length(value).map_err(fail)?.into(),
        (Function::Escape, [value]) => words::escape(&text(value)).into(),
        (Function::Json, [value]) => value.to_string().into(),
        (Function::TrimSpace, [value]) => text(value).trim().into(),
        (Function::Split, [value, separator]) => words::split(value, &text(separator), at)?,
        (Function::Join, [value, separator]) => words::join(value, &text(separator), at)?.into(),
        (Function::Print, values) => words::print(values, at)?.into(),
        (Function::Println, values) => words::println(values, at)?.into(),
        (Function::Printf, [format, values @ ..]) => printf(&text(format), values, at)?.into(),
        _ => {
            let message = format!("`{}` cannot be called like this", function.name());
            return Err(fail(message));
        }
    })
}

fn read_file(
    evaluation: &Evaluation<'_, '_>,
    path: &str,
    at: &Range<usize>,
) -> Result<Value, EvalError> {
    let failed = |why: &str| EvalError::new(format!("cannot read `{path}`: {why}"), at.clone());
    let text = evaluation.scope.read_file(path).map_err(|why| failed(&why))?;
    if text.len() > LONGEST_FILE { Err(failed("it is larger than 1 MiB")) } else { Ok(text.into()) }
}

/// Whether `if` takes a value as true: all but false, 0, null and what is empty.
pub(crate) fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => Number::new(number).float() != 0.0,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(map) => !map.is_empty(),
    }
}
