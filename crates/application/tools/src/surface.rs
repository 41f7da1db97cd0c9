//! The intent surface: one tool that finds tools, and three that call them, so that a client can let reading pass and ask
//! for the rest.
//!
//! It decides nothing. A call of a variant becomes a call of the router with what was stated beside it, and the router
//! judges that in its fixed order.

use std::sync::Arc;

use async_trait::async_trait;
use awf_core::{
    ClientIdentity, IntentPolicy, ToolCall, ToolDefinition, ToolFailure, ToolProvider, ToolResult,
    Variant,
};

use crate::{
    router::{Answer, ToolRouter},
    surface::{
        offer::{Offer, RETRIEVE_TOOLS},
        retrieve::Retrieval,
    },
};

mod entry;
mod list;
mod offer;
mod query;
mod request;
mod retrieve;

pub use list::ToolList;
pub use query::{TOOLS_MOST, TOOLS_USUAL};

/// The one tool that called everything, in the days before the variants.
const CALL_TOOL: &str = "call_tool";
/// What a caller of it is told.
const CALL_TOOL_GONE: &str = "Tool 'call_tool' not found. Use call_tool_read, call_tool_write, or call_tool_destructive with matching intent.operation_type. See retrieve_tools for annotations and recommendations.";

/// A router behind `retrieve_tools` and the three variants.
pub struct IntentSurface {
    router: Arc<ToolRouter>,
    offer: Offer,
    retrieval: Retrieval,
}

impl IntentSurface {
    /// Offers what `router` has. Its tools are called by address only, so it is best built with
    /// [`Naming::ByAddress`](awf_core::Naming::ByAddress).
    pub fn new(router: Arc<ToolRouter>, policy: IntentPolicy) -> Self {
        let (offer, retrieval) = (Offer::new(policy.mode), Retrieval::new(policy));
        Self { router, offer, retrieval }
    }

    /// Calls one of the four, and says whether the call was refused. `Err` is for calls of anything else and for a host
    /// that broke.
    pub async fn judge_and_call(&self, call: ToolCall) -> Result<Answer, ToolFailure> {
        if call.name == RETRIEVE_TOOLS {
            return self.retrieval.answer(&self.router, call).await;
        }
        match Variant::ALL.into_iter().find(|variant| variant.as_str() == call.name) {
            Some(variant) => self.router.judge_and_call(request::inner(variant, call)).await,
            None => self.router.unknown_call(call).await,
        }
    }

    /// The tools that the variants lead to: the best `limit` for `query`, as `retrieve_tools` finds them, or all in order
    /// of name where nothing is asked for. This is no call, and leaves no record.
    pub async fn list(&self, query: &str, limit: usize) -> Result<ToolList, ToolFailure> {
        let findings = self.retrieval.look_up(&self.router, query, limit).await?;
        Ok(ToolList::new(findings, self.retrieval.unannotated()))
    }
}

#[async_trait]
impl ToolProvider for IntentSurface {
    async fn tools(&self) -> Result<Vec<Arc<ToolDefinition>>, ToolFailure> {
        Ok(self.offer.tools(None))
    }

    async fn call(&self, call: ToolCall) -> Result<ToolResult, ToolFailure> {
        self.judge_and_call(call).await.map(|answer| answer.result)
    }

    async fn close(&self) {
        self.router.close().await;
    }

    async fn tools_for(
        &self,
        client: Option<&ClientIdentity>,
    ) -> Result<Vec<Arc<ToolDefinition>>, ToolFailure> {
        Ok(self.offer.tools(client))
    }

    fn unknown(&self, name: &str) -> String {
        match name {
            CALL_TOOL => CALL_TOOL_GONE.to_owned(),
            name => ToolFailure::Unknown { name: name.to_owned() }.to_string(),
        }
    }
}
