//! The validators: the two-key rules, and one that lets everything pass.

/// Judges by both tables.
pub struct TwoKeyValidator;
/// Lets everything pass.
pub struct AllowAll;
