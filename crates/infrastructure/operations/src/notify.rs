//! `notify.send`: a message to a person, on the desktop or through a webhook.

use awf_core::{OperationResult, RawObject, shown};
use tokio_util::sync::CancellationToken;

use crate::{inputs::Inputs, trouble::Trouble, wire::Wire};

mod desktop;
mod webhook;

pub(crate) use desktop::Desktop;

/// The name of the operation.
pub(crate) const SEND: &str = "send";
/// What it takes.
const INPUTS: [&str; 5] = ["message", "title", "backend", "url", "headers"];
/// The ways there are.
pub(crate) const BACKENDS: [&str; 2] = ["webhook", "desktop"];

/// What a person is to read.
struct Notice {
    title: Option<String>,
    message: String,
}

/// Sends what `given` describes.
pub(crate) async fn send(
    wire: &Wire,
    desktop: &Desktop,
    given: &RawObject,
    cancel: &CancellationToken,
) -> Result<OperationResult, Trouble> {
    let inputs = Inputs::new(given, &INPUTS)?;
    let title = inputs.text("title")?.filter(|title| !title.is_empty());
    let notice = Notice { title, message: inputs.required("message")? };
    let url = inputs.url("url")?;
    match (inputs.text("backend")?.as_deref(), url) {
        (None | Some("webhook"), Some(url)) => {
            let headers = inputs.headers("headers")?;
            webhook::send(wire, webhook::Hook { url, headers }, &notice, cancel).await
        }
        (Some("webhook"), None) => {
            Err(Trouble::told("input `url` is missing; `backend: webhook` sends to it"))
        }
        (None | Some("desktop"), None) if inputs.raw("headers").is_some() => Err(Trouble::told(
            "the desktop takes no `headers`; give the `url` of a webhook, or leave them out",
        )),
        (None | Some("desktop"), None) => desktop.show(&notice, cancel).await,
        (Some("desktop"), Some(_)) => Err(Trouble::told(
            "`backend: desktop` takes no `url`; leave it out, or use `backend: webhook`",
        )),
        (Some(other), _) => {
            let all = BACKENDS.join(", ");
            Err(Trouble::told(format!("input `backend`: `{}` is none of {all}", shown(other))))
        }
    }
}
