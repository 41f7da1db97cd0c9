//! `printf`: `%s %v %q %d %x %f %t %%`, with width, precision and the flags `-`, `0` and `+`.

use std::ops::Range;

use serde_json::Value;

use crate::{
    EvalError,
    budget::Draft,
    value::{Held, Number, boolean, kind, text},
};

/// The widest field and the finest fraction.
const WIDEST: usize = 1_000;

/// One `%…` of a format.
#[derive(Debug, Default)]
struct Verb {
    left: bool,
    zeros: bool,
    plus: bool,
    width: usize,
    precision: Option<usize>,
    letter: char,
}

pub(crate) fn printf(
    format: &str,
    values: &[Held<'_>],
    at: &Range<usize>,
) -> Result<String, EvalError> {
    let fail = |message: String| EvalError::new(message, at.clone());
    let mut draft = Draft::default();
    let mut rest = format;
    let mut left = values.iter();
    while let Some((before, after)) = rest.split_once('%') {
        draft.push(before, at)?;
        let (verb, behind) = Verb::read(after).map_err(fail)?;
        rest = behind;
        if verb.letter == '%' {
            draft.push("%", at)?;
            continue;
        }
        let value = left
            .next()
            .ok_or_else(|| fail(format!("`printf` has no value for `%{}`", verb.letter)))?;
        draft.push(&verb.padded(verb.written(value).map_err(fail)?), at)?;
    }
    draft.push(rest, at)?;
    match left.len() {
        0 => Ok(draft.finish()),
        more => Err(fail(format!("`printf` has {more} more values than its format asks for"))),
    }
}

impl Verb {
    fn read(text: &str) -> Result<(Self, &str), String> {
        let mut verb = Self::default();
        let mut rest = text;
        while let Some(flag) = rest.chars().next().filter(|c| matches!(c, '-' | '0' | '+')) {
            match flag {
                '-' => verb.left = true,
                '0' => verb.zeros = true,
                _ => verb.plus = true,
            }
            rest = rest.get(1..).unwrap_or_default();
        }
        (verb.width, rest) = digits(rest)?;
        if let Some(fraction) = rest.strip_prefix('.') {
            let (precision, behind) = digits(fraction)?;
            verb.precision = Some(precision);
            rest = behind;
        }
        let mut letters = rest.chars();
        verb.letter = letters.next().ok_or("`printf` format ends in the middle of a `%…`")?;
        match verb.letter {
            's' | 'v' | 'q' | 'd' | 'x' | 'f' | 't' | '%' => Ok((verb, letters.as_str())),
            other => {
                Err(format!("`printf` does not know `%{other}`, only %s %v %q %d %x %f %t %%"))
            }
        }
    }

    fn written(&self, value: &Value) -> Result<String, String> {
        let needs = |what: &str| {
            Err(format!("`%{}` of `printf` needs {what}, this is {}", self.letter, kind(value)))
        };
        match (self.letter, value) {
            ('d', value) => match Number::meant(value) {
                Some(Number::Whole(whole)) => Ok(self.signed(whole.to_string())),
                Some(Number::Float(_)) | None => needs("a whole number"),
            },
            ('f', value) => match Number::meant(value) {
                Some(number) => {
                    let digits = self.precision.unwrap_or(6);
                    Ok(self.signed(format!("{:.digits$}", number.float())))
                }
                None => needs("a number"),
            },
            ('t', value) => match boolean(value) {
                Some(value) => Ok(value.to_string()),
                None => needs("a boolean"),
            },
            ('x', Value::Number(number)) => match Number::new(number) {
                Number::Whole(whole) if whole < 0 => Ok(format!("-{:x}", whole.unsigned_abs())),
                Number::Whole(whole) => Ok(format!("{whole:x}")),
                Number::Float(_) => needs("a whole number or text"),
            },
            ('x', value) => Ok(hexadecimal(&text(value))),
            ('q', value) => Ok(Value::from(text(value)).to_string()),
            (_, value) => {
                let text = text(value);
                Ok(match self.precision {
                    Some(most) => text.chars().take(most).collect(),
                    None => text.into_owned(),
                })
            }
        }
    }

    fn signed(&self, number: String) -> String {
        if self.plus && !number.starts_with('-') { format!("+{number}") } else { number }
    }

    fn padded(&self, text: String) -> String {
        let width = self.width;
        let missing = width.saturating_sub(text.chars().count());
        if missing == 0 {
            return text;
        }
        if self.left {
            return text + &" ".repeat(missing);
        }
        if self.zeros && matches!(self.letter, 'd' | 'f' | 'x') {
            let digits = text.trim_start_matches(['-', '+']);
            let sign = text.get(..text.len() - digits.len()).unwrap_or_default();
            return format!("{sign}{}{digits}", "0".repeat(missing));
        }
        " ".repeat(missing) + &text
    }
}

fn hexadecimal(text: &str) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('0');
    text.bytes().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

fn digits(text: &str) -> Result<(usize, &str), String> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = text.get(..text.len() - rest.len()).unwrap_or_default();
    if digits.is_empty() {
        return Ok((0, rest));
    }
    match digits.parse() {
        Ok(number) if number <= WIDEST => Ok((number, rest)),
        _ => Err(format!("`printf` fields are at most {WIDEST} wide")),
    }
}
