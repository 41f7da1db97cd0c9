//! The waterfall: a row for each attempt of a step, each turn and each call, with a bar where it lies in time. The bars are
//! pictures with numbers in them, no styles: the page allows none but its own.

use awf_core::{
    ActivityRecord, AttemptSpan, CallSpan, StepSpan, Stretch, Timeline, TurnSpan, Usage, elapsed,
};
use maud::{Markup, html};

use crate::page::{
    activity::{intent, status},
    run::{
        Home,
        axis::{Axis, WIDTH},
        call,
    },
};

pub(super) fn waterfall(timeline: &Timeline<'_>, home: Home) -> Markup {
    let axis = Axis::of(timeline);
    let total = axis.total();
    html! {
        div .waterfall {
            div .line .axis aria-hidden="true" {
                span .label {}
                span .scale { span { "0" } span { (elapsed(total / 2)) } span { (elapsed(total)) } }
                span .took {}
            }
            ol role="list" {
                @for step in &timeline.steps {
                    @for attempt in &step.attempts { (rows(&axis, step, attempt, home)) }
                }
                @for record in &timeline.stray { (stray(&axis, timeline, record, home)) }
            }
        }
    }
}

/// An attempt, its turns, and below each the calls that were made in it.
fn rows(axis: &Axis, step: &StepSpan<'_>, attempt: &AttemptSpan<'_>, home: Home) -> Markup {
    let calls = |turn: Option<u32>| attempt.calls.iter().filter(move |call| call.turn == turn);
    html! {
        (attempt_row(axis, step, attempt))
        @for call in calls(None) { (call_row(axis, call, "level-1", home)) }
        @for turn in &attempt.turns {
            (turn_row(axis, turn))
            @for call in calls(Some(turn.turn.number)) { (call_row(axis, call, "level-2", home)) }
        }
    }
}

fn attempt_row(axis: &Axis, step: &StepSpan<'_>, attempt: &AttemptSpan<'_>) -> Markup {
    let word = attempt.status.as_str();
    html! {
        li .step data-step=(step.name) data-attempt=(attempt.number) {
            div .line {
                span .label {
                    strong { (step.name) }
                    @if step.attempts.len() > 1 { span .quiet { " attempt " (attempt.number) } }
                    " " span class={ "status " (word) } { (word) }
                }
                (bar(axis, attempt.span, &format!("step {word}")))
                (took(axis, attempt.span))
            }
            @if let Some(error) = attempt.error {
                p .trouble { code { (error.code.as_str()) } " " (error.message) }
            }
        }
    }
}

fn turn_row(axis: &Axis, turn: &TurnSpan<'_>) -> Markup {
    html! {
        li .turn .level-1 data-turn=(turn.turn.number) {
            div .line {
                span .label {
                    "Turn " (turn.turn.number)
                    @if let Some(usage) = turn.turn.usage { " " span .quiet { (tokens(usage)) } }
                    @if !turn.turn.head.is_empty() { span .said { (turn.turn.head) } }
                }
                (bar(axis, turn.span, "turn"))
                (took(axis, turn.span))
            }
        }
    }
}

fn call_row(axis: &Axis, call: &CallSpan<'_>, level: &str, home: Home) -> Markup {
    let (record, started) = (call.record, &call.record.started);
    let word = record.status.as_str();
    html! {
        li class={ "call " (level) } data-call=(started.id) {
            details id={ "call-" (started.id) } {
                summary .line {
                    span .label {
                        code { @if !started.server.is_empty() { (started.server) ":" } (started.tool) }
                        " " (intent(started.intent.as_ref().map(|intent| intent.operation)))
                        " " (status(record))
                        @if let Some(code) = started.outcome.refusal() { " " code { (code.as_str()) } }
                    }
                    (bar(axis, call.span, &format!("call {word}")))
                    (took(axis, call.span))
                }
                (call::sheet(record, home))
            }
        }
    }
}

/// A call of a step that the journal does not have: it lies somewhere in the run.
fn stray(axis: &Axis, timeline: &Timeline<'_>, record: &ActivityRecord, home: Home) -> Markup {
    let began = record.started.at;
    let until = record.ended.as_ref().map_or(timeline.until, |ended| ended.at);
    let call = CallSpan { turn: None, span: Stretch { began, until }, record };
    call_row(axis, &call, "level-0", home)
}

fn bar(axis: &Axis, span: Stretch, kind: &str) -> Markup {
    let piece = axis.piece(span);
    html! {
        svg .bar viewBox={ "0 0 " (WIDTH) " 10" } preserveAspectRatio="none" aria-hidden="true" focusable="false" {
            @for at in axis.breaks() { rect .break x=(at) y="0" width="2" height="10" {} }
            rect class=(kind) x=(piece.x) y="0" width=(piece.width) height="10" rx="1" {}
        }
    }
}

/// How long, and from when on.
fn took(axis: &Axis, span: Stretch) -> Markup {
    let begin = elapsed(axis.since_begin(span.began));
    html! {
        span .took { (elapsed(span.length())) span .from { span .unseen { ", " } "from " (begin) } }
    }
}

/// What was used, `~` where it is a guess.
pub(super) fn tokens(usage: Usage) -> String {
    let about = if usage.estimated { "~" } else { "" };
    let (read, written) = (usage.input_tokens, usage.output_tokens);
    let cost = usage.cost.map(|cost| format!(", ${cost:.4}")).unwrap_or_default();
    format!("{about}{read} tokens in, {about}{written} out{cost}")
}
