//! One story per promise.

use std::sync::{Arc, atomic::Ordering};

use awf_core::{
    ActivityEvent, CallEnded, CallStarted, Ceiling, Exposure, IntentPolicy, Operation, Origin,
    Outcome, Redactor, RefusalCode, Status, ToolFailure, ToolProvider as _, ToolSource,
    TwoKeyValidator,
};
use awf_tools::{Ports, RouterError, ToolRouter, TraceLink};
use serde_json::json;

use crate::fakes::{FakeLog, FakeProvider, direct, stated};

struct House {
    router: ToolRouter,
    provider: Arc<FakeProvider>,
    log: Arc<FakeLog>,
}

fn ports(log: &Arc<FakeLog>) -> Ports {
    Ports {
        validator: Arc::new(TwoKeyValidator::new(IntentPolicy::default())),
        log: Some(log.clone()),
        redactor: Redactor::new(["hunter2-hunter2"]),
        trace: TraceLink::default(),
    }
}

async fn house_with(exposure: Exposure) -> House {
    let provider = FakeProvider::new(ToolSource::Mcp("up".into()));
    let log = Arc::new(FakeLog::default());
    let router = ToolRouter::new(vec![provider.clone()], exposure, ports(&log)).await.unwrap();
    House { router, provider, log }
}

async fn house() -> House {
    house_with(Exposure::default()).await
}

impl House {
    /// The one call on record: its start and its end.
    fn record(&self) -> (CallStarted, CallEnded) {
        match self.log.events.lock().unwrap().as_slice() {
            [ActivityEvent::Started(started), ActivityEvent::Ended(ended)] => {
                ((**started).clone(), (**ended).clone())
            }
            other => panic!("not one start and one end: {other:?}"),
        }
    }
}

#[tokio::test]
async fn tools_are_listed_under_their_names_with_everything_their_source_said() {
    let house = house().await;
    let listed = house.router.tools().await.unwrap();
    let names: Vec<_> = listed.iter().map(|tool| tool.name().as_str()).collect();
    assert_eq!(names, ["up_look", "up_panic", "up_stuck", "up_wipe"]);
    assert!(listed[0].raw().get().contains("\"x-vendor\":1"), "{:?}", listed[0].raw());
}

#[tokio::test]
async fn a_direct_call_reaches_its_tool_unchanged_and_is_recorded() {
    let house = house().await;
    let result = house.router.call(direct("up_look")).await.unwrap();
    assert!(result.raw().get().contains("12345678901234567890123"), "{result:?}");
    let (started, ended) = house.record();
    assert_eq!((started.server.as_str(), started.tool.as_str()), ("up", "look"));
    let intent = started.intent.unwrap();
    assert_eq!((intent.operation, intent.origin), (Operation::Read, Origin::Derived));
    assert_eq!(
        (started.outcome, ended.status, started.id),
        (Outcome::Allow, Status::Success, ended.id)
    );
}

#[tokio::test]
async fn an_unknown_tool_is_a_failure_and_is_recorded() {
    let house = house().await;
    let failure = house.router.call(direct("nope")).await.unwrap_err();
    assert_eq!(failure, ToolFailure::Unknown { name: "nope".into() });
    let (started, ended) = house.record();
    assert_eq!(started.outcome, Outcome::Deny(RefusalCode::UnknownTool));
    assert_eq!((started.tool.as_str(), ended.status), ("nope", Status::Denied));
}

