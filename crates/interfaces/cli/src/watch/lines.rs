//! News of a run as lines for a person.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use awf_core::{Outcome, RunStatus, Status, StepError, StepStatus, ToolCalls, Usage};
use awf_tools::CallNews;
use awf_workflow::{Notice, Totals};
use clap::ValueEnum;

use crate::{
    moment::elapsed,
    table::{padded, printable},
    watch::View,
};

/// What becomes of what steps print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StepOutput {
    /// It is not shown
    Silent,
    /// It is shown as it comes
    Streaming,
    /// It is shown when the step has ended
    Buffered,
}

/// What a step printed and was not shown yet is bounded; the journal has its own bound.
const KEPT: usize = 64 * 1024;

/// Turns news into lines. Knows which steps run.
pub(crate) struct Lines {
    view: View,
    run: String,
    steps: BTreeMap<String, Running>,
    /// The failure told last: at the end of a run it is not told again.
    told: Option<StepError>,
    /// Whether a step was under way when the run was stopped.
    broken_off: bool,
}

struct Running {
    kind: &'static str,
    since: Instant,
    /// What was printed and not shown: a line that is not whole yet, or all of it.
    pending: String,
}

impl Lines {
    pub(crate) fn new(view: View) -> Self {
        Self { view, run: String::new(), steps: BTreeMap::new(), told: None, broken_off: false }
    }

    /// The steps that run, and since when.
    pub(crate) fn running(&self) -> impl Iterator<Item = (&str, Instant)> {
        self.steps.iter().map(|(step, running)| (step.as_str(), running.since))
    }

    /// The line that says that a step began, for whoever cannot see it run.
    pub(crate) fn began(notice: &Notice) -> Option<String> {
        let Notice::StepBegan { step, kind, attempt, provider } = notice else { return None };
        let provider = provider.as_ref().map(|name| format!("  {}", printable(name)));
        let again = (*attempt > 1).then(|| format!("  attempt {attempt}"));
        let (provider, again) = (provider.unwrap_or_default(), again.unwrap_or_default());
        Some(format!("  ..   {step}  {kind}{provider}{again}\n"))
    }

    /// The lines a piece of news is worth; empty when it is worth none.
    pub(crate) fn note(&mut self, notice: &Notice) -> String {
        match notice {
            Notice::RunBegan { run, workflow } => {
                self.run = run.to_string();
                format!("{workflow}  run {run}\n")
            }
            Notice::StepBegan { step, kind, .. } => {
                let running = Running { kind, since: Instant::now(), pending: String::new() };
                self.steps.insert(step.clone(), running);
                String::new()
            }
            Notice::Output { step, text, .. } => self.output(step, text),
            Notice::ToolCall { step, call } => self.call(step, call),
            Notice::Retrying { step, attempt, delay, error } => {
                let why = error.as_ref().map(|error| format!(": {}", printable(&error.message)));
                let (why, delay) = (why.unwrap_or_default(), elapsed(*delay));
                format!("  ..   {step}  attempt {attempt} in {delay}{why}\n")
            }
            Notice::StepEnded { step, status, exit_code, elapsed, calls, usage: _, error } => {
                let end = Ended {
                    status: *status,
                    exit_code: *exit_code,
                    elapsed: *elapsed,
                    calls: *calls,
                    error: error.as_ref(),
                };
                self.ended(step, &end)
            }
            Notice::Log { step, text } => {
                let step = step.as_ref().map(|step| format!("{step}  ")).unwrap_or_default();
                let lines = text.lines().map(|line| format!("  --   {step}{}\n", printable(line)));
                lines.collect::<Vec<_>>().concat()
            }
            Notice::Warning { code, message } => {
                format!("  !!   warning[{code}]: {}\n", printable(message))
            }
            Notice::RunEnded { finished, elapsed: took, totals } => {
                let said = finished.message.as_deref().unwrap_or_default().lines();
                let mut text = String::new();
                text.extend(said.map(|line| format!("  --   {}\n", printable(line))));
                let new = finished.error.as_ref().filter(|error| self.told.as_ref() != Some(error));
                let error = new.map(error_line).unwrap_or_default();
                let (run, status) = (&self.run, finished.status);
                let (took, next) = (elapsed(*took), self.next(status));
                let sum = sum(totals);
                format!("{text}{error}run {run}  {}  {took}{sum}\n{next}", status.as_str())
            }
        }
    }

    /// How to go on after a run that did not end well.
    fn next(&self, status: RunStatus) -> String {
        let run = &self.run;
        match (status, self.broken_off) {
            (RunStatus::Failed, _) => format!("next: awf status {run}\n"),
            (RunStatus::Cancelled | RunStatus::Interrupted, false) => {
                format!("next: awf resume {run}\n")
            }
            // What it did is for a person to see before it is done again.
            (RunStatus::Cancelled | RunStatus::Interrupted, true) => {
                format!("next: awf resume {run} --from current\n")
            }
            (RunStatus::Success | RunStatus::Running, _) => String::new(),
        }
    }

