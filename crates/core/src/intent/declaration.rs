//! The first table (decision D3): from an intent as typed to an intent as meant.
//!
//! A faulty statement may break several rules at once. Which code it gets is fixed by the order of the checks in
//! [`declare`], so that the answer never depends on the order of keys.

use crate::{
    intent::{
        Declaration, Mode, Operation, Origin, Refusal, RefusalCode, Sensitivity, Statement,
        Variant, Warning,
    },
    shown::shown,
};

mod typed;

use typed::{AsTyped, Field, Loose, Said};

/// Characters a reason may have; characters, not bytes.
const REASON_MOST: usize = 1000;

/// Reads a statement made beside `variant`.
pub fn declare(
    variant: Variant,
    statement: &Statement,
    mode: Mode,
) -> Result<(Declaration, Vec<Warning>), Refusal> {
    let typed = AsTyped::read(statement)?;
    check_presence(variant, &typed, mode)?;
    let nested = operation(&typed.nested_type)?;
    let flat = operation(&typed.flat_type)?;
    let sensitivities = typed.sensitivity.iter().map(sensitivity).collect::<Result<Vec<_>, _>>()?;
    typed.reason.iter().try_for_each(check_length)?;
    let (operation, origin) = match (nested, flat) {
        (Some(operation), _) => (operation, Origin::Nested),
        (None, Some(operation)) => (operation, Origin::Flat),
        (None, None) => (variant.0, Origin::Inferred),
    };
    check_variant(variant, operation)?;
    check_types_agree(operation, flat)?;
    check_agreement(&typed.sensitivity)?;
    check_agreement(&typed.reason)?;
    let declaration = Declaration {
        operation,
        origin,
        sensitivity: sensitivities.first().copied(),
        reason: typed.reason.into_iter().next().map(|said| said.text),
    };
    Ok((declaration, typed.warnings))
}

/// What is kept of a statement that was refused, or is not judged at all: whatever can be understood of it. The strictest
/// operation counts, of the variant and of all that were stated, so that no faulty statement makes a call look milder
/// than it may have been.
pub fn understood(variant: Variant, statement: &Statement) -> Declaration {
    let Loose { nested, flat, sensitivity, reason } = Loose::read(statement);
    let stated = [(nested, Origin::Nested), (flat, Origin::Flat)];
    let stated = stated.into_iter().filter_map(|(operation, origin)| Some((operation?, origin)));
    let inferred = (variant.0, Origin::Inferred);
    let (operation, origin) = stated.fold(inferred, |(most, origin), (next, said)| {
        let says_it = next > most || (next == most && origin == Origin::Inferred);
        if says_it { (next, said) } else { (most, origin) }
    });
    Declaration { operation, origin, sensitivity, reason }
}

/// Rows 1, 2 and 7: in two-key mode an operation type must be declared somewhere.
fn check_presence(variant: Variant, typed: &AsTyped, mode: Mode) -> Result<(), Refusal> {
    let declared = typed.nested_type != Field::Absent || typed.flat_type != Field::Absent;
    match mode {
        Mode::Inferred => Ok(()),
        Mode::TwoKey if declared => Ok(()),
        Mode::TwoKey if typed.says_nothing() => Err(Refusal {
            code: RefusalCode::MissingIntent,
            message: format!("intent parameter is required for {variant}"),
        }),
        Mode::TwoKey => Err(Refusal {
            code: RefusalCode::MissingOperationType,
            message: "intent.operation_type is required".to_owned(),
        }),
    }
}

/// Rows 5, 10, 13 and 15.
fn operation(field: &Field) -> Result<Option<Operation>, Refusal> {
    let (known, given) = match field {
        Field::Absent => return Ok(None),
        Field::Text(text) => (Operation::parse(text), text),
        Field::Other(json) => (None, json),
    };
    known.map(Some).ok_or_else(|| Refusal {
        code: RefusalCode::InvalidOperationType,
        message: format!(
            "Invalid intent.operation_type '{}': must be read, write, or destructive",
            shown(given)
        ),
    })
}

/// Row 16.
fn sensitivity(said: &Said) -> Result<Sensitivity, Refusal> {
    Sensitivity::parse(&said.text).ok_or_else(|| Refusal {
        code: RefusalCode::InvalidSensitivity,
        message: format!(
            "Invalid intent.data_sensitivity '{}': must be public, internal, private, or unknown",
            shown(&said.text)
        ),
    })
}

/// Row 17.
fn check_length(reason: &Said) -> Result<(), Refusal> {
    if reason.text.chars().nth(REASON_MOST).is_none() {
        return Ok(());
    }
    Err(Refusal {
        code: RefusalCode::ReasonTooLong,
        message: format!("intent.reason exceeds maximum length of {REASON_MOST} characters"),
    })
}

/// Rows 4, 9 and 14.
fn check_variant(variant: Variant, operation: Operation) -> Result<(), Refusal> {
    if operation == variant.0 {
        return Ok(());
    }
    Err(Refusal {
        code: RefusalCode::IntentMismatch,
        message: format!("Intent mismatch: tool is {variant} but intent declares {operation}"),
    })
}

/// Row 12.
fn check_types_agree(operation: Operation, flat: Option<Operation>) -> Result<(), Refusal> {
    match flat {
        Some(flat) if flat != operation => Err(conflict(&format!(
            "intent.operation_type is '{operation}' but intent_operation_type is '{flat}'"
        ))),
        Some(_) | None => Ok(()),
    }
}

/// Rows 19 and 20.
fn check_agreement(said: &[Said]) -> Result<(), Refusal> {
    let differing = said.windows(2).find_map(|pair| match pair {
        [first, second] if first.text != second.text => Some((first, second)),
        _ => None,
    });
    match differing {
        None => Ok(()),
        Some((first, second)) => Err(conflict(&format!(
            "{} is '{}' but {} is '{}'",
            first.place,
            shown(&first.text),
            second.place,
            shown(&second.text)
        ))),
    }
}

fn conflict(what: &str) -> Refusal {
    Refusal { code: RefusalCode::IntentConflict, message: format!("Conflicting intent: {what}") }
}
