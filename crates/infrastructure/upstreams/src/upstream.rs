//! One server as the rest of awf sees it: a source of tools, and what a person may approve of it.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use awf_core::{
    CallContext, RawJson, ToolCall, ToolDefinition, ToolFailure, ToolProvider, ToolResult,
    ToolSource, shown,
};
use awf_mcp::{ClientError, ToolRequest};
use serde_json::{
    Map, Value,
    value::{RawValue, to_raw_value},
};
use tokio::time::timeout;

use crate::{
    book::Known,
    connection::Connection,
    http::FORGOTTEN,
    judge::Listed,
    pins::PinError,
    review::{Review, review},
    screen::Withheld,
    snapshot::List,
    spec::{Ground, UpstreamSpec},
    supervisor::Supervisor,
};

/// A server: started when it is first needed, ended when it is closed.
pub struct Upstream {
    supervisor: Arc<Supervisor>,
    /// What a person was last shown. That is what they approve, whatever the server lists meanwhile.
    reviewed: Mutex<Option<Arc<List>>>,
}

impl Upstream {
    /// Starts nothing.
    pub fn new(spec: UpstreamSpec, ground: Ground) -> Self {
        Self { supervisor: Supervisor::new(spec, ground), reviewed: Mutex::default() }
    }

    /// The tools it lists that nobody is offered, and why.
    pub fn withheld(&self) -> Vec<Withheld> {
        let newest = self.supervisor.snapshots.newest();
        newest.map(|newest| newest.list.withheld.clone()).unwrap_or_default()
    }

    /// What a person has to look at: tools that changed, are held to their class, or hide something.
    pub fn review(&self) -> Result<Vec<Review>, PinError> {
        let newest = self.supervisor.snapshots.newest().map(|newest| newest.list);
        let book = self.supervisor.ground.pins.read(&self.supervisor.snapshots.shelf)?;
        let known = Known::by(&book);
        let tools = newest.iter().flat_map(|list| &list.tools);
        let reviews = tools.filter_map(|tool| review(tool, &known)).collect();
        *self.reviewed.lock().unwrap_or_else(PoisonError::into_inner) = newest;
        Ok(reviews)
    }

    /// Approves tools as they were last reviewed, in the name of a person: those named, or all that wait for it. Gives
    /// back their names. Nothing that an agent can call may lead here.
    pub fn approve(&self, tools: Option<&[&str]>) -> Result<Vec<String>, PinError> {
        let snapshots = &self.supervisor.snapshots;
        let reviewed = self.reviewed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let list = reviewed.or_else(|| snapshots.newest().map(|newest| newest.list));
        let listed = list.as_ref().map_or(&[][..], |list| &list.tools);
        let pins = &self.supervisor.ground.pins;
        let chosen: Vec<&Listed> = match tools {
            None => {
                let book = pins.read(&snapshots.shelf)?;
                let known = Known::by(&book);
                listed.iter().filter(|tool| review(tool, &known).is_some()).collect()
            }
            Some(names) => {
                let named = |name: &&str| {
                    let found = listed.iter().find(|tool| tool.definition.name().as_str() == *name);
                    found.ok_or_else(|| PinError::NoSuchTool {
                        server: self.supervisor.spec.name.clone(),
                        tool: (*name).to_owned(),
                    })
                };
                names.iter().map(named).collect::<Result<_, _>>()?
            }
        };
        pins.approve(&snapshots.shelf, &chosen)?;
        snapshots.judge_again()?;
        Ok(chosen.iter().map(|tool| tool.definition.name().to_string()).collect())
    }

    fn changed(&self) -> ToolFailure {
        let name = shown(&self.supervisor.spec.name);
        let why = format!("the tools of server `{name}` changed meanwhile; call again");
        ToolFailure::Unavailable(why)
    }

    fn lost(&self) -> ToolFailure {
        let name = shown(&self.supervisor.spec.name);
        ToolFailure::Unavailable(format!("server `{name}` forgets its sessions; call again later"))
    }

