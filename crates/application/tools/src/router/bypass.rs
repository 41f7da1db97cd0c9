//! Tools that an agent used past the router: seen in the agent's own stream, and put on record like any call.

use std::time::Instant;

use awf_core::{
    CallContext, CallIntent, OwnToolEnd, OwnToolUse, Refusal, RefusalCode, ToolCall, Warning,
    WarningCode, shown,
};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use crate::router::{ToolRouter, judge::Judged, label::Label, record::Record, span};

impl ToolRouter {
    /// One span, one log line, one record for a tool that `agent` used and that did not come from here. Where the agent
    /// itself has no such tool, nothing happened, and the record says denied.
    pub async fn bypassed(&self, agent: &str, seen: OwnToolUse, context: CallContext) {
        let call = ToolCall {
            name: seen.tool,
            arguments: seen.arguments,
            intent: CallIntent::Direct,
            context,
            cancel: CancellationToken::new(),
        };
        let judged = self.past(agent, &call, seen.end);
        let happened = judged.refusal.is_none();
        let span = span::open(&call, &judged, &self.ports);
        async {
            let record = Record::begin(self, &call, judged).await;
            if happened {
                record.end_bypassed().await;
            } else {
                record.end_refused().await;
            }
        }
        .instrument(span)
        .await;
    }

    fn past(&self, agent: &str, call: &ToolCall, end: OwnToolEnd) -> Judged {
        let tool = shown(&self.ports.redactor.text(&call.name));
        let (warnings, refusal) = match end {
            OwnToolEnd::Ran => {
                let message = format!("`{agent}` used its own `{tool}`, past the proxy");
                (vec![Warning::new(WarningCode::Bypassed, message)], None)
            }
            OwnToolEnd::Unavailable(message) => {
                (Vec::new(), Some(Refusal { code: RefusalCode::UnknownTool, message }))
            }
        };
        let label = Label { server: agent.to_owned(), tool, source: format!("agent:{agent}") };
        Judged { warnings, refusal, ..Judged::new(Instant::now(), label, None) }
    }
}
