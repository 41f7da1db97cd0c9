//! A scripted agent with a real server to start, and ears for its news.

use std::{
    env,
    path::PathBuf,
    sync::{Arc, Mutex},
};

use awf_agents::ScriptedAgent;
use awf_core::{
    AgentFailure, AgentMode, AgentNews, AgentOutcome, AgentProvider as _, AgentRequest,
    AgentWatcher, Expectation, Located, OutputFormat, Reach, Script, ScriptedCall, Span,
    StdioAccess, ToolAccess, Turn,
};
use awf_process::{Grace, Guard, GuardCommand};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// The example of this crate that is guard and server; cargo builds it with the tests.
pub(crate) fn peer() -> PathBuf {
    let test = env::current_exe().unwrap();
    let peer = test.parent().and_then(|deps| deps.parent()).unwrap().join("examples/agents_peer");
    assert!(peer.exists(), "{} is missing: `cargo build --examples -p awf-agents`", peer.display());
    peer
}

pub(crate) struct Stage {
    pub(crate) dir: TempDir,
    news: Arc<Mutex<Vec<AgentNews>>>,
    /// Fires with each piece of news.
    pub(crate) told: Arc<Notify>,
    pub(crate) cancel: CancellationToken,
}

impl Stage {
    pub(crate) fn new() -> Self {
        Self {
            dir: TempDir::new().unwrap(),
            news: Arc::default(),
            told: Arc::default(),
            cancel: CancellationToken::new(),
        }
    }

    /// Plays `turns` in step `fix`.
    pub(crate) async fn play(
        &self,
        turns: Vec<Turn>,
        access: ToolAccess,
    ) -> Result<AgentOutcome, AgentFailure> {
        self.run(Script { turns, steps: Vec::new() }, access).await
    }

    pub(crate) async fn run(
        &self,
        script: Script,
        access: ToolAccess,
    ) -> Result<AgentOutcome, AgentFailure> {
        let guard = Guard::new(GuardCommand { program: peer(), args: vec!["guard".into()] });
        let (news, told) = (self.news.clone(), self.told.clone());
        let watcher: AgentWatcher = Arc::new(move |piece| {
            news.lock().unwrap().push(piece);
            told.notify_one();
        });
        let agent = ScriptedAgent::new(script, guard.clone());
        let outcome = agent.run(self.request(), access, watcher, self.cancel.clone()).await;
        guard.stop(Grace::NONE).await.unwrap();
        outcome
    }

    fn request(&self) -> AgentRequest {
        AgentRequest {
            run: "01RUN".into(),
            step: "fix".into(),
            prompt: "12345678".into(),
            system_prompt: None,
            mode: AgentMode::Single,
            output_format: OutputFormat::Raw,
            session: None,
            options: serde_json::Map::new(),
            dir: self.dir.path().canonicalize().unwrap(),
            env: vec![("OWN".into(), "agent".into()), ("OVER".into(), "agent".into())],
            trace: None,
        }
    }

    pub(crate) fn heard(&self) -> Vec<AgentNews> {
        let news = self.news.lock().unwrap();
        let turn = |news: &&AgentNews| matches!(news, AgentNews::Asked | AgentNews::Answered(_));
        news.iter().filter(|news| !turn(news)).cloned().collect()
    }

    /// When the model was asked, and what it answered.
    pub(crate) fn turns(&self) -> Vec<String> {
        let news = self.news.lock().unwrap();
        let turn = news.iter().filter_map(|news| match news {
            AgentNews::Asked => Some("asked".to_owned()),
            AgentNews::Answered(answer) => {
                let used = answer.usage.map(|used| (used.input_tokens, used.output_tokens));
                Some(format!("{:?} {used:?}", answer.text))
            }
            AgentNews::Text(_) | AgentNews::Complaint(_) | AgentNews::OwnTool(_) => None,
        });
        turn.collect()
    }
}

/// The server of the example, in one of its modes.
pub(crate) fn server(mode: &str) -> ToolAccess {
    ToolAccess::Stdio(StdioAccess {
        command: peer(),
        args: vec![mode.into()],
        env: vec![("OVER".into(), "access".into())],
        reach: Reach::Exclusive,
    })
}

pub(crate) fn say(text: &str) -> Turn {
    Turn { say: Some(text.into()), ..Turn::default() }
}

pub(crate) fn calls(calls: Vec<ScriptedCall>) -> Turn {
    Turn { calls, ..Turn::default() }
}

/// A call that expects nothing in particular.
pub(crate) fn call(tool: &str, arguments: &Value) -> ScriptedCall {
    let span = Span { file: "turns.yaml".into(), line: 3, column: 5, end_line: 3, end_column: 9 };
    ScriptedCall {
        tool: Located { value: tool.into(), span },
        arguments: arguments.as_object().unwrap().clone(),
        expect: Expectation::default(),
    }
}

pub(crate) fn expecting(tool: &str, part: &str) -> ScriptedCall {
    let expect = Expectation { contains: vec![part.into()], ..Expectation::default() };
    ScriptedCall { expect, ..call(tool, &json!({})) }
}

pub(crate) fn refused(tool: &str) -> ScriptedCall {
    let expect = Expectation { refused: true, ..Expectation::default() };
    ScriptedCall { expect, ..call(tool, &json!({})) }
}
