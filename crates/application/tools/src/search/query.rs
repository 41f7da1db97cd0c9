//! A query as typed: words to find, and filters among them.
//!
//! A filter is a word of its own: `server:github`, `is:read`, `is:write`, `is:destructive`, or one of these after a minus.
//! Several values of one kind widen (`server:a server:b`, `server:a,b`), each minus takes away. A value that nothing has,
//! a misspelt one too, finds nothing: a filter never lets through more than it says.

use awf_core::Operation;

/// More of a query is not read.
const LONGEST: usize = 2_000;

/// A query, taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Query {
    /// What is left without the filters.
    pub(crate) text: String,
    pub(crate) server: Choice<String>,
    pub(crate) operation: Choice<String>,
}

/// What is asked for of one kind, and what is asked away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice<T> {
    wanted: Vec<T>,
    unwanted: Vec<T>,
}

impl<T> Default for Choice<T> {
    fn default() -> Self {
        Self { wanted: Vec::new(), unwanted: Vec::new() }
    }
}

impl Choice<String> {
    fn take(&mut self, values: &str, sign: Sign) {
        let values = values.split(',').map(|value| value.trim_matches('"').to_ascii_lowercase());
        match sign {
            Sign::Plus => self.wanted.extend(values),
            Sign::Minus => self.unwanted.extend(values),
        }
    }

    /// Whether `value` passes; case does not matter.
    pub(crate) fn admits(&self, value: &str) -> bool {
        let is_in = |list: &[String]| list.iter().any(|named| named.eq_ignore_ascii_case(value));
        (self.wanted.is_empty() || is_in(&self.wanted)) && !is_in(&self.unwanted)
    }

    fn knows_only(&self, known: impl Fn(&str) -> bool) -> bool {
        self.unwanted.iter().all(|value| known(value))
    }
}

/// What a query filters by, as it was typed but for case: for those who know which values there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchFilters {
    /// Values of `server:`, asked for or asked away.
    pub servers: Vec<String>,
    /// Values of `is:`, asked for or asked away.
    pub operations: Vec<String>,
}

impl SearchFilters {
    /// Those of a query.
    pub fn of(typed: &str) -> Self {
        let Query { server, operation, text: _ } = Query::parse(typed);
        let both = |choice: Choice<String>| [choice.wanted, choice.unwanted].concat();
        Self { servers: both(server), operations: both(operation) }
    }
}

#[derive(Clone, Copy)]
enum Sign {
    Plus,
    Minus,
}

impl Query {
    pub(crate) fn parse(typed: &str) -> Self {
        let end = typed.floor_char_boundary(LONGEST);
        let mut query = Self::default();
        for word in typed.get(..end).unwrap_or_default().split_whitespace() {
            let (sign, bare) = match word.strip_prefix('-') {
                Some(bare) => (Sign::Minus, bare),
                None => (Sign::Plus, word),
            };
            match bare.split_once(':').filter(|(_, value)| !value.is_empty()) {
                Some((key, value)) if key.eq_ignore_ascii_case("server") => {
                    query.server.take(value, sign);
                }
                Some((key, value)) if key.eq_ignore_ascii_case("is") => {
                    query.operation.take(value, sign);
                }
                Some(_) | None => {
                    query.text.push_str(if query.text.is_empty() { "" } else { " " });
                    query.text.push_str(word);
                }
            }
        }
        query
    }

    /// Whether a tool that is called for `operation` passes. `-is:wirte` would take away nothing, so it lets nothing by.
    pub(crate) fn admits_operation(&self, operation: Operation) -> bool {
        self.operation.knows_only(|word| Operation::parse(word).is_some())
            && self.operation.admits(operation.as_str())
    }
}

#[cfg(test)]
mod tests;
