//! Durations out of counts, and that calls which are counted are not gone through again.

use std::time::SystemTime;

use awf_core::{ActivityFilter, Durations};
use rusqlite::{Connection, params_from_iter};

use super::{Select, durations, middle, select};
use crate::{
    index::{calls::took, drift::Drift, schema},
    layout::Layout,
};

#[test]
fn a_duration_is_told_to_within_a_sixteenth() {
    for ms in (0..5_000).chain([1 << 40, 12_345_678]) {
        let told = middle(u64::try_from(took(ms)).unwrap());
        assert!(told.abs_diff(ms) * 16 <= ms, "{ms} became {told}");
    }
}

#[test]
fn half_and_nineteen_of_twenty() {
    assert_eq!(durations(&[]), None);
    assert_eq!(durations(&[(3, 1)]), Some(Durations { p50: 3, p95: 3 }));
    let spread: Vec<(u64, u64)> = (1..=10).map(|ms| (ms, 10)).collect();
    assert_eq!(durations(&spread), Some(Durations { p50: 5, p95: 10 }));
}

fn plan(connection: &Connection, filter: &ActivityFilter) -> String {
    let Select { sql, values } = select(filter, Drift::default());
    let mut explain = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let steps =
        explain.query_map(params_from_iter(&values), |row| row.get::<_, String>(3)).unwrap();
    steps.map(Result::unwrap).collect::<Vec<_>>().join("; ")
}

#[test]
fn no_summary_scans_all_calls() {
    let home = tempfile::tempdir().unwrap();
    let layout = Layout::new(home.path());
    layout.create_segments().unwrap();
    let connection = schema::open(&layout).unwrap();
    let text = || Some("x".to_owned());
    let any = ActivityFilter::default;
    let at = Some(SystemTime::now());
    for filter in [
        any(),
        ActivityFilter { server: text(), ..any() },
        ActivityFilter { since: at, ..any() },
        ActivityFilter { since: Some(SystemTime::UNIX_EPOCH), until: at, ..any() },
        ActivityFilter { since: at, until: at, ..any() },
        ActivityFilter { run: text(), ..any() },
    ] {
        let plan = plan(&connection, &filter);
        assert!(!plan.contains("SCAN calls"), "{filter:?}: {plan}");
    }
}
