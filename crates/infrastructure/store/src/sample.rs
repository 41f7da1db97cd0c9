//! Events for unit tests.

use std::time::SystemTime;

use awf_core::{
    ActivityEvent, ActivityId, CallEnded, CallStarted, CallSurface, Captured, Declaration,
    Operation, Origin, Outcome, RawJson, Status,
};

pub(crate) fn started(operation: Operation) -> CallStarted {
    CallStarted {
        id: ActivityId::generate(),
        at: SystemTime::UNIX_EPOCH,
        request_id: String::new(),
        surface: CallSurface::Cli,
        server: "builtin".to_owned(),
        tool: "Read".to_owned(),
        variant: None,
        intent: Some(Declaration {
            operation,
            origin: Origin::Derived,
            sensitivity: None,
            reason: None,
        }),
        outcome: Outcome::Allow,
        warnings: Vec::new(),
        arguments: Captured::Whole(RawJson::empty_object()),
        run: None,
        step: None,
        session: None,
        trace_id: None,
        client: None,
    }
}

pub(crate) fn ended(id: ActivityId) -> ActivityEvent {
    let (at, status) = (SystemTime::UNIX_EPOCH, Status::Success);
    let (duration_ms, response, error) = (0, None, None);
    ActivityEvent::Ended(Box::new(CallEnded { id, at, status, duration_ms, response, error }))
}

pub(crate) fn write_call() -> ActivityEvent {
    ActivityEvent::Started(Box::new(started(Operation::Write)))
}
