//! One state: its kind, the ways out of it, what is done around it.

use std::time::Duration;

use awf_core::{
    Capture, Code, CommandSource, Diagnostic, Located, OnFailure, State, StateHooks, StateKind,
    Transition,
};

use crate::{
    period::Period,
    reader::{Field, Findings},
    workflow::{
        meant::{hooks, kind, located, nothing, retry, rules},
        typed::{
            CaptureName, CaptureTyped, EndTyped, OnFailureTyped, StateEntry, StateHooksTyped,
            TransitionTyped,
        },
    },
};

/// The state behind one key of `states`.
pub(super) fn state(entry: StateEntry, findings: &mut Findings<'_>) -> State {
    let name = entry.name;
    let Some(keyed) = entry.state else { return unreadable(name, findings) };
    let mut typed = keyed.typed;
    let decided = kind::decide(&typed, findings);
    rules::judge_useless(&typed, findings);
    if let Some(decided) = decided {
        rules::judge_keys(&keyed.keys, decided, findings);
    }
    State {
        capture: capture(typed.capture.take(), &name),
        description: typed.description.take().given(),
        timeout: typed.timeout.take().given().and_then(|period| timeout(period, findings)),
        on_success: typed.on_success.take().given(),
        on_failure: typed.on_failure.take().given().and_then(|typed| on_failure(typed, findings)),
        transitions: transitions(typed.transitions.take(), findings),
        continue_on_error: typed.continue_on_error.take().given().unwrap_or_default(),
        retry: retry::retry(typed.retry.take(), findings),
        hooks: state_hooks(typed.hooks.take(), findings),
        dir: typed.dir.take().given(),
        env: located(typed.env.take(), findings),
        kind: match decided {
            Some(decided) => kind::kind(decided, typed, findings),
            None => placeholder(findings),
        },
        name,
    }
}

/// A state that could not be read is still a state: whoever leads to it is not wrong.
fn unreadable(name: Located<String>, findings: &Findings<'_>) -> State {
    State {
        name,
        kind: placeholder(findings),
        description: None,
        timeout: None,
        on_success: None,
        on_failure: None,
        transitions: Vec::new(),
        continue_on_error: false,
        retry: None,
        hooks: StateHooks::default(),
        capture: Capture::default(),
        dir: None,
        env: Vec::new(),
    }
}

fn placeholder(findings: &Findings<'_>) -> StateKind {
    StateKind::Command(CommandSource::Inline(nothing(findings)))
}

fn timeout(period: Period, findings: &mut Findings<'_>) -> Option<Duration> {
    match period.duration {
        Ok(Duration::ZERO) => {
            let message = "a timeout of 0 leaves no time at all";
            let hint = "give a longer one, or remove the key: without `timeout` there is no limit";
            findings.hint(Code::InvalidTimeout, period.place, message, hint);
            None
        }
        Ok(duration) => Some(duration),
        Err(why) => {
            findings.say(Code::InvalidTimeout, period.place, format!("the timeout {why}"));
            None
        }
    }
}

fn on_failure(typed: OnFailureTyped, findings: &mut Findings<'_>) -> Option<OnFailure> {
    match typed {
        OnFailureTyped::Goto(state) => Some(OnFailure::Goto(state)),
        OnFailureTyped::End(EndTyped { message, status }) => {
            let status = match status {
                Field::Given(_, status) => exit_code(status, findings),
                Field::Absent | Field::Bad(_) => Some(1),
            };
            Some(OnFailure::End { message: message.given()?, status: status? })
        }
    }
}

fn exit_code(status: Located<i64>, findings: &mut Findings<'_>) -> Option<u8> {
    let code = u8::try_from(status.value).ok().filter(|code| *code > 0);
    if code.is_none() {
        let message = format!("`status` is {}, which is no exit code of a failure", status.value);
        let finding = Diagnostic::new(Code::ParseInvalidValue, message);
        findings.add_at(finding.hinting("use 1 to 255"), status.span);
    }
    code
}

fn transitions(
    typed: Field<Vec<Located<TransitionTyped>>>,
    findings: &mut Findings<'_>,
) -> Vec<Transition> {
    let typed = typed.given().unwrap_or_default();
    typed.into_iter().filter_map(|typed| transition(typed, findings)).collect()
}

fn transition(typed: Located<TransitionTyped>, findings: &mut Findings<'_>) -> Option<Transition> {
    let TransitionTyped { when, goto } = typed.value;
    if matches!(goto, Field::Absent) && !findings.was_misspelt("goto", &typed.span) {
        let finding = Diagnostic::new(Code::InvalidTransition, "a transition leads nowhere");
        findings.add_at(finding.hinting("add `goto` with the name of a state"), typed.span);
    }
    // An empty condition is none.
    let when = when.given().filter(|when| !when.value.trim().is_empty());
    goto.given().map(|goto| Transition { when, goto })
}

fn state_hooks(typed: Field<StateHooksTyped>, findings: &mut Findings<'_>) -> StateHooks {
    let Some(typed) = typed.given() else { return StateHooks::default() };
    StateHooks { pre: hooks(typed.pre, findings), post: hooks(typed.post, findings) }
}

fn capture(typed: Field<CaptureTyped>, state: &Located<String>) -> Capture {
    let Some(typed) = typed.given() else { return Capture::default() };
    let named = |name: Field<CaptureName>, own: String| match name.given()? {
        CaptureName::Named(name) => Some(name.0),
        CaptureName::Own(true) => Some(Located { value: own, span: state.span.clone() }),
        CaptureName::Own(false) => None,
    };
    Capture {
        stdout: named(typed.stdout, state.value.clone()),
        stderr: named(typed.stderr, format!("{}_stderr", state.value)),
        max_size: typed.max_size.given().map(|size| size.0),
        encoding: typed.encoding.given().map(|encoding| encoding.0).unwrap_or_default(),
    }
}
