//! Options as steps write them.

use std::time::Duration;

use awf_core::AgentFailure;
use serde_json::{Value, json};

use super::{Options, Sampling};
use crate::openai::ApiKey;

fn read(options: &Value) -> Result<Options, String> {
    let read = Options::read(options.as_object().unwrap());
    read.map_err(|fault| AgentFailure::from(fault).to_string())
}

#[test]
fn everything_has_a_default() {
    let expected = Options {
        base_url: None,
        model: None,
        api_key: None,
        sampling: Sampling::default(),
        max_turns: 50,
        max_tool_calls: 32,
        max_retries: 3,
        first_byte_timeout: Duration::from_mins(2),
        idle_timeout: Duration::from_mins(1),
    };
    assert_eq!(read(&json!({})), Ok(expected.clone()));
    assert_eq!(read(&json!({"model": null, "base_url": "", "top_p": ""})), Ok(expected));
}

#[test]
fn values_may_come_as_text() {
    let options = json!({
        "base_url": "http://localhost/v1", "model": "m", "api_key": "sk-1", "temperature": "0.5", "top_p": 1,
        "max_tokens": "100", "max_turns": 3, "max_tool_calls": "4", "max_retries": 0, "first_byte_timeout": "1m30s",
        "idle_timeout": 2.5, "response_format": {"type": "json_object"},
    });
    let expected = Options {
        base_url: Some("http://localhost/v1".into()),
        model: Some("m".into()),
        api_key: ApiKey::new("sk-1"),
        sampling: Sampling {
            temperature: Some(0.5),
            top_p: Some(1.0),
            max_tokens: Some(100),
            max_completion_tokens: None,
            response_format: Some(json!({"type": "json_object"})),
        },
        max_turns: 3,
        max_tool_calls: 4,
        max_retries: 0,
        first_byte_timeout: Duration::from_secs(90),
        idle_timeout: Duration::from_millis(2500),
    };
    assert_eq!(read(&options), Ok(expected));
    let short = read(&json!({"idle_timeout": "500ms"})).unwrap().idle_timeout;
    assert_eq!(short, Duration::from_millis(500));
}

#[test]
fn what_is_not_within_bounds_is_told() {
    let rows = [
        (
            json!({"tempreature": 1}),
            "option `tempreature` is not known to provider `openai_compatible`; use `base_url`, `model`, `api_key`, `temperature`, `top_p`, `max_tokens`, `max_completion_tokens`, `max_turns`, `max_tool_calls`, `first_byte_timeout`, `idle_timeout`, `max_retries`, `response_format`",
        ),
        (json!({"temperature": 2.1}), "`temperature: 2.1` must be a number from 0 to 2"),
        (json!({"temperature": "warm"}), "`temperature: warm` must be a number from 0 to 2"),
        (json!({"top_p": -0.1}), "`top_p: -0.1` must be a number from 0 to 1"),
        (json!({"max_tokens": 0}), "`max_tokens: 0` must be a whole number from 1 to 4294967295"),
        (json!({"max_turns": 1.5}), "`max_turns: 1.5` must be a whole number from 1 to 1000"),
        (json!({"max_retries": 11}), "`max_retries: 11` must be a whole number from 0 to 10"),
        (
            json!({"idle_timeout": 0}),
            "`idle_timeout: 0` must be seconds or a duration such as `90s`, and a day at most",
        ),
        (
            json!({"idle_timeout": "2 weeks"}),
            "`idle_timeout: 2 weeks` must be seconds or a duration such as `90s`, and a day at most",
        ),
        (json!({"model": 4}), "`model: 4` must be a text"),
        (json!({"api_key": 12345}), "`api_key` must be a text"),
        (
            json!({"response_format": "json"}),
            "`response_format: json` must be a mapping such as `{type: json_object}`",
        ),
        (
            json!({"max_tokens": 1, "max_completion_tokens": 1}),
            "`max_tokens` and `max_completion_tokens` are one option with two names; give one",
        ),
    ];
    for (options, message) in rows {
        assert_eq!(read(&options), Err(message.to_owned()));
    }
}
