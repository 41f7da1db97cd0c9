//! A summary says what counting the records would.

use std::{
    collections::HashMap,
    time::{Duration, SystemTime},
};

use awf_core::{
    ActivityFilter, ActivityId, ActivityLog as _, ActivityRecord, ActivitySummary, CallEnded,
    CallStarted, CallSurface, Operation, Status,
};

use crate::{
    dice::Dice,
    sample::{all, end_event, ended, open, start_event, started},
};

const DAY: usize = 86_400;

fn day(days: usize, seconds: usize) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(((20_000 + days) * DAY + seconds) as u64)
}

/// Calls of a week by few servers and tools, some without an end.
fn week(calls: usize, dice: &mut Dice) -> Vec<(CallStarted, Option<CallEnded>)> {
    let one = |_| {
        let mut begun = CallStarted {
            id: ActivityId::generate(),
            at: day(dice.below(7), dice.below(DAY)),
            server: format!("server-{}", dice.below(3)),
            tool: format!("tool-{}", dice.below(14)),
            surface: CallSurface::ALL[dice.below(4)],
            run: (dice.below(2) == 0).then(|| "run".to_owned()),
            ..started()
        };
        if dice.below(4) == 0 {
            begun.intent = None;
        }
        let done = CallEnded {
            status: [Status::Success, Status::Error][dice.below(2)],
            duration_ms: dice.below(15) as u64,
            ..ended(&begun)
        };
        (begun, (dice.below(10) > 0).then_some(done))
    };
    (0..calls).map(one).collect()
}

/// The same by going through all of them.
fn counted(records: &[ActivityRecord]) -> ActivitySummary {
    fn top<K: Clone + Eq + std::hash::Hash + Ord>(
        records: &[ActivityRecord],
        key: impl Fn(&ActivityRecord) -> K,
    ) -> Vec<(K, u64)> {
        let mut counts: HashMap<K, u64> = HashMap::new();
        for record in records {
            *counts.entry(key(record)).or_default() += 1;
        }
        let mut counts: Vec<(K, u64)> = counts.into_iter().collect();
        counts.sort_by(|(a, many), (b, few)| few.cmp(many).then(a.cmp(b)));
        counts
    }
    let mut took: Vec<u64> =
        records.iter().filter_map(|r| Some(r.ended.as_ref()?.duration_ms)).collect();
    took.sort_unstable();
    let at = |percent: usize| took[(took.len() * percent).div_ceil(100) - 1];
    let servers = top(records, |record| record.started.server.clone());
    let tools = top(records, |record| (record.started.server.clone(), record.started.tool.clone()));
    let statuses = top(records, |record| record.status.as_str());
    let operations =
        top(records, |record| record.started.intent.as_ref().map_or("", |i| i.operation.as_str()));
    ActivitySummary {
        total: records.len() as u64,
        first: records.iter().map(|record| record.started.at).min(),
        last: records.iter().map(|record| record.started.at).max(),
        statuses: statuses.into_iter().map(|(s, n)| (Status::parse(s).unwrap(), n)).collect(),
        operations: operations.into_iter().map(|(o, n)| (Operation::parse(o), n)).collect(),
        servers: servers
            .into_iter()
            .take(awf_core::SUMMARY_TOP)
            .map(|(server, count)| awf_core::ServerCount { server, count })
            .collect(),
        tools: tools
            .into_iter()
            .take(awf_core::SUMMARY_TOP)
            .map(|((server, tool), count)| awf_core::ToolCount { server, tool, count })
            .collect(),
        durations: (!took.is_empty()).then(|| awf_core::Durations { p50: at(50), p95: at(95) }),
    }
}

/// The words have no order of their own.
fn settled(mut summary: ActivitySummary) -> ActivitySummary {
    summary.statuses.sort_by_key(|(status, _)| status.as_str());
    summary.operations.sort_by_key(|(operation, _)| operation.map(Operation::as_str));
    summary
}

fn filters() -> Vec<ActivityFilter> {
    let any = ActivityFilter::default;
    let text = |text: &str| Some(text.to_owned());
    vec![
        any(),
        ActivityFilter { server: text("server-1"), ..any() },
        ActivityFilter { tool: text("tool-2"), operation: Some(Operation::Write), ..any() },
        ActivityFilter { status: Some(Status::Error), ..any() },
        ActivityFilter { status: Some(Status::Started), ..any() },
        ActivityFilter { surface: Some(CallSurface::Api), ..any() },
        ActivityFilter { run: text("run"), ..any() },
        ActivityFilter { since: Some(day(2, 500)), ..any() },
        ActivityFilter { until: Some(day(2, 500)), ..any() },
        ActivityFilter { since: Some(day(1, 0)), until: Some(day(3, 0)), ..any() },
        ActivityFilter {
            since: Some(day(1, 9)),
            until: Some(day(4, 7)),
            server: text("server-0"),
            ..any()
        },
        ActivityFilter { since: Some(day(3, 9)), until: Some(day(3, 70_000)), ..any() },
        ActivityFilter { since: Some(day(3, 9)), until: Some(day(4, 70_000)), ..any() },
        ActivityFilter { tool: text("none"), ..any() },
    ]
}

#[tokio::test]
async fn it_is_what_counting_the_records_gives() {
    let home = tempfile::tempdir().unwrap();
    let store = open(home.path());
    let mut dice = Dice::new(7);
    for (started, ended) in week(400, &mut dice) {
        store.append(&start_event(&started)).await.unwrap();
        if let Some(ended) = ended {
            store.append(&end_event(&ended)).await.unwrap();
        }
        if dice.below(50) == 0 {
            store.summary(&ActivityFilter::default()).await.unwrap();
        }
    }
    let check = async || {
        for filter in filters() {
            let expected = counted(&all(&store, filter.clone()).await);
            let told = store.summary(&filter).await.unwrap();
            assert_eq!(settled(told), settled(expected), "{filter:?}");
        }
    };
    check().await;
    store.close().unwrap();
    // Those without an end are interrupted now.
    check().await;
    // And an index that is made anew counts the same.
    std::fs::remove_file(home.path().join("activity/index.sqlite")).unwrap();
    let again = open(home.path()).summary(&ActivityFilter::default()).await.unwrap();
    let records = all(&store, ActivityFilter::default()).await;
    assert_eq!(settled(again), settled(counted(&records)));
}

#[tokio::test]
async fn no_log_is_nothing() {
    let home = tempfile::tempdir().unwrap();
    let told = open(home.path()).summary(&ActivityFilter::default()).await.unwrap();
    assert_eq!(told, ActivitySummary::default());
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
}
