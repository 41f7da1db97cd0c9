//! A notification on the desktop of whoever runs awf, by the program that is made for it.

use std::{ffi::OsString, io, path::PathBuf, time::Duration};

use awf_core::{OperationResult, RawObject, shown};
use awf_process::{CommandSpec, Finished, Grace, Guard, Keep, Limits, Outcome, SpawnError};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::{notify::Notice, trouble::Trouble};

/// Found in the `PATH` unless another is given.
const PROGRAM: &str = "notify-send";
/// What it is headed with when no title is given.
const TITLE: &str = "awf";
const KEEP: Keep = Keep { head: 4096, tail: 0 };
const LIMITS: Limits = Limits {
    timeout: Duration::from_secs(10),
    grace: Grace(Duration::from_secs(1)),
    stdout: KEEP,
    stderr: KEEP,
};

/// The way to the desktop.
pub(crate) struct Desktop {
    pub(crate) guard: Guard,
    /// The whole environment: it says where the desktop is.
    pub(crate) env: Vec<(OsString, OsString)>,
    pub(crate) program: Option<PathBuf>,
}

impl Desktop {
    /// Shows it.
    pub(super) async fn show(
        &self,
        notice: &Notice,
        cancel: &CancellationToken,
    ) -> Result<OperationResult, Trouble> {
        let ran = self.guard.run(self.command(notice), LIMITS, cancel).await;
        let finished = ran.map_err(|error| Trouble::told(self.unstarted(&error)))?;
        match finished.outcome {
            Outcome::Exited(0) => Ok(shown_result()),
            Outcome::Cancelled => Err(Trouble::Cancelled),
            Outcome::TimedOut => {
                let limit = LIMITS.timeout.as_secs();
                Err(Trouble::told(format!("the desktop did not answer within {limit} s")))
            }
            Outcome::Exited(code) => Err(failed(&format!("exit code {code}"), &finished)),
            Outcome::Signaled(signal) => Err(failed(&format!("signal {signal}"), &finished)),
        }
    }

    /// What follows `--` is text, whatever it looks like.
    fn command(&self, notice: &Notice) -> CommandSpec {
        let title = notice.title.as_deref().unwrap_or(TITLE);
        let program = self.program.clone().map_or_else(|| PROGRAM.into(), PathBuf::into_os_string);
        let args = ["--app-name=awf", "--", title, &notice.message];
        let args = args.into_iter().map(OsString::from).collect();
        CommandSpec { program, args, env: self.env.clone(), cwd: PathBuf::from("/") }
    }

    fn unstarted(&self, error: &SpawnError) -> String {
        match error {
            SpawnError::Program { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                let program = self.program.as_ref().map(|program| program.display().to_string());
                format!(
                    "`{}` is not there; install libnotify, or use `backend: webhook` with a `url`",
                    program.as_deref().unwrap_or(PROGRAM)
                )
            }
            error => match std::error::Error::source(error) {
                Some(source) => format!("{error}: {source}"),
                None => error.to_string(),
            },
        }
    }
}

fn shown_result() -> OperationResult {
    let mut data = RawObject::default();
    data.set("backend", Value::from("desktop").into());
    let output = "the notification is shown".to_owned();
    OperationResult { success: true, output, data, error: None }
}

fn failed(how: &str, finished: &Finished) -> Trouble {
    let said = finished.stderr.bytes();
    let said = String::from_utf8_lossy(&said);
    Trouble::told(match said.trim() {
        "" => format!("the desktop was not reached ({how})"),
        said => format!("the desktop was not reached ({how}): {}", shown(said)),
    })
}
