//! What a tool is to this crate: something that takes raw arguments and gives back a raw result.

use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};
use tokio_util::sync::CancellationToken;

use crate::{era::Era, error::RpcError, wire::RequestId};

pub use progress::{Progress, ProgressUpdate};
pub(crate) use progress::{ProgressLine, Reporter};

mod progress;

/// Answers calls. One handler may serve many tools: the context says which was asked for.
///
/// The future runs inside the session's own task, beside all other calls of that session: long work on the
/// processor or the disk belongs on another thread. When `context.cancellation` fires it should clean up and
/// return; after [`Limits::cancel_grace`](crate::Limits::cancel_grace) it is dropped. A panic costs its call, not the session.
#[async_trait]
pub trait ToolHandler: Send + Sync {
    /// Runs the tool. `arguments` is always an object. `Err` means the protocol or the host broke; a tool that failed
    /// says so in its result.
    async fn call(
        &self,
        context: CallContext,
        arguments: Box<RawValue>,
    ) -> Result<ToolReply, RpcError>;
}

/// Says which tools there are, where that depends on who asks, or on when.
///
/// The future runs where calls run, under the same rules.
#[async_trait]
pub trait ToolLister: Send + Sync {
    /// The tools as `client` is to see them, each a whole tool object, in the order in which they are listed.
    async fn list(&self, client: Option<&Implementation>) -> Result<Vec<Box<RawValue>>, RpcError>;
}

/// All that is known about a call besides its arguments.
#[derive(Debug)]
#[non_exhaustive]
pub struct CallContext {
    /// The id of the request.
    pub id: RequestId,
    /// The name the peer asked for, as it wrote it. On the fallback handler this may be anything, of any length.
    pub tool: String,
    /// The request's `_meta`, untouched.
    pub meta: Option<Box<RawValue>>,
    /// Fires when nobody wants the answer any more.
    pub cancellation: CancellationToken,
    /// Tells the peer how far the call is, if it asked.
    pub progress: Progress,
    /// Who the peer says it is.
    pub client: Option<Arc<Implementation>>,
    /// The rules the peer plays by.
    pub era: Era,
}

/// What a tool gives back.
#[derive(Debug)]
#[non_exhaustive]
pub enum ToolReply {
    /// The whole `CallToolResult`, a JSON object, which reaches the peer byte for byte.
    Complete(Box<RawValue>),
    /// The same, as text the host has just written and vouches for: one JSON object. It is not checked again.
    Vouched(String),
}

impl ToolReply {
    /// A result with one block of text.
    pub fn text(text: &str) -> Self {
        Self::with_text(text, None)
    }

    /// The same, marked as a failure for the model to read.
    pub fn failure(text: &str) -> Self {
        Self::with_text(text, Some(true))
    }

    pub(crate) fn json(&self) -> &str {
        match self {
            Self::Complete(raw) => raw.get(),
            Self::Vouched(text) => text,
        }
    }

    pub(crate) fn is_object(&self) -> bool {
        self.json().trim_ascii_start().starts_with('{')
    }

    fn with_text(text: &str, is_error: Option<bool>) -> Self {
        #[derive(serde::Serialize)]
        struct Block<'a> {
            r#type: &'static str,
            text: &'a str,
        }
        #[derive(serde::Serialize)]
        struct Body<'a> {
            content: [Block<'a>; 1],
            #[serde(rename = "isError", skip_serializing_if = "Option::is_none")]
            is_error: Option<bool>,
        }
        let body = Body { content: [Block { r#type: "text", text }], is_error };
        // Strings always serialise; should that change, an empty result is still a result.
        Self::Complete(to_raw_value(&body).unwrap_or_default())
    }
}

/// Name and version of a program, as it gives them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Implementation {
    /// The program.
    pub name: String,
    /// Its version, in whatever form it likes.
    #[serde(default)]
    pub version: String,
}

/// Makes a handler of an async closure.
pub fn handler_fn<F, Fut>(function: F) -> Arc<dyn ToolHandler>
where
    F: Fn(CallContext, Box<RawValue>) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<ToolReply, RpcError>> + Send + 'static,
{
    Arc::new(FunctionHandler(function))
}

struct FunctionHandler<F>(F);

#[async_trait]
impl<F, Fut> ToolHandler for FunctionHandler<F>
where
    F: Fn(CallContext, Box<RawValue>) -> Fut + Send + Sync,
    Fut: Future<Output = Result<ToolReply, RpcError>> + Send,
{
    async fn call(
        &self,
        context: CallContext,
        arguments: Box<RawValue>,
    ) -> Result<ToolReply, RpcError> {
        (self.0)(context, arguments).await
    }
}
