//! The one way from any surface to any tool.

use std::{
    collections::HashMap,
    panic::AssertUnwindSafe,
    sync::{Arc, atomic::AtomicU64},
};

use async_trait::async_trait;
use awf_core::{
    ActivityLog, CallIntent, Decision, Declaration, Exposure, IntentValidator, Redactor, Refusal,
    RefusalCode, SourceTools, ToolAddress, ToolCall, ToolDefinition, ToolFailure, ToolProvider,
    ToolResult, ToolSet, ToolSetError, Unresolved, Warning, shown,
};
use futures_util::FutureExt as _;
use tracing::Instrument as _;

use crate::router::record::Record;

mod answer;
mod record;
mod span;

pub use answer::Answer;
pub use span::TraceLink;

/// What the router stands on.
pub struct Ports {
    /// Judges every call.
    pub validator: Arc<dyn IntentValidator>,
    /// Keeps every call; `None` when the activity log is switched off.
    pub log: Option<Arc<dyn ActivityLog>>,
    /// Strikes out what may not be kept.
    pub redactor: Redactor,
    /// Ties spans to the caller's trace.
    pub trace: TraceLink,
}

/// Why a router could not be built.
#[derive(Debug, thiserror::Error)]
pub enum RouterError {
    /// Two tools would answer to one name.
    #[error(transparent)]
    Collision(#[from] ToolSetError),
    /// A source of tools could not list them.
    #[error("cannot list tools: {0}")]
    List(#[from] ToolFailure),
}

/// Leads every call to its tool: span → resolve → decide → record start → call → record end.
pub struct ToolRouter {
    tools: ToolSet,
    providers: HashMap<String, Arc<dyn ToolProvider>>,
    ports: Ports,
    /// Calls that went ahead although the journal could not be written.
    unrecorded: AtomicU64,
}

/// What was found out about a call before anything happens.
struct Judged {
    label: Label,
    tool: Option<Arc<ToolDefinition>>,
    declaration: Option<Declaration>,
    warnings: Vec<Warning>,
    refusal: Option<Refusal>,
}

/// What a call is called in everything awf writes about it.
struct Label {
    server: String,
    tool: String,
    source: String,
}

impl Label {
    fn of_tool(tool: &ToolDefinition) -> Self {
        let source = tool.source();
        Self {
            server: source.namespace().to_owned(),
            tool: tool.name().to_string(),
            source: source.to_string(),
        }
    }

    /// A name that may lead nowhere: made printable, and without secrets that were put in its place.
    fn of_name(name: &str, redactor: &Redactor) -> Self {
        let (server, tool) = name.split_once(':').unwrap_or(("", name));
        let clean = |part: &str| redactor.text(&shown(part)).into_owned();
        Self { server: clean(server), tool: clean(tool), source: "unknown".to_owned() }
    }
}

impl ToolRouter {
    /// Lists every provider once and refuses names that collide.
    pub async fn new(
        sources: Vec<Arc<dyn ToolProvider>>,
        exposure: Exposure,
        ports: Ports,
    ) -> Result<Self, RouterError> {
        let mut offers = Vec::new();
        let mut providers = HashMap::new();
        for provider in sources {
            for offer in offers_of(&*provider).await? {
                providers.insert(offer.source.namespace().to_owned(), provider.clone());
                offers.push(offer);
            }
        }
        let tools = ToolSet::build(&offers, exposure)?;
        Ok(Self { tools, providers, ports, unrecorded: AtomicU64::new(0) })
    }

    /// Calls a tool, and says whether the call was refused. `Err` is for calls that reached no tool or broke the host.
    pub async fn judge_and_call(&self, call: ToolCall) -> Result<Answer, ToolFailure> {
        let judged = self.judge(&call);
        let span = span::open(&call, &judged, self.ports.trace);
        async {
            let mut record = Record::begin(self, &call, judged).await;
            let outcome = if let Some(refusal) = record.refusal.take() {
                Self::turn_away(&call, refusal)
            } else {
                let result = self.dispatch(call, record.tool.as_deref()).await;
                result.map(|result| Answer::of(result, &record.warnings, record.request_id()))
            };
            record.end(&outcome).await;
            outcome
        }
        .instrument(span)
        .await
    }

    /// In the one fixed order: the statement, then the tool, then the tool's annotations.
    fn judge(&self, call: &ToolCall) -> Judged {
        let mut declared = None;
        let resolved = self.ports.validator.declared(call).and_then(|declaration| {
            declared = declaration;
            self.resolve(call).map_err(|unresolved| unresolved.refusal())
        });
        let tool = match resolved {
            Ok(tool) => tool,
            Err(refusal) => {
                let label = Label::of_name(&call.name, &self.ports.redactor);
                let (warnings, refusal) = (Vec::new(), Some(refusal));
                return Judged { label, tool: None, declaration: declared, warnings, refusal };
            }
        };
        let (declaration, warnings, refusal) = match self.ports.validator.decide(call, &tool) {
            Decision::Allow(declaration) => (Some(declaration), Vec::new(), None),
            Decision::Warn(declaration, warnings) => (Some(declaration), warnings, None),
            Decision::Deny(refusal) => (declared, Vec::new(), Some(refusal)),
        };
        Judged { label: Label::of_tool(&tool), tool: Some(tool), declaration, warnings, refusal }
    }

    fn resolve(&self, call: &ToolCall) -> Result<Arc<ToolDefinition>, Unresolved> {
        let exposed = match call.intent {
            CallIntent::Direct => self.tools.by_name(&call.name)?,
            CallIntent::Stated { .. } => self.tools.by_address(&ToolAddress::parse(&call.name)?)?,
        };
        Ok(exposed.tool().clone())
    }

    /// A refusal is an answer, but a name that leads nowhere on the direct surface is a fault of the protocol.
    fn turn_away(call: &ToolCall, refusal: Refusal) -> Result<Answer, ToolFailure> {
        match (&call.intent, refusal.code) {
            (CallIntent::Direct, RefusalCode::UnknownTool | RefusalCode::AboveCeiling) => {
                Err(ToolFailure::Unknown { name: shown(&call.name) })
            }
            _ => Ok(Answer::refused(refusal, call)),
        }
    }

    async fn dispatch(
        &self,
        mut call: ToolCall,
        tool: Option<&ToolDefinition>,
    ) -> Result<ToolResult, ToolFailure> {
        let tool =
            tool.ok_or_else(|| ToolFailure::Unavailable("the call led to no tool".to_owned()))?;
        let name = tool.name().as_str().to_owned();
        let provider = self.providers.get(tool.source().namespace());
        let provider = provider
            .ok_or_else(|| ToolFailure::Unavailable(format!("nothing provides `{name}`")))?;
        call.name.clone_from(&name);
        call.context.trace = self.ports.trace.current_or(call.context.trace.take());
        AssertUnwindSafe(provider.call(call)).catch_unwind().await.unwrap_or_else(|panic| {
            Err(ToolFailure::Internal { tool: name, message: panic_message(panic.as_ref()) })
        })
    }
}

#[async_trait]
impl ToolProvider for ToolRouter {
    async fn tools(&self) -> Result<Vec<Arc<ToolDefinition>>, ToolFailure> {
        Ok(self.tools.tools().iter().map(|tool| tool.listed().clone()).collect())
    }

    async fn call(&self, call: ToolCall) -> Result<ToolResult, ToolFailure> {
        self.judge_and_call(call).await.map(|answer| answer.result)
    }

    async fn close(&self) {
        for provider in self.providers.values() {
            provider.close().await;
        }
    }
}

/// What a provider offers, a list for each source.
async fn offers_of(provider: &dyn ToolProvider) -> Result<Vec<SourceTools>, ToolFailure> {
    let mut offers: Vec<SourceTools> = Vec::new();
    for tool in provider.tools().await? {
        match offers.iter_mut().find(|offer| offer.source == *tool.source()) {
            Some(offer) => offer.tools.push(tool),
            None => offers.push(SourceTools { source: tool.source().clone(), tools: vec![tool] }),
        }
    }
    Ok(offers)
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("it panicked: {}", text.unwrap_or("no message"))
}