#[tokio::test]
async fn a_tool_above_the_ceiling_is_neither_listed_nor_called() {
    let house =
        house_with(Exposure { ceiling: Ceiling(Operation::Read), ..Exposure::default() }).await;
    assert_eq!(house.router.tools().await.unwrap().len(), 3);
    house.router.call(direct("up_wipe")).await.unwrap_err();
    let answer = house
        .router
        .judge_and_call(stated(
            Operation::Destructive,
            "up:wipe",
            &json!({"operation_type": "destructive"}),
        ))
        .await;
    assert_eq!(answer.unwrap().refusal.unwrap().code, RefusalCode::AboveCeiling);
    assert_eq!(house.provider.calls.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_refused_call_is_an_answer_never_reaches_the_tool_and_is_recorded() {
    let house = house().await;
    let call = stated(
        Operation::Read,
        "up:wipe",
        &json!({"operation_type": "read", "reason": "just looking"}),
    );
    let answer = house.router.judge_and_call(call).await.unwrap();
    assert!(answer.result.is_error());
    assert_eq!(answer.refusal.unwrap().code, RefusalCode::ServerMismatch);
    assert_eq!(house.provider.calls.load(Ordering::SeqCst), 0);
    let (started, ended) = house.record();
    assert_eq!(
        (started.outcome, ended.status),
        (Outcome::Deny(RefusalCode::ServerMismatch), Status::Denied)
    );
    assert_eq!(started.intent.unwrap().reason.as_deref(), Some("just looking"));
}

#[tokio::test]
async fn a_faulty_statement_wins_over_an_unknown_tool() {
    let house = house().await;
    let answer =
        house.router.judge_and_call(stated(Operation::Read, "up:nope", &json!({}))).await.unwrap();
    assert_eq!(answer.refusal.unwrap().code, RefusalCode::MissingOperationType);
}

#[tokio::test]
async fn a_panic_is_a_failure_of_that_call_only() {
    let house = house().await;
    let failure = house.router.call(direct("up_panic")).await.unwrap_err();
    assert!(failure.to_string().contains("the tool fell over"), "{failure}");
    assert_eq!(house.record().1.status, Status::Error);
    assert!(house.router.call(direct("up_look")).await.is_ok());
}

#[tokio::test]
async fn a_cancelled_call_is_recorded_as_interrupted() {
    let house = house().await;
    let call = direct("up_look");
    call.cancel.cancel();
    assert_eq!(house.router.call(call).await.unwrap_err(), ToolFailure::Cancelled);
    assert_eq!(house.record().1.status, Status::Interrupted);
}

#[tokio::test]
async fn a_call_that_is_dropped_is_recorded_as_interrupted() {
    let house = house().await;
    let call = house.router.call(direct("up_stuck"));
    assert!(tokio::time::timeout(std::time::Duration::from_millis(20), call).await.is_err());
    let (started, ended) = house.record();
    assert_eq!((started.tool.as_str(), ended.status), ("stuck", Status::Interrupted));
}

#[tokio::test]
async fn a_malformed_name_wins_over_a_faulty_statement() {
    let house = house().await;
    for (name, message) in [
        ("nope", "Invalid tool name 'nope': use server:tool"),
        ("", "name is required for call_tool_read"),
    ] {
        let answer =
            house.router.judge_and_call(stated(Operation::Read, name, &json!({}))).await.unwrap();
        assert_eq!(answer.refusal.unwrap().message, message);
    }
}

#[tokio::test]
async fn without_a_journal_reads_go_on_with_a_count_and_changes_are_refused() {
    let house = house().await;
    house.log.broken.store(true, Ordering::SeqCst);
    for count in ["1 read calls", "2 read calls"] {
        let result = house.router.call(direct("up_look")).await.unwrap();
        assert!(result.raw().get().contains(count), "{result:?}");
    }
    let answer = house.router.judge_and_call(direct("up_wipe")).await.unwrap();
    assert_eq!(answer.refusal.unwrap().code, RefusalCode::JournalUnavailable);
    assert_eq!(house.provider.calls.load(Ordering::SeqCst), 2);
    house.log.broken.store(false, Ordering::SeqCst);
    assert!(!house.router.call(direct("up_wipe")).await.unwrap().is_error());
}

#[tokio::test]
async fn a_secret_is_kept_out_of_the_record_and_reaches_the_tool() {
    let house = house().await;
    let mut call = direct("up_look");
    call.arguments = json!({"note": "hunter2-hunter2"}).into();
    let result = house.router.call(call).await.unwrap();
    assert!(result.raw().get().contains("hunter2-hunter2"));
    let (started, ended) = house.record();
    assert!(!format!("{started:?}{ended:?}").contains("hunter2"), "{started:?} {ended:?}");
}

#[tokio::test]
async fn names_that_collide_fail_before_anything_is_called() {
    let log = Arc::new(FakeLog::default());
    let twins = || -> Vec<Arc<dyn awf_core::ToolProvider>> {
        vec![
            FakeProvider::new(ToolSource::Mcp("up".into())),
            FakeProvider::new(ToolSource::Plugin("up".into())),
        ]
    };
    let error = ToolRouter::new(twins(), Exposure::default(), ports(&log)).await.err().unwrap();
    assert!(matches!(error, RouterError::Collision(_)), "{error}");
    assert!(log.events.lock().unwrap().is_empty());
}

#[tokio::test]
async fn closing_closes_every_provider_each_time() {
    let house = house().await;
    house.router.close().await;
    house.router.close().await;
    assert_eq!(house.provider.closed.load(Ordering::SeqCst), 2);
}
