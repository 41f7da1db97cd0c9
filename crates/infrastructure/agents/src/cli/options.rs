//! The `options` of a step, as a program takes them. What a provider does not know is refused, never ignored; what would
//! give an agent tools of its own is refused where it is to have none.

use std::ffi::OsString;

use awf_core::{AgentFailure, AgentKind, OptionFault, Reach, shown};
use serde_json::Value;

use crate::cli::errand::Errand;

/// An option that a provider knows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting {
    /// As the workflow names it.
    pub(crate) name: &'static str,
    pub(crate) takes: Takes,
    /// How the program is told.
    pub(crate) told: Told,
    pub(crate) opens: Opens,
}

pub(crate) const fn setting(name: &'static str, takes: Takes, told: Told, opens: Opens) -> Setting {
    Setting { name, takes, told, opens }
}

/// What an option may be.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Takes {
    Text,
    Number,
    /// One word, or a list of them.
    Words,
    /// True or false; false is as good as nothing.
    Switch,
    Choice(&'static [&'static str]),
}

/// How a program is told of an option.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Told {
    /// By this flag and the value.
    Flag(&'static str),
    /// By these words.
    Words(&'static [&'static str]),
    /// By Codex's `-c key="value"`.
    Config(&'static str),
    /// The provider sees to it itself.
    Apart,
}

/// Whether an option would open tools of the agent's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opens {
    Nothing,
    OwnTools,
}

/// The arguments of all options of a step.
pub(crate) fn arguments(
    kind: AgentKind,
    known: &[Setting],
    errand: &Errand<'_>,
) -> Result<Vec<OsString>, AgentFailure> {
    let mut args = Vec::new();
    for (name, value) in &errand.request.options {
        let setting = find(kind, known, name)?;
        let Some(value) = value_of(kind, setting, value)? else { continue };
        fits(kind, setting, errand.reach())?;
        match setting.told {
            Told::Flag(flag) => args.extend([flag.into(), value.into()]),
            Told::Words(words) => args.extend(words.iter().map(OsString::from)),
            Told::Config(key) => args.extend(["-c".into(), config(key, &value).into()]),
            Told::Apart => {}
        }
    }
    Ok(args)
}

/// Whether a provider takes an option; no value is one that only the run knows.
pub(crate) fn check(
    kind: AgentKind,
    known: &[Setting],
    reach: Reach,
    name: &str,
    value: Option<&Value>,
) -> Result<(), OptionFault> {
    let setting = find(kind, known, name)?;
    let has_effect = match (value, setting.takes) {
        (Some(value), _) => value_of(kind, setting, value)?.is_some(),
        // It may turn out to be off.
        (None, Takes::Switch) => false,
        (None, Takes::Text | Takes::Number | Takes::Words | Takes::Choice(_)) => true,
    };
    if has_effect { fits(kind, setting, reach) } else { Ok(()) }
}

fn find<'a>(kind: AgentKind, known: &'a [Setting], name: &str) -> Result<&'a Setting, OptionFault> {
    known.iter().find(|setting| setting.name == name).ok_or_else(|| OptionFault::Unknown {
        provider: kind,
        name: name.to_owned(),
        known: known.iter().map(|setting| setting.name).collect(),
    })
}

/// An agent whose only source of tools is awf is given none of its own.
fn fits(kind: AgentKind, setting: &Setting, reach: Reach) -> Result<(), OptionFault> {
    match (setting.opens, reach) {
        (Opens::OwnTools, Reach::Exclusive) => {
            Err(OptionFault::OwnTools { provider: kind, name: setting.name })
        }
        (Opens::OwnTools, Reach::Additive) | (Opens::Nothing, _) => Ok(()),
    }
}

/// The words of an option that the provider sees to itself; none where it is absent.
pub(crate) fn words(errand: &Errand<'_>, name: &str) -> Vec<String> {
    errand.request.options.get(name).and_then(joined).into_iter().collect()
}

/// Codex's `key="value"`, the value as TOML.
pub(crate) fn config(key: &str, value: &str) -> String {
    format!("{key}={}", quoted(value))
}

/// A string as TOML has it, which is as JSON has it but for DEL.
pub(crate) fn quoted(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

/// The value as text, or nothing where it changes nothing.
fn value_of(
    kind: AgentKind,
    setting: &Setting,
    value: &Value,
) -> Result<Option<String>, OptionFault> {
    let refused = |wanted: &str| {
        let (name, provider) = (setting.name, kind.as_str());
        let value = match value {
            Value::String(text) => shown(text),
            other => shown(&other.to_string()),
        };
        OptionFault::Value(format!(
            "option `{name}` of provider `{provider}` must be {wanted}, not `{value}`"
        ))
    };
    match setting.takes {
        Takes::Text => match value.as_str() {
            Some(text) if !text.is_empty() && !text.starts_with('-') => Ok(Some(text.to_owned())),
            _ => Err(refused("a word")),
        },
        Takes::Number => match number(value) {
            Some(number) if number > 0 => Ok(Some(number.to_string())),
            _ => Err(refused("a number above 0")),
        },
        Takes::Words => joined(value).map(Some).ok_or_else(|| refused("a word or a list of words")),
        Takes::Switch => match value {
            Value::Bool(true) => Ok(Some(String::new())),
            Value::Bool(false) => Ok(None),
            Value::String(word) if word == "true" => Ok(Some(String::new())),
            Value::String(word) if word == "false" => Ok(None),
            _ => Err(refused("true or false")),
        },
        Takes::Choice(choices) => match value.as_str() {
            Some(word) if choices.contains(&word) => Ok(Some(word.to_owned())),
            _ => Err(refused(&format!("one of `{}`", choices.join("`, `")))),
        },
    }
}

/// A number, or one that a template wrote.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

/// Words by commas; a word that could be a flag is none.
fn joined(value: &Value) -> Option<String> {
    let words = match value {
        Value::String(word) => vec![word.as_str()],
        Value::Array(words) => words.iter().map(Value::as_str).collect::<Option<_>>()?,
        _ => return None,
    };
    let fine = |word: &&str| !word.is_empty() && !word.starts_with('-');
    (!words.is_empty() && words.iter().all(fine)).then(|| words.join(","))
}
