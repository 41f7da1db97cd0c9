//! Measures what one event costs its caller: `cargo run --release -p awf-store --example append_cost <directory>`.

use std::{
    error::Error,
    io::{self, Write as _},
    path::Path,
    time::{Instant, SystemTime},
};

use awf_core::{
    ActivityEvent, ActivityId, CallStarted, CallSurface, Captured, Declaration, Operation, Origin,
    Outcome, RawJson,
};
use awf_store::{Durability, Journal};

const EVENTS: u32 = 200_000;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let home = std::env::args().nth(1).ok_or("usage: append_cost <directory>")?;
    let event = event();
    for durability in [Durability::Process, Durability::Power] {
        let events = if durability == Durability::Process { EVENTS } else { EVENTS / 100 };
        let journal = Journal::open(Path::new(&home), durability);
        journal.append(&event).await?;
        let begun = Instant::now();
        for _ in 0..events {
            journal.append(&event).await?;
        }
        let each = begun.elapsed().as_secs_f64() * 1e6 / f64::from(events);
        writeln!(io::stdout(), "{durability:?}: {each:.2} µs per event")?;
    }
    Ok(())
}

/// A line of some 700 bytes, arguments of 300 among them. It is written again and again under one id: the journal does
/// not look. Each is a start, so that `Power` has no set of open calls to search.
fn event() -> ActivityEvent {
    ActivityEvent::Started(Box::new(CallStarted {
        id: ActivityId::generate(),
        at: SystemTime::now(),
        request_id: ActivityId::generate().to_string(),
        surface: CallSurface::Mcp,
        server: "builtin".to_owned(),
        tool: "Read".to_owned(),
        variant: None,
        intent: Some(Declaration {
            operation: Operation::Write,
            origin: Origin::Derived,
            sensitivity: None,
            reason: None,
        }),
        outcome: Outcome::Allow,
        warnings: Vec::new(),
        arguments: Captured::Whole(RawJson::from(
            serde_json::json!({"file_path": "src/lib.rs", "content": "x".repeat(250)}),
        )),
        run: None,
        step: None,
        session: None,
        trace_id: None,
        client: None,
    }))
}
