//! Spans of a run, its steps, and the turns of its agents. Tool calls of a step become children of its span, and point to
//! the turn that brought them about.

use awf_core::{AgentRequest, RunId, StepResult, Usage};
use tracing::{Span, field::Empty, info_span};

use crate::machine::Task;

pub(super) fn run(run: RunId, workflow: &str) -> Span {
    info_span!(
        target: "awf::run",
        "workflow.run",
        awf.run.id = %run,
        workflow.name = workflow,
        otel.status_code = Empty,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        awf.cost_usd = Empty,
    )
}

/// One attempt of a step.
pub(super) fn step(parent: &Span, run: RunId, task: &Task) -> Span {
    let span = info_span!(
        target: "awf::run",
        parent: parent,
        "step",
        otel.name = Empty,
        otel.status_code = Empty,
        awf.run.id = %run,
        awf.step.name = task.step,
        awf.step.attempt = task.attempt,
    );
    if !span.is_disabled() {
        span.record("otel.name", format!("step.{}", task.step));
    }
    span
}

/// One turn of an agent: it is asked, and answers.
pub(super) fn turn(agent: &str, request: &AgentRequest) -> Span {
    let span = info_span!(
        target: "awf::run",
        "agent",
        otel.name = Empty,
        otel.kind = "client",
        otel.status_code = Empty,
        gen_ai.operation.name = "invoke_agent",
        gen_ai.agent.name = agent,
        gen_ai.conversation.id = Empty,
        gen_ai.response.model = Empty,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        awf.cost_usd = Empty,
        awf.run.id = request.run,
        awf.step.name = request.step,
        error.type = Empty,
    );
    if !span.is_disabled() {
        span.record("otel.name", format!("agent.{agent}"));
    }
    span
}

/// Says what was used.
pub(super) fn record_usage(span: &Span, usage: Usage) {
    // Numbers without a sign would be exported as texts.
    let count = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
    span.record("gen_ai.usage.input_tokens", count(usage.input_tokens));
    span.record("gen_ai.usage.output_tokens", count(usage.output_tokens));
    if let Some(cost) = usage.cost {
        span.record("awf.cost_usd", cost);
    }
}

/// Says how a turn ended.
pub(super) fn close_turn(span: &Span, result: &StepResult) {
    record_usage(span, result.usage);
    if let Some(session) = &result.session {
        span.record("gen_ai.conversation.id", session);
    }
    match &result.error {
        None => span.record("otel.status_code", "OK"),
        Some(error) => {
            span.record("otel.status_code", "ERROR").record("error.type", error.code.as_str())
        }
    };
}
