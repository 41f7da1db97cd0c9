//! Keeps the log within its limits: whole sealed segments go, oldest first. Each removal is an entry in `heads.jsonl`
//! before its file goes, so that `verify` knows it from any other.

use std::{
    collections::{HashMap, HashSet},
    fs, io,
    time::{Duration, SystemTime},
};

use awf_core::{ActivityError, Retention};

use crate::{
    chain::Link,
    error::{cannot_read, cannot_write},
    heads::{Entry, Heads, Seal, link_of, read_entries},
    layout::{Layout, SegmentName, open_append, open_read},
    lines::last_line,
    liveness::seal_abandoned,
    segment::Segment,
    turn::Patience,
    wire::read_event,
};

/// A segment of this size is followed by the next one, whatever the limits are.
const SEGMENT_BYTES: u64 = 64 * 1024 * 1024;
/// A segment takes no more than this part of a limit, so that there are whole ones to remove.
const SHARE: u32 = 8;
/// No call takes less room than this in a segment.
const SMALLEST_CALL: u64 = 400;

/// When a segment is followed by the next one.
pub(crate) struct Full {
    pub(crate) bytes: u64,
    calls: u64,
    age: Duration,
}

impl Full {
    pub(crate) fn of(retention: &Retention) -> Self {
        let part = |limit: u64| (limit / u64::from(SHARE)).max(1);
        Self {
            bytes: retention.max_bytes.map_or(SEGMENT_BYTES, part).min(SEGMENT_BYTES),
            calls: retention.max_records.map_or(u64::MAX, part),
            age: retention.max_age.map_or(Duration::MAX, |age| age / SHARE),
        }
    }

    pub(crate) fn is_reached(&self, segment: &Segment, now: SystemTime) -> bool {
        let age = now.duration_since(segment.begun()).unwrap_or_default();
        segment.bytes() >= self.bytes || segment.calls() >= self.calls || age > self.age
    }
}

/// Removes what is beyond the limits, unless another process is at it.
pub(crate) fn enforce(
    layout: &Layout,
    retention: &Retention,
    now: SystemTime,
) -> Result<(), ActivityError> {
    let path = layout.retention_lock();
    let held = open_append(&path).map_err(|error| cannot_write(&path, &error))?;
    if held.try_lock().is_err() {
        return Ok(());
    }
    let sizes = sizes(layout)?;
    if !may_be_due(&sizes, retention, now) {
        return Ok(());
    }
    let history = History::read(layout)?;
    let due = due(layout, &history, &sizes, &Limits { retention, now })?;
    if !due.is_empty() {
        let heads = Heads::lock(layout, Patience::Fresh)?;
        let entries: Vec<_> =
            due.iter().map(|segment| Entry::Removed { segment: *segment }).collect();
        heads.append(&entries)?;
        // Else the loss of power could leave a segment gone and nothing that says why.
        heads.sync()?;
    }
    let left = history.removed.iter().filter(|segment| sizes.contains_key(segment));
    for segment in left.chain(&due) {
        unlink(layout, *segment)?;
    }
    Ok(())
}

