//! Sources that start when they are needed and change their minds: what a call is judged by, and what the others notice.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use async_trait::async_trait;
use awf_core::{
    ActivityError, ActivityEvent, ActivityFilter, ActivityLog, ActivityNews, ActivityPage,
    ActivitySummary, CallEnded, CallStarted, Class, Exposure, IntentPolicy, Naming, Operation,
    Outcome, Place, Redactor, RefusalCode, Standing, Status, ToolCall, ToolFailure, ToolProvider,
    ToolSource, TwoKeyValidator,
};
use awf_tools::{Ports, ToolRouter, TraceLink};
use serde_json::json;

use crate::{
    fakes::{FakeLog, FakeProvider, direct, stated, unasked},
    live_source::{LiveSource, Next},
};

async fn router(sources: Vec<Arc<dyn ToolProvider>>, naming: Naming) -> (ToolRouter, Arc<FakeLog>) {
    let log = Arc::new(FakeLog::default());
    let ports = Ports {
        validator: Arc::new(TwoKeyValidator::new(IntentPolicy::default())),
        log: Some(log.clone()),
        redactor: Redactor::new([""; 0]),
        trace: TraceLink::default(),
    };
    let exposure = Exposure { naming, ..Exposure::default() };
    (ToolRouter::new(sources, exposure, ports).await.unwrap(), log)
}

fn reading(name: &str) -> ToolCall {
    stated(Operation::Read, name, &json!({"operation_type": "read"}))
}

fn last(log: &FakeLog) -> (CallStarted, CallEnded) {
    match log.events.lock().unwrap().as_slice() {
        [.., ActivityEvent::Started(started), ActivityEvent::Ended(ended)] => {
            ((**started).clone(), (**ended).clone())
        }
        other => panic!("no call on record: {other:?}"),
    }
}

fn names(listed: &[Arc<awf_core::ToolDefinition>]) -> Vec<&str> {
    listed.iter().map(|tool| tool.name().as_str()).collect()
}

#[tokio::test]
async fn a_source_is_asked_by_the_first_call_that_needs_it_and_no_sooner() {
    let (one, two) = (LiveSource::reading("one", &["look"]), LiveSource::reading("two", &["see"]));
    let (router, log) = router(vec![one.clone(), two.clone()], Naming::ByAddress).await;
    assert_eq!(router.exposed().await.tools().len(), 0);
    assert_eq!(LiveSource::count(&one.refreshed), 0);
    let answer = router.judge_and_call(reading("one:look")).await.unwrap();
    assert_eq!(answer.refusal, None);
    let reached = [&one.refreshed, &one.calls, &two.refreshed, &two.calls].map(LiveSource::count);
    assert_eq!(reached, [1, 1, 0, 0]);
    let (started, ended) = last(&log);
    assert_eq!((started.server.as_str(), started.tool.as_str()), ("one", "look"));
    assert_eq!(ended.status, Status::Success);
}

#[tokio::test]
async fn a_faulty_statement_starts_nothing() {
    let one = LiveSource::reading("one", &["look"]);
    let (router, _) = router(vec![one.clone()], Naming::ByAddress).await;
    for (call, code) in [
        (stated(Operation::Read, "one:look", &json!({})), RefusalCode::MissingOperationType),
        (reading("look"), RefusalCode::InvalidName),
        (reading("three:look"), RefusalCode::UnknownServer),
    ] {
        let answer = router.judge_and_call(call).await.unwrap();
        assert_eq!(answer.refusal.unwrap().code, code);
    }
    assert_eq!(LiveSource::count(&one.refreshed), 0);
}

#[tokio::test]
async fn a_call_is_judged_by_what_the_source_says_now() {
    let one = LiveSource::reading("one", &["look"]);
    let (router, _) = router(vec![one.clone()], Naming::ByAddress).await;
    router.judge_and_call(reading("one:look")).await.unwrap();
    // Found out by asking again.
    let destructive = one.defined(&[("look", json!({"destructiveHint": true}))]);
    one.will(Next::List(Some(destructive)));
    let refused = router.judge_and_call(reading("one:look")).await.unwrap().refusal.unwrap();
    assert_eq!(refused.code, RefusalCode::ServerMismatch);
    // Said by the source itself.
    one.lists(one.defined(&[("see", json!({"readOnlyHint": true}))]));
    let refused = router.judge_and_call(reading("one:look")).await.unwrap().refusal.unwrap();
    assert_eq!(refused.code, RefusalCode::UnknownTool);
    assert_eq!(LiveSource::count(&one.calls), 1);
    router.judge_and_call(reading("one:see")).await.unwrap();
    assert_eq!(LiveSource::count(&one.calls), 2);
}

