//! Which segments go, and what is left to prove it.

use std::{
    fs,
    time::{Duration, SystemTime},
};

use awf_core::{ActivityEvent, ActivityFilter, ActivityId, Operation, Retention};

use super::{SHARE, enforce};
use crate::{
    Note,
    heads::{Entry, Heads, read_entries},
    index::{Index, query},
    journal::{Durability, Journal},
    layout::Layout,
    sample::{ended, started},
    turn::Patience,
    verify,
};

const DAY: Duration = Duration::from_hours(24);

fn call(at: SystemTime) -> [ActivityEvent; 2] {
    let started = awf_core::CallStarted { at, ..started(Operation::Write) };
    let mut ended = ended(started.id);
    if let ActivityEvent::Ended(ended) = &mut ended {
        ended.at = at;
    }
    [ActivityEvent::Started(Box::new(started)), ended]
}

/// A log with a closed segment of two calls for each time.
async fn log(times: &[SystemTime]) -> (tempfile::TempDir, Layout, Vec<ActivityId>) {
    let home = tempfile::tempdir().unwrap();
    let mut ids = Vec::new();
    for at in times {
        let journal = Journal::open(home.path(), Durability::Process);
        for events in [call(*at), call(*at)] {
            ids.push(events[0].id());
            for event in events {
                journal.append(&event).await.unwrap();
            }
        }
        journal.close().unwrap();
    }
    let layout = Layout::new(home.path());
    (home, layout, ids)
}

fn shown(layout: &Layout, index: &mut Option<Index>) -> Vec<ActivityId> {
    let filter = ActivityFilter { limit: 100, ..ActivityFilter::default() };
    let page = query(layout, index, &filter).unwrap();
    page.records.iter().rev().map(|record| record.started.id).collect()
}

fn segment_bytes(layout: &Layout) -> u64 {
    let segments = layout.list_segments().unwrap();
    segments.iter().map(|name| fs::metadata(layout.segment(*name)).unwrap().len()).sum()
}

#[tokio::test]
async fn the_oldest_go_until_the_limit_holds_and_the_chain_says_so() {
    let now = SystemTime::now() + 10 * DAY;
    let times = [now - 9 * DAY, now - 8 * DAY, now - 2 * DAY, now - DAY];
    let (_home, layout, _) = log(&times).await;
    let quarter = segment_bytes(&layout) / 4;
    let none = Retention::default();
    let rows = [
        (none, 4),
        (Retention { max_age: Some(20 * DAY), ..none }, 4),
        (Retention { max_age: Some(5 * DAY), ..none }, 2),
        (Retention { max_age: Some(DAY / 2), ..none }, 0),
        (Retention { max_records: Some(8), ..none }, 4),
        (Retention { max_records: Some(7), ..none }, 3),
        (Retention { max_records: Some(2), ..none }, 1),
        (Retention { max_bytes: Some(4 * quarter + 3), ..none }, 4),
        (Retention { max_bytes: Some(quarter * 3 + quarter / 2), ..none }, 3),
        (Retention { max_bytes: Some(1), ..none }, 0),
        (Retention { max_records: Some(7), max_age: Some(5 * DAY), max_bytes: None }, 2),
    ];
    for (retention, left) in rows {
        let (home, layout, ids) = log(&times).await;
        let mut index = None;
        assert_eq!(shown(&layout, &mut index), ids);
        enforce(&layout, &retention, now).unwrap();
        enforce(&layout, &retention, now).unwrap();
        assert_eq!(layout.list_segments().unwrap().len(), left, "{retention:?}");
        assert_eq!(shown(&layout, &mut index), ids[(4 - left) * 2..], "{retention:?}");
        // And when the index is lost.
        assert_eq!(shown(&layout, &mut None), ids[(4 - left) * 2..]);
        let report = verify(home.path()).unwrap();
        assert_eq!(report.findings, [], "{retention:?}");
        let removals = 4 - left as u64;
        let noted = report.notes.iter().map(|note| match note {
            Note::Removed { segments, events, .. } => (*segments, *events),
            Note::TornTail { .. } | Note::Unsealed { .. } => (0, 0),
        });
        let expected = (removals > 0).then_some((removals, removals * 4));
        assert_eq!(noted.collect::<Vec<_>>(), Vec::from_iter(expected));
    }
}

