//! Questions to a program before its run: its version, its models, its servers. Short, bounded, and with no input.

use std::{ffi::OsString, path::Path, time::Duration};

use awf_core::AgentFailure;
use awf_process::{CommandSpec, Grace, Guard, Keep, Limits, Outcome};
use tokio_util::sync::CancellationToken;

use crate::cli::process::not_started;

/// The longest a program may think about a question.
const LIMIT: Duration = Duration::from_secs(10);
/// The longest answer that is of use.
const ANSWER: usize = 32 << 20;
const COMPLAINT: usize = 2048;

/// Whom to ask, and where.
pub(crate) struct Query<'a> {
    pub(crate) guard: &'a Guard,
    pub(crate) program: &'a Path,
    pub(crate) env: &'a [(OsString, OsString)],
    pub(crate) dir: &'a Path,
    pub(crate) cancel: &'a CancellationToken,
}

impl Query<'_> {
    /// What it answers on standard output.
    pub(crate) async fn ask(&self, args: &[OsString]) -> Result<String, AgentFailure> {
        let spec = CommandSpec {
            program: self.program.into(),
            args: args.to_vec(),
            env: self.env.to_vec(),
            cwd: self.dir.to_owned(),
        };
        let limits = Limits {
            timeout: LIMIT,
            grace: Grace::NONE,
            stdout: Keep { head: ANSWER, tail: 0 },
            stderr: Keep { head: 0, tail: COMPLAINT },
        };
        let asked = self.guard.run(spec, limits, self.cancel).await;
        let finished = asked.map_err(|error| not_started(&error))?;
        let problem = match finished.outcome {
            Outcome::Exited(0) if finished.stdout.dropped == 0 => {
                return Ok(String::from_utf8_lossy(&finished.stdout.head).into_owned());
            }
            Outcome::Exited(0) => "gave an answer without end".to_owned(),
            Outcome::Exited(code) => format!("ended with exit code {code}"),
            Outcome::Signaled(signal) => format!("was ended by signal {signal}"),
            Outcome::TimedOut => format!("gave no answer within {LIMIT:?}"),
            Outcome::Cancelled => return Err(AgentFailure::Cancelled),
        };
        let question = args.iter().map(|arg| arg.to_string_lossy()).collect::<Vec<_>>().join(" ");
        let stderr = String::from_utf8_lossy(&finished.stderr.tail).trim().to_owned();
        let program = self.program.display();
        Err(AgentFailure::Start(format!("`{program} {question}` {problem}: {stderr}")))
    }
}