/// A log whose writing takes so long that a source has other tools by then.
struct SlowLog(Arc<LiveSource>);

#[async_trait]
impl ActivityLog for SlowLog {
    async fn append(&self, event: &ActivityEvent) -> Result<(), ActivityError> {
        if let ActivityEvent::Started(_) = event {
            self.0.lists(self.0.defined(&[("look", json!({"destructiveHint": true}))]));
        }
        Ok(())
    }

    async fn query(&self, _: &ActivityFilter) -> Result<ActivityPage, ActivityError> {
        Err(unasked())
    }

    async fn summary(&self, _: &ActivityFilter) -> Result<ActivitySummary, ActivityError> {
        Err(unasked())
    }

    async fn news(
        &self,
        _: &ActivityFilter,
        _: Option<Place>,
    ) -> Result<ActivityNews, ActivityError> {
        Err(unasked())
    }
}

/// The source is told by what a call was judged, and not only which tool it is for.
#[tokio::test]
async fn a_change_between_judging_and_sending_is_seen_by_the_source() {
    let one = LiveSource::reading("one", &["look"]);
    let ports = Ports {
        validator: Arc::new(TwoKeyValidator::new(IntentPolicy::default())),
        log: Some(Arc::new(SlowLog(one.clone()))),
        redactor: Redactor::new([""; 0]),
        trace: TraceLink::default(),
    };
    let exposure = Exposure { naming: Naming::ByAddress, ..Exposure::default() };
    let router = ToolRouter::new(vec![one.clone()], exposure, ports).await.unwrap();
    let failure = router.judge_and_call(reading("one:look")).await.unwrap_err();
    assert_eq!(failure, ToolFailure::Unavailable("it changed meanwhile".into()));
    assert_eq!(LiveSource::count(&one.calls), 0);
    let refused = router.judge_and_call(reading("one:look")).await.unwrap().refusal.unwrap();
    assert_eq!(refused.code, RefusalCode::ServerMismatch);
}

#[tokio::test]
async fn a_tool_that_nobody_may_call_as_it_is_is_not_listed_and_says_why() {
    let one = LiveSource::reading("one", &["look", "see"]);
    let (router, _) = router(vec![one.clone()], Naming::ByName).await;
    assert_eq!(names(&router.tools().await.unwrap()), ["one_look", "one_see"]);
    let mut tools = one.defined(&[("look", json!({})), ("see", json!({}))]);
    let changed = (*tools[0]).clone().judged(Class::Write, Standing::Changed);
    tools[0] = Arc::new(changed);
    one.lists(tools);
    assert_eq!(names(&router.tools().await.unwrap()), ["one_see"]);
    let refused = router.judge_and_call(direct("one_look")).await.unwrap().refusal.unwrap();
    assert_eq!(refused.code, RefusalCode::ToolChanged);
    assert_eq!(LiveSource::count(&one.calls), 0);
}

#[tokio::test]
async fn a_source_that_nobody_approved_is_a_refusal_and_one_that_is_gone_a_failure() {
    let (one, two) = (LiveSource::reading("one", &["look"]), LiveSource::reading("two", &["look"]));
    let (router, log) = router(vec![one.clone(), two.clone()], Naming::ByName).await;
    for call in [reading("one:look"), direct("one_look")] {
        one.will(Next::Fail(ToolFailure::NotApproved("awf mcp approve one".into())));
        let refusal = router.judge_and_call(call).await.unwrap().refusal.unwrap();
        assert_eq!(refusal.code, RefusalCode::ToolNotApproved);
        assert_eq!(refusal.message, "awf mcp approve one");
        let (started, ended) = last(&log);
        assert_eq!(started.outcome, Outcome::Deny(RefusalCode::ToolNotApproved));
        assert_eq!(ended.status, Status::Denied);
    }
    for call in [reading("one:look"), direct("one_look")] {
        one.will(Next::Fail(ToolFailure::Unavailable("server `one` is gone".into())));
        let failure = router.judge_and_call(call).await.unwrap_err();
        assert_eq!(failure, ToolFailure::Unavailable("server `one` is gone".into()));
        let (started, ended) = last(&log);
        assert_eq!((started.outcome, ended.status), (Outcome::Allow, Status::Error));
    }
    assert_eq!(LiveSource::count(&one.calls), 0);
    router.judge_and_call(reading("two:look")).await.unwrap();
}

