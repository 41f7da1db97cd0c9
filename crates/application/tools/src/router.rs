//! The one way from any surface to any tool.

use std::{
    borrow::Cow,
    collections::HashMap,
    fmt,
    panic::AssertUnwindSafe,
    sync::{Arc, atomic::AtomicU64},
};

use async_trait::async_trait;
use awf_core::{
    ActivityLog, CallIntent, Decision, Declaration, ExposedTool, Exposure, IntentValidator,
    Redactor, Refusal, RefusalCode, SourceTools, ToolAddress, ToolCall, ToolDefinition,
    ToolFailure, ToolProvider, ToolResult, ToolSet, ToolSetError, Warning, shown,
};
use futures_util::FutureExt as _;
use tracing::Instrument as _;

use crate::router::record::Record;

mod answer;
mod bypass;
mod record;
mod span;

pub use answer::Answer;
pub use span::TraceLink;

/// A name that leads nowhere is looked at this far, in bytes.
const LONGEST_NAME: usize = 4096;

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
    sources: Vec<Arc<dyn ToolProvider>>,
    /// By namespace.
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

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.server.as_str() {
            "" => f.write_str(&self.tool),
            server => write!(f, "{server}:{}", self.tool),
        }
    }
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
        // Redacted before it is split or cut: half a secret is no longer recognised.
        let start = name.get(..name.floor_char_boundary(LONGEST_NAME)).unwrap_or_default();
        let clean = redactor.text(start);
        let (server, tool) = clean.split_once(':').unwrap_or(("", &clean));
        Self { server: shown(server), tool: shown(tool), source: "unknown".to_owned() }
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
        for provider in &sources {
            for offer in offers_of(&**provider).await? {
                providers.insert(offer.source.namespace().to_owned(), provider.clone());
                offers.push(offer);
            }
        }
        let tools = ToolSet::build(&offers, exposure)?;
        Ok(Self { tools, sources, providers, ports, unrecorded: AtomicU64::new(0) })
    }

    /// What is offered, under the names that a model sees and under its own.
    pub fn exposed(&self) -> &[ExposedTool] {
        self.tools.tools()
    }

    /// Calls a tool, and says whether the call was refused. `Err` is for calls that reached no tool or broke the host.
    pub async fn judge_and_call(&self, call: ToolCall) -> Result<Answer, ToolFailure> {
        let judged = self.judge(&call);
        let span = span::open(&call, &judged, self.ports.trace);
        async {
            let record = Record::begin(self, &call, judged).await;
            let outcome = if let Some(refusal) = record.refusal.clone() {
                self.turn_away(&call, &record.label, refusal)
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

    /// In the one fixed order: the name's form, the statement, the tool, the tool's annotations.
    fn judge(&self, call: &ToolCall) -> Judged {
        let (mut declared, mut hidden) = (None, None);
        let resolved = address_of(call).and_then(|address| {
            declared = self.ports.validator.declared(call)?;
            let exposed = match &address {
                None => self.tools.by_name(&call.name),
                Some(address) => self.tools.by_address(address),
            };
            hidden = self.tools.hidden(&call.name, address.as_ref()).cloned();
            exposed.map(|tool| tool.tool().clone()).map_err(|unresolved| unresolved.refusal())
        });
        let tool = match resolved {
            Ok(tool) => tool,
            Err(refusal) => return self.turned_away(call, refusal, declared, hidden),
        };
        let (declaration, warnings, refusal) = match self.ports.validator.decide(call, &tool) {
            Decision::Allow(declaration) => (Some(declaration), Vec::new(), None),
            Decision::Warn(declaration, warnings) => (Some(declaration), warnings, None),
            Decision::Deny(refusal) => (declared, Vec::new(), Some(refusal)),
        };
        Judged { label: Label::of_tool(&tool), tool: Some(tool), declaration, warnings, refusal }
    }

    /// A call that leads to no tool it may reach. What the ceiling hides is told as what it is.
    fn turned_away(
        &self,
        call: &ToolCall,
        refusal: Refusal,
        declared: Option<Declaration>,
        hidden: Option<Arc<ToolDefinition>>,
    ) -> Judged {
        let refusal = Some(self.without_secrets(refusal, call));
        let warnings = Vec::new();
        let Some(tool) = hidden else {
            let label = Label::of_name(&call.name, &self.ports.redactor);
            return Judged { label, tool: None, declaration: declared, warnings, refusal };
        };
        let declaration = match self.ports.validator.decide(call, &tool) {
            Decision::Allow(derived) | Decision::Warn(derived, _) => Some(derived),
            Decision::Deny(_) => declared,
        };
        Judged { label: Label::of_tool(&tool), tool: Some(tool), declaration, warnings, refusal }
    }

    /// A secret in place of a name must not come back in the message, cut so that nobody recognises it any more.
    fn without_secrets(&self, refusal: Refusal, call: &ToolCall) -> Refusal {
        match self.ports.redactor.text(&call.name) {
            Cow::Borrowed(_) => refusal,
            Cow::Owned(clean) => {
                Refusal { message: format!("No such tool: '{}'", shown(&clean)), ..refusal }
            }
        }
    }

    /// A refusal is an answer, but a name that leads nowhere on the direct surface is a fault of the protocol.
    fn turn_away(
        &self,
        call: &ToolCall,
        label: &Label,
        refusal: Refusal,
    ) -> Result<Answer, ToolFailure> {
        match (&call.intent, refusal.code) {
            (CallIntent::Direct, RefusalCode::UnknownTool | RefusalCode::AboveCeiling) => {
                let name = Label::of_name(&call.name, &self.ports.redactor).to_string();
                Err(ToolFailure::Unknown { name })
            }
            _ => Ok(Answer::refused(refusal, call, label)),
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
        for provider in &self.sources {
            provider.close().await;
        }
    }
}

/// `server:tool` on the intent surface; on the direct one a name is just a name.
fn address_of(call: &ToolCall) -> Result<Option<ToolAddress>, Refusal> {
    match call.intent {
        CallIntent::Direct => Ok(None),
        CallIntent::Stated { variant, .. } => ToolAddress::required(variant, &call.name).map(Some),
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
