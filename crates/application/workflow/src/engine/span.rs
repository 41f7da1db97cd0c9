//! Spans of a run and its steps. Tool calls of a step become children of its span.

use awf_core::RunId;
use tracing::{Span, field::Empty, info_span};

use crate::machine::Task;

pub(super) fn run(run: RunId, workflow: &str) -> Span {
    info_span!(
        target: "awf::run",
        "workflow.run",
        awf.run.id = %run,
        workflow.name = workflow,
        otel.status_code = Empty,
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
