//! awf-template: text with `{{…}}` in it, and conditions. Parsed once, with places; evaluated against values of JSON.
//!
//! Templates are strict: a missing key is an error. In expressions what is not there is null.

#![warn(missing_docs)]

mod budget;
mod cursor;
mod error;
mod expression;
mod nearest;
mod scope;
mod template;
#[cfg(test)]
mod testing;
mod value;

pub use error::{EvalError, SyntaxError};
pub use expression::Expression;
pub use scope::{Insertion, Reference, Scope};
pub use template::Template;
