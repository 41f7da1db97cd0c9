//! The parameters of a request: only the keys some method reads, each left as it was written.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    era::Meta,
    error::RpcError,
    tool::Implementation,
    wire::{RequestId, is_object, string},
};

/// `null` counts as absent throughout, as some clients write their empty values that way.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Params<'a> {
    #[serde(borrow, default, rename = "_meta")]
    pub(crate) meta: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) arguments: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) cursor: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) protocol_version: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) client_info: Option<&'a RawValue>,
    #[serde(borrow, default)]
    request_id: Option<&'a RawValue>,
}

impl<'a> Params<'a> {
    pub(crate) fn parse(raw: Option<&'a RawValue>) -> Result<Self, RpcError> {
        let Some(raw) = raw else { return Ok(Self::default()) };
        if !is_object(raw) {
            return Err(RpcError::invalid_params("Invalid params: must be an object"));
        }
        // A valid object fails here only when one of its known keys occurs twice.
        serde_json::from_str(raw.get())
            .map_err(|_| RpcError::invalid_params("Invalid params: a key occurs twice"))
    }

    pub(crate) fn meta(&self) -> Result<Meta<'a>, RpcError> {
        let Some(raw) = self.meta else { return Ok(Meta::default()) };
        if !is_object(raw) {
            return Err(RpcError::invalid_params("Invalid params: `_meta` must be an object"));
        }
        serde_json::from_str(raw.get())
            .map_err(|_| RpcError::invalid_params("Invalid params: a key of `_meta` occurs twice"))
    }

    /// The id that `notifications/cancelled` is about.
    pub(crate) fn cancelled(&self) -> Option<RequestId> {
        self.request_id.and_then(RequestId::parse)
    }
}

/// A progress token is a string or a number and goes back as it came.
pub(crate) fn progress_token<'a>(meta: &Meta<'a>) -> Result<Option<&'a str>, RpcError> {
    let Some(raw) = meta.progress_token else { return Ok(None) };
    let text = raw.get();
    if text.starts_with(|first: char| first == '"' || first == '-' || first.is_ascii_digit()) {
        return Ok(Some(text));
    }
    Err(RpcError::invalid_params("Invalid params: `progressToken` must be a string or a number"))
}

/// Who a peer says it is; one that says it badly is nobody, for nothing depends on it.
pub(crate) fn implementation(raw: Option<&RawValue>) -> Option<Implementation> {
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok())
}

/// The text of a parameter that must be a string.
pub(crate) fn required<'a>(
    raw: Option<&'a RawValue>,
    name: &str,
) -> Result<std::borrow::Cow<'a, str>, RpcError> {
    raw.and_then(string).ok_or_else(|| {
        RpcError::invalid_params(format!(
            "Invalid params: `{name}` is required and must be a string"
        ))
    })
}
