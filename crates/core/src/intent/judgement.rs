//! The second table (decision D4): a variant held against a tool's class.

use crate::{
    annotations::Class,
    intent::{IntentPolicy, Variant},
};

/// What a variant may do with a tool of `class`.
pub fn judge(_variant: Variant, _class: Class, _policy: IntentPolicy) {}
