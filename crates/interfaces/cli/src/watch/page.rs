//! stdout of a run under watch. The run goes on when nothing can be written; its end tells.

use crate::{output::Output, report::CommandError};

pub(crate) struct Page {
    stdout: Output,
    /// The write that failed last. A reader that went away is no failure.
    lost: Option<CommandError>,
}

impl Page {
    pub(crate) fn new() -> Self {
        Self { stdout: Output::stdout(), lost: None }
    }

    pub(crate) fn write(&mut self, data: &[u8]) {
        if let Err(error) = self.stdout.write(data) {
            self.lost = Some(error);
        }
    }

    /// Why not all of it was written.
    pub(crate) fn lost(&mut self) -> Option<CommandError> {
        self.lost.take()
    }
}
