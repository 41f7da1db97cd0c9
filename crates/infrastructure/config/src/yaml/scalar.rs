//! What a plain scalar is by YAML's core schema: nothing, a boolean, a number, else text.

use serde_json::{Number, Value};

use crate::yaml::Scalar;

impl Scalar {
    /// Whether nothing was written, or that it is nothing.
    pub(crate) fn is_null(&self) -> bool {
        self.plain && matches!(self.text.as_str(), "" | "~" | "null" | "Null" | "NULL")
    }

    /// A boolean; `yes` and `on` are words.
    pub(crate) fn boolean(&self) -> Option<bool> {
        match (self.plain, self.text.as_str()) {
            (true, "true" | "True" | "TRUE") => Some(true),
            (true, "false" | "False" | "FALSE") => Some(false),
            _ => None,
        }
    }

    /// A whole number.
    pub(crate) fn integer(&self) -> Option<i64> {
        if !self.plain {
            return None;
        }
        let (digits, negative) = match self.text.strip_prefix('-') {
            Some(digits) => (digits, true),
            None => (self.text.strip_prefix('+').unwrap_or(&self.text), false),
        };
        let (digits, radix) = match digits.get(..2) {
            Some("0x") => (digits.get(2..)?, 16),
            Some("0o") => (digits.get(2..)?, 8),
            _ => (digits, 10),
        };
        // `007` is a name, not seven: whoever writes the zeros wants to keep them.
        let padded = radix == 10 && digits.len() > 1 && digits.starts_with('0');
        if padded || !digits.chars().all(|c| c.is_digit(radix)) {
            return None;
        }
        let sign = if negative { "-" } else { "" };
        i64::from_str_radix(&format!("{sign}{digits}"), radix).ok()
    }

    /// A number, whole or not.
    pub(crate) fn number(&self) -> Option<f64> {
        let digits = self.text.trim_start_matches(['-', '+']);
        let begins = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        let numeric = digits.chars().all(|c| c.is_ascii_digit() || ".eE+-".contains(c));
        let padded = digits.len() > 1
            && digits.starts_with('0')
            && !digits.get(1..2).is_some_and(|second| ".eE".contains(second));
        let plain = self.plain && begins && numeric && !padded;
        plain.then(|| self.text.parse::<f64>().ok()).flatten().filter(|number| number.is_finite())
    }

    /// The value as JSON.
    pub(crate) fn json(&self) -> Value {
        if self.is_null() {
            return Value::Null;
        }
        self.boolean()
            .map(Value::Bool)
            .or_else(|| self.integer().map(Value::from))
            .or_else(|| self.number().and_then(Number::from_f64).map(Value::Number))
            .unwrap_or_else(|| Value::String(self.text.clone()))
    }
}