#[tokio::test]
async fn on_the_direct_surface_a_name_leads_to_its_source_first() {
    let one = LiveSource::reading("one", &["look"]);
    let fixed = FakeProvider::new(ToolSource::Mcp("up".into()));
    let (router, _) = router(vec![one.clone(), fixed], Naming::ByName).await;
    router.judge_and_call(direct("up_look")).await.unwrap();
    router.judge_and_call(direct("nope")).await.unwrap_err();
    assert_eq!(LiveSource::count(&one.refreshed), 0, "a fixed source pays nothing");
    // A client may know the name from an earlier session.
    router.judge_and_call(direct("one_look")).await.unwrap();
    one.will(Next::List(Some(Vec::new())));
    let gone = router.judge_and_call(direct("one_look")).await.unwrap_err();
    assert_eq!(gone, ToolFailure::Unknown { name: "one_look".into() });
    assert_eq!(LiveSource::count(&one.calls), 1);
}

#[tokio::test(start_paused = true)]
async fn a_source_that_hangs_keeps_nobody_longer_than_the_bound() {
    let hanging = LiveSource::reading("hanging", &["look"]);
    hanging.will(Next::Hang);
    let refusing = LiveSource::reading("refusing", &["look"]);
    refusing.will(Next::Fail(ToolFailure::Unavailable("no".into())));
    let fine = LiveSource::reading("fine", &["look"]);
    let sources: Vec<Arc<dyn ToolProvider>> = vec![hanging.clone(), refusing, fine];
    let (router, _) = router(sources, Naming::ByName).await;
    let begun = tokio::time::Instant::now();
    let missing = router.gather().await;
    assert_eq!(begun.elapsed().as_secs(), 10);
    let told: Vec<_> = missing.iter().map(|(source, why)| (source.namespace(), &**why)).collect();
    let silent = "it did not list its tools within 10 s";
    assert_eq!(told, [("hanging", silent), ("refusing", "no")]);
    assert_eq!(names(&router.tools().await.unwrap()), ["fine_look"]);
    assert_eq!(LiveSource::count(&hanging.refreshed), 1, "it is asked once at a time");
}

#[tokio::test]
async fn a_caller_who_leaves_does_not_wait_for_a_source() {
    let one = LiveSource::reading("one", &["look"]);
    one.will(Next::Hang);
    let (router, log) = router(vec![one.clone()], Naming::ByAddress).await;
    let call = reading("one:look");
    let cancel = call.cancel.clone();
    let (outcome, ()) = tokio::join!(router.judge_and_call(call), async move { cancel.cancel() });
    assert_eq!(outcome.unwrap_err(), ToolFailure::Cancelled);
    assert_eq!(last(&log).1.status, Status::Interrupted);
}

#[tokio::test]
async fn a_tool_that_cannot_be_offered_takes_no_other_with_it() {
    let one = LiveSource::reading("u_p", &["look"]);
    let two = LiveSource::reading("u", &["p_look", "call_tool_read", "fine"]);
    let (router, _) = router(vec![one, two], Naming::ByName).await;
    assert_eq!(names(&router.tools().await.unwrap()), ["u_fine", "u_p_look"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn calls_go_on_while_the_list_keeps_changing() {
    let one = LiveSource::reading("one", &["look"]);
    let (router, _) = router(vec![one.clone()], Naming::ByName).await;
    let (router, over) = (Arc::new(router), Arc::new(AtomicBool::new(false)));
    let changing = tokio::spawn({
        let (one, over) = (one.clone(), over.clone());
        async move {
            let read = json!({"readOnlyHint": true});
            while !over.load(Ordering::SeqCst) {
                one.lists(one.defined(&[("look", read.clone()), ("more", read.clone())]));
                tokio::task::yield_now().await;
                one.lists(one.defined(&[("look", read.clone())]));
                tokio::task::yield_now().await;
            }
        }
    });
    let callers: Vec<_> = (0..8)
        .map(|_| {
            let router = router.clone();
            tokio::spawn(async move {
                for _ in 0..100 {
                    let answer = router.judge_and_call(reading("one:look")).await.unwrap();
                    assert_eq!(answer.refusal, None);
                }
            })
        })
        .collect();
    for caller in callers {
        caller.await.unwrap();
    }
    over.store(true, Ordering::SeqCst);
    changing.await.unwrap();
    assert_eq!(LiveSource::count(&one.calls), 800);
}

#[tokio::test]
async fn ten_thousand_tools_are_listed_once_however_many_calls_there_are() {
    let names: Vec<String> = (0..10_000).map(|n| format!("tool_{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let one = LiveSource::reading("one", &names);
    let (router, _) = router(vec![one.clone()], Naming::ByAddress).await;
    for n in 0..500 {
        let answer = router.judge_and_call(reading(&format!("one:tool_{n}"))).await.unwrap();
        assert_eq!(answer.refusal, None);
    }
    // Once before it was started, once after.
    assert_eq!(LiveSource::count(&one.listed), 2);
    assert_eq!(router.exposed().await.tools().len(), 10_000);
}
