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
        Function::And => first(evaluation, arguments, fed, |value| !is_true(value)),
        Function::Or => first(evaluation, arguments, fed, is_true),
        Function::Index => index(evaluation, arguments, fed),
        Function::ReadFile => {
            let values = all(evaluation, arguments, fed)?;
            read_file(evaluation, &values.first().map(|path| text(path)).unwrap_or_default(), at)
        }
        Function::Split | Function::Join => {
            let mut values = all(evaluation, arguments, fed.clone())?;
            if fed.is_some() {
                // What is piped comes last, where these two have their separator.
                values.reverse();
            }
            compute(evaluation, function, &values, at)
        }
        Function::Eq
        | Function::Escape
        | Function::Ge
        | Function::Gt
        | Function::Json
        | Function::Le
        | Function::Len
        | Function::Lt
        | Function::Ne
        | Function::Not
        | Function::Print
        | Function::Printf
        | Function::Println
        | Function::TrimSpace => {
            let values = all(evaluation, arguments, fed)?;
            compute(evaluation, function, &values, at)
        }
    }
}

fn all<'s>(
    evaluation: &mut Evaluation<'s, '_>,
    arguments: &[Operand],
    fed: Option<Held<'s>>,
) -> Result<Vec<Held<'s>>, EvalError> {
    let mut values = Vec::with_capacity(arguments.len() + 1);
    for argument in arguments {
        values.push(evaluation.operand(argument)?);
    }
    values.extend(fed);
    Ok(values)
}

/// Computes and pays for it.
fn compute<'s>(
    evaluation: &mut Evaluation<'s, '_>,
    function: Function,
    values: &[Held<'s>],
    at: &Range<usize>,
) -> Result<Held<'s>, EvalError> {
    let read = values.iter().map(|value| weight(value)).sum();
    evaluation.budget.spend_bytes(read, at)?;
    let result = result(function, values, at)?;
    evaluation.budget.spend_bytes(weight(&result), at)?;
    Ok(Held::made(result))
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
    let Some(((base, _), keys)) = steps.split_first() else { return Ok(Held::null()) };
    let mut value = base.clone();
    for (depth, (key, at)) in keys.iter().enumerate() {
        value = match inside(&value, key, at)? {
            Some(found) => found,
            None => return evaluation.missing(|| not_found(arguments, keys, depth, &value), at),
        };
        evaluation.budget.spend_bytes(value.copied(), at)?;
    }
    Ok(value)
}

fn inside<'s>(
    value: &Held<'s>,
    key: &Value,
    at: &Range<usize>,
) -> Result<Option<Held<'s>>, EvalError> {
    match key {
        Value::String(key) => Ok(value.key(key)),
        Value::Number(place) => {
            let length = value.as_array().map_or(0, Vec::len);
            Ok(Number::new(place).place(length).and_then(|place| value.place(place)))
        }
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
            let message = format!("`index` takes names and numbers, this is {}", kind(key));
            Err(EvalError::new(message, at.clone()))
        }
    }
}

/// Says what `index` does not find at `keys[depth]` of `value`.
fn not_found(
    arguments: &[Operand],
    keys: &[(Held<'_>, Range<usize>)],
    depth: usize,
    value: &Value,
) -> String {
    let mut outer = arguments.first().map_or(String::new(), |base| written(base, &base.keys));
    let mut shown = keys.iter().map(|(key, _)| text(key));
    for key in shown.by_ref().take(depth) {
        outer = format!("{outer}.{key}");
    }
    let key = shown.next().unwrap_or_default();
    absent(&outer, &format!("{outer}.{key}"), &key, value)
}

/// The functions that need nothing but their arguments. Their number was checked when the text was read.
fn result(function: Function, values: &[Held<'_>], at: &Range<usize>) -> Result<Value, EvalError> {
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

fn read_file<'s>(
    evaluation: &mut Evaluation<'s, '_>,
    path: &str,
    at: &Range<usize>,
) -> Result<Held<'s>, EvalError> {
    let failed = |why: &str| EvalError::new(format!("cannot read `{path}`: {why}"), at.clone());
    let text = evaluation.scope.read_file(path).map_err(|why| failed(&why))?;
    if text.len() > LONGEST_FILE {
        return Err(failed("it is larger than 1 MiB"));
    }
    evaluation.budget.spend_bytes(text.len(), at)?;
    Ok(Held::made(text))
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
