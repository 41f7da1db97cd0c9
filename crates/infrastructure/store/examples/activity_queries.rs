//! What queries of the log cost: `cargo xtask bench activity` runs it on a short and on a long log, and divides.
//!
//! `activity_queries fill <home> <calls>` writes that many calls by the real writer, spread over thirty days.
//! `activity_queries ask <home> <times>` prints a line for each query: its name and its median in microseconds.

use std::{
    error::Error,
    io::{self, Write as _},
    path::Path,
    time::{Duration, Instant, SystemTime},
};

use awf_core::{
    ActivityEvent, ActivityFilter, ActivityId, ActivityLog as _, CallEnded, CallStarted,
    CallSurface, Captured, Declaration, Operation, Origin, Outcome, RawJson, RefusalCode, Status,
};
use awf_store::{ActivityStore, Durability};
use ulid::Ulid;

type Failure = Box<dyn Error>;

/// Over which time the calls are spread, up to now.
const SPAN: Duration = Duration::from_hours(30 * 24);
/// Calls of one run.
const RUN: u64 = 100;
/// A page of those that are found by a filter: as many as a thousand records have of everything that is asked for.
const FEW: usize = 5;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["fill", home, calls] => fill(Path::new(home), calls.parse()?).await,
        ["ask", home, times] => ask(Path::new(home), times.parse()?).await,
        _ => Err("usage: activity_queries fill <home> <calls> | ask <home> <times>".into()),
    }
}

async fn fill(home: &Path, calls: u64) -> Result<(), Failure> {
    let store = ActivityStore::open(home, Durability::Process);
    let begin = SystemTime::now() - SPAN;
    let apart = SPAN.as_micros() / u128::from(calls);
    for number in 0..calls {
        let passed = u64::try_from(u128::from(number) * apart)?;
        let started = started(number, begin + Duration::from_micros(passed))?;
        let ended = ended(number, &started);
        store.append(&ActivityEvent::Started(Box::new(started))).await?;
        store.append(&ActivityEvent::Ended(Box::new(ended))).await?;
    }
    store.close()?;
    Ok(())
}

/// What a call is, is decided by its number: common and rare values, some of them only in the oldest calls.
fn started(number: u64, at: SystemTime) -> Result<CallStarted, Failure> {
    let since = at.duration_since(SystemTime::UNIX_EPOCH)?.as_millis();
    let id = Ulid::from_parts(u64::try_from(since)?, u128::from(number) << 32).to_string();
    let operation = match number % 20 {
        0 => Operation::Destructive,
        1..=5 => Operation::Write,
        _ => Operation::Read,
    };
    let surface = match number % 97 {
        0 => CallSurface::Api,
        1..=4 => CallSurface::Cli,
        _ => CallSurface::Mcp,
    };
    let run = number / RUN;
    let in_run = run.is_multiple_of(2);
    Ok(CallStarted {
        id: ActivityId::parse(&id).ok_or("an id")?,
        at,
        request_id: format!("request-{number}"),
        surface,
        server: if number < 10 { "rare".to_owned() } else { format!("server-{}", number % 5) },
        tool: format!("tool-{}", number % 40),
        variant: None,
        intent: Some(Declaration {
            operation,
            origin: Origin::Derived,
            sensitivity: None,
            reason: None,
        }),
        outcome: match status(number) {
            Status::Denied => Outcome::Deny(RefusalCode::AboveCeiling),
            _ => Outcome::Allow,
        },
        warnings: Vec::new(),
        arguments: Captured::Whole(RawJson::from(
            serde_json::json!({"file_path": "src/lib.rs", "offset": 1, "limit": 200}),
        )),
        run: in_run.then(|| format!("run-{run}")),
        step: in_run.then(|| format!("step-{}", number % 20)),
        session: None,
        trace_id: None,
        client: None,
    })
}

fn status(number: u64) -> Status {
    match number {
        0..10 => Status::Bypassed,
        _ if number.is_multiple_of(100) => Status::Denied,
        _ if number.is_multiple_of(30) => Status::Error,
        _ => Status::Success,
    }
}