#[tokio::test]
async fn any_other_removal_is_still_found() {
    let now = SystemTime::now() + DAY;
    let (home, layout, _) = log(&[now; 4]).await;
    enforce(&layout, &Retention { max_records: Some(6), ..Retention::default() }, now).unwrap();
    assert!(verify(home.path()).unwrap().is_intact());
    let left = layout.list_segments().unwrap();
    fs::remove_file(layout.segment(left[1])).unwrap();
    let report = verify(home.path()).unwrap();
    assert_eq!(report.findings.len(), 1, "{report:?}");
    assert_eq!(report.findings[0].place.file, layout.segment(left[1]));
    // What somebody else took away is not passed off as removed by us, and what was altered is left to be looked at.
    fs::write(layout.segment(left[0]), "altered\n").unwrap();
    enforce(&layout, &Retention { max_bytes: Some(1), ..Retention::default() }, now).unwrap();
    assert_eq!(layout.list_segments().unwrap(), [left[0]]);
    let findings = verify(home.path()).unwrap().findings;
    assert!(findings.iter().any(|finding| finding.place.file == layout.segment(left[1])));
    assert!(findings.iter().any(|finding| finding.place.file == layout.segment(left[0])));
}

#[tokio::test]
async fn a_removal_that_was_cut_short_is_finished_by_the_next() {
    let now = SystemTime::now() + DAY;
    let (home, layout, ids) = log(&[now; 3]).await;
    let segment = layout.list_segments().unwrap()[0];
    let mut index = None;
    assert_eq!(shown(&layout, &mut index).len(), 6);
    Heads::lock(&layout, Patience::Fresh).unwrap().append(&[Entry::Removed { segment }]).unwrap();
    assert!(verify(home.path()).unwrap().is_intact());
    assert_eq!(shown(&layout, &mut index), ids[2..]);
    enforce(&layout, &Retention { max_bytes: Some(3000), ..Retention::default() }, now).unwrap();
    assert!(!layout.list_segments().unwrap().contains(&segment));
    assert!(verify(home.path()).unwrap().is_intact());
}

#[tokio::test]
async fn a_writer_that_goes_on_stays_within_the_limits() {
    let home = tempfile::tempdir().unwrap();
    let layout = Layout::new(home.path());
    let most = 80;
    let retention = Retention { max_records: Some(most), ..Retention::default() };
    let journal = Journal::open(home.path(), Durability::Process).keeping(retention);
    let mut last = Vec::new();
    for _ in 0..1_000 {
        let events = call(SystemTime::now());
        last.push(events[0].id());
        for event in events {
            journal.append(&event).await.unwrap();
        }
    }
    journal.close().unwrap();
    // Whatever the last tidying met was within the limits when it ended.
    enforce(&layout, &retention, SystemTime::now()).unwrap();
    let kept = shown(&layout, &mut None);
    let share = most / u64::from(SHARE);
    assert!((most - share..=most).contains(&(kept.len() as u64)), "{}", kept.len());
    assert_eq!(kept, last[last.len() - kept.len()..]);
    assert!(verify(home.path()).unwrap().is_intact());
    let (entries, _) = read_entries(&layout, 0).unwrap();
    assert!(entries.iter().any(|entry| matches!(entry, Entry::Removed { .. })));
}

#[tokio::test]
async fn the_index_gives_its_room_back() {
    let home = tempfile::tempdir().unwrap();
    let layout = Layout::new(home.path());
    let journal = Journal::open(home.path(), Durability::Process);
    for _ in 0..3_000 {
        for event in call(SystemTime::now()) {
            journal.append(&event).await.unwrap();
        }
    }
    journal.close().unwrap();
    drop(shown(&layout, &mut None));
    let before = fs::metadata(layout.index()).unwrap().len();
    let retention = Retention { max_records: Some(1), ..Retention::default() };
    enforce(&layout, &retention, SystemTime::now()).unwrap();
    assert_eq!(shown(&layout, &mut None), []);
    let after = fs::metadata(layout.index()).unwrap().len();
    assert!(after * 4 < before, "{after} of {before}");
}