    fn output(&mut self, step: &str, text: &str) -> String {
        let several = self.steps.len() > 1;
        let Some(running) = self.steps.get_mut(step) else {
            // A hook: it stands between steps and has no line of its own.
            let shown = self.view.output != StepOutput::Silent;
            return if shown { quoted(text, Some(step)) } else { String::new() };
        };
        match self.view.output {
            StepOutput::Silent => String::new(),
            StepOutput::Buffered => {
                keep(&mut running.pending, text);
                String::new()
            }
            StepOutput::Streaming => {
                running.pending.push_str(text);
                let whole = match running.pending.rfind('\n') {
                    Some(end) => end + 1,
                    None if running.pending.len() > KEPT => running.pending.len(),
                    None => return String::new(),
                };
                let rest = running.pending.split_off(whole);
                let lines = std::mem::replace(&mut running.pending, rest);
                quoted(&lines, several.then_some(step))
            }
        }
    }

    fn call(&self, step: &str, call: &CallNews) -> String {
        let (word, end) = match call.outcome {
            Outcome::Deny(code) => (self.view.icons.denied(), format!("  {code}")),
            Outcome::Allow | Outcome::Warn => match call.status {
                Status::Bypassed => (self.view.icons.past(), "  BYPASSED".to_owned()),
                Status::Success => (self.view.icons.operation(call.operation), String::new()),
                Status::Started | Status::Error | Status::Denied | Status::Interrupted => {
                    (self.view.icons.operation(call.operation), "  failed".to_owned())
                }
            },
        };
        let several = self.steps.len() > 1;
        let step = if several { format!("{}: ", printable(step)) } else { String::new() };
        let (word, took) = (padded(&word, 8), elapsed(call.elapsed));
        let tool = match call.server.as_str() {
            "" | "builtin" => call.tool.clone(),
            server => format!("{server}:{}", call.tool),
        };
        let (tool, subject) = (printable(&tool), printable(&call.subject));
        format!("       {step}{word} {tool:<6} {subject}  {took}{end}\n")
    }

    fn ended(&mut self, step: &str, end: &Ended<'_>) -> String {
        let several = self.steps.len() > 1;
        let running = self.steps.remove(step);
        let text = match &running {
            Some(running) => quoted(&running.pending, several.then_some(step)),
            None => String::new(),
        };
        // What has others beneath it is told only when it failed, and never began.
        let kind = running.map(|running| format!("  {}", running.kind)).unwrap_or_default();
        let mark = match end.status {
            StepStatus::Completed => "ok  ",
            StepStatus::Failed => "FAIL",
            StepStatus::Cancelled | StepStatus::Interrupted => "stop",
            StepStatus::Pending | StepStatus::Running => "..  ",
        };
        let code = match (end.status, end.exit_code) {
            (StepStatus::Failed, code) => format!("  exit {code}"),
            _ => String::new(),
        };
        let calls = counted(end.calls);
        self.broken_off |= end.status == StepStatus::Cancelled;
        let error = end.error.map(error_line).unwrap_or_default();
        self.told = end.error.cloned();
        let took = elapsed(end.elapsed);
        format!("{text}  {mark} {step}{kind}  {took}{code}{calls}\n{error}")
    }
}

/// Tool calls, those refused among them, and what passed them by.
fn counted(calls: ToolCalls) -> String {
    let ToolCalls { made, denied, bypassed } = calls;
    let made = match (made, bypassed) {
        (0, 0) => return String::new(),
        (1, _) => "1 call".to_owned(),
        (made, _) => format!("{made} calls"),
    };
    let more = [(denied, "denied"), (bypassed, "bypassed")].into_iter();
    let more =
        more.filter(|(count, _)| *count > 0).map(|(count, word)| format!(", {count} {word}"));
    format!("  {made}{}", more.collect::<Vec<_>>().concat())
}

/// What a run came to: calls, tokens, cost. A guess is marked.
fn sum(totals: &Totals) -> String {
    let Usage { input_tokens, output_tokens, estimated, cost } = totals.usage;
    let about = if estimated { "~" } else { "" };
    let tokens = (input_tokens > 0 || output_tokens > 0)
        .then(|| format!("  {about}{input_tokens} tokens in, {about}{output_tokens} out"));
    let cost = cost.map(|cost| format!("  ${cost:.4}"));
    format!("{}{}{}", counted(totals.calls), tokens.unwrap_or_default(), cost.unwrap_or_default())
}

struct Ended<'a> {
    status: StepStatus,
    exit_code: i32,
    elapsed: Duration,
    calls: ToolCalls,
    error: Option<&'a StepError>,
}

fn error_line(error: &StepError) -> String {
    let mut text = String::new();
    let mut lines = error.message.lines();
    let first = printable(lines.next().unwrap_or_default());
    text.extend([format!("       error[{}]: {first}\n", error.code)]);
    text.extend(lines.map(|line| format!("         {}\n", printable(line))));
    text
}

/// What a step printed, set apart from what awf says.
fn quoted(text: &str, step: Option<&str>) -> String {
    let name = step.map(|step| format!("{step} ")).unwrap_or_default();
    let mut quoted = String::new();
    quoted.extend(text.lines().map(|line| format!("       {name}| {}\n", tamed(line))));
    quoted
}

/// A step must not move the cursor or colour what follows.
fn tamed(line: &str) -> String {
    let tame = |c: char| if c == '\t' || !c.is_control() { Some(c) } else { None };
    line.chars().filter_map(tame).collect()
}

/// Keeps the end of what was printed.
fn keep(pending: &mut String, text: &str) {
    pending.push_str(text);
    if pending.len() > 2 * KEPT {
        let from = pending.ceil_char_boundary(pending.len() - KEPT);
        *pending = format!("[…]\n{}", pending.get(from..).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests;
