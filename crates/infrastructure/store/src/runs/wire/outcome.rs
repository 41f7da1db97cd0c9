//! What the world answered to a task.

use std::{borrow::Cow, time::Duration};

use awf_core::{StepError, StepResult, StepStatus, TaskOutcome, ToolCalls, Usage};
use serde::{Deserialize, Serialize};

use crate::runs::wire::{
    Unreadable,
    finished::Fault,
    json::{Json, Object},
};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Outcome<'a> {
    #[serde(borrow)]
    Step(Box<Step<'a>>),
    Value(Json<'a>),
    Failed(Fault<'a>),
    Elapsed,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Step<'a> {
    status: Cow<'a, str>,
    exit_code: i32,
    elapsed_ns: u64,
    output: Cow<'a, str>,
    stderr: Cow<'a, str>,
    #[serde(borrow)]
    response: Object<'a>,
    /// In a list of one or none: JSON that is `null` is not the lack of JSON.
    json: Vec<Json<'a>>,
    usage: Used,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<Cow<'a, str>>,
    calls: Calls,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Fault<'a>>,
    captured: Vec<(Cow<'a, str>, Cow<'a, str>)>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Used {
    input_tokens: u64,
    output_tokens: u64,
    estimated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
}

#[derive(Serialize, Deserialize)]
struct Calls {
    made: u64,
    denied: u64,
    #[serde(default)]
    bypassed: u64,
}

impl<'a> From<&'a TaskOutcome> for Outcome<'a> {
    fn from(outcome: &'a TaskOutcome) -> Self {
        match outcome {
            TaskOutcome::Step(result) => Self::Step(Box::new(Step::from(&**result))),
            TaskOutcome::Value(value) => Self::Value(Json::Value(value)),
            TaskOutcome::Failed(error) => Self::Failed(Fault::from(error)),
            TaskOutcome::Elapsed => Self::Elapsed,
        }
    }
}

impl<'a> From<&'a StepResult> for Step<'a> {
    fn from(result: &'a StepResult) -> Self {
        let captured = result.captured.iter().map(|(name, text)| (name.into(), text.into()));
        let ToolCalls { made, denied, bypassed } = result.calls;
        Self {
            status: result.status.as_str().into(),
            exit_code: result.exit_code,
            elapsed_ns: u64::try_from(result.elapsed.as_nanos()).unwrap_or(u64::MAX),
            output: (&result.output).into(),
            stderr: (&result.stderr).into(),
            response: (&result.response).into(),
            json: result.json.iter().map(Json::Value).collect(),
            usage: result.usage.into(),
            session: result.session.as_deref().map(Cow::Borrowed),
            calls: Calls { made, denied, bypassed },
            error: result.error.as_ref().map(Fault::from),
            captured: captured.collect(),
        }
    }
}

impl From<Usage> for Used {
    fn from(usage: Usage) -> Self {
        let Usage { input_tokens, output_tokens, estimated, cost } = usage;
        Self { input_tokens, output_tokens, estimated, cost }
    }
}

impl From<Used> for Usage {
    fn from(used: Used) -> Self {
        let Used { input_tokens, output_tokens, estimated, cost } = used;
        Self { input_tokens, output_tokens, estimated, cost }
    }
}

impl TryFrom<Outcome<'_>> for TaskOutcome {
    type Error = Unreadable;

    fn try_from(outcome: Outcome<'_>) -> Result<Self, Unreadable> {
        Ok(match outcome {
            Outcome::Step(step) => Self::Step(Box::new((*step).try_into()?)),
            Outcome::Value(value) => Self::Value(value.read()?),
            Outcome::Failed(fault) => Self::Failed(fault.try_into()?),
            Outcome::Elapsed => Self::Elapsed,
        })
    }
}

impl TryFrom<Step<'_>> for StepResult {
    type Error = Unreadable;

    fn try_from(step: Step<'_>) -> Result<Self, Unreadable> {
        let captured = step.captured.into_iter();
        let Calls { made, denied, bypassed } = step.calls;
        Ok(Self {
            status: status(&step.status)?,
            output: step.output.into_owned(),
            stderr: step.stderr.into_owned(),
            exit_code: step.exit_code,
            response: step.response.read()?,
            json: step.json.first().map(Json::read).transpose()?,
            usage: step.usage.into(),
            session: step.session.map(Cow::into_owned),
            calls: ToolCalls { made, denied, bypassed },
            elapsed: Duration::from_nanos(step.elapsed_ns),
            error: step.error.map(StepError::try_from).transpose()?,
            captured: captured.map(|(name, text)| (name.into_owned(), text.into_owned())).collect(),
        })
    }
}

fn status(found: &str) -> Result<StepStatus, Unreadable> {
    let known = StepStatus::ALL.into_iter().find(|status| status.as_str() == found);
    known.ok_or_else(|| Unreadable::newer("status", &found))
}
