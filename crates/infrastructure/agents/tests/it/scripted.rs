//! One story per promise of the scripted agent.

use std::{path::Path, sync::Arc};

use async_trait::async_trait;
use awf_core::{
    AgentFailure, AgentNews, AgentOutcome, Located, Reach, Script, Span, ToolAccess, ToolCall,
    ToolDefinition, ToolFailure, ToolProvider, ToolResult, Turn, Usage,
};
use serde_json::json;
use tokio::sync::Barrier;

use crate::stage::{Stage, call, calls, expecting, refused, say, server};

#[tokio::test]
async fn turns_are_said_in_order_and_the_last_word_is_the_answer() {
    let stage = Stage::new();
    let turns = vec![say("one\n"), calls(vec![call("echo", &json!({"n": 1}))]), say("done")];
    let outcome = stage.play(turns, server("serve")).await.unwrap();
    let usage = Usage { input_tokens: 4, output_tokens: 3, estimated: true, cost: None };
    let session = Some("scripted-01RUN-fix".to_owned());
    assert_eq!(outcome, AgentOutcome { text: "done".into(), session, usage, model: None });
    assert_eq!(stage.heard(), ["one\n", "done\n"].map(|text| AgentNews::Text(text.into())));
    let turns = [
        "asked",
        r#""one\n" Some((2, 1))"#,
        "asked",
        r#""" Some((0, 1))"#,
        "asked",
        r#""done" Some((2, 1))"#,
    ];
    assert_eq!(stage.turns(), turns);
}

#[tokio::test]
async fn the_server_gets_the_agents_directory_and_environment_and_its_own() {
    let stage = Stage::new();
    let dir = stage.dir.path().canonicalize().unwrap();
    let cwd = format!("cwd={} OWN=agent OVER=access", dir.display());
    stage.play(vec![calls(vec![expecting("who", &cwd)])], server("serve")).await.unwrap();
}

#[tokio::test]
async fn a_refusal_and_an_unknown_tool_can_be_expected() {
    let turns = vec![calls(vec![refused("refuse"), refused("nope"), expecting("echo", "{}")])];
    Stage::new().play(turns, server("serve")).await.unwrap();
}

#[tokio::test]
async fn another_answer_than_expected_ends_it_with_the_place_in_the_script() {
    let turns = vec![calls(vec![expecting("echo", "moon")]), say("never")];
    let stage = Stage::new();
    let failure = stage.play(turns, server("serve")).await.unwrap_err();
    let said = "turns.yaml:3:5: expected `echo` to answer with `moon`, but it succeeded: `{}`";
    assert_eq!(failure, AgentFailure::Mismatch(said.into()));
    assert_eq!(stage.heard(), []);
}

#[tokio::test]
async fn a_turn_can_fail() {
    let turns = vec![Turn { fail: Some("out of ideas".into()), ..say("hm") }, say("never")];
    let failure = Stage::new().play(turns, ToolAccess::Own).await.unwrap_err();
    let message = "out of ideas".to_owned();
    let usage = failure.usage();
    assert_eq!((usage.output_tokens, usage.estimated), (1, true));
    assert_eq!(failure, AgentFailure::Failed { message, exit_code: Some(1), usage });
}

#[tokio::test]
async fn a_step_without_turns_or_without_tools_is_told_what_to_do() {
    let stage = Stage::new();
    let span = Span { file: "t".into(), line: 1, column: 1, end_line: 1, end_column: 2 };
    let other = Script {
        turns: Vec::new(),
        steps: vec![(Located { value: "other".into(), span }, vec![say("hi")])],
    };
    let unusable = |text: &str| Err(AgentFailure::Unusable(text.into()));
    assert_eq!(
        stage.run(other, ToolAccess::Own).await,
        unusable(
            "the script has no turns for step `fix`; add it under `steps`, or give `turns` for all steps"
        )
    );
    assert_eq!(
        stage.play(vec![calls(vec![call("Read", &json!({}))])], ToolAccess::Own).await,
        unusable(
            "the script calls `Read` in step `fix`, which has no tools; give the step `mcp_proxy: {enable: true}`"
        )
    );
}

