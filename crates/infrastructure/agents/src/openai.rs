//! Any endpoint that speaks chat completions: a loop in this process, with the step's router for tools.
//!
//! Never follows a redirect, never sends a key to a place it was not meant for, never makes a call twice.

use std::path::PathBuf;

use async_trait::async_trait;
use awf_core::{
    AgentFailure, AgentKind, AgentOutcome, AgentProvider, AgentRequest, AgentWatcher, ToolAccess,
    Usage,
};
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;

use crate::openai::{
    chat::{Chat, Counting},
    client::Wire,
    endpoint::Endpoint,
    history::History,
    options::Options,
    tools::Tools,
    voice::Voice,
};

mod answer;
mod chat;
mod client;
mod delta;
mod endpoint;
mod guard;
mod history;
mod key;
mod options;
mod request;
mod result;
mod retry;
mod sse;
mod tools;
mod trouble;
mod voice;
mod wire;

pub use key::ApiKey;
pub(crate) use options::check_option;

/// What the user has set for all steps.
#[derive(Clone, Debug)]
pub struct OpenAiSettings {
    /// Where requests go unless a step says otherwise.
    pub default_base_url: String,
    /// The model, unless a step says otherwise.
    pub model: Option<String>,
    /// The key for the origin of `default_base_url`; no other place gets it.
    pub key: Option<ApiKey>,
    /// Keys for further origins.
    pub grants: Vec<(String, ApiKey)>,
    /// The way out, where there is a proxy.
    pub proxies: ProxyVariables,
    /// Where conversations are kept, to be gone on with.
    pub sessions: PathBuf,
}

/// The proxies of the environment. Requests to this machine take none.
#[derive(Clone, Debug, Default)]
pub struct ProxyVariables {
    /// For https.
    pub https: Option<String>,
    /// For http.
    pub http: Option<String>,
    /// Hosts that are reached without.
    pub except: Option<String>,
}

/// Asks an endpoint.
pub struct OpenAiAgent {
    settings: OpenAiSettings,
}

impl OpenAiAgent {
    /// An agent that asks as `settings` say.
    pub fn new(settings: OpenAiSettings) -> Self {
        Self { settings }
    }

    fn model(&self, options: &Options) -> Result<String, AgentFailure> {
        options.model.clone().or_else(|| self.settings.model.clone()).ok_or_else(|| {
            AgentFailure::Unusable(
                "no model is named; write `options: {model: …}`, or set OPENAI_MODEL".to_owned(),
            )
        })
    }

    async fn history(&self, request: AgentRequest) -> Result<History, AgentFailure> {
        let sessions = self.settings.sessions.clone();
        let begun = spawn_blocking(move || History::begin(&sessions, &request)).await;
        begun.unwrap_or_else(|error| Err(AgentFailure::Start(error.to_string())))
    }

    /// Keeps the conversation. One that cannot be kept cannot be gone on with, and is an answer all the same.
    async fn keep(&self, history: History) -> Option<String> {
        let sessions = self.settings.sessions.clone();
        let kept = spawn_blocking(move || history.keep(&sessions)).await;
        match kept.unwrap_or_else(|error| Err(error.into())) {
            Ok(session) => Some(session),
            Err(error) => {
                tracing::warn!(%error, "the conversation cannot be kept and not be gone on with");
                None
            }
        }
    }
}

#[async_trait]
impl AgentProvider for OpenAiAgent {
    fn kind(&self) -> AgentKind {
        AgentKind::OpenAiCompatible
    }

    async fn run(
        &self,
        request: AgentRequest,
        access: ToolAccess,
        watcher: AgentWatcher,
        cancel: CancellationToken,
    ) -> Result<AgentOutcome, AgentFailure> {
        let mut options = Options::read(&request.options)?;
        let own_key = options.api_key.take();
        let endpoint = Endpoint::find(&self.settings, options.base_url.as_deref(), own_key)?;
        let key = endpoint.key.clone();
        let model = self.model(&options)?;
        let history = self.history(request).await?;
        let tools = tools(access, &cancel).await?;
        let wire = Wire::new(endpoint, &self.settings.proxies)?;
        let mut chat = Chat {
            wire: &wire,
            model: &model,
            options: &options,
            tools: &tools,
            voice: Voice::new(&watcher, key.as_ref()),
            cancel: &cancel,
            history,
            usage: Usage::default(),
            counting: Counting::Asked,
        };
        match chat.talk().await {
            Ok(outcome) => {
                let session = self.keep(chat.history).await;
                let text = key.map(|key| key.strike(&outcome.text).into_owned());
                Ok(AgentOutcome { text: text.unwrap_or(outcome.text), session, ..outcome })
            }
            Err(failure) => Err(struck(failure, key.as_ref())),
        }
    }
}

async fn tools(access: ToolAccess, cancel: &CancellationToken) -> Result<Tools, AgentFailure> {
    match access {
        ToolAccess::Own => Ok(Tools::none(cancel)),
        ToolAccess::Router { router, reach: _ } => Tools::of(router, cancel).await,
        ToolAccess::Stdio(_) => Err(AgentFailure::Unusable(
            "provider `openai_compatible` takes its tools from this process and starts no server"
                .to_owned(),
        )),
    }
}

/// A failure whose words are without the key, whoever said them.
fn struck(failure: AgentFailure, key: Option<&ApiKey>) -> AgentFailure {
    let clean = |message: String| match key {
        Some(key) => key.strike(&message).into_owned(),
        None => message,
    };
    match failure {
        AgentFailure::Failed { message, exit_code, usage } => {
            AgentFailure::Failed { message: clean(message), exit_code, usage }
        }
        AgentFailure::Endless { message, usage } => {
            AgentFailure::Endless { message: clean(message), usage }
        }
        other @ (AgentFailure::Start(_)
        | AgentFailure::Cancelled
        | AgentFailure::Unsupported(_)
        | AgentFailure::Missing { .. }
        | AgentFailure::Mismatch(_)
        | AgentFailure::Unusable(_)) => other,
    }
}
