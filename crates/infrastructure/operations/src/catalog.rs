//! What is part of awf, as plugins are known: every operation with its inputs and outputs.

use awf_core::{Annotations, Hint, OperationInput, OperationSchema, PluginEntry, PluginOrigin};
use serde_json::Value;

use crate::{
    http::{METHODS, REQUEST, USUAL_TIME},
    notify::{BACKENDS, SEND},
};

/// The plugin that makes requests.
pub(crate) const HTTP: &str = "http";
/// The plugin that tells people.
pub(crate) const NOTIFY: &str = "notify";

/// The plugins that are part of awf.
pub fn catalog() -> Vec<PluginEntry> {
    vec![
        entry(HTTP, "Requests over HTTP", request()),
        entry(NOTIFY, "Notifications for a person", send()),
    ]
}

fn entry(name: &str, description: &str, operation: OperationSchema) -> PluginEntry {
    PluginEntry {
        name: name.to_owned(),
        origin: PluginOrigin::Included,
        version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        description: Some(description.to_owned()),
        enabled: true,
        operations: Some(vec![operation]),
        step_types: Some(Vec::new()),
        ..PluginEntry::default()
    }
}

fn request() -> OperationSchema {
    OperationSchema {
        name: REQUEST.to_owned(),
        description: "Makes one HTTP request. Follows up to 5 redirects; another origin gets no \
                      headers that may be secret. A status of 400 and above is a failure. Of the \
                      body 1 MiB is kept."
            .to_owned(),
        inputs: vec![
            needed(rule("url", input("url", "string", "Where to: an http or https URL"))),
            OperationInput {
                default: Some("GET".into()),
                choices: words(&METHODS),
                ..input("method", "string", "The method")
            },
            input("headers", "object", "The headers: an object of strings"),
            input("body", "", "The body: a string as it is, anything else as JSON"),
            OperationInput {
                default: Some(USUAL_TIME.into()),
                ..input("timeout", "integer", "Seconds it may take in all, 1 to 300")
            },
        ],
        outputs: outputs(&[
            ("status", "the status, a number"),
            ("headers", "the headers of the answer, by lower-case name"),
            ("body", "the body as text"),
            ("truncated", "whether there was more of the body"),
            ("binary", "whether the body is no UTF-8 text, and was made text with losses"),
            ("json", "the body, if it is JSON"),
        ]),
        annotations: Annotations {
            read_only: Hint::Absent,
            destructive: Hint::Set(true),
            idempotent: Hint::Absent,
            open_world: Hint::Set(true),
        },
    }
}

fn send() -> OperationSchema {
    OperationSchema {
        name: SEND.to_owned(),
        description: "Sends a notification to a person: through a webhook as JSON (`title`, \
                      `message`, and `text` with both), or to the desktop."
            .to_owned(),
        inputs: vec![
            needed(input("message", "string", "What is to be read")),
            input("title", "string", "What it is headed with"),
            OperationInput {
                choices: words(&BACKENDS),
                ..input("backend", "string", "The way; `webhook` if `url` is given, else `desktop`")
            },
            rule("url", input("url", "string", "Where the webhook is")),
            input("headers", "object", "Headers for the webhook: an object of strings"),
        ],
        outputs: outputs(&[
            ("backend", "the way it went"),
            ("status", "the status the webhook answered"),
        ]),
        annotations: Annotations {
            read_only: Hint::Set(false),
            destructive: Hint::Set(false),
            idempotent: Hint::Absent,
            open_world: Hint::Set(true),
        },
    }
}

fn input(name: &str, kind: &str, description: &str) -> OperationInput {
    OperationInput {
        name: name.to_owned(),
        kind: kind.to_owned(),
        description: description.to_owned(),
        ..OperationInput::default()
    }
}

fn needed(input: OperationInput) -> OperationInput {
    OperationInput { required: true, ..input }
}

fn rule(rule: &str, input: OperationInput) -> OperationInput {
    OperationInput { validation: Some(rule.to_owned()), ..input }
}

fn words(words: &[&str]) -> Vec<Value> {
    words.iter().map(|word| Value::from(*word)).collect()
}

fn outputs(outputs: &[(&str, &str)]) -> Vec<(String, String)> {
    outputs.iter().map(|(name, what)| ((*name).to_owned(), (*what).to_owned())).collect()
}
