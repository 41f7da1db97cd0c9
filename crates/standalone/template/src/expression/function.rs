//! The functions of expressions.

use crate::SyntaxError;

use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    Contains,
    Float,
    HasPrefix,
    HasSuffix,
    Int,
    Len,
    Lower,
    Matches,
    String,
    Trim,
    Upper,
}

/// Name, function, number of arguments.
const FUNCTIONS: &[(&str, Function, usize)] = &[
    ("contains", Function::Contains, 2),
    ("float", Function::Float, 1),
    ("has_prefix", Function::HasPrefix, 2),
    ("has_suffix", Function::HasSuffix, 2),
    ("int", Function::Int, 1),
    ("len", Function::Len, 1),
    ("lower", Function::Lower, 1),
    ("matches", Function::Matches, 2),
    ("string", Function::String, 1),
    ("trim", Function::Trim, 1),
    ("upper", Function::Upper, 1),
];

impl Function {
    /// The function of that name, called with so many arguments.
    pub(crate) fn called(
        name: &str,
        arguments: usize,
        at: &Range<usize>,
    ) -> Result<Self, SyntaxError> {
        let Some((_, function, wanted)) = FUNCTIONS.iter().find(|(known, ..)| *known == name)
        else {
            return Err(unknown(name, at));
        };
        if arguments == *wanted {
            return Ok(*function);
        }
        let plural = if *wanted == 1 { "" } else { "s" };
        let message = format!("`{name}` takes {wanted} argument{plural}, not {arguments}");
        Err(SyntaxError::new(message, at.clone()))
    }
}

/// What to say about a name that is called and is no function.
fn unknown(name: &str, at: &Range<usize>) -> SyntaxError {
    let known: Vec<&str> = FUNCTIONS.iter().map(|(known, ..)| *known).collect();
    SyntaxError::new(format!("`{name}` is not a function of expressions"), at.clone())
        .hint_names(name, &known)
}
