//! A process that does nothing but write to a journal; the tests run many of it, kill it, and starve it of space.
//!
//! `journal_writer <home> <calls> [<file limit in bytes>]` prints `started <id>` and `ended <id>` as each event is
//! acknowledged. With a limit it prints `failed <why>` when the limit is hit, lifts it, and goes on.

use std::{
    error::Error,
    io::{self, Write as _},
    path::Path,
    time::SystemTime,
};

use awf_core::{
    ActivityEvent, ActivityId, CallEnded, CallStarted, CallSurface, Captured, Declaration,
    Operation, Origin, Outcome, RawJson, Status,
};
use awf_store::{Durability, Journal};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [home, calls, limit @ ..] = arguments.as_slice() else {
        return Err("usage: journal_writer <home> <calls> [<file limit>]".into());
    };
    if let [limit] = limit {
        limit_files(Some(limit.parse()?))?;
    }
    let journal = Journal::open(Path::new(home), Durability::Process);
    for _ in 0..calls.parse::<u32>()? {
        let id = ActivityId::generate();
        acknowledge(&journal, "started", &ActivityEvent::Started(Box::new(started(id)))).await?;
        acknowledge(&journal, "ended", &ActivityEvent::Ended(Box::new(ended(id)))).await?;
    }
    journal.close()?;
    Ok(())
}

async fn acknowledge(
    journal: &Journal,
    word: &str,
    event: &ActivityEvent,
) -> Result<(), Box<dyn Error>> {
    if let Err(error) = journal.append(event).await {
        say(&format!("failed {error}"))?;
        limit_files(None)?;
        journal.append(event).await?;
    }
    say(&format!("{word} {}", event.id()))?;
    Ok(())
}

/// One write per line, so that a kill cannot leave an acknowledgement in a buffer.
fn say(line: &str) -> io::Result<()> {
    io::stdout().lock().write_all(format!("{line}\n").as_bytes())
}

/// Only the soft limit moves, so that the process can lift it again.
fn limit_files(current: Option<u64>) -> io::Result<()> {
    let maximum = getrlimit(Resource::Fsize).maximum;
    Ok(setrlimit(Resource::Fsize, Rlimit { current: current.or(maximum), maximum })?)
}

fn started(id: ActivityId) -> CallStarted {
    CallStarted {
        id,
        at: SystemTime::now(),
        request_id: id.to_string(),
        surface: CallSurface::Mcp,
        server: "builtin".to_owned(),
        tool: "Read".to_owned(),
        variant: None,
        intent: Some(Declaration {
            operation: Operation::Read,
            origin: Origin::Derived,
            sensitivity: None,
            reason: None,
        }),
        outcome: Outcome::Allow,
        warnings: Vec::new(),
        arguments: Captured::Whole(RawJson::from(
            serde_json::json!({"file_path": "src/lib.rs", "offset": 1, "limit": 200}),
        )),
        run: None,
        step: None,
        session: None,
        trace_id: None,
        client: None,
    }
}

fn ended(id: ActivityId) -> CallEnded {
    CallEnded {
        id,
        at: SystemTime::now(),
        status: Status::Success,
        duration_ms: 3,
        response: Some(Captured::Whole(RawJson::from(serde_json::json!({"content": "…"})))),
        error: None,
    }
}
