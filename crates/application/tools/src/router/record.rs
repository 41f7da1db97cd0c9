//! The traces a call leaves: one activity record, one log line, the last attributes of its span.

use std::{
    sync::{Arc, atomic::Ordering},
    time::{Instant, SystemTime},
};

use awf_core::{
    ActivityError, ActivityEvent, ActivityId, CallEnded, CallIntent, CallStarted, Captured,
    ClientIdentity, Declaration, Operation, Outcome, Redactor, Refusal, RefusalCode, Status,
    ToolCall, ToolDefinition, ToolFailure, Warning, WarningCode, capture,
};
use futures_util::FutureExt as _;
use tracing::Span;

use crate::router::{Answer, ToolRouter, judge::Judged, label::Label};

/// What log lines of calls are filtered by: `--log-level warn,awf_tools::calls=off`.
const CALLS: &str = "awf_tools::calls";

/// How much of a call's arguments and of its answer is kept.
const KEPT_BYTES: usize = 64 * 1024;

/// How much of an error is shown in a log line and kept in a record, in characters.
const SHOWN_ERROR: usize = 300;

/// How much of a reason is kept, in characters: as much as one may have.
const KEPT_REASON: usize = 1000;

/// How far past a cut is read, in characters: more than a key takes.
const SEEN_PAST_CUT: usize = 8 * 1024;

/// One call on its way through the router, its start already on record.
pub(super) struct Record<'r> {
    router: &'r ToolRouter,
    begun: Instant,
    id: ActivityId,
    request_id: String,
    pub(super) label: Label,
    pub(super) tool: Option<Arc<ToolDefinition>>,
    pub(super) warnings: Vec<Warning>,
    pub(super) refusal: Option<Refusal>,
    /// Its end is not on record yet.
    open: bool,
}

