//! How the index is searched: by walking an index backwards, never by reading or sorting everything.

use std::time::SystemTime;

use awf_core::{ActivityFilter, ActivityId, CallSurface, Cursor, Operation, Status};
use rusqlite::{Connection, StatementStatus, params, params_from_iter};

use super::{
    drift::Drift,
    merge::merged,
    query, schema,
    search::{Select, Wanted, select},
};
use crate::{journal::Journal, layout::Layout, sample};

fn connection() -> (tempfile::TempDir, Connection) {
    let home = tempfile::tempdir().unwrap();
    let layout = Layout::new(home.path());
    layout.create_segments().unwrap();
    let connection = schema::open(&layout).unwrap();
    (home, connection)
}

fn fill(connection: &mut Connection, calls: u32) {
    let transaction = connection.transaction().unwrap();
    transaction.execute("INSERT INTO segments (name, writer) VALUES ('s', 'w')", ()).unwrap();
    for kind in 0..7 {
        transaction
            .execute(
                "INSERT INTO kinds VALUES (?, 'server', ?, 'mcp', 'read', 'success')",
                params![kind, format!("tool-{kind}")],
            )
            .unwrap();
    }
    for call in 0..calls {
        let id = ActivityId::generate().to_string();
        transaction
            .execute(
                "INSERT INTO calls (id, started_at, run, kind, request_id, start_segment, start_offset, start_bytes, start_sum)
                 VALUES (?1, ?2, 'run', ?3, ?1, 1, ?2, 0, 0)",
                params![id, call, call % 7],
            )
            .unwrap();
    }
    transaction.commit().unwrap();
}

fn plan(connection: &Connection, filter: &ActivityFilter) -> String {
    let Select { sql, values } = select(Wanted::by(filter, Drift::default()), 51);
    let mut explain = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let steps =
        explain.query_map(params_from_iter(&values), |row| row.get::<_, String>(3)).unwrap();
    steps.map(Result::unwrap).collect::<Vec<_>>().join("; ")
}

#[test]
fn each_filter_walks_its_own_index_and_sorts_nothing() {
    let (_home, connection) = connection();
    let text = || Some("x".to_owned());
    let any = ActivityFilter::default;
    let rows = [
        (any(), "SCAN calls;"),
        (
            ActivityFilter { cursor: Some(Cursor(ActivityId::generate())), ..any() },
            "PRIMARY KEY (id<?)",
        ),
        (ActivityFilter { id: Some(ActivityId::generate()), ..any() }, "PRIMARY KEY (id=?)"),
        (ActivityFilter { run: text(), ..any() }, "calls_run (run=?)"),
        (ActivityFilter { step: text(), ..any() }, "calls_step (step=?)"),
        (ActivityFilter { request_id: text(), ..any() }, "calls_request_id (request_id=?)"),
        // The one that tells more, whatever else is asked.
        (
            ActivityFilter { run: text(), step: text(), request_id: text(), ..any() },
            "calls_request_id (request_id=?)",
        ),
        (
            ActivityFilter { run: text(), step: text(), status: Some(Status::Denied), ..any() },
            "calls_run (run=?)",
        ),
        (ActivityFilter { step: text(), tool: text(), ..any() }, "calls_step (step=?)"),
    ];
    for (filter, expected) in rows {
        let plan = plan(&connection, &filter);
        assert!(plan.contains(expected), "{plan}");
        assert!(!plan.contains("TEMP B-TREE"), "{plan}");
    }
}

