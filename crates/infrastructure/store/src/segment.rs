//! One segment in the hands of its writer.

use std::{
    fs, io::Write as _, os::unix::fs::MetadataExt as _, path::Path, sync::Arc, time::SystemTime,
};

use awf_core::{ActivityError, ActivityEvent};

use crate::{
    chain::{self, Link},
    durable::Durable,
    error::cannot_write,
    heads::{Entry, Heads, Seal},
    layout::{Layout, SegmentName, create_new},
    turn::Patience,
    wire::{self, Event},
};

/// A segment this process writes to. The file stays locked as long as it lives, so that others know.
pub(crate) struct Segment {
    name: SegmentName,
    file: Arc<Durable>,
    last: Link,
    bytes: u64,
    calls: u64,
    begun: SystemTime,
    place: Place,
    fit: Fitness,
}

/// Which file it is, whatever it is called.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    device: u64,
    inode: u64,
}

impl From<fs::Metadata> for Place {
    fn from(metadata: fs::Metadata) -> Self {
        Self { device: metadata.dev(), inode: metadata.ino() }
    }
}

/// Whether more may be written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fitness {
    Sound,
    /// Half a line stands at the end and could not be cut away.
    Torn,
}

impl Segment {
    /// Makes the file, locks it, and only then makes it known: nobody can take it for abandoned.
    pub(crate) fn create(
        layout: &Layout,
        writer: SegmentName,
        patience: Patience,
    ) -> Result<Self, ActivityError> {
        layout.create_segments()?;
        let name = SegmentName::generate();
        let path = layout.segment(name);
        let file = create_new(&path).map_err(|error| cannot_write(&path, &error))?;
        let place = file.metadata().map_err(|error| cannot_write(&path, &error))?.into();
        let opened = Entry::Opened { segment: name, writer };
        let registered = patience
            .lock(&file)
            .map_err(|error| cannot_write(&path, &error))
            .and_then(|()| Heads::lock(layout, patience)?.append(&[opened]));
        if registered.is_err() {
            // An empty file nobody knows of harms nothing, should it stay.
            fs::remove_file(&path).ok();
        }
        let last = Link::registered(registered?.hash);
        let file = Arc::new(Durable::new(file, path, layout));
        let begun = name.made_at();
        Ok(Self { name, file, last, bytes: 0, calls: 0, begun, place, fit: Fitness::Sound })
    }

    /// Its file.
    pub(crate) fn path(&self) -> &Path {
        self.file.path()
    }

    /// How many calls began in it.
    pub(crate) fn calls(&self) -> u64 {
        self.calls
    }

    /// When it was made.
    pub(crate) fn begun(&self) -> SystemTime {
        self.begun
    }

    /// Whether an event may still go here.
    pub(crate) fn is_sound(&self) -> bool {
        self.fit == Fitness::Sound && !self.file.has_failed()
    }

    /// Whether its file stands where it was made. One that was removed or moved away still takes what is written, and
    /// nobody would ever read it.
    pub(crate) fn is_in_place(&self) -> bool {
        fs::symlink_metadata(self.file.path()).is_ok_and(|found| Place::from(found) == self.place)
    }

    /// The length of its finished lines.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The number of the last event.
    pub(crate) fn seq(&self) -> u64 {
        self.last.seq
    }

    /// The handle that brings it to the disk.
    pub(crate) fn durable(&self) -> Arc<Durable> {
        Arc::clone(&self.file)
    }

    /// Writes one event as one line with one `write(2)`. On failure the file is as it was.
    pub(crate) fn append(
        &mut self,
        event: &ActivityEvent,
        buffer: &mut Vec<u8>,
    ) -> Result<(), ActivityError> {
        buffer.clear();
        let next = chain::write_line(buffer, self.last, wire::EVENT, &Event::from(event))
            .map_err(|error| cannot_write(self.file.path(), &error))?;
        if let Err(error) = self.file.file().write_all(buffer) {
            if self.file.file().set_len(self.bytes).is_err() {
                self.fit = Fitness::Torn;
            }
            return Err(cannot_write(self.file.path(), &error));
        }
        self.last = next;
        self.bytes += buffer.len() as u64;
        self.calls += u64::from(matches!(event, ActivityEvent::Started(_)));
        self.file.note_written(next.seq);
        Ok(())
    }

    /// Writes down where it ended. Should that fail, it is an abandoned segment like one of a killed process.
    pub(crate) fn seal(self, layout: &Layout) -> Result<(), ActivityError> {
        let len = self.file.file().metadata().map_or(self.bytes, |metadata| metadata.len());
        let torn = match self.fit {
            Fitness::Sound => 0,
            Fitness::Torn => len.saturating_sub(self.bytes),
        };
        let last = if self.last.seq == 0 { Link::START } else { self.last };
        let (segment, bytes, calls) = (self.name, self.bytes, Some(self.calls));
        let seal = Seal { segment, last, bytes, torn, calls };
        Heads::lock(layout, Patience::Fresh)?.append(&[Entry::Sealed(seal)])?;
        Ok(())
    }
}
