//! Calls that a surface answers itself: they leave the same traces as any other.

use std::time::Instant;

use awf_core::{
    CallIntent, Declaration, Operation, Origin, Refusal, RefusalCode, ToolCall, ToolFailure,
    ToolResult, shown,
};
use tracing::Instrument as _;

use crate::router::{Answer, ToolRouter, judge::Judged, label::Label, record::Record, span};

/// What awf calls itself before the colon.
const SERVER: &str = "awf";

impl ToolRouter {
    /// One span, one log line, one record for a reading call of awf's own `tool`, which `work` answers unless it is
    /// refused.
    pub(crate) async fn answer_own(
        &self,
        tool: &str,
        call: &ToolCall,
        work: Result<impl Future<Output = Result<ToolResult, ToolFailure>>, Refusal>,
    ) -> Result<Answer, ToolFailure> {
        let label = Label { server: SERVER.into(), tool: tool.into(), source: SERVER.into() };
        let (operation, origin) = (Operation::Read, Origin::Derived);
        let read = Declaration { operation, origin, sensitivity: None, reason: None };
        let (work, refusal) = match work {
            Ok(work) => (Some(work), None),
            Err(refusal) => (None, Some(refusal)),
        };
        let judged = Judged { refusal, ..Judged::new(Instant::now(), label, Some(read)) };
        let span = span::open(call, &judged, &self.ports);
        async {
            let record = Record::begin(self, call, judged).await;
            let outcome = match (work, record.refusal.clone()) {
                (Some(work), None) => work
                    .await
                    .map(|result| Answer::of(result, &record.warnings, record.request_id())),
                (_, Some(refusal)) => Ok(Answer::refused(refusal, call, &record.label, None)),
                (None, None) => Err(ToolFailure::Unavailable("nothing answers the call".into())),
            };
            record.end(&outcome).await;
            outcome
        }
        .instrument(span)
        .await
    }

    /// The same for a name that a surface does not have, whatever the router has under it.
    pub(crate) async fn unknown_call(&self, call: ToolCall) -> Result<Answer, ToolFailure> {
        let call = ToolCall { intent: CallIntent::Direct, ..call };
        let message = format!("Unknown tool '{}'", shown(&call.name));
        let refusal = Refusal { code: RefusalCode::UnknownTool, message };
        let judged = self.turned_away(Instant::now(), &call, refusal, None);
        self.carry_out(call, judged).await
    }
}
