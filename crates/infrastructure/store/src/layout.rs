//! Where the log's files lie, and how they are made: 0600 in directories of 0700.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

use awf_core::ActivityError;
use rustix::fs::OFlags;
use ulid::{Generator, Overflow, Ulid};

use crate::error::{cannot_read, cannot_write};

const PRIVATE_FILE: u32 = 0o600;
const PRIVATE_DIRECTORY: u32 = 0o700;
const SEGMENT_SUFFIX: &str = ".jsonl";

/// The paths below one home directory.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    activity: PathBuf,
    segments: PathBuf,
}

impl Layout {
    pub(crate) fn new(home: &Path) -> Self {
        let activity = home.join("activity");
        Self { segments: activity.join("segments"), activity }
    }

    pub(crate) fn activity(&self) -> &Path {
        &self.activity
    }

    pub(crate) fn segments(&self) -> &Path {
        &self.segments
    }

    pub(crate) fn segment(&self, name: SegmentName) -> PathBuf {
        self.segments.join(format!("{name}{SEGMENT_SUFFIX}"))
    }

    pub(crate) fn heads(&self) -> PathBuf {
        self.activity.join("heads.jsonl")
    }

    pub(crate) fn index(&self) -> PathBuf {
        self.activity.join("index.sqlite")
    }

    /// Held while the index file is made or thrown away.
    pub(crate) fn index_lock(&self) -> PathBuf {
        self.activity.join("index.lock")
    }

    /// Held by whoever removes what is beyond the limits.
    pub(crate) fn retention_lock(&self) -> PathBuf {
        self.activity.join("retention.lock")
    }

    /// Makes the directories a writer needs.
    pub(crate) fn create_segments(&self) -> Result<(), ActivityError> {
        create_directory(&self.segments).map_err(|error| cannot_write(&self.segments, &error))
    }

    /// Whether there is a log at all. A place that cannot be looked at is an error: it may hold one.
    pub(crate) fn has_segments(&self) -> Result<bool, ActivityError> {
        self.segments.try_exists().map_err(|error| cannot_read(&self.segments, &error))
    }

    /// The segments on disk, oldest first; none when there is no log yet.
    pub(crate) fn list_segments(&self) -> Result<Vec<SegmentName>, ActivityError> {
        let failed = |source| cannot_read(&self.segments, &source);
        let entries = match fs::read_dir(&self.segments) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(error)),
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(failed)?;
            // A pipe put here under a segment's name would be waited for without end.
            if entry.file_type().map_err(failed)?.is_file() {
                names.extend(entry.file_name().to_str().and_then(SegmentName::from_file_name));
            }
        }
        names.sort_unstable();
        Ok(names)
    }
}

/// Makes a directory and what is missing above it, closed to others.
pub(crate) fn create_directory(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(PRIVATE_DIRECTORY).create(path)
}

/// Makes a file that must not exist yet; everything written goes to its end.
pub(crate) fn create_new(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create_new(true).mode(PRIVATE_FILE).open(path)
}

/// Opens a file for reading and for writing at its end, and makes it if it is missing.
pub(crate) fn open_append(path: &Path) -> io::Result<File> {
    plain(OpenOptions::new().read(true).append(true).create(true).mode(PRIVATE_FILE), path)
}

/// Opens a file that exists, for reading and for writing at its end.
pub(crate) fn open_existing(path: &Path) -> io::Result<File> {
    plain(OpenOptions::new().read(true).append(true), path)
}

/// Opens a file that exists, for reading.
pub(crate) fn open_read(path: &Path) -> io::Result<File> {
    plain(OpenOptions::new().read(true), path)
}

/// Opens files only: a pipe under the name of one would be waited for without end, and a link leads elsewhere.
fn plain(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let file = options.custom_flags(flags).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is no file")) }
}

/// The last name of this process.
static LAST: Mutex<Generator> = Mutex::new(Generator::new());

/// Names one segment; later segments of one process have larger names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SegmentName(Ulid);

impl SegmentName {
    pub(crate) fn generate() -> Self {
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        let next = last.generate();
        Self(next.unwrap_or_else(Overflow::commit_overflow_increment))
    }

    /// When it was made.
    pub(crate) fn made_at(self) -> SystemTime {
        self.0.datetime()
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        // One name per file: the decoder also takes lower case, which would be another file.
        Ulid::from_string(text).ok().map(Self).filter(|name| name.to_string() == text)
    }

    fn from_file_name(file_name: &str) -> Option<Self> {
        file_name.strip_suffix(SEGMENT_SUFFIX).and_then(Self::parse)
    }
}

impl std::fmt::Display for SegmentName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}