/// The calls of a writer stay open while it goes from one segment to the next.
#[tokio::test]
async fn a_call_that_outlives_its_segment_is_not_interrupted() {
    let home = tempfile::tempdir().unwrap();
    let (layout, mut slot) = (Layout::new(home.path()), None);
    let journal = Journal::with_tiny_segments(home.path());
    let mut status = || {
        let page = query(&layout, &mut slot, &ActivityFilter::default()).unwrap();
        page.records.iter().map(|record| record.status).collect::<Vec<_>>()
    };
    let (first, second) = (sample::write_call(), sample::write_call());
    journal.append(&first).await.unwrap();
    journal.append(&second).await.unwrap();
    assert_eq!(status(), [Status::Started, Status::Started]);
    journal.append(&sample::ended(first.id())).await.unwrap();
    journal.append(&sample::ended(second.id())).await.unwrap();
    assert_eq!(status(), [Status::Success, Status::Success]);
    assert_eq!(layout.list_segments().unwrap().len(), 4);
}

/// By one of the columns of a kind or by several: the kinds are few, and each has its calls in order.
#[test]
fn what_kinds_tell_is_found_by_kind() {
    let any = ActivityFilter::default;
    let text = || Some("x".to_owned());
    for filter in [
        ActivityFilter { surface: Some(CallSurface::Api), ..any() },
        ActivityFilter { server: text(), ..any() },
        ActivityFilter { tool: text(), ..any() },
        ActivityFilter { operation: Some(Operation::Read), ..any() },
        ActivityFilter { status: Some(Status::Error), ..any() },
        ActivityFilter { server: text(), tool: text(), since: Some(SystemTime::now()), ..any() },
    ] {
        assert!(Wanted::by(&filter, Drift::default()).is_by_kind(), "{filter:?}");
    }
    for filter in [any(), ActivityFilter { run: text(), tool: text(), ..any() }] {
        assert!(!Wanted::by(&filter, Drift::default()).is_by_kind(), "{filter:?}");
    }
}

/// Several kinds come out as one list, in the order of their ids, to the last and from any place on.
#[test]
fn kinds_are_merged_without_a_gap_or_a_double() {
    let (_home, mut connection) = connection();
    fill(&mut connection, 700);
    let filter = ActivityFilter { server: Some("server".to_owned()), ..ActivityFilter::default() };
    let all = |cursor, rows| {
        let filter = ActivityFilter { cursor, ..filter.clone() };
        let wanted = Wanted::by(&filter, Drift::default());
        let merged = merged(&connection, &wanted, rows).unwrap().unwrap();
        let Select { sql, values } = select(wanted, rows);
        let mut walk = connection.prepare(&sql.replacen("SELECT ", "SELECT id, ", 1)).unwrap();
        let walked = walk.query_map(params_from_iter(&values), |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, u64>(3)?))
        });
        let (ids, offsets): (Vec<_>, Vec<_>) = walked.unwrap().map(Result::unwrap).unzip();
        let merged: Vec<_> = merged.iter().map(|found| found.start.offset).collect();
        assert_eq!(merged, offsets);
        ids
    };
    let ids = all(None, 1_000);
    assert_eq!(ids.len(), 700);
    let cursor = Some(Cursor(ActivityId::parse(&ids[349]).unwrap()));
    assert_eq!(all(cursor, 1_000), ids[350..]);
}

/// A time range is a range of ids.
#[test]
fn a_time_range_is_searched_and_not_scanned() {
    let (_home, connection) = connection();
    let at = SystemTime::now();
    let filter = ActivityFilter { since: Some(at), until: Some(at), ..ActivityFilter::default() };
    let plan = plan(&connection, &filter);
    assert!(plan.contains("PRIMARY KEY (id>? AND id<?)"), "{plan}");
    assert!(!plan.contains("TEMP B-TREE"), "{plan}");
}

#[test]
fn the_newest_page_costs_the_same_in_a_long_log() {
    let steps = |calls| {
        let (_home, mut connection) = connection();
        fill(&mut connection, calls);
        let Select { sql, values } =
            select(Wanted::by(&ActivityFilter::default(), Drift::default()), 51);
        let mut statement = connection.prepare(&sql).unwrap();
        let rows = statement.query_map(params_from_iter(&values), |_| Ok(())).unwrap();
        assert_eq!(rows.count(), 51);
        statement.get_status(StatementStatus::VmStep)
    };
    assert_eq!(steps(1_000), steps(10_000));
}
