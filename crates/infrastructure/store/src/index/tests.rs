//! How the index is searched: by walking an index backwards, never by reading or sorting everything.

use awf_core::{ActivityFilter, ActivityId, CallSurface, Cursor, Operation, Status};
use rusqlite::{Connection, StatementStatus, params, params_from_iter};

use super::{
    query, schema,
    search::{Select, select},
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
    for call in 0..calls {
        let (id, tool) = (ActivityId::generate().to_string(), format!("tool-{}", call % 7));
        transaction
            .execute(
                "INSERT INTO calls (id, started_at, run, surface, server, tool, operation, status, request_id,
                     start_segment, start_offset, start_bytes, start_sum)
                 VALUES (?1, ?2, 'run', 'mcp', 'server', ?3, 'read', 'success', ?1, 1, 0, 0, 0)",
                params![id, call, tool],
            )
            .unwrap();
    }
    transaction.commit().unwrap();
}

fn plan(connection: &Connection, filter: &ActivityFilter) -> String {
    let Select { sql, values } = select(filter, 51);
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
        (ActivityFilter { surface: Some(CallSurface::Api), ..any() }, "calls_surface (surface=?)"),
        (ActivityFilter { server: text(), ..any() }, "calls_server (server=?)"),
        (ActivityFilter { tool: text(), ..any() }, "calls_tool (tool=?)"),
        (
            ActivityFilter { operation: Some(Operation::Read), ..any() },
            "calls_operation (operation=?)",
        ),
        (ActivityFilter { status: Some(Status::Error), ..any() }, "calls_status (status=?)"),
        (ActivityFilter { request_id: text(), ..any() }, "calls_request_id (request_id=?)"),
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

/// A time range is found by its own index; only what lies in it is put in order.
#[test]
fn a_time_range_is_searched_and_not_scanned() {
    let (_home, connection) = connection();
    let at = std::time::SystemTime::now();
    let filter = ActivityFilter { since: Some(at), until: Some(at), ..ActivityFilter::default() };
    let plan = plan(&connection, &filter);
    assert!(plan.contains("calls_started_at (started_at>? AND started_at<?)"), "{plan}");
}

#[test]
fn the_newest_page_costs_the_same_in_a_long_log() {
    let steps = |calls| {
        let (_home, mut connection) = connection();
        fill(&mut connection, calls);
        let filter =
            ActivityFilter { tool: Some("tool-3".to_owned()), ..ActivityFilter::default() };
        [ActivityFilter::default(), filter].map(|filter| {
            let Select { sql, values } = select(&filter, 51);
            let mut statement = connection.prepare(&sql).unwrap();
            let rows = statement.query_map(params_from_iter(&values), |_| Ok(())).unwrap();
            assert_eq!(rows.count(), 51);
            statement.get_status(StatementStatus::VmStep)
        })
    };
    assert_eq!(steps(1_000), steps(10_000));
}
