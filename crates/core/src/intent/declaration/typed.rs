//! An intent as typed: both shapes read into one list of what was said where. Nothing is judged here but the shape.

use crate::{
    intent::{Operation, Refusal, RefusalCode, Sensitivity, Statement, Warning, WarningCode},
    json::{RawJson, RawObject},
    shown::shown,
};

/// Unknown keys that get a warning of their own; the rest share one.
const WARNED_KEYS: usize = 8;

/// What was said, and where.
pub(super) struct AsTyped {
    nested: Option<RawObject>,
    pub(super) nested_type: Field,
    pub(super) flat_type: Field,
    pub(super) sensitivity: Vec<Said>,
    pub(super) reason: Vec<Said>,
    pub(super) warnings: Vec<Warning>,
}

/// One member as typed. An empty string and null count as absent.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Field {
    Absent,
    Text(String),
    /// Not a string: its JSON text.
    Other(String),
}

/// A text, and the place it was given at.
pub(super) struct Said {
    pub(super) place: &'static str,
    pub(super) text: String,
}

impl AsTyped {
    /// Reads both shapes; fails on rows 6 and 18.
    pub(super) fn read(statement: &Statement) -> Result<Self, Refusal> {
        let nested = nested_object(statement.nested.as_ref())?;
        let member = |key: &str| nested.as_ref().and_then(|object| object.get(key));
        let sensitivity = all_said([
            ("intent.data_sensitivity", member("data_sensitivity")),
            ("intent.intent_data_sensitivity", member("intent_data_sensitivity")),
            ("intent_data_sensitivity", statement.data_sensitivity.as_ref()),
        ])?;
        let reason = all_said([
            ("intent.reason", member("reason")),
            ("intent.intent_reason", member("intent_reason")),
            ("intent_reason", statement.reason.as_ref()),
        ])?;
        Ok(Self {
            nested_type: Field::read(member("operation_type")),
            flat_type: Field::read(statement.operation_type.as_ref()),
            sensitivity,
            reason,
            warnings: nested.as_ref().map(warnings).unwrap_or_default(),
            nested,
        })
    }

    /// Row 1 against rows 2 and 7: neither a nested object nor any flat metadata.
    pub(super) fn says_nothing(&self) -> bool {
        self.nested.is_none() && self.sensitivity.is_empty() && self.reason.is_empty()
    }
}

/// What can be understood of a statement, whatever is wrong with the rest of it.
pub(super) struct Loose {
    pub(super) nested: Option<Operation>,
    pub(super) flat: Option<Operation>,
    pub(super) sensitivity: Option<Sensitivity>,
    pub(super) reason: Option<String>,
}

impl Loose {
    pub(super) fn read(statement: &Statement) -> Self {
        let nested = nested_object(statement.nested.as_ref()).ok().flatten();
        let member = |key: &str| nested.as_ref().and_then(|object| object.get(key));
        let operation = |raw| Field::read(raw).text().and_then(|text| Operation::parse(&text));
        let said = |key: &str, flat: Option<&RawJson>| {
            let places = [member(key), member(&format!("intent_{key}")), flat];
            places.into_iter().find_map(|raw| Field::read(raw).text())
        };
        let sensitivity = said("data_sensitivity", statement.data_sensitivity.as_ref());
        Self {
            nested: operation(member("operation_type")),
            flat: operation(statement.operation_type.as_ref()),
            sensitivity: sensitivity.and_then(|text| Sensitivity::parse(&text)),
            reason: said("reason", statement.reason.as_ref()),
        }
    }
}

impl Field {
    fn text(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text),
            Self::Absent | Self::Other(_) => None,
        }
    }

    fn read(raw: Option<&RawJson>) -> Self {
        let Some(json) = raw.map(RawJson::get) else { return Self::Absent };
        // Its first letter says what it is; a parser that is to find that out takes its time to say why it failed.
        let text = match json.trim_ascii_start().as_bytes().first() {
            Some(b'"' | b'n') => serde_json::from_str::<Option<String>>(json).ok(),
            Some(_) | None => None,
        };
        match text {
            None => Self::Other(json.to_owned()),
            Some(text) => text.filter(|text| !text.is_empty()).map_or(Self::Absent, Self::Text),
        }
    }
}

fn nested_object(raw: Option<&RawJson>) -> Result<Option<RawObject>, Refusal> {
    let json = match Field::read(raw) {
        Field::Absent => return Ok(None),
        Field::Text(json) | Field::Other(json) => json,
    };
    match serde_json::from_str(&json) {
        Ok(object) => Ok(Some(object)),
        Err(_) => Err(invalid("must be an object with unique keys, or a string holding one")),
    }
}

fn all_said(places: [(&'static str, Option<&RawJson>); 3]) -> Result<Vec<Said>, Refusal> {
    let mut said = Vec::new();
    for (place, raw) in places {
        match Field::read(raw) {
            Field::Absent => {}
            Field::Text(text) => said.push(Said { place, text }),
            Field::Other(_) => return Err(invalid(&format!("{place} must be a string"))),
        }
    }
    Ok(said)
}

fn warnings(nested: &RawObject) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut unknown = Vec::new();
    for (key, _) in nested.iter() {
        match key {
            "operation_type" | "data_sensitivity" | "reason" => {}
            "intent_data_sensitivity" | "intent_reason" => {
                let meant = key.trim_start_matches("intent_");
                let message = format!("intent.{key} is read as intent.{meant}");
                warnings.push(Warning::new(WarningCode::IntentAlias, message));
            }
            _ => unknown.push(key),
        }
    }
    warnings.extend(unknown.iter().take(WARNED_KEYS).map(|key| {
        let message = format!("intent.{} is not known and was ignored", shown(key));
        Warning::new(WarningCode::UnknownIntentKey, message)
    }));
    if let Some(more) = unknown.len().checked_sub(WARNED_KEYS).filter(|more| *more > 0) {
        let message = format!("further unknown keys of intent were ignored: {more}");
        warnings.push(Warning::new(WarningCode::UnknownIntentKey, message));
    }
    warnings
}

fn invalid(what: &str) -> Refusal {
    Refusal { code: RefusalCode::InvalidIntent, message: format!("Invalid intent: {what}") }
}
