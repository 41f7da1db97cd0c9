//! What a line of the client is, as far as headers and answers depend on it.

use awf_mcp::{MODERN_VERSION, Message, RequestId, RpcError};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::http::FORGOTTEN;

/// A line on its way to the server.
pub(super) struct Line {
    pub(super) bytes: Vec<u8>,
    /// What the answer will be told by, if there is to be one.
    pub(super) id: Option<RequestId>,
    /// Empty for an answer.
    pub(super) method: String,
    /// The tool a call names.
    pub(super) name: Option<String>,
    /// The request that is withdrawn.
    pub(super) withdrawn: Option<RequestId>,
    pub(super) modern: bool,
}

#[derive(Default, Deserialize)]
struct Params<'a> {
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow, rename = "requestId")]
    request_id: Option<&'a RawValue>,
    #[serde(borrow, rename = "_meta")]
    meta: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
struct Meta<'a> {
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<&'a RawValue>,
}

impl Line {
    /// Our own client wrote it, so what cannot be read is not sent.
    pub(super) fn read(bytes: Vec<u8>) -> Option<Self> {
        let (id, method, params) = match Message::read(&bytes).ok()? {
            Message::Request { id, method, params } => (Some(id), method.into_owned(), params),
            Message::Notification { method, params } => (None, method.into_owned(), params),
            Message::Response { .. } => (None, String::new(), None),
        };
        let params: Params<'_> = view(params);
        let meta: Meta<'_> = view(params.meta);
        let text = |raw: &RawValue| serde_json::from_str::<String>(raw.get()).ok();
        let withdrawn = params.request_id.filter(|_| method == "notifications/cancelled");
        let (name, withdrawn) = (params.name.and_then(text), withdrawn.and_then(RequestId::parse));
        let modern = meta.version.and_then(text).is_some_and(|version| version == MODERN_VERSION);
        Some(Self { bytes, id, method, name, withdrawn, modern })
    }

    /// The error that answers this line, if it wants an answer.
    pub(super) fn failed(&self, reason: String) -> Option<Vec<u8>> {
        self.refused(&RpcError::internal(reason))
    }

    /// The same for a line that the server did not take, for it knows the session no more.
    pub(super) fn forgotten(&self) -> Option<Vec<u8>> {
        self.refused(&RpcError::new(FORGOTTEN, "the server has forgotten the session; call again"))
    }

    fn refused(&self, error: &RpcError) -> Option<Vec<u8>> {
        let mut line = error.to_message(Some(self.id.as_ref()?)).into_bytes();
        line.push(b'\n');
        Some(line)
    }
}

fn view<'a, T: Deserialize<'a> + Default>(raw: Option<&'a RawValue>) -> T {
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
}

/// A message of the server as one line. An error that names no request answers the one it came back for.
pub(super) fn answer(text: &[u8], asked: Option<&RequestId>) -> Option<Vec<u8>> {
    let mut line = match (Message::read(text).ok()?, asked) {
        (Message::Response { id: None, outcome: Err(error) }, Some(id)) => {
            format!(r#"{{"jsonrpc":"2.0","id":{},"error":{}}}"#, id.as_json(), error.get())
                .into_bytes()
        }
        _ => text.to_vec(),
    };
    // It is JSON, so a line break in it stands between tokens.
    for byte in line.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')) {
        *byte = b' ';
    }
    line.push(b'\n');
    Some(line)
}

/// Whether a message of the server answers `asked`.
pub(super) fn answers(line: &[u8], asked: Option<&RequestId>) -> bool {
    matches!(Message::read(line.trim_ascii_end()), Ok(Message::Response { id, .. }) if id.as_ref() == asked)
}

/// The version that an answer to `initialize` settles on.
pub(super) fn settled(line: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct View {
        protocol_version: String,
    }
    let Ok(Message::Response { outcome: Ok(result), .. }) = Message::read(line.trim_ascii_end())
    else {
        return None;
    };
    serde_json::from_str::<View>(result.get()).ok().map(|view| view.protocol_version)
}
