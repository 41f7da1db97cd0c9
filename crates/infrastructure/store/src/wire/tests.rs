//! The journal's format: a line written by this version must be readable by every later one.

use std::time::{Duration, SystemTime};

use awf_core::{
    ActivityEvent, ActivityId, CallEnded, CallStarted, CallSurface, Captured, ClientIdentity,
    Declaration, Operation, Origin, Outcome, RawJson, RefusalCode, Sensitivity, Status, Variant,
    Warning, WarningCode,
};

use super::{Event, read_event};

const STARTED: &str = r#"{"event":{"started":{"id":"01JG2QZC3V8F0E4B1S5T7W9XYZ","at":1764950400123456789,"request_id":"r-1","source":"mcp","server":"github","tool":"delete_repo","variant":"call_tool_read","intent":{"operation":"read","origin":"nested","sensitivity":"private","reason":"to \"look\""},"outcome":{"deny":"SERVER_MISMATCH"},"warnings":[{"code":"INTENT_ALIAS","message":"an alias"}],"arguments":{"whole":{"n": 12345678901234567890123, "b":1.10}},"run":"run-1","step":"review","session":"s-1","trace_id":"4bf92f3577b34da6a3ce929d0e0e4736","client":{"name":"claude","version":"2.0"}}}}"#;
const ENDED: &str = r#"{"event":{"ended":{"id":"01JG2QZC3V8F0E4B1S5T7W9XYZ","at":-1,"status":"error","duration_ms":12,"response":{"cut":{"head":"{\"a","full_bytes":70000}},"error":"no such file"}}}"#;

fn started() -> CallStarted {
    CallStarted {
        id: ActivityId::parse("01JG2QZC3V8F0E4B1S5T7W9XYZ").unwrap(),
        at: SystemTime::UNIX_EPOCH + Duration::new(1_764_950_400, 123_456_789),
        request_id: "r-1".to_owned(),
        surface: CallSurface::Mcp,
        server: "github".to_owned(),
        tool: "delete_repo".to_owned(),
        variant: Some(Variant(Operation::Read)),
        intent: Some(Declaration {
            operation: Operation::Read,
            origin: Origin::Nested,
            sensitivity: Some(Sensitivity::Private),
            reason: Some("to \"look\"".to_owned()),
        }),
        outcome: Outcome::Deny(RefusalCode::ServerMismatch),
        warnings: vec![Warning::new(WarningCode::IntentAlias, "an alias".to_owned())],
        arguments: Captured::Whole(
            RawJson::parse(r#"{"n": 12345678901234567890123, "b":1.10}"#).unwrap(),
        ),
        run: Some("run-1".to_owned()),
        step: Some("review".to_owned()),
        session: Some("s-1".to_owned()),
        trace_id: Some("4bf92f3577b34da6a3ce929d0e0e4736".to_owned()),
        client: Some(ClientIdentity { name: "claude".to_owned(), version: "2.0".to_owned() }),
    }
}

fn ended() -> CallEnded {
    CallEnded {
        id: started().id,
        at: SystemTime::UNIX_EPOCH - Duration::from_nanos(1),
        status: Status::Error,
        duration_ms: 12,
        response: Some(Captured::Cut { head: "{\"a".to_owned(), full_bytes: 70_000 }),
        error: Some("no such file".to_owned()),
    }
}

fn written(event: &ActivityEvent) -> String {
    format!(r#"{{"event":{}}}"#, serde_json::to_string(&Event::from(event)).unwrap())
}

#[test]
fn events_are_written_and_read_as_the_format_says() {
    let events = [
        (ActivityEvent::Started(Box::new(started())), STARTED),
        (ActivityEvent::Ended(Box::new(ended())), ENDED),
    ];
    for (event, text) in events {
        assert_eq!(written(&event), text);
        assert_eq!(read_event(text.as_bytes()).unwrap(), event);
    }
}

#[test]
fn every_word_reads_back() {
    let outcomes = [Outcome::Allow, Outcome::Warn]
        .into_iter()
        .chain(RefusalCode::ALL.into_iter().map(Outcome::Deny));
    let outcomes = outcomes.map(|outcome| CallStarted { outcome, ..started() });
    let surfaces = CallSurface::ALL.into_iter().map(|surface| CallStarted { surface, ..started() });
    let variants = Operation::ALL
        .into_iter()
        .map(|operation| CallStarted { variant: Some(Variant(operation)), ..started() });
    let intents = Origin::ALL.into_iter().zip(Sensitivity::ALL).map(|(origin, level)| {
        let (operation, reason) = (Operation::Destructive, None);
        let intent = Declaration { operation, origin, sensitivity: Some(level), reason };
        CallStarted { intent: Some(intent), ..started() }
    });
    let warnings = WarningCode::ALL
        .into_iter()
        .map(|code| CallStarted { warnings: vec![Warning::new(code, String::new())], ..started() });
    let starts = outcomes.chain(surfaces).chain(variants).chain(intents).chain(warnings);
    let starts = starts.map(|started| ActivityEvent::Started(Box::new(started)));
    let ends = Status::ALL
        .into_iter()
        .map(|status| ActivityEvent::Ended(Box::new(CallEnded { status, ..ended() })));
    for event in starts.chain(ends) {
        assert_eq!(read_event(written(&event).as_bytes()).unwrap(), event);
    }
}

#[test]
fn json_with_line_breaks_stays_one_line_and_keeps_every_byte() {
    let pretty = RawJson::parse("{\n  \"a\": 1,\r\n\t\"b\": [\n]\n}").unwrap();
    let event = ActivityEvent::Ended(Box::new(CallEnded {
        response: Some(Captured::Whole(pretty)),
        ..ended()
    }));
    let text = written(&event);
    assert!(!text.contains('\n'));
    assert_eq!(read_event(text.as_bytes()).unwrap(), event);
}

#[test]
fn a_warning_of_a_later_version_keeps_its_message() {
    let text = STARTED.replace("INTENT_ALIAS", "SOMETHING_NEW");
    let ActivityEvent::Started(read) = read_event(text.as_bytes()).unwrap() else { panic!() };
    assert_eq!(
        read.warnings,
        [Warning { code: "UNKNOWN_WARNING", message: "an alias".to_owned() }]
    );
}

#[test]
fn strange_words_are_refused_by_name() {
    for (word, message) in [
        ("01JG2QZC3V8F0E4B1S5T7W9XYZ", "`?` is no activity id"),
        ("mcp", "`?` is no source"),
        ("call_tool_read", "`?` is no variant"),
        ("nested", "`?` is no origin"),
        ("SERVER_MISMATCH", "`?` is no refusal code"),
    ] {
        let text = STARTED.replace(word, "?");
        assert_eq!(read_event(text.as_bytes()).unwrap_err().to_string(), message);
    }
}
