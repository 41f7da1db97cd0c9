//! `retrieve_tools`: asks every source what it has, finds what fits, and says how to call it.

use std::sync::{Arc, Mutex, PoisonError};

use awf_core::{
    IntentPolicy, Mode, RawJson, Standing, ToolCall, ToolDefinition, ToolFailure, ToolResult,
    ToolSet, ToolSource, Unannotated,
};
use serde::Serialize;

use crate::{
    router::{Answer, ToolRouter},
    search::{Found, SearchIndex},
    surface::{entry::Entry, offer::RETRIEVE_TOOLS, query::Query},
};

/// Finds tools. What it has read of them is kept until there are others.
pub(super) struct Retrieval {
    policy: IntentPolicy,
    read: Mutex<Option<Arc<Read>>>,
}

/// The tools of one catalogue, ready to be searched.
struct Read {
    tools: Arc<ToolSet>,
    offered: SearchIndex,
    /// Those that nobody may call as they are: found, but never quoted.
    blocked: SearchIndex,
}

#[derive(Serialize)]
struct Body {
    query: String,
    total: usize,
    tools: Vec<Entry>,
    usage_instructions: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    blocked: Vec<Blocked>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unavailable: Vec<Unavailable>,
}

/// What fits, what fits and may not be called, and who could not be asked.
pub(super) struct Findings {
    pub(super) found: Found,
    pub(super) blocked: Vec<Blocked>,
    pub(super) unavailable: Vec<Unavailable>,
}

#[derive(Serialize)]
pub(super) struct Blocked {
    name: String,
    reason: String,
}

#[derive(Serialize)]
pub(super) struct Unavailable {
    server: String,
    reason: String,
}

impl Retrieval {
    pub(super) fn new(policy: IntentPolicy) -> Self {
        Self { policy, read: Mutex::default() }
    }

    pub(super) async fn answer(
        &self,
        router: &ToolRouter,
        call: ToolCall,
    ) -> Result<Answer, ToolFailure> {
        let work = Query::read(&call.arguments).map(|query| {
            let cancel = call.cancel.clone();
            async move {
                tokio::select! {
                    biased;
                    () = cancel.cancelled() => Err(ToolFailure::Cancelled),
                    found = self.find(router, query) => found,
                }
            }
        });
        router.answer_own(RETRIEVE_TOOLS, &call, work).await
    }

    async fn find(&self, router: &ToolRouter, query: Query) -> Result<ToolResult, ToolFailure> {
        let Query { text, limit, detail } = query;
        let Findings { found, blocked, unavailable } = self.look_up(router, &text, limit).await?;
        let unannotated = self.policy.unannotated;
        let body = Body {
            total: found.total,
            tools: found.hits.iter().map(|hit| Entry::new(hit, unannotated, detail)).collect(),
            usage_instructions: usage(self.policy.mode),
            blocked,
            unavailable,
            query: text,
        };
        result(&body)
    }

    /// Asks every source what it has, and finds what fits; everything fits a text without a word.
    pub(super) async fn look_up(
        &self,
        router: &ToolRouter,
        text: &str,
        limit: usize,
    ) -> Result<Findings, ToolFailure> {
        let missing = router.gather().await;
        let read = self.read(router.exposed().await).await?;
        let blocked = read.blocked.search(text, limit);
        Ok(Findings {
            found: read.offered.search(text, limit),
            blocked: blocked.hits.iter().filter_map(|hit| blocked_tool(&hit.tool)).collect(),
            unavailable: missing.into_iter().map(unavailable).collect(),
        })
    }

    pub(super) fn unannotated(&self) -> Unannotated {
        self.policy.unannotated
    }

    /// What is known of these tools, read once.
    async fn read(&self, tools: Arc<ToolSet>) -> Result<Arc<Read>, ToolFailure> {
        let held = self.held().clone();
        if let Some(held) = held.filter(|held| Arc::ptr_eq(&held.tools, &tools)) {
            return Ok(held);
        }
        let unannotated = self.policy.unannotated;
        // Thousands of descriptions are read here, beside calls that must not wait for it.
        let reading = tokio::task::spawn_blocking(move || Read::new(tools, unannotated));
        let read = reading.await.map_err(|broken| ToolFailure::Internal {
            tool: RETRIEVE_TOOLS.to_owned(),
            message: broken.to_string(),
        })?;
        let read = Arc::new(read);
        *self.held() = Some(read.clone());
        Ok(read)
    }

    fn held(&self) -> std::sync::MutexGuard<'_, Option<Arc<Read>>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Read {
    fn new(tools: Arc<ToolSet>, unannotated: Unannotated) -> Self {
        let all = tools.tools().iter().map(|tool| tool.tool().clone());
        let (offered, blocked): (Vec<_>, Vec<_>) =
            all.partition(|tool| tool.standing() == Standing::Approved);
        let offered = SearchIndex::build(&offered, unannotated);
        let blocked = SearchIndex::build(&blocked, unannotated);
        Self { tools, offered, blocked }
    }
}

fn usage(mode: Mode) -> &'static str {
    match mode {
        Mode::TwoKey => {
            "Use call_tool_read for read-only operations, call_tool_write for modifications, call_tool_destructive for deletions. Intent must match tool variant."
        }
        Mode::Inferred => {
            "Use call_tool_read for read-only operations, call_tool_write for modifications, call_tool_destructive for deletions."
        }
    }
}

/// Its name and what is the matter; nothing that the tool says of itself.
fn blocked_tool(tool: &ToolDefinition) -> Option<Blocked> {
    let reason = tool.standing().objection(tool.source().namespace())?;
    Some(Blocked { name: tool.qualified_name(), reason })
}

fn unavailable((source, reason): (ToolSource, String)) -> Unavailable {
    Unavailable { server: source.namespace().to_owned(), reason }
}

/// As an object and as its text, for clients show a model one or the other.
fn result(body: &Body) -> Result<ToolResult, ToolFailure> {
    #[derive(Serialize)]
    struct Whole<'a> {
        content: [Block<'a>; 1],
        #[serde(rename = "structuredContent")]
        structured: &'a serde_json::value::RawValue,
    }
    #[derive(Serialize)]
    struct Block<'a> {
        r#type: &'static str,
        text: &'a str,
    }
    let broken = |error: serde_json::Error| ToolFailure::Internal {
        tool: RETRIEVE_TOOLS.to_owned(),
        message: error.to_string(),
    };
    let structured = serde_json::value::to_raw_value(body).map_err(broken)?;
    let content = [Block { r#type: "text", text: structured.get() }];
    let whole = serde_json::value::to_raw_value(&Whole { content, structured: &structured });
    Ok(ToolResult::from_raw(RawJson::from(whole.map_err(broken)?)))
}
