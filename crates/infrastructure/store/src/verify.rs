//! Holds the journal against its own chains, and says where they do not fit.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use awf_core::ActivityError;

use crate::{
    chain::{Hash, Link},
    error::cannot_read,
    format::refuse_newer,
    heads::{self, Entry, Seal, read_entry},
    index,
    layout::{Layout, SegmentName},
    liveness::{Writer, seal_abandoned, writer_of},
    verify::walk::{Walked, walk},
};

mod report;
mod walk;

pub use report::{Extent, Fault, Finding, Note, Place, VerifyReport};

/// The newest link of the log's chains: kept somewhere else, it shows later that nothing before it was rewritten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// How many entries it vouches for.
    pub entries: u64,
    /// Their hash, as 64 hex digits.
    pub hash: String,
}

/// The head of everything sealed so far; seals what dead writers left first. `None` when there is no log.
pub fn head(home: &Path) -> Result<Option<Head>, ActivityError> {
    let layout = Layout::new(home);
    refuse_newer(&layout.heads())?;
    let (entries, known) = heads::read_entries(&layout, 0)?;
    let mut unsealed = Vec::new();
    for entry in entries {
        match entry {
            Entry::Opened { segment, .. } => unsealed.push(segment),
            Entry::Sealed(seal) => unsealed.retain(|segment| *segment != seal.segment),
            Entry::Removed { .. } => {}
        }
    }
    seal_abandoned(&layout, &unsealed, known)?;
    let newest = heads::newest(&layout.heads())?;
    Ok(newest.map(|link| Head { entries: link.seq, hash: link.hash.as_str().to_owned() }))
}

/// Reads every line of the journal and changes nothing. Segments in use are checked as far as they go.
pub fn verify(home: &Path) -> Result<VerifyReport, ActivityError> {
    let layout = Layout::new(home);
    let mut report = VerifyReport::default();
    // Listed before the heads are read: a segment is registered before its first event, so one that already has
    // events here and is not among the heads was never registered.
    let mut unregistered = with_events(&layout)?;
    refuse_newer(&layout.heads())?;
    unregistered.values().try_for_each(|path| refuse_newer(path))?;
    let registered = check_heads(&layout, &mut report)?;
    for (segment, known) in &registered {
        unregistered.remove(segment);
        if known.removal.is_none() {
            check_segment(&layout, *segment, known, &mut report)?;
        }
    }
    for path in unregistered.into_values() {
        report.find(Place { file: path, line: 1, offset: 0 }, Fault::Unregistered);
    }
    report.notes.extend(removed(&registered));
    // An index over what was altered is another one for that reason alone.
    if report.is_intact() {
        report.strays = index::strays(&layout)?;
    }
    Ok(report)
}

/// What the heads say about a segment.
struct Registered {
    entry: Hash,
    seal: Option<Seal>,
    /// The entry that says it was beyond the limits.
    removal: Option<Link>,
}

/// What went because it was beyond the limits.
fn removed(registered: &BTreeMap<SegmentName, Registered>) -> Option<Note> {
    let gone = registered.values().filter_map(|known| Some((known.removal?, known.seal?)));
    let newest = gone.clone().map(|(removal, _)| removal).max_by_key(|removal| removal.seq)?;
    let events = gone.clone().map(|(_, seal)| seal.last.seq).sum();
    let up_to = newest.hash.as_str().to_owned();
    Some(Note::Removed { segments: gone.count() as u64, events, up_to })
}

fn with_events(layout: &Layout) -> Result<BTreeMap<SegmentName, PathBuf>, ActivityError> {
    let mut found = BTreeMap::new();
    for segment in layout.list_segments()? {
        let path = layout.segment(segment);
        match fs::metadata(&path) {
            Ok(metadata) if metadata.len() > 0 => drop(found.insert(segment, path)),
            Ok(_) => {}
            // Removed since it was listed; the heads say whether that was right.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(cannot_read(&path, &error)),
        }
    }
    Ok(found)
}

fn check_heads(
    layout: &Layout,
    report: &mut VerifyReport,
) -> Result<BTreeMap<SegmentName, Registered>, ActivityError> {
    let mut registered = BTreeMap::new();
    let walked = walk(&layout.heads(), Link::START, report, |report, place, line, link| {
        if !enter(&mut registered, read_entry(line), link) {
            report.find(place, Fault::SenselessEntry);
        }
    })?;
    if let Some(walked) = walked {
        report.note_torn(layout.heads(), &walked, walked.unfinished);
    }
    Ok(registered)
}

/// Whether the entry makes sense: a segment is opened once, then sealed once, then perhaps removed once.
fn enter(
    registered: &mut BTreeMap<SegmentName, Registered>,
    entry: Option<Entry>,
    link: Link,
) -> bool {
    match entry {
        None => false,
        Some(Entry::Opened { segment, .. }) => {
            let opened = Registered { entry: link.hash, seal: None, removal: None };
            registered.insert(segment, opened).is_none()
        }
        Some(Entry::Removed { segment }) => registered
            .get_mut(&segment)
            .is_some_and(|known| known.seal.is_some() && known.removal.replace(link).is_none()),
        Some(Entry::Sealed(seal)) => registered
            .get_mut(&seal.segment)
            .is_some_and(|known| known.seal.replace(seal).is_none()),
    }
}

fn check_segment(
    layout: &Layout,
    segment: SegmentName,
    known: &Registered,
    report: &mut VerifyReport,
) -> Result<(), ActivityError> {
    let path = layout.segment(segment);
    // Asked before reading: what a dead writer left no longer grows.
    let writer = writer_of(layout, segment)?;
    let start = Link::registered(known.entry);
    let Some(walked) = walk(&path, start, report, |_, _, _, _| ())? else {
        if was_removed_meanwhile(layout, segment)? {
            return Ok(());
        }
        let sealed = known.seal.as_ref().map(|seal| Extent::from(seal).events);
        report.find(Place { file: path, line: 1, offset: 0 }, Fault::MissingSegment { sealed });
        return Ok(());
    };
    report.segments += 1;
    report.events += walked.lines;
    match (&known.seal, writer) {
        (Some(seal), Writer::Alive | Writer::Gone) => check_seal(path, seal, &walked, report),
        (None, Writer::Alive) => {}
        (None, Writer::Gone) => {
            report.note_torn(path.clone(), &walked, walked.unfinished);
            report.notes.push(Note::Unsealed { file: path });
        }
    }
    Ok(())
}

/// Whether a segment went, rightly, after the heads were read.
fn was_removed_meanwhile(layout: &Layout, segment: SegmentName) -> Result<bool, ActivityError> {
    let (entries, _) = heads::read_entries(layout, 0)?;
    Ok(entries.contains(&Entry::Removed { segment }))
}

fn check_seal(path: PathBuf, seal: &Seal, walked: &Walked, report: &mut VerifyReport) {
    let last = if walked.lines == 0 { Link::START } else { walked.last };
    let as_sealed = (last, walked.end, walked.unfinished) == (seal.last, seal.bytes, seal.torn);
    if as_sealed {
        report.note_torn(path, walked, seal.torn);
        return;
    }
    let found = Extent { events: walked.lines, bytes: walked.end + walked.unfinished };
    let place = Place { file: path, line: walked.lines + 1, offset: walked.end };
    report.find(place, Fault::NotAsSealed { sealed: Extent::from(seal), found });
}
