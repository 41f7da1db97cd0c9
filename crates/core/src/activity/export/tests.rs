//! Each format, for a record with everything and for one with nothing optional.

use std::time::{Duration, SystemTime};

use super::{COLUMNS, ExportFormat};
use crate::{
    activity::{ActivityId, ActivityRecord, CallEnded, CallStarted, Captured, Outcome, Status},
    intent::{Declaration, Operation, Origin, RefusalCode, Sensitivity, Variant},
    json::RawJson,
    tool::{CallSurface, ClientIdentity},
};

fn bare() -> ActivityRecord {
    let started = CallStarted {
        id: ActivityId::generate(),
        at: SystemTime::UNIX_EPOCH + Duration::from_secs(1),
        request_id: "q".to_owned(),
        surface: CallSurface::Mcp,
        server: String::new(),
        tool: "nowhere".to_owned(),
        variant: None,
        intent: None,
        outcome: Outcome::Deny(RefusalCode::UnknownTool),
        warnings: Vec::new(),
        arguments: Captured::Whole(RawJson::parse("{\"a\":\r\n 1}").unwrap()),
        run: None,
        step: None,
        session: None,
        trace_id: None,
        client: None,
    };
    ActivityRecord { started, status: Status::Denied, ended: None }
}

fn full() -> ActivityRecord {
    let mut record = bare();
    let started = &mut record.started;
    started.variant = Some(Variant(Operation::Write));
    started.outcome = Outcome::Allow;
    started.client = Some(ClientIdentity { name: "c".to_owned(), version: "1".to_owned() });
    started.intent = Some(Declaration {
        operation: Operation::Write,
        origin: Origin::Nested,
        sensitivity: Some(Sensitivity::Private),
        reason: Some("=cmd|' /C calc'!A0".to_owned()),
    });
    let ended = CallEnded {
        id: started.id,
        at: started.at,
        status: Status::Error,
        duration_ms: 7,
        response: None,
        error: Some("a, \"b\"".to_owned()),
    };
    record.ended = Some(ended);
    record.status = Status::Error;
    record
}

#[test]
fn a_word_reads_back_as_its_format() {
    for format in ExportFormat::ALL {
        assert_eq!(ExportFormat::parse(format.as_str()), Some(format));
    }
    assert_eq!(ExportFormat::parse("CSV"), None);
}

#[test]
fn json_is_one_line_whatever_the_arguments_hold() {
    let (record, format) = (bare(), ExportFormat::Json);
    let line = format.record(&record);
    assert_eq!((line.matches('\n').count(), line.matches('\r').count()), (1, 0), "{line}");
    let value: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&value["arguments"]["a"], &value["tool_name"]), (&1.into(), &"nowhere".into()));
    assert_eq!(format.opening(), "");
}

#[test]
fn csv_has_the_intent_and_a_cell_for_every_column() {
    let format = ExportFormat::Csv;
    assert_eq!(format.opening(), format!("{}\r\n", COLUMNS.join(",")));
    let (bare, full) = (bare(), full());
    let id = bare.started.id;
    assert_eq!(
        format.record(&bare),
        format!(
            "{id},tool_call,mcp,,nowhere,denied,,1970-01-01T00:00:01.000Z,q,,,,,,,,,,,deny,UNKNOWN_TOOL,,,\r\n"
        )
    );
    let id = full.started.id;
    assert_eq!(
        format.record(&full),
        format!(
            "{id},tool_call,mcp,,nowhere,error,7,1970-01-01T00:00:01.000Z,q,,,,c,1,write,private,'=cmd|' /C calc'!A0,nested,call_tool_write,allow,,,\"a, \"\"b\"\"\",\r\n"
        )
    );
}