    async fn answer(&self, connection: &Connection, call: &ToolCall) -> Result<Told, ToolFailure> {
        let name = shown(&self.supervisor.spec.name);
        let redactor = &self.supervisor.ground.redactor;
        let unavailable = |why: String| {
            ToolFailure::Unavailable(redactor.text(&format!("server `{name}`{why}")).into_owned())
        };
        let unusable = |error: serde_json::Error| unavailable(format!(": {error}"));
        let arguments: Box<RawValue> =
            RawValue::from_string(call.arguments.get().to_owned()).map_err(unusable)?;
        let meta = meta(&call.context).map_err(unusable)?;
        let request = ToolRequest { name: &call.name, arguments: &arguments, meta: Some(&meta) };
        let limit = self.supervisor.ground.limits.call;
        let answered = timeout(limit, connection.call(request, &call.cancel)).await;
        let late = |_| unavailable(format!(" did not answer within {} s", limit.as_secs_f64()));
        match answered.map_err(late)? {
            Ok(result) if result.get().starts_with('{') => {
                Ok(Told::Answer(ToolResult::from_raw(RawJson::from(result))))
            }
            // Passed on, it would be an answer here and a fault of the protocol there.
            Ok(_) => {
                let text = format!("server `{name}`: its answer is no result");
                Ok(Told::Answer(ToolResult::error(&text)))
            }
            Err(ClientError::Cancelled) => Err(ToolFailure::Cancelled),
            Err(ClientError::Refused(error)) if error.code == FORGOTTEN => {
                connection.give_up();
                Ok(Told::NotTaken)
            }
            // It is for the model to read and to mend.
            Err(ClientError::Refused(error)) => Ok(Told::Answer(ToolResult::error(&error.message))),
            Err(ClientError::Closed) => {
                let said = connection.complaints.said().await;
                Err(unavailable(format!(" ended before it answered{said}")))
            }
            Err(error) => Err(unavailable(format!(": {error}"))),
        }
    }
}

/// What came of asking a server.
enum Told {
    Answer(ToolResult),
    /// It knew the session no more, and did nothing.
    NotTaken,
}

impl Drop for Upstream {
    fn drop(&mut self) {
        self.supervisor.hang_up();
    }
}

#[async_trait]
impl ToolProvider for Upstream {
    async fn tools(&self) -> Result<Vec<Arc<ToolDefinition>>, ToolFailure> {
        Ok(self.supervisor.snapshots.tools())
    }

    async fn call(&self, call: ToolCall) -> Result<ToolResult, ToolFailure> {
        let judged_by = self.revision();
        let connection = self.supervisor.connection().await?;
        // It was started anew and is not what the call was judged by.
        if judged_by != 0 && judged_by != self.revision() {
            return Err(self.changed());
        }
        let newest = self.supervisor.snapshots.newest();
        if newest.is_none_or(|newest| newest.list.tool(&call.name).is_none()) {
            return Err(ToolFailure::Unknown { name: shown(&call.name) });
        }
        match self.answer(&connection, &call).await? {
            Told::Answer(result) => Ok(result),
            Told::NotTaken => Err(self.lost()),
        }
    }

    async fn call_judged(
        &self,
        call: ToolCall,
        tool: &ToolDefinition,
    ) -> Result<ToolResult, ToolFailure> {
        // A call that meets a lost session was not taken, and is made once more in a new one.
        for _ in 0..2 {
            let connection = self.supervisor.abreast().await?;
            let newest = self.supervisor.snapshots.newest();
            let now = newest.as_ref().and_then(|newest| newest.list.tool(&call.name));
            if !now.is_some_and(|now| is_same(now, tool)) {
                return Err(self.changed());
            }
            match self.answer(&connection, &call).await? {
                Told::Answer(result) => return Ok(result),
                Told::NotTaken => {}
            }
        }
        Err(self.lost())
    }

    async fn close(&self) {
        self.supervisor.close().await;
    }

    fn source(&self) -> Option<ToolSource> {
        Some(self.supervisor.snapshots.source().clone())
    }

    fn revision(&self) -> u64 {
        self.supervisor.snapshots.revision()
    }

    async fn refresh(&self) -> Result<(), ToolFailure> {
        self.supervisor.refresh().await
    }
}

/// Whether a judgement by one is a judgement by the other.
fn is_same(one: &ToolDefinition, other: &ToolDefinition) -> bool {
    let verdict = |tool: &ToolDefinition| (tool.class(), tool.standing());
    verdict(one) == verdict(other) && one.raw().get() == other.raw().get()
}

/// Which call it is, and the trace under the names MCP reserves for it.
fn meta(context: &CallContext) -> Result<Box<RawValue>, serde_json::Error> {
    let mut meta = Map::new();
    if let Some(trace) = &context.trace {
        meta.insert("traceparent".to_owned(), trace.traceparent.clone().into());
        if let Some(state) = &trace.tracestate {
            meta.insert("tracestate".to_owned(), state.clone().into());
        }
    }
    meta.insert("awf/request_id".to_owned(), Value::from(context.request_id.to_string()));
    to_raw_value(&meta)
}