fn ended(number: u64, started: &CallStarted) -> CallEnded {
    CallEnded {
        id: started.id,
        at: started.at + Duration::from_millis(3),
        status: status(number),
        duration_ms: number % 50,
        response: Some(Captured::Whole(RawJson::from(serde_json::json!({"content": "done"})))),
        error: None,
    }
}

async fn ask(home: &Path, times: usize) -> Result<(), Failure> {
    let store = ActivityStore::open(home, Durability::Process);
    let newest = store.query(&ActivityFilter { limit: 100, ..ActivityFilter::default() }).await?;
    let some = newest.records.get(50).ok_or("a log of at least 51 calls")?.started.clone();
    let of_run = newest.records.iter().find_map(|record| record.started.run.clone());
    for (name, filter) in filters(&some, of_run) {
        let mut took = Vec::new();
        for _ in 0..times {
            let begun = Instant::now();
            let page = store.query(&filter).await?;
            took.push(begun.elapsed());
            if page.records.is_empty() {
                return Err(format!("`{name}` finds nothing").into());
            }
        }
        say(name, took)?;
    }
    let any = ActivityFilter::default();
    let one = ActivityFilter { server: Some("server-1".to_owned()), ..any.clone() };
    for (name, filter) in [("summary", any), ("summary-server", one)] {
        let mut took = Vec::new();
        for _ in 0..times {
            let begun = Instant::now();
            store.summary(&filter).await?;
            took.push(begun.elapsed());
        }
        say(name, took)?;
    }
    Ok(())
}

fn filters(some: &CallStarted, run: Option<String>) -> Vec<(&'static str, ActivityFilter)> {
    let any = ActivityFilter::default;
    let few = || ActivityFilter { limit: FEW, ..any() };
    let text = |text: &str| Some(text.to_owned());
    vec![
        ("newest", any()),
        ("show", ActivityFilter { id: Some(some.id), ..any() }),
        ("since", ActivityFilter { since: Some(some.at), ..few() }),
        ("until", ActivityFilter { until: Some(some.at), ..few() }),
        ("run", ActivityFilter { run: run.clone(), ..few() }),
        ("step", ActivityFilter { step: text("step-7"), ..few() }),
        ("server", ActivityFilter { server: text("server-3"), ..few() }),
        ("server-rare", ActivityFilter { server: text("rare"), ..few() }),
        ("tool", ActivityFilter { tool: text("tool-17"), ..few() }),
        ("intent", ActivityFilter { operation: Some(Operation::Destructive), ..few() }),
        ("status", ActivityFilter { status: Some(Status::Denied), ..few() }),
        ("status-common", ActivityFilter { status: Some(Status::Success), ..few() }),
        ("status-rare", ActivityFilter { status: Some(Status::Bypassed), ..few() }),
        ("source", ActivityFilter { surface: Some(CallSurface::Api), ..few() }),
        ("request", ActivityFilter { request_id: Some(some.request_id.clone()), ..few() }),
        ("run-status", ActivityFilter { run, status: Some(Status::Success), ..few() }),
        (
            "server-tool",
            ActivityFilter { server: text("server-2"), tool: text("tool-17"), ..few() },
        ),
        (
            "refused-destructive",
            ActivityFilter {
                status: Some(Status::Denied),
                operation: Some(Operation::Destructive),
                ..few()
            },
        ),
        (
            "all-time-rare",
            ActivityFilter {
                since: Some(SystemTime::UNIX_EPOCH),
                status: Some(Status::Bypassed),
                ..few()
            },
        ),
    ]
}

fn say(name: &str, mut took: Vec<Duration>) -> io::Result<()> {
    took.sort_unstable();
    let median = took.get(took.len() / 2).copied().unwrap_or_default();
    writeln!(io::stdout(), "{name} {:.1}", median.as_secs_f64() * 1e6)
}