#[tokio::test]
async fn a_server_that_dies_fails_the_agent_and_its_complaints_are_heard() {
    let stage = Stage::new();
    let failure = stage.play(vec![say("never")], server("die")).await.unwrap_err();
    assert!(
        matches!(&failure, AgentFailure::Start(reason) if reason.contains("closed")),
        "{failure}"
    );
    let complaints = ["the run is gone", "and so am I"];
    assert_eq!(stage.heard(), complaints.map(|line| AgentNews::Complaint(line.into())));
}

#[tokio::test]
async fn a_server_that_does_not_exist_cannot_be_started() {
    let mut access = server("serve");
    if let ToolAccess::Stdio(access) = &mut access {
        access.command = "/nowhere/awf".into();
    }
    let failure = Stage::new().play(vec![say("never")], access).await.unwrap_err();
    let said = "cannot start the agent: cannot start `/nowhere/awf`: No such file or directory";
    assert!(failure.to_string().starts_with(said), "{failure}");
}

#[tokio::test]
async fn cancelling_ends_the_calls_and_the_server_before_it_returns() {
    let stage = Stage::new();
    let turns = vec![say("begun"), calls(vec![call("stuck", &json!({}))])];
    let interrupted = async {
        stage.told.notified().await;
        let pid = server_in(stage.dir.path());
        stage.cancel.cancel();
        pid
    };
    let (outcome, pid) = tokio::join!(stage.play(turns, server("serve")), interrupted);
    assert_eq!(outcome, Err(AgentFailure::Cancelled));
    assert!(!Path::new(&format!("/proc/{pid}")).exists(), "the server {pid} is left");
}

/// The process whose working directory is `dir`.
fn server_in(dir: &Path) -> String {
    let dir = dir.canonicalize().unwrap();
    let entries = std::fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path());
    let mut there = entries
        .filter(|process| std::fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd == dir));
    let process = there.next().unwrap_or_else(|| panic!("no server in {}", dir.display()));
    process.file_name().unwrap().to_str().unwrap().to_owned()
}

/// Answers with the name it was called by; `gone` does not exist, `broken` breaks, `meet` waits for another `meet`.
struct Router {
    meeting: Barrier,
}

fn router() -> ToolAccess {
    let router = Arc::new(Router { meeting: Barrier::new(2) });
    ToolAccess::Router { router, reach: Reach::Exclusive }
}

#[async_trait]
impl ToolProvider for Router {
    async fn tools(&self) -> Result<Vec<Arc<ToolDefinition>>, ToolFailure> {
        Ok(Vec::new())
    }

    async fn call(&self, call: ToolCall) -> Result<ToolResult, ToolFailure> {
        match call.name.as_str() {
            "gone" => Err(ToolFailure::Unknown { name: call.name }),
            "broken" => Err(ToolFailure::Unavailable("no disk".into())),
            "meet" => {
                self.meeting.wait().await;
                Ok(ToolResult::text("met"))
            }
            name => Ok(ToolResult::text(name)),
        }
    }

    async fn close(&self) {}
}

#[tokio::test]
async fn a_router_in_this_process_is_called_directly() {
    let stage = Stage::new();
    let turns = vec![calls(vec![expecting("Read", "Read"), refused("gone")]), say("ok")];
    assert_eq!(stage.play(turns, router()).await.unwrap().text, "ok");
    let broken = vec![calls(vec![call("broken", &json!({}))])];
    let message = "cannot call `broken`: no disk".to_owned();
    assert_eq!(
        stage.play(broken, router()).await,
        Err(AgentFailure::Failed { message, exit_code: None, usage: Usage::default() })
    );
}

#[tokio::test]
async fn calls_of_one_turn_run_at_once() {
    let turns = vec![calls(vec![expecting("meet", "met"), expecting("meet", "met")]), say("ok")];
    assert_eq!(Stage::new().play(turns, router()).await.unwrap().text, "ok");
}
