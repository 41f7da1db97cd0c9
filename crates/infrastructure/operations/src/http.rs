//! `http.request`: one request, and what the server answered.

use std::time::Duration;

use awf_core::{OperationResult, RawObject, shown};
use bytes::Bytes;
use reqwest::{
    Method,
    header::{CONTENT_TYPE, HeaderValue},
};
use tokio_util::sync::CancellationToken;

use crate::{
    inputs::Inputs,
    trouble::Trouble,
    wire::{Outgoing, Wire},
};

mod answer;

/// The name of the operation.
pub(crate) const REQUEST: &str = "request";
/// What it takes.
const INPUTS: [&str; 5] = ["url", "method", "headers", "body", "timeout"];
/// The methods there are; the first is the one that is meant when none is given.
pub(crate) const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/// Seconds it may take when none are given.
pub(crate) const USUAL_TIME: u64 = 30;
/// Seconds it may take at most.
const LONGEST_TIME: u64 = 300;

/// Makes the request that `given` describes.
pub(crate) async fn request(
    wire: &Wire,
    given: &RawObject,
    cancel: &CancellationToken,
) -> Result<OperationResult, Trouble> {
    let inputs = Inputs::new(given, &INPUTS)?;
    let limit = time(&inputs)?;
    let incoming = wire.ask(outgoing(&inputs)?, limit, cancel).await?;
    Ok(answer::result(&incoming))
}

fn outgoing(inputs: &Inputs<'_>) -> Result<Outgoing, Trouble> {
    let url = inputs.url("url")?.ok_or_else(|| Trouble::told("input `url` is missing"))?;
    let (method, mut headers) = (method(inputs)?, inputs.headers("headers")?);
    let body = match inputs.raw("body") {
        None => None,
        Some(raw) if raw.get().starts_with('"') => inputs.text("body")?.map(Bytes::from),
        Some(raw) => {
            let json = || HeaderValue::from_static("application/json");
            headers.entry(CONTENT_TYPE).or_insert_with(json);
            Some(Bytes::from(raw.get().to_owned()))
        }
    };
    Ok(Outgoing { method, url, headers, body })
}

fn method(inputs: &Inputs<'_>) -> Result<Method, Trouble> {
    let Some(word) = inputs.text("method")? else { return Ok(Method::GET) };
    let known = METHODS.iter().find(|method| method.eq_ignore_ascii_case(&word));
    let method = known.and_then(|method| Method::from_bytes(method.as_bytes()).ok());
    method.ok_or_else(|| {
        let all = METHODS.join(", ");
        Trouble::told(format!("input `method`: `{}` is none of {all}", shown(&word)))
    })
}

fn time(inputs: &Inputs<'_>) -> Result<Duration, Trouble> {
    let seconds = inputs.whole("timeout")?.unwrap_or(USUAL_TIME);
    if (1..=LONGEST_TIME).contains(&seconds) {
        return Ok(Duration::from_secs(seconds));
    }
    Err(Trouble::told(format!("input `timeout` must be 1 to {LONGEST_TIME} seconds")))
}
