//! One run: what became of it, and a waterfall of its steps, turns and calls. The same for the page and for a file.

use std::sync::Arc;

use awf_core::{
    Loss, RunStatus, Shortfall, StepError, Stretch, Timeline, ToolCalls, Usage, elapsed,
};
use axum::{
    extract::{Path, State},
    http::{StatusCode, Uri},
    response::{IntoResponse as _, Response},
};
use maud::{Markup, html};

use crate::{
    api::runs as api,
    house::House,
    page::{
        layout::{Section, notice, page, problem},
        moment::time,
    },
    problem::Problem,
    query::Parameters,
};

mod axis;
mod call;
mod file;
mod waterfall;

pub use file::run_file;

/// Where a timeline is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Home {
    /// Beside the other pages, which it can lead to.
    Page,
    /// In a file that stands alone.
    File,
}

pub(crate) async fn show(
    State(house): State<Arc<House>>,
    Path(id): Path<String>,
    uri: Uri,
) -> Response {
    let found = async {
        Parameters::none(&uri)?;
        api::reading(&house, &id).await
    };
    let reading = match found.await {
        Ok(reading) => reading,
        Err(failed) => return problem(Section::Runs, &failed),
    };
    let Some(timeline) = reading.timeline() else {
        let headless = "its journal lacks its beginning";
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        return problem(Section::Runs, &Problem::new(status, "RUN_DAMAGED", headless));
    };
    let body = html! {
        (sheet(&timeline, reading.short(), Home::Page))
        p { a href="/runs" { "All runs" } }
    };
    page(Section::Runs, &timeline.began.workflow, &body).into_response()
}

/// All there is to see of a run. What is still under way says so: the script looks again.
fn sheet(timeline: &Timeline<'_>, short: &Shortfall, home: Home) -> Markup {
    let live = timeline.status == RunStatus::Running && home == Home::Page;
    html! {
        div #run data-live[live] {
            p .lead { (run_status(timeline.status)) " " code { (timeline.began.id) } }
            (shortfall(short))
            @if let Some(error) = timeline.finished.and_then(|end| end.error.as_ref()) { (trouble(error)) }
            (about(timeline))
            section aria-labelledby="waterfall" {
                h2 #waterfall { "Timeline" }
                @if timeline.steps.is_empty() {
                    p .quiet { "No step has begun." }
                } @else {
                    (waterfall::waterfall(timeline, home))
                }
            }
        }
    }
}

/// The word for how a run stands.
pub(super) fn run_status(status: RunStatus) -> Markup {
    let word = status.as_str();
    html! { span class={ "status " (word) } { (word) } }
}

fn trouble(error: &StepError) -> Markup {
    html! { p .notice { code { (error.code.as_str()) } " " (error.message) } }
}

/// What is not there is told before what is.
fn shortfall(short: &Shortfall) -> Markup {
    html! {
        @if let Some(loss) = &short.loss { (notice("DAMAGED", &lost(loss))) }
        @if let Some(reason) = &short.log {
            (notice("NO_CALLS", &format!("tool calls are not shown: {reason}")))
        }
        @if short.calls > 0 {
            (notice("CUT", &format!("{} earlier tool calls are not shown: `awf activity list --run` has them", short.calls)))
        }
    }
}

/// What of a journal cannot be shown.
pub(super) fn lost(loss: &Loss) -> String {
    match loss {
        Loss::Damaged { line, message } => {
            format!("the run's journal cannot be read from line {line} on: {message}")
        }
        Loss::TooLong { events } => {
            format!("the run's journal is too long: its last {events} events are not shown")
        }
    }
}

fn about(timeline: &Timeline<'_>) -> Markup {
    let (began, end) = (timeline.began, timeline.finished);
    let whole = Stretch { began: began.at, until: timeline.until };
    let stopped = timeline.stopped_at();
    html! {
        div .columns {
            dl {
                dt { "Began" } dd { (time(began.at)) " UTC" }
                dt { "Duration" } dd { (elapsed(whole.length())) }
                @if timeline.stretches.len() > 1 {
                    dt { "Resumed" } dd { (timeline.stretches.len() - 1) " times; the time between is left out below" }
                }
                @if let Some(end) = end {
                    dt { "Ended in" } dd { (end.state) ", exit code " (end.exit_code) }
                    @if let Some(message) = &end.message { dt { "Message" } dd { (message) } }
                }
                @if !stopped.is_empty() { dt { "Stopped at" } dd { (stopped.join(", ")) } }
            }
            dl {
                dt { "Steps" } dd { (timeline.steps.len()) }
                dt { "Tool calls" } dd { (calls(timeline.calls())) }
                @if let Some(usage) = used(timeline) { dt { "Tokens" } dd { (waterfall::tokens(usage)) } }
                @if let Some(provider) = &began.provider { dt { "Provider" } dd { (provider) } }
                dt { "Directory" } dd { code { (began.dir.display()) } }
                dt { "awf" } dd { (began.version) }
            }
        }
    }
}

fn calls(calls: ToolCalls) -> String {
    let ToolCalls { made, denied, bypassed } = calls;
    match bypassed {
        0 => format!("{made}, {denied} denied"),
        past => format!("{made}, {denied} denied, {past} past the proxy"),
    }
}

/// What all agents used, if there were any.
fn used(timeline: &Timeline<'_>) -> Option<Usage> {
    let attempts = timeline.steps.iter().flat_map(|step| &step.attempts);
    let results = attempts.filter_map(|attempt| attempt.result);
    let sum = results.fold(Usage::default(), |sum, result| sum.plus(result.usage));
    (sum != Usage::default()).then_some(sum)
}
