//! stdout of a run under watch. A reader that stalls must not stall the run: a thread of its own waits for it, and what
//! waits in front of that thread is bounded.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

use awf_core::Code;
use tokio::sync::oneshot;

use crate::{output::Output, report::CommandError};

/// Bytes that may wait before what steps print is left out; what awf itself says is little, and always kept.
const ROOM: usize = 4 << 20;

pub(crate) struct Page {
    queue: Option<mpsc::Sender<Vec<u8>>>,
    waiting: Arc<AtomicUsize>,
    /// Told when all is written: the write that failed last, if one did.
    written: Option<oneshot::Receiver<Option<CommandError>>>,
}

impl Page {
    pub(crate) fn new() -> Self {
        let (queue, queued) = mpsc::channel::<Vec<u8>>();
        let (tell, written) = oneshot::channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let left = waiting.clone();
        let writer = thread::Builder::new().name("stdout".into()).spawn(move || {
            let (stdout, mut lost) = (Output::stdout(), None);
            for data in queued {
                // A reader that went away is no failure.
                lost = stdout.write(&data).err().or(lost);
                left.fetch_sub(data.len(), Ordering::Relaxed);
            }
            // Nobody is left to tell when the command has given up waiting.
            drop(tell.send(lost));
        });
        // Without a thread nothing can be shown; the end tells.
        let written = writer.is_ok().then_some(written);
        Self { queue: Some(queue), waiting, written }
    }

    pub(crate) fn write(&self, data: &[u8]) {
        let Some(queue) = &self.queue else { return };
        // Counted first: the writer may be done with it before this goes on.
        self.waiting.fetch_add(data.len(), Ordering::Relaxed);
        if queue.send(data.to_vec()).is_err() {
            self.waiting.fetch_sub(data.len(), Ordering::Relaxed);
        }
    }

    /// Whether so much waits to be read that what steps print is better left out.
    pub(crate) fn is_full(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > ROOM
    }

    /// Nothing more will be written. What to wait for: why not all of it could be.
    pub(crate) fn close(&mut self) -> impl Future<Output = Option<CommandError>> + use<> {
        drop(self.queue.take());
        let written = self.written.take();
        async move {
            match written {
                Some(written) => written.await.unwrap_or_else(|_| Some(no_writer())),
                None => Some(no_writer()),
            }
        }
    }
}

fn no_writer() -> CommandError {
    let error = io::Error::other("the thread that writes is gone");
    CommandError::of(Code::IoWriteFailed, format!("cannot write to stdout: {error}"))
}
