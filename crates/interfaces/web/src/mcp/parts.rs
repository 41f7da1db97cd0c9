//! What a request says that decides where it goes; and its line, as the server will read it.

use awf_mcp::{LEGACY_VERSIONS, RequestId};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::mcp::headers::Spoken;

/// A request on its way to a server.
pub(super) struct Parts {
    pub(super) id: RequestId,
    pub(super) method: String,
    /// The tool a call names.
    pub(super) name: Option<String>,
    /// The version in `_meta`, whatever it is.
    pub(super) version: Option<String>,
    /// The text of the progress token.
    pub(super) token: Option<String>,
    pub(super) line: Vec<u8>,
}

#[derive(Default, Deserialize)]
struct Params<'a> {
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow, rename = "_meta")]
    meta: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
struct Meta<'a> {
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<&'a RawValue>,
    #[serde(borrow, rename = "progressToken")]
    token: Option<&'a RawValue>,
}

impl Parts {
    /// What cannot be read is as good as absent here: the server itself says what is wrong with it.
    pub(super) fn read(
        id: RequestId,
        method: &str,
        params: Option<&RawValue>,
        body: &[u8],
    ) -> Self {
        let params: Params<'_> = view(params);
        let meta: Meta<'_> = view(params.meta);
        let text = |raw: &RawValue| serde_json::from_str::<String>(raw.get()).ok();
        Self {
            id,
            method: method.to_owned(),
            name: params.name.and_then(text),
            version: meta.version.map(|raw| text(raw).unwrap_or_default()),
            token: meta.token.map(|raw| raw.get().to_owned()),
            line: line(body),
        }
    }

    /// Whether the request stands for itself.
    pub(super) fn is_modern(&self, spoken: Spoken) -> bool {
        match &self.version {
            Some(version) => !LEGACY_VERSIONS.contains(&version.as_str()),
            None => spoken == Spoken::Modern && self.method != "initialize",
        }
    }
}

fn view<'a, T: Deserialize<'a> + Default>(raw: Option<&'a RawValue>) -> T {
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
}

/// The message as one line. It is JSON, so a line break in it stands between tokens.
fn line(body: &[u8]) -> Vec<u8> {
    let mut line: Vec<u8> =
        body.iter().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { *byte }).collect();
    line.push(b'\n');
    line
}
