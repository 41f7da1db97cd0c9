//! The tools of a step: what the model is offered, and the calls it asks for.

use std::{pin::pin, sync::Arc, time::Duration};

use awf_core::{
    AgentFailure, CallContext, CallIntent, CallSurface, ClientIdentity, ToolCall, ToolFailure,
    ToolProvider, Usage,
};
use futures_util::stream::{self, StreamExt as _};
use serde_json::Value;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::openai::{
    delta::Asked,
    request::OfferedTool,
    result::{cut, result_text},
    trouble::words,
};

/// Who calls, in the records: this loop, for the model behind an endpoint.
const CLIENT: &str = "awf-openai-compatible";

/// Calls that run at once.
const AT_ONCE: usize = 8;
/// How long calls that were cancelled may take to end.
const PATIENCE: Duration = Duration::from_secs(2);

/// The tools a step has.
pub(super) struct Tools {
    router: Option<Arc<dyn ToolProvider>>,
    offered: Vec<OfferedTool>,
    /// The router's names, in the order of `offered`.
    names: Vec<String>,
    cancel: CancellationToken,
}

impl Tools {
    /// No tools at all.
    pub(super) fn none(cancel: &CancellationToken) -> Self {
        Self { router: None, offered: Vec::new(), names: Vec::new(), cancel: cancel.child_token() }
    }

    /// Whatever the router lists: it decides what there is.
    pub(super) async fn of(
        router: Arc<dyn ToolProvider>,
        cancel: &CancellationToken,
    ) -> Result<Self, AgentFailure> {
        let listed = router.tools().await.map_err(|failure| AgentFailure::Failed {
            message: format!("cannot tell which tools there are: {failure}"),
            exit_code: None,
            usage: Usage::default(),
        })?;
        let names: Vec<String> = listed.iter().map(|tool| tool.name().to_string()).collect();
        let offered: Vec<OfferedTool> = listed.iter().map(|tool| OfferedTool::of(tool)).collect();
        let twice = offered.iter().enumerate().find_map(|(place, tool)| {
            offered.iter().take(place).any(|other| other.name() == tool.name()).then(|| tool.name())
        });
        if let Some(name) = twice {
            return Err(AgentFailure::Unusable(format!(
                "two tools would both be called `{name}` by the model; rename or leave out one"
            )));
        }
        Ok(Self { router: Some(router), offered, names, cancel: cancel.child_token() })
    }

    pub(super) fn offered(&self) -> &[OfferedTool] {
        &self.offered
    }

    /// Makes all calls of a turn, some at once, and gives what came of each in the order they were asked for. When the
    /// agent is cancelled, calls under way are told so and given a little time to be recorded as they ended.
    pub(super) async fn call_all(&self, asked: &[Asked]) -> Result<Vec<String>, AgentFailure> {
        let calls: Vec<_> = asked.iter().map(|call| self.call(call)).collect();
        let mut work = pin!(stream::iter(calls).buffered(AT_ONCE).collect::<Vec<_>>());
        let results = tokio::select! {
            biased;
            results = &mut work => results,
            () = self.cancel.cancelled() => {
                drop(timeout(PATIENCE, work).await);
                return Err(AgentFailure::Cancelled);
            }
        };
        results.into_iter().collect()
    }

    /// Makes one call. All that goes wrong is for the model to read, but that it was cancelled.
    async fn call(&self, asked: &Asked) -> Result<String, AgentFailure> {
        if self.cancel.is_cancelled() {
            return Err(AgentFailure::Cancelled);
        }
        let Some(router) = &self.router else {
            return Ok(format!("error: there is no tool `{}`", words(&asked.name)));
        };
        let (arguments, fault) = match asked.parsed() {
            Ok(arguments) => (arguments, None),
            // The router turns a text away as it does all that is no object, and records it.
            Err(fault) => (Value::from(asked.arguments.as_str()).into(), Some(fault)),
        };
        let call = ToolCall {
            name: self.listed_name(&asked.name).to_owned(),
            arguments,
            intent: CallIntent::Direct,
            context: CallContext {
                client: Some(ClientIdentity {
                    name: CLIENT.to_owned(),
                    version: env!("CARGO_PKG_VERSION").to_owned(),
                }),
                ..CallContext::new(CallSurface::Workflow)
            },
            cancel: self.cancel.child_token(),
        };
        let text = match router.call(call).await {
            Ok(result) => result_text(&result),
            Err(ToolFailure::Cancelled) => return Err(AgentFailure::Cancelled),
            Err(
                failure @ (ToolFailure::Unknown { .. }
                | ToolFailure::Unavailable(_)
                | ToolFailure::NotApproved(_)
                | ToolFailure::Internal { .. }),
            ) => format!("error: {failure}"),
        };
        Ok(match fault {
            None => text,
            Some(fault) => cut(format!("error: the arguments are {fault}\n{text}")),
        })
    }

    /// The router's name for what the model calls `name`, which may be nothing.
    fn listed_name<'n>(&'n self, name: &'n str) -> &'n str {
        let offered = self.offered.iter().position(|tool| tool.name() == name);
        offered.and_then(|place| self.names.get(place)).map_or(name, String::as_str)
    }
}
