//! Commands that run on after their call was answered, until the session ends.

use std::{
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use awf_core::{ToolFailure, ToolResult};
use awf_process::{Child, CommandSpec, EndError, Grace, Guard, Stream, Streams};
use tokio::task::JoinSet;

use super::{NotRun, logs::Logs, not_started};
use crate::shown;

/// What is known of the commands in the background: only those with a time limit need somebody to wait for them.
#[derive(Debug)]
pub(super) struct Background {
    logs: Logs,
    watchers: Mutex<JoinSet<()>>,
}

impl Background {
    pub(super) fn new(log_dir: PathBuf) -> Self {
        Self { logs: Logs::new(log_dir), watchers: Mutex::default() }
    }

    /// Starts a command; its output goes to a new file.
    pub(super) async fn start(
        &self,
        guard: &Guard,
        spec: CommandSpec,
        timeout: Option<Duration>,
    ) -> Result<ToolResult, NotRun> {
        let (path, stdout, stderr) = self.logs.create().map_err(|error| {
            let place = shown::name(self.logs.dir().as_os_str());
            let message = format!("cannot create a file for the output in `{place}`: {error}");
            NotRun::Host(ToolFailure::Unavailable(message))
        })?;
        let streams = Streams { stdin: Stream::Null, stdout: stdout.into(), stderr: stderr.into() };
        let child = guard.spawn(spec, streams).await.map_err(not_started)?;
        let pid = child.pid();
        match timeout {
            Some(timeout) => self.watch(child, timeout),
            None => child.detach(),
        }
        Ok(ToolResult::text(&format!(
            "started in the background with process id {pid}; its output goes to `{}`; \
             it runs until it ends, is killed, or the session ends",
            shown::name(path.as_os_str())
        )))
    }

    /// Lets go of the watchers; the guard's sweep ends what they watched.
    pub(super) fn end(&self) {
        self.watchers().abort_all();
    }

    /// Removes the output of commands that have ended.
    pub(super) fn forget(&self) {
        self.logs.remove();
    }

    fn watch(&self, mut child: Child, timeout: Duration) {
        let mut watchers = self.watchers();
        while watchers.try_join_next().is_some() {}
        watchers.spawn(async move {
            if tokio::time::timeout(timeout, child.wait()).await.is_err() {
                // What could not be ended is tried again by the sweep.
                let _: Result<(), EndError> = child.kill(Grace::NONE).await;
            }
        });
    }

    fn watchers(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.watchers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
