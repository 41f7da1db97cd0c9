//! What a step may set: every option is known, and its value within bounds.

use std::time::Duration;

use awf_core::{AgentKind, OptionFault};
use serde_json::{Map, Value};

use crate::openai::{ApiKey, options::value::Given};

mod value;

/// The options there are.
const KNOWN: [&str; 13] = [
    "base_url",
    "model",
    "api_key",
    "temperature",
    "top_p",
    "max_tokens",
    "max_completion_tokens",
    "max_turns",
    "max_tool_calls",
    "first_byte_timeout",
    "idle_timeout",
    "max_retries",
    "response_format",
];

/// The options of a step, as meant.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Options {
    pub(super) base_url: Option<String>,
    pub(super) model: Option<String>,
    pub(super) api_key: Option<ApiKey>,
    pub(super) sampling: Sampling,
    /// Requests to the model, at most.
    pub(super) max_turns: usize,
    /// Calls in one answer, at most.
    pub(super) max_tool_calls: usize,
    /// How often one request is repeated, at most.
    pub(super) max_retries: usize,
    /// How long nothing may come of a request.
    pub(super) first_byte_timeout: Duration,
    /// How long nothing may come of an answer that has begun.
    pub(super) idle_timeout: Duration,
}

/// What goes into the request as it is.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub(super) struct Sampling {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) top_p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_completion_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) response_format: Option<Value>,
}

impl Options {
    pub(super) fn read(options: &Map<String, Value>) -> Result<Self, OptionFault> {
        options.keys().try_for_each(|key| known(key))?;
        let given = Given(options);
        let options = Self {
            base_url: given.text("base_url")?,
            model: given.text("model")?,
            api_key: given.text("api_key")?.as_deref().and_then(ApiKey::new),
            sampling: Sampling {
                temperature: given.number("temperature", 0.0..=2.0)?,
                top_p: given.number("top_p", 0.0..=1.0)?,
                max_tokens: given.count("max_tokens", 1..=u64::from(u32::MAX))?,
                max_completion_tokens: given
                    .count("max_completion_tokens", 1..=u64::from(u32::MAX))?,
                response_format: given.object("response_format")?,
            },
            max_turns: given.size("max_turns", 1..=1000)?.unwrap_or(50),
            max_tool_calls: given.size("max_tool_calls", 1..=128)?.unwrap_or(32),
            max_retries: given.size("max_retries", 0..=10)?.unwrap_or(3),
            first_byte_timeout: given
                .duration("first_byte_timeout")?
                .unwrap_or(Duration::from_mins(2)),
            idle_timeout: given.duration("idle_timeout")?.unwrap_or(Duration::from_mins(1)),
        };
        let Sampling { max_tokens, max_completion_tokens, .. } = &options.sampling;
        if max_tokens.is_some() && max_completion_tokens.is_some() {
            return Err(OptionFault::Value(
                "`max_tokens` and `max_completion_tokens` are one option with two names; give one"
                    .to_owned(),
            ));
        }
        Ok(options)
    }
}

/// Whether there is such an option, and the value is one it can have; no value is one that only the run knows.
pub(crate) fn check_option(name: &str, value: Option<&Value>) -> Result<(), OptionFault> {
    known(name)?;
    let given = value.map(|value| (name.to_owned(), value.clone()));
    Options::read(&given.into_iter().collect()).map(|_| ())
}

fn known(name: &str) -> Result<(), OptionFault> {
    if KNOWN.contains(&name) {
        return Ok(());
    }
    let (provider, known) = (AgentKind::OpenAiCompatible, KNOWN.to_vec());
    Err(OptionFault::Unknown { provider, name: name.to_owned(), known })
}

#[cfg(test)]
mod tests;