impl<'r> Record<'r> {
    /// Writes the start event. Where that fails, only reading goes on.
    pub(super) async fn begin(router: &'r ToolRouter, call: &ToolCall, judged: Judged) -> Self {
        let started = started(router, call, &judged);
        let operation = started.operation();
        let mut record = Self {
            router,
            begun: judged.begun,
            id: started.id,
            request_id: started.request_id.clone(),
            label: judged.label,
            tool: judged.tool,
            warnings: judged.warnings,
            refusal: judged.refusal,
            open: true,
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

    /// Writes the log line, the last attributes of the span and the end event.
    pub(super) async fn end(self, outcome: &Result<Answer, ToolFailure>) {
        let redactor = &self.router.ports.redactor;
        let response = outcome.as_ref().ok();
        let response = response.map(|answer| capture(redactor, answer.result.raw(), KEPT_BYTES));
        let ending = Ending::of(outcome, self.refusal.as_ref());
        self.conclude(ending, response).await;
    }

    /// The same for a call that passed this house by.
    pub(super) async fn end_bypassed(self) {
        let error = Some("the agent used a tool of its own, past the proxy".to_owned());
        let ending = Ending { status: Status::Bypassed, error, kind: Some("bypassed") };
        self.conclude(ending, None).await;
    }

    /// The same for a call that was turned away elsewhere.
    pub(super) async fn end_refused(self) {
        let error = self.refusal.as_ref().map(|refusal| first_line(&refusal.message));
        let ending = Ending { status: Status::Denied, error, kind: Some("UNKNOWN_TOOL") };
        self.conclude(ending, None).await;
    }

    async fn conclude(mut self, ending: Ending, response: Option<Captured>) {
        let ended = self.close(ending, response);
        if let Err(error) = self.append(ActivityEvent::Ended(Box::new(ended))).await {
            tracing::error!(%error, "the end of a tool call is not on record");
        }
    }

    /// Says how it ended, and gives the event that records it.
    fn close(&mut self, ending: Ending, response: Option<Captured>) -> CallEnded {
        self.open = false;
        let duration_ms = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let redactor = &self.router.ports.redactor;
        let error = ending.error.map(|error| cut(&redactor.text(&error), SHOWN_ERROR));
        self.log_line(duration_ms, error.as_deref());
        close_span(duration_ms, ending.kind);
        let (id, at, status) = (self.id, SystemTime::now(), ending.status);
        CallEnded { id, at, status, duration_ms, response, error }
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
            None => tracing::info!(target: CALLS, tool, source, duration_ms, warnings, "tool call"),
            Some(error) => {
                tracing::warn!(target: CALLS, tool, source, duration_ms, warnings, error, "tool call");
            }
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
        request_id: redactor.text(context.request_id.as_str()).into_owned(),
        surface: context.surface,
        server: judged.label.server.clone(),
        tool: judged.label.tool.clone(),
        variant: match &call.intent {
            CallIntent::Direct => None,
            CallIntent::Stated { variant, .. } => Some(*variant),
        },
        intent: judged.declaration.as_ref().map(|declaration| Declaration {
            reason: declaration.reason.as_deref().map(|reason| kept_reason(redactor, reason)),
            ..declaration.clone()
        }),
        outcome: match &judged.refusal {
            Some(refusal) => Outcome::Deny(refusal.code),
            None if judged.warnings.is_empty() => Outcome::Allow,
            None => Outcome::Warn,
        },
        warnings: judged.warnings.iter().map(|warning| clean_warning(redactor, warning)).collect(),
        arguments: capture(redactor, &call.arguments, KEPT_BYTES),
        run: context.run.clone(),
        step: context.step.clone(),
        session: context.session.clone(),
        trace_id: trace.as_ref().and_then(|trace| trace.trace_id()).map(str::to_owned),
        client: context.client.as_ref().map(|client| {
            let clean = |text: &str| redactor.text(text).into_owned();
            ClientIdentity { name: clean(&client.name), version: clean(&client.version) }
        }),
    }
}

/// A reason that is in order is kept whole, of one that is too long as much. Redacted before it is cut: half a secret is no
/// longer recognised.
fn kept_reason(redactor: &Redactor, reason: &str) -> String {
    cut(&redactor.text(&cut(reason, KEPT_REASON + SEEN_PAST_CUT)), KEPT_REASON)
}

fn clean_warning(redactor: &Redactor, warning: &Warning) -> Warning {
    Warning { code: warning.code, message: redactor.text(&warning.message).into_owned() }
}

/// A call whose future is dropped (its caller left and it did not end in time) is over all the same.
impl Drop for Record<'_> {
    fn drop(&mut self) {
        if self.open {
            let error = Some("dropped: it did not end in time after it was cancelled".to_owned());
            let ending = Ending { status: Status::Interrupted, error, kind: Some("cancelled") };
            let ended = self.close(ending, None);
            let appended = self.append(ActivityEvent::Ended(Box::new(ended))).now_or_never();
            if !matches!(appended, Some(Ok(()))) {
                tracing::error!("the end of a dropped tool call is not on record");
            }
        }
    }
}

/// How a call ended.
struct Ending {
    status: Status,
    /// What went wrong, not yet redacted.
    error: Option<String>,
    /// The span's `error.type`.
    kind: Option<&'static str>,
}

impl Ending {
    fn of(outcome: &Result<Answer, ToolFailure>, refusal: Option<&Refusal>) -> Self {
        if let Some(refusal) = refusal {
            let error = Some(first_line(&refusal.message));
            return Self { status: Status::Denied, error, kind: Some(refusal.code.as_str()) };
        }
        let (status, error, kind) = match outcome {
            Ok(answer) if answer.result.is_error() => {
                let text = answer.result.first_text().unwrap_or_default();
                (Status::Error, complaint(&text), "tool_error")
            }
            Ok(_) => return Self { status: Status::Success, error: None, kind: None },
            Err(failure) => {
                let (status, kind) = match failure {
                    ToolFailure::Unknown { .. } => (Status::Denied, "UNKNOWN_TOOL"),
                    ToolFailure::Cancelled => (Status::Interrupted, "cancelled"),
                    ToolFailure::NotApproved(_) => (Status::Denied, "TOOL_NOT_APPROVED"),
                    ToolFailure::Unavailable(_) => (Status::Error, "unavailable"),
                    ToolFailure::Internal { .. } => (Status::Error, "internal"),
                };
                (status, first_line(&failure.to_string()), kind)
            }
        };
        Self { status, error: Some(error), kind: Some(kind) }
    }
}

/// What a failed tool complains of. Its own remark at the end (`[exit code 2]`) says more than the output before it.
fn complaint(text: &str) -> String {
    let last = text.trim_end().lines().last();
    let remark = last.filter(|line| line.starts_with('[') && line.ends_with(']'));
    remark.map_or_else(|| first_line(text), first_line)
}

/// The first line of a message, as far as redaction must see it.
fn first_line(text: &str) -> String {
    cut(text.lines().next().unwrap_or_default(), SHOWN_ERROR + SEEN_PAST_CUT)
}

fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

fn close_span(duration_ms: u64, kind: Option<&'static str>) {
    let span = Span::current();
    // A number without a sign would be exported as a text.
    span.record("tool.duration_ms", i64::try_from(duration_ms).unwrap_or(i64::MAX));
    if let Some(kind) = kind {
        span.record("error.type", kind);
        span.record("otel.status_code", "ERROR");
    }
}