fn unlink(layout: &Layout, segment: SegmentName) -> Result<(), ActivityError> {
    let path = layout.segment(segment);
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(cannot_write(&path, &error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// How large the segments on disk are.
fn sizes(layout: &Layout) -> Result<HashMap<SegmentName, u64>, ActivityError> {
    let mut sizes = HashMap::new();
    for segment in layout.list_segments()? {
        let path = layout.segment(segment);
        match fs::metadata(&path) {
            Ok(metadata) => drop(sizes.insert(segment, metadata.len())),
            // A writer that could not register it took it back.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(cannot_read(&path, &error)),
        }
    }
    Ok(sizes)
}

/// Whether it is worth reading the heads: mostly nothing is due, and this is for next to nothing.
fn may_be_due(sizes: &HashMap<SegmentName, u64>, retention: &Retention, now: SystemTime) -> bool {
    let bytes: u64 = sizes.values().sum();
    let aged = |age| sizes.keys().any(|segment| is_older(segment.made_at(), age, now));
    retention.max_bytes.is_some_and(|most| bytes > most)
        || retention.max_records.is_some_and(|most| bytes / SMALLEST_CALL > most)
        || retention.max_age.is_some_and(aged)
}

fn is_older(at: SystemTime, age: Duration, now: SystemTime) -> bool {
    now.duration_since(at).is_ok_and(|passed| passed > age)
}

/// What the heads tell of the segments.
#[derive(Default)]
struct History {
    /// Those with an end, in the order they were begun.
    sealed: Vec<Seal>,
    removed: HashSet<SegmentName>,
}

impl History {
    /// What dead writers left is sealed first, or it would stay for ever where nobody asks.
    fn read(layout: &Layout) -> Result<Self, ActivityError> {
        let (entries, known) = read_entries(layout, 0)?;
        let (opened, seals, _) = sorted(&entries);
        let unsealed: Vec<_> =
            opened.into_iter().filter(|segment| !seals.contains_key(segment)).collect();
        seal_abandoned(layout, &unsealed, known)?;
        let (newer, _) = read_entries(layout, known)?;
        let (opened, mut seals, removed) = sorted(&[entries, newer].concat());
        let here = opened.iter().filter(|segment| !removed.contains(segment));
        Ok(Self { sealed: here.filter_map(|segment| seals.remove(segment)).collect(), removed })
    }
}

type Sorted = (Vec<SegmentName>, HashMap<SegmentName, Seal>, HashSet<SegmentName>);

fn sorted(entries: &[Entry]) -> Sorted {
    let (mut opened, mut seals, mut removed) = Sorted::default();
    for entry in entries {
        match entry {
            Entry::Opened { segment, .. } => opened.push(*segment),
            Entry::Sealed(seal) => drop(seals.insert(seal.segment, *seal)),
            Entry::Removed { segment } => drop(removed.insert(*segment)),
        }
    }
    (opened, seals, removed)
}

struct Limits<'a> {
    retention: &'a Retention,
    now: SystemTime,
}

/// The segments to remove. One that is not as it was sealed stays: it is for `verify` to report.
fn due(
    layout: &Layout,
    history: &History,
    sizes: &HashMap<SegmentName, u64>,
    limits: &Limits<'_>,
) -> Result<Vec<SegmentName>, ActivityError> {
    let mut bytes: u64 = sizes.values().sum();
    let here = history.sealed.iter().filter(|seal| sizes.contains_key(&seal.segment));
    let mut calls: u64 = here.clone().map(Seal::calls).sum();
    let Retention { max_age, max_records, max_bytes } = *limits.retention;
    let mut due = Vec::new();
    for seal in here {
        let over = max_bytes.is_some_and(|most| bytes > most)
            || max_records.is_some_and(|most| calls > most);
        let may_be_aged = max_age.filter(|age| is_older(seal.segment.made_at(), *age, limits.now));
        if !over && may_be_aged.is_none() {
            continue;
        }
        let path = layout.segment(seal.segment);
        let end = end_of(layout, seal).map_err(|error| cannot_read(&path, &error))?;
        let aged = |end: SystemTime| may_be_aged.is_some_and(|age| is_older(end, age, limits.now));
        if end.is_none_or(|end| over || aged(end)) {
            // An altered one counts no more either: it must not drive out the others.
            bytes = bytes.saturating_sub(sizes.get(&seal.segment).copied().unwrap_or_default());
            calls = calls.saturating_sub(seal.calls());
        }
        if end.is_some_and(|end| over || aged(end)) {
            due.push(seal.segment);
        }
    }
    Ok(due)
}

/// When the last event of a segment happened; `None` when the segment does not end as it was sealed.
fn end_of(layout: &Layout, seal: &Seal) -> io::Result<Option<SystemTime>> {
    let last = last_line(&open_read(&layout.segment(seal.segment))?)?;
    let link = if last.end == 0 { Some(Link::START) } else { link_of(&last.line) };
    if (link, last.end, last.unfinished) != (Some(seal.last), seal.bytes, seal.torn) {
        return Ok(None);
    }
    let event = read_event(&last.line).ok();
    Ok(Some(event.map_or_else(|| seal.segment.made_at(), |event| event.at())))
}

#[cfg(test)]
mod tests;
