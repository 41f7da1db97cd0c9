//! The tools of a scripted agent, wherever they are, and what comes back from them.

use std::sync::Arc;

use awf_core::{
    AgentFailure, CallContext, CallIntent, CallSurface, ScriptedCall, ToolCall, ToolFailure,
    ToolProvider, Usage,
};
use awf_mcp::{Client, ClientError, ToolRequest, code};
use serde_json::{Value, value::to_raw_value};
use tokio_util::sync::CancellationToken;

/// Where calls go.
pub(super) enum Toolbox {
    /// Nowhere: the step has no proxy, and the script calls nothing.
    Empty,
    /// To the server the agent was told to start.
    Server(Client),
    /// To the router, in this process.
    Router { router: Arc<dyn ToolProvider>, cancel: CancellationToken },
}

/// What came back from a call, as a model would see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Answer {
    /// All of its text.
    pub(super) text: String,
    pub(super) is_error: bool,
    /// The call was judged and turned away, or there is no such tool.
    pub(super) refused: bool,
}

impl Answer {
    fn turned_away(text: String) -> Self {
        Self { text, is_error: true, refused: true }
    }

    /// Reads an MCP result. A refusal is an error that carries a code for programs.
    pub(super) fn read(result: &str) -> Self {
        let result: Value = serde_json::from_str(result).unwrap_or_default();
        let blocks = result["content"].as_array().into_iter().flatten();
        let texts: Vec<&str> = blocks.filter_map(|block| block["text"].as_str()).collect();
        let is_error = result["isError"] == true;
        let refused = is_error && result["structuredContent"]["code"].is_string();
        Self { text: texts.join("\n"), is_error, refused }
    }
}

impl Toolbox {
    /// Makes one call. `Err` means that the way to the tools broke.
    pub(super) async fn call(&self, call: &ScriptedCall) -> Result<Answer, AgentFailure> {
        let name = &call.tool.value;
        let broke = |reason: String| AgentFailure::Failed {
            message: format!("cannot call `{name}`: {reason}"),
            exit_code: None,
            usage: Usage::default(),
        };
        match self {
            Self::Empty => Err(broke("the step has no tools".to_owned())),
            Self::Server(client) => over_mcp(client, call).await.map_err(broke),
            Self::Router { router, cancel } => match router.call(direct(call, cancel)).await {
                Ok(result) => Ok(Answer::read(result.raw().get())),
                Err(failure @ ToolFailure::Unknown { .. }) => {
                    Ok(Answer::turned_away(failure.to_string()))
                }
                Err(ToolFailure::Cancelled) => Err(AgentFailure::Cancelled),
                Err(
                    failure @ (ToolFailure::Unavailable(_)
                    | ToolFailure::NotApproved(_)
                    | ToolFailure::Internal { .. }),
                ) => Err(broke(failure.to_string())),
            },
        }
    }
}

async fn over_mcp(client: &Client, call: &ScriptedCall) -> Result<Answer, String> {
    let arguments = to_raw_value(&call.arguments).map_err(|error| error.to_string())?;
    let request = ToolRequest { name: &call.tool.value, arguments: &arguments, meta: None };
    // The whole agent is dropped when it is cancelled, which cancels the call.
    match client.call_tool(request, &CancellationToken::new()).await {
        Ok(result) => Ok(Answer::read(result.get())),
        Err(ClientError::Refused(error)) if error.code == code::INVALID_PARAMS => {
            Ok(Answer::turned_away(error.message.into_owned()))
        }
        Err(error) => Err(error.to_string()),
    }
}

fn direct(call: &ScriptedCall, cancel: &CancellationToken) -> ToolCall {
    ToolCall {
        name: call.tool.value.clone(),
        arguments: Value::Object(call.arguments.clone()).into(),
        intent: CallIntent::Direct,
        context: CallContext::new(CallSurface::Workflow),
        cancel: cancel.child_token(),
    }
}
