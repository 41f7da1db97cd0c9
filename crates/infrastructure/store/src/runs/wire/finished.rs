//! The end of a run, and errors as they stand in a journal.

use std::borrow::Cow;

use awf_core::{Code, RunEvent, RunFinished, StepError};
use serde::{Deserialize, Serialize};

use crate::{
    runs::wire::{Unreadable, run_status},
    wire::{nanos, time},
};

#[derive(Serialize, Deserialize)]
pub(super) struct Finished<'a> {
    status: Cow<'a, str>,
    exit_code: u8,
    state: Cow<'a, str>,
    at: i64,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    error: Option<Fault<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Cow<'a, str>>,
}

/// Why something failed.
#[derive(Serialize, Deserialize)]
pub(super) struct Fault<'a> {
    code: Cow<'a, str>,
    message: Cow<'a, str>,
}

impl<'a> From<&'a RunFinished> for Finished<'a> {
    fn from(finished: &'a RunFinished) -> Self {
        Self {
            status: finished.status.as_str().into(),
            exit_code: finished.exit_code,
            state: (&finished.state).into(),
            at: nanos(finished.at),
            error: finished.error.as_ref().map(Fault::from),
            message: finished.message.as_deref().map(Cow::Borrowed),
        }
    }
}

impl<'a> From<&'a StepError> for Fault<'a> {
    fn from(error: &'a StepError) -> Self {
        Self { code: error.code.as_str().into(), message: (&error.message).into() }
    }
}

impl TryFrom<Finished<'_>> for RunEvent {
    type Error = Unreadable;

    fn try_from(finished: Finished<'_>) -> Result<Self, Unreadable> {
        Ok(Self::Finished(RunFinished {
            status: run_status(&finished.status)?,
            exit_code: finished.exit_code,
            message: finished.message.map(Cow::into_owned),
            error: finished.error.map(StepError::try_from).transpose()?,
            state: finished.state.into_owned(),
            at: time(finished.at),
        }))
    }
}

impl TryFrom<Fault<'_>> for StepError {
    type Error = Unreadable;

    fn try_from(fault: Fault<'_>) -> Result<Self, Unreadable> {
        let code = Code::ALL.iter().find(|code| code.as_str() == fault.code);
        let code = *code.ok_or_else(|| Unreadable::newer("code", &fault.code))?;
        Ok(Self { code, message: fault.message.into_owned() })
    }
}
