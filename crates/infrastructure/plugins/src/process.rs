//! The process of a plugin: started, heard, and ended with everything it started.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use awf_process::{
    Child, CommandSpec, EndError, Exit, Grace, Guard, SpawnError, Stream, Streams, output_pipe,
};
use tempfile::TempDir;
use tokio::{
    sync::{oneshot, watch},
    task::JoinSet,
    time::timeout,
};
use tokio_util::task::AbortOnDropHandle;

use crate::{
    PluginSpec,
    line::{First, complaints, output},
    said::{Ear, LAST_WORDS, Said},
};

/// How long it may take to end when it is asked by signal.
const GRACE: Grace = Grace(Duration::from_secs(1));
/// How long to wait for news of a process that was killed.
const NEWS: Duration = Duration::from_secs(1);

/// How a process ended; unknown when the guard was lost.
pub(crate) type End = Option<Exit>;

/// A process under way. Dropping it kills the process.
pub(crate) struct Process {
    said: Arc<Said>,
    end: watch::Receiver<Option<End>>,
    keeper: Mutex<Option<Keeper>>,
    /// Read to the end: a plugin whose words nobody reads would stop.
    streams: Mutex<JoinSet<()>>,
}

/// Who waits for the process, and how to tell them that it shall end within a time.
struct Keeper {
    stop: oneshot::Sender<Duration>,
    task: AbortOnDropHandle<()>,
}

impl Process {
    /// Starts it; the first line of its output comes by itself. The directory goes with the process.
    pub(crate) async fn start(
        spec: &PluginSpec,
        command: CommandSpec,
        folder: TempDir,
        guard: &Guard,
    ) -> Result<(Self, oneshot::Receiver<First>), SpawnError> {
        let (stdout, read_output) = output_pipe().map_err(SpawnError::Pipe)?;
        let (stderr, read_errors) = output_pipe().map_err(SpawnError::Pipe)?;
        // The input of awf may be a conversation that is none of a plugin's business.
        let child = guard.spawn(command, Streams { stdin: Stream::Null, stdout, stderr }).await?;
        let (plugin, said) = (&spec.name, Arc::new(Said::new(spec.redactor.clone())));
        let (sender, first) = oneshot::channel();
        let mut streams = JoinSet::new();
        streams.spawn(output(read_output, Ear::new(plugin, &said), sender));
        let (ear, heard) = (Ear::keeping(plugin, &said), said.clone());
        streams.spawn(async move { complaints(read_errors, ear, &heard).await });
        let (tell, end) = watch::channel(None);
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(keep(child, stopped, tell, folder));
        let keeper = Mutex::new(Some(Keeper { stop, task: AbortOnDropHandle::new(task) }));
        Ok((Self { said, end, keeper, streams: Mutex::new(streams) }, first))
    }

    /// What it complained of.
    pub(crate) fn said(&self) -> &Arc<Said> {
        &self.said
    }

    /// Whether it is known to have ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.end.borrow().is_some()
    }

    /// Until it has ended.
    pub(crate) async fn ended(&self) -> End {
        let mut end = self.end.clone();
        let ended = end.wait_for(Option::is_some).await.map(|end| *end);
        // The keeper is gone without a word: it was told to drop everything.
        ended.ok().flatten().flatten()
    }

    /// The first line, or why there is none; what it said last is in the pipe even if it has ended since.
    pub(crate) async fn first(&self, mut first: oneshot::Receiver<First>) -> Result<First, End> {
        tokio::select! {
            biased;
            first = &mut first => Ok(first.unwrap_or(First::Ended(String::new()))),
            end = self.ended() => match timeout(LAST_WORDS, first).await {
                Ok(Ok(First::Line(line))) => Ok(First::Line(line)),
                _ => Err(end),
            },
        }
    }

    /// Ends it, first by waiting for as long as `patience`; returns when it and all it started are gone.
    pub(crate) async fn end(&self, patience: Duration) {
        let keeper = self.keeper.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Keeper { stop, task }) = keeper {
            // Whoever ended already hears nothing.
            stop.send(patience).ok();
            task.await.ok();
        }
        let mut streams =
            std::mem::take(&mut *self.streams.lock().unwrap_or_else(PoisonError::into_inner));
        streams.shutdown().await;
    }
}

/// Waits for the process to end by itself or on demand, and then ends what it left behind.
async fn keep(
    mut child: Child,
    stopped: oneshot::Receiver<Duration>,
    tell: watch::Sender<Option<End>>,
    folder: TempDir,
) {
    let ended = tokio::select! {
        biased;
        ended = child.wait() => Some(ended),
        patience = stopped => {
            timeout(patience.unwrap_or_default(), child.wait()).await.ok()
        }
    };
    if let Some(ended) = ended {
        tell.send_replace(Some(ended.ok()));
    }
    match child.kill(GRACE).await {
        // A lost guard took its children along.
        Ok(()) | Err(EndError::GuardLost(_)) => {}
        Err(error) => tracing::warn!(%error, "a plugin did not end"),
    }
    if let Ok(ended) = timeout(NEWS, child.wait()).await {
        tell.send_replace(Some(ended.ok()));
    }
    // It is empty of anything but dead sockets; what cannot be removed goes with the directory above.
    folder.close().ok();
}
