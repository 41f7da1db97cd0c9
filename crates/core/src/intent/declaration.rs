//! The first table (decision D3): from an intent as typed to an intent as meant.

use crate::intent::{Declaration, Mode, Origin, Refusal, Statement, Variant, Warning};

/// Reads a statement made beside `variant`.
pub fn declare(
    variant: Variant,
    _statement: &Statement,
    _mode: Mode,
) -> Result<(Declaration, Vec<Warning>), Refusal> {
    Ok((
        Declaration {
            operation: variant.0,
            origin: Origin::Inferred,
            sensitivity: None,
            reason: None,
        },
        Vec::new(),
    ))
}
