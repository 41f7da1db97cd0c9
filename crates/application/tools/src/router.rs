//! The one way from any surface to any tool.

use std::{
    collections::HashMap,
    panic::AssertUnwindSafe,
    sync::{Arc, atomic::AtomicU64},
};

use async_trait::async_trait;
use awf_core::{
    ActivityLog, CallIntent, ExposedTool, Exposure, IntentValidator, Redactor, Refusal,
    RefusalCode, SourceTools, Standing, ToolCall, ToolDefinition, ToolFailure, ToolProvider,
    ToolResult, ToolSet, ToolSetError, ToolSource,
};
use futures_util::FutureExt as _;
use tracing::Instrument as _;

use crate::{
    arguments::{ArgumentChecks, WrongArguments},
    router::{catalogue::Catalogue, judge::Judged, label::Label, record::Record},
};

mod answer;
mod bypass;
mod catalogue;
mod judge;
mod label;
mod own;
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
    catalogue: Catalogue,
    sources: Vec<Arc<dyn ToolProvider>>,
    /// By namespace.
    providers: HashMap<String, Arc<dyn ToolProvider>>,
    ports: Ports,
    checks: ArgumentChecks,
    /// Calls that went ahead although the journal could not be written.
    unrecorded: AtomicU64,
}

impl ToolRouter {
    /// Lists every provider that is there to stay and refuses names that collide. What comes and goes is started by the
    /// first call that needs it.
    pub async fn new(
        sources: Vec<Arc<dyn ToolProvider>>,
        exposure: Exposure,
        ports: Ports,
    ) -> Result<Self, RouterError> {
        let (mut fixed, mut live) = (Vec::new(), Vec::new());
        let mut providers = HashMap::new();
        for provider in &sources {
            if let Some(source) = provider.source() {
                providers.insert(source.namespace().to_owned(), provider.clone());
                live.push((source, provider.clone()));
                continue;
            }
            for offer in offers_of(&**provider).await? {
                providers.insert(offer.source.namespace().to_owned(), provider.clone());
                fixed.push(offer);
            }
        }
        let catalogue = Catalogue::new(fixed, live, exposure).await?;
        let (checks, unrecorded) = (ArgumentChecks::default(), AtomicU64::new(0));
        Ok(Self { catalogue, sources, providers, ports, checks, unrecorded })
    }

    /// What is offered now, under the names that a model sees and under its own, as far as it is known without asking.
    pub async fn exposed(&self) -> Arc<ToolSet> {
        self.catalogue.current().await
    }

    /// Asks every source whose tools come and go, all at once and within bounds. Gives those that could not be asked,
    /// each with the reason.
    pub async fn gather(&self) -> Vec<(ToolSource, String)> {
        self.catalogue.gather().await
    }

    /// Calls a tool, and says whether the call was refused. `Err` is for calls that reached no tool or broke the host.
    pub async fn judge_and_call(&self, call: ToolCall) -> Result<Answer, ToolFailure> {
        let judged = self.judge(&call).await;
        self.carry_out(call, judged).await
    }

    /// Span, record, and whatever was decided.
    async fn carry_out(&self, call: ToolCall, mut judged: Judged) -> Result<Answer, ToolFailure> {
        let span = span::open(&call, &judged, &self.ports);
        let (failure, wrong) = (judged.failure.take(), judged.wrong.take());
        async {
            let record = Record::begin(self, &call, judged).await;
            let outcome = if let Some(refusal) = record.refusal.clone() {
                self.turn_away(&call, &record.label, refusal, wrong.as_deref())
            } else if let Some(failure) = failure {
                Err(self.without_secrets(failure))
            } else {
                let result = self.dispatch(call, record.tool.as_deref()).await;
                result
                    .map(|result| Answer::of(result, &record.warnings, record.request_id()))
                    .map_err(|failure| self.without_secrets(failure))
            };
            record.end(&outcome).await;
            outcome
        }
        .instrument(span)
        .await
    }

    /// A refusal is an answer, but a name that leads nowhere on the direct surface is a fault of the protocol.
    fn turn_away(
        &self,
        call: &ToolCall,
        label: &Label,
        refusal: Refusal,
        wrong: Option<&WrongArguments>,
    ) -> Result<Answer, ToolFailure> {
        match (&call.intent, refusal.code) {
            (CallIntent::Direct, RefusalCode::UnknownTool | RefusalCode::AboveCeiling) => {
                let name = Label::of_name(&call.name, &self.ports.redactor).to_string();
                Err(ToolFailure::Unknown { name })
            }
            _ => Ok(Answer::refused(refusal, call, label, wrong)),
        }
    }

    /// A failure is told in words of our own, to the caller too. What broke may have put more into them than it should.
    fn without_secrets(&self, failure: ToolFailure) -> ToolFailure {
        let clean = |text: &str| self.ports.redactor.text(text).into_owned();
        match failure {
            ToolFailure::Unknown { name } => ToolFailure::Unknown { name: clean(&name) },
            ToolFailure::Cancelled => ToolFailure::Cancelled,
            ToolFailure::NotApproved(why) => ToolFailure::NotApproved(clean(&why)),
            ToolFailure::Unavailable(why) => ToolFailure::Unavailable(clean(&why)),
            ToolFailure::Internal { tool, message } => {
                ToolFailure::Internal { tool, message: clean(&message) }
            }
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
        AssertUnwindSafe(provider.call_judged(call, tool)).catch_unwind().await.unwrap_or_else(
            |panic| {
                Err(ToolFailure::Internal { tool: name, message: panic_message(panic.as_ref()) })
            },
        )
    }
}

#[async_trait]
impl ToolProvider for ToolRouter {
    async fn tools(&self) -> Result<Vec<Arc<ToolDefinition>>, ToolFailure> {
        for (source, reason) in self.gather().await {
            tracing::warn!(%source, reason, "the tools of a source are not offered");
        }
        let tools = self.exposed().await;
        // What nobody may call as it is says nothing to a model either; a call of it is told why.
        let offered = |tool: &&ExposedTool| tool.tool().standing() == Standing::Approved;
        Ok(tools.tools().iter().filter(offered).map(|tool| tool.listed().clone()).collect())
    }

    async fn call(&self, call: ToolCall) -> Result<ToolResult, ToolFailure> {
        self.judge_and_call(call).await.map(|answer| answer.result)
    }

    async fn close(&self) {
        for provider in &self.sources {
            provider.close().await;
        }
    }

    fn revision(&self) -> u64 {
        self.catalogue.revision()
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
