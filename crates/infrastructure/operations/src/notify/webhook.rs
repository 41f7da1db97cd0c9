//! A notification posted as JSON.

use std::time::Duration;

use awf_core::{OperationResult, RawObject};
use bytes::Bytes;
use reqwest::{
    Method, Url,
    header::{CONTENT_TYPE, HeaderMap, HeaderValue},
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::{
    notify::Notice,
    trouble::Trouble,
    wire::{Outgoing, Wire},
};

/// How long it may take.
const LIMIT: Duration = Duration::from_secs(30);
/// Characters of an answer that are shown.
const MOST_SHOWN: usize = 2_000;

/// Where it goes.
pub(super) struct Hook {
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
}

/// Posts it.
pub(super) async fn send(
    wire: &Wire,
    hook: Hook,
    notice: &Notice,
    cancel: &CancellationToken,
) -> Result<OperationResult, Trouble> {
    let Hook { url, mut headers } = hook;
    headers.entry(CONTENT_TYPE).or_insert(HeaderValue::from_static("application/json"));
    let body = Some(Bytes::from(body(notice).to_string()));
    let outgoing = Outgoing { method: Method::POST, url, headers, body };
    let incoming = wire.ask(outgoing, LIMIT, cancel).await?;
    let (status, said) = (incoming.status, String::from_utf8_lossy(&incoming.body));
    let mut data = RawObject::default();
    data.set("backend", Value::from("webhook").into());
    data.set("status", Value::from(status.as_u16()).into());
    let success = status.is_success();
    Ok(OperationResult {
        success,
        output: said.chars().take(MOST_SHOWN).collect(),
        data,
        error: (!success).then(|| format!("the webhook answered {status}")),
    })
}

/// `text` is what chat services read; the others are for everybody else.
fn body(notice: &Notice) -> Value {
    let Notice { title, message } = notice;
    match title {
        Some(title) => {
            json!({ "title": title, "message": message, "text": format!("{title}: {message}") })
        }
        None => json!({ "message": message, "text": message }),
    }
}
