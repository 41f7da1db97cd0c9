//! The traces a call leaves: one activity record, one log line, the last attributes of its span.

use std::{
    sync::{Arc, atomic::Ordering},
    time::{Instant, SystemTime},
};

use awf_core::{
    ActivityError, ActivityEvent, ActivityId, CallEnded, CallIntent, CallStarted, Declaration,
    Operation, Outcome, Refusal, RefusalCode, Status, ToolCall, ToolDefinition, ToolFailure,
    Warning, WarningCode, capture,
};
use tracing::Span;

use crate::router::{Answer, Judged, Label, ToolRouter};

/// How much of a call's arguments and of its answer is kept.
const KEPT_BYTES: usize = 64 * 1024;

/// One call on its way through the router, its start already on record.
pub(super) struct Record<'r> {
    router: &'r ToolRouter,
    begun: Instant,
    id: ActivityId,
    request_id: String,
    label: Label,
    pub(super) tool: Option<Arc<ToolDefinition>>,
    pub(super) warnings: Vec<Warning>,
    pub(super) refusal: Option<Refusal>,
}

impl<'r> Record<'r> {
    /// Writes the start event. Where that fails, only reading goes on.
    pub(super) async fn begin(router: &'r ToolRouter, call: &ToolCall, judged: Judged) -> Self {
        let begun = Instant::now();
        let started = started(router, call, &judged);
        let operation = started.operation();
        let mut record = Self {
            router,
            begun,
            id: started.id,
            request_id: started.request_id.clone(),
            label: judged.label,
            tool: judged.tool,
            warnings: judged.warnings,
            refusal: judged.refusal,
        };
        if let Err(error) = record.append(ActivityEvent::Started(Box::new(started))).await {
            record.unrecorded(operation, &error);
        }
        record
    }

    /// The request id the answer and the record share.
    pub(super) fn request_id(&self) -> &str {
        &self.request_id
    }

    /// Writes the end event, the log line and the last attributes of the span.
    pub(super) async fn end(self, outcome: &Result<Answer, ToolFailure>) {
        let (status, error) = ending(outcome);
        let duration_ms = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let redactor = &self.router.ports.redactor;
        let error = error.map(|error| redactor.text(&error).into_owned());
        let response =
            outcome.as_ref().ok().map(|answer| capture(redactor, answer.result.raw(), KEPT_BYTES));
        self.log_line(duration_ms, error.as_deref());
        close_span(duration_ms, outcome);
        let ended =
            CallEnded { id: self.id, at: SystemTime::now(), status, duration_ms, response, error };
        if let Err(error) = self.append(ActivityEvent::Ended(Box::new(ended))).await {
            tracing::error!(%error, "the end of a tool call is not on record");
        }
    }

    async fn append(&self, event: ActivityEvent) -> Result<(), ActivityError> {
        match &self.router.ports.log {
            Some(log) => log.append(&event).await,
            None => Ok(()),
        }
    }

    fn unrecorded(&mut self, operation: Operation, error: &ActivityError) {
        if operation == Operation::Read {
            let count = self.router.unrecorded.fetch_add(1, Ordering::Relaxed) + 1;
            let message = format!("{error}; {count} read calls so far are not on record");
            self.warnings.push(Warning::new(WarningCode::JournalUnavailable, message));
        } else if self.refusal.is_none() {
            let message =
                format!("{error}; calls that change something are refused until it can be written");
            self.refusal = Some(Refusal { code: RefusalCode::JournalUnavailable, message });
        }
    }

    fn log_line(&self, duration_ms: u64, error: Option<&str>) {
        let Label { tool, source, .. } = &self.label;
        let warnings = (!self.warnings.is_empty()).then(|| {
            let codes: Vec<&str> = self.warnings.iter().map(|warning| warning.code).collect();
            codes.join(",")
        });
        match error {
            None => tracing::info!(tool, source, duration_ms, warnings, "tool call"),
            Some(error) => tracing::warn!(tool, source, duration_ms, warnings, error, "tool call"),
        }
    }
}

fn started(router: &ToolRouter, call: &ToolCall, judged: &Judged) -> CallStarted {
    let context = &call.context;
    let trace = router.ports.trace.current_or(context.trace.clone());
    let redactor = &router.ports.redactor;
    CallStarted {
        id: ActivityId::generate(),
        at: SystemTime::now(),
        request_id: context.request_id.to_string(),
        surface: context.surface,
        server: judged.label.server.clone(),
        tool: judged.label.tool.clone(),
        variant: match &call.intent {
            CallIntent::Direct => None,
            CallIntent::Stated { variant, .. } => Some(*variant),
        },
        intent: judged.declaration.as_ref().map(|declaration| Declaration {
            reason: declaration.reason.as_deref().map(|reason| redactor.text(reason).into_owned()),
            ..declaration.clone()
        }),
        outcome: match &judged.refusal {
            Some(refusal) => Outcome::Deny(refusal.code),
            None if judged.warnings.is_empty() => Outcome::Allow,
            None => Outcome::Warn,
        },
        warnings: judged.warnings.clone(),
        arguments: capture(redactor, &call.arguments, KEPT_BYTES),
        run: context.run.clone(),
        step: context.step.clone(),
        session: context.session.clone(),
        trace_id: trace.as_ref().and_then(|trace| trace.trace_id()).map(str::to_owned),
        client: context.client.clone(),
    }
}

/// How a call ended, and what went wrong in one line.
fn ending(outcome: &Result<Answer, ToolFailure>) -> (Status, Option<String>) {
    match outcome {
        Ok(Answer { refusal: Some(refusal), .. }) => {
            (Status::Denied, Some(first_line(&refusal.message)))
        }
        Ok(Answer { result, .. }) if result.is_error() => {
            let text = result.first_text().unwrap_or_default();
            (Status::Error, Some(complaint(&text)))
        }
        Ok(_) => (Status::Success, None),
        Err(failure @ ToolFailure::Unknown { .. }) => (Status::Denied, Some(failure.to_string())),
        Err(failure @ ToolFailure::Cancelled) => (Status::Interrupted, Some(failure.to_string())),
        Err(failure @ (ToolFailure::Unavailable(_) | ToolFailure::Internal { .. })) => {
            (Status::Error, Some(first_line(&failure.to_string())))
        }
    }
}

/// What a failed tool complains of. Its own remark at the end (`[exit code 2]`) says more than the output before it.
fn complaint(text: &str) -> String {
    let remark =
        text.trim_end().lines().last().filter(|line| line.starts_with('[') && line.ends_with(']'));
    remark.map_or_else(|| first_line(text), first_line)
}

/// The first line of a message, short enough for a log.
fn first_line(text: &str) -> String {
    const LONGEST: usize = 300;
    text.lines().next().unwrap_or_default().chars().take(LONGEST).collect()
}

fn close_span(duration_ms: u64, outcome: &Result<Answer, ToolFailure>) {
    let span = Span::current();
    if span.is_disabled() {
        return;
    }
    span.record("tool.duration_ms", duration_ms);
    let kind = match outcome {
        Ok(Answer { refusal: Some(refusal), .. }) => refusal.code.as_str(),
        Ok(Answer { result, .. }) if result.is_error() => "tool_error",
        Ok(_) => return,
        Err(ToolFailure::Unknown { .. }) => RefusalCode::UnknownTool.as_str(),
        Err(ToolFailure::Cancelled) => "cancelled",
        Err(ToolFailure::Unavailable(_)) => "unavailable",
        Err(ToolFailure::Internal { .. }) => "internal",
    };
    span.record("error.type", kind);
    span.record("otel.status_code", "ERROR");
}
