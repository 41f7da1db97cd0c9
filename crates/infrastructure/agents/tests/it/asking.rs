//! An agent that asks a model server of the test's own, with tools that count their calls.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use awf_agents::{ApiKey, OpenAiAgent, OpenAiSettings, ProxyVariables};
use awf_core::{
    AgentFailure, AgentMode, AgentNews, AgentOutcome, AgentProvider as _, AgentRequest,
    OutputFormat, RawJson, Reach, ToolAccess, ToolCall, ToolDefinition, ToolFailure, ToolProvider,
    ToolResult, ToolSource,
};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::{Barrier, Notify};
use tokio_util::sync::CancellationToken;

use crate::model::{Model, Reply};

/// The key of the environment, which must be seen nowhere but at the server it is bound to.
pub(crate) const CANARY: &str = "sk-canary-1f2e3d4c5b6a";

/// Tools that remember each call.
pub(crate) struct Toolkit {
    pub(crate) called: Mutex<Vec<(String, String)>>,
    names: Vec<&'static str>,
    meeting: Barrier,
    /// Fires when `stuck` was called.
    pub(crate) stuck: Notify,
}

/// A name no model may have.
pub(crate) const LONG_NAME: &str =
    "kubernetes.a_very_long_name_for_an_operation_that_nobody_would_ever_want_to_type";

impl Toolkit {
    pub(crate) fn new(names: &[&'static str]) -> Arc<Self> {
        Arc::new(Self {
            called: Mutex::default(),
            names: names.to_vec(),
            meeting: Barrier::new(2),
            stuck: Notify::new(),
        })
    }

    pub(crate) fn called(&self) -> Vec<(String, String)> {
        self.called.lock().unwrap().clone()
    }
}

#[async_trait]
impl ToolProvider for Toolkit {
    async fn tools(&self) -> Result<Vec<Arc<ToolDefinition>>, ToolFailure> {
        let tool = |name: &&str| {
            let schema = json!({"type": "object", "properties": {"file_path": {"type": "string"}}});
            let raw = json!({"name": name, "description": "Does it", "inputSchema": schema});
            Arc::new(ToolDefinition::from_raw(ToolSource::Builtin, RawJson::from(raw)).unwrap())
        };
        Ok(self.names.iter().map(tool).collect())
    }

    async fn call(&self, call: ToolCall) -> Result<ToolResult, ToolFailure> {
        let arguments = call.arguments.get().to_owned();
        let count = {
            let mut called = self.called.lock().unwrap();
            called.push((call.name.clone(), arguments.clone()));
            called.len()
        };
        if !arguments.starts_with('{') {
            return Ok(ToolResult::error("arguments must be an object"));
        }
        match call.name.as_str() {
            "count" => Ok(ToolResult::text(&count.to_string())),
            "meet" => {
                self.meeting.wait().await;
                Ok(ToolResult::text("met"))
            }
            "broken" => Err(ToolFailure::Unavailable("no disk".into())),
            "stuck" => {
                self.stuck.notify_one();
                call.cancel.cancelled().await;
                self.called.lock().unwrap().push(("stuck".into(), "was told".into()));
                Err(ToolFailure::Cancelled)
            }
            "refused" => Ok(ToolResult::error("not allowed")),
            name if self.names.contains(&name) => Ok(ToolResult::text(&format!("did {arguments}"))),
            _ => Err(ToolFailure::Unknown { name: call.name }),
        }
    }

    async fn close(&self) {}
}

pub(crate) struct Asking {
    /// Goes with it.
    _dir: TempDir,
    pub(crate) model: Model,
    pub(crate) toolkit: Arc<Toolkit>,
    pub(crate) settings: OpenAiSettings,
    pub(crate) request: AgentRequest,
    pub(crate) cancel: CancellationToken,
    news: Arc<Mutex<Vec<AgentNews>>>,
}

impl Asking {
    pub(crate) async fn new(replies: Vec<Reply>) -> Self {
        let dir = TempDir::new().unwrap();
        let model = Model::new(replies).await;
        let settings = OpenAiSettings {
            default_base_url: model.base_url.clone(),
            model: Some("test-model".into()),
            key: ApiKey::new(CANARY),
            grants: Vec::new(),
            proxies: ProxyVariables::default(),
            sessions: dir.path().join("sessions"),
        };
        Self {
            request: request(dir.path().into()),
            _dir: dir,
            model,
            toolkit: Toolkit::new(&["Read", "count", "meet", "stuck", "broken", "refused"]),
            settings,
            cancel: CancellationToken::new(),
            news: Arc::default(),
        }
    }

    pub(crate) fn with(mut self, options: Value) -> Self {
        let Value::Object(options) = options else { panic!("{options}") };
        self.request.options.extend(options);
        self
    }

    /// With the toolkit for tools.
    pub(crate) async fn run(&self) -> Result<AgentOutcome, AgentFailure> {
        let router = self.toolkit.clone();
        self.run_with(ToolAccess::Router { router, reach: Reach::Exclusive }).await
    }

    pub(crate) async fn run_with(&self, access: ToolAccess) -> Result<AgentOutcome, AgentFailure> {
        let news = self.news.clone();
        let watcher = Arc::new(move |piece| news.lock().unwrap().push(piece));
        let agent = OpenAiAgent::new(self.settings.clone());
        let outcome = agent.run(self.request.clone(), access, watcher, self.cancel.clone()).await;
        let all = format!("{outcome:?} {:?} {:?}", self.heard(), self.settings);
        assert!(!all.contains(CANARY), "{all}");
        outcome
    }

    /// Why it failed.
    pub(crate) async fn failure(&self) -> String {
        match self.run().await {
            Err(AgentFailure::Failed { message, exit_code: None, .. }) => message,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn endless(&self) -> String {
        match self.run().await {
            Err(AgentFailure::Endless { message, .. }) => message,
            other => panic!("{other:?}"),
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

    /// The message with the server's address as `MODEL`.
    pub(crate) fn plain(&self, message: &str) -> String {
        message.replace(&self.model.base_url, "MODEL")
    }
}

fn request(dir: std::path::PathBuf) -> AgentRequest {
    AgentRequest {
        run: "01RUN".into(),
        step: "ask".into(),
        prompt: "Do it".into(),
        system_prompt: Some("Be brief".into()),
        mode: AgentMode::Single,
        output_format: OutputFormat::Raw,
        session: None,
        options: serde_json::Map::new(),
        dir,
        env: Vec::new(),
        trace: None,
    }
}
