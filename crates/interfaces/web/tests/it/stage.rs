//! A server on a port of its own, over tools and a log that do what a test tells them.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::SystemTime,
};

use async_trait::async_trait;
use awf_core::{
    ActivityError, ActivityEvent, ActivityFilter, ActivityLog, ActivityNews, ActivityPage,
    ActivityRecord, ActivitySummary, CallIntent, CallStarted, Ceiling, Cursor, Exposure,
    IntentPolicy, Operation, Outline, Place, RawJson, RawObject, Redactor, RunEvent, RunId,
    RunJournal, RunJournalError, RunSummary, Statement, Status, ToolCall, ToolDefinition,
    ToolFailure, ToolProvider, ToolResult, ToolSource, TwoKeyValidator, Variant,
};
use awf_tools::{Answer, IntentSurface, Ports, ToolList, ToolRouter, TraceLink};
use awf_web::{
    ApiKey, Chart, Clinic, Gate, NoView, View, Views, WebLimits, WebPorts, WebSettings, serve,
};
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

pub(crate) const KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// What the tools of a stage do and see.
pub(crate) struct Tools {
    source: ToolSource,
    /// Calls that reached a tool.
    pub(crate) begun: watch::Sender<usize>,
    /// Calls of `stuck` that were cancelled.
    pub(crate) cancelled: watch::Sender<usize>,
}

#[async_trait]
impl ToolProvider for Tools {
    async fn tools(&self) -> Result<Vec<Arc<ToolDefinition>>, ToolFailure> {
        let tool = |name: &str, annotations: Value| {
            let raw = json!({"name": name, "inputSchema": {"type": "object"}, "annotations": annotations});
            Arc::new(ToolDefinition::from_raw(self.source.clone(), raw.into()).unwrap())
        };
        let reads = || json!({"readOnlyHint": true});
        Ok(vec![
            tool("look", reads()),
            tool("wipe", json!({"destructiveHint": true})),
            tool("stuck", reads()),
            tool("gone", reads()),
            tool("fails", reads()),
        ])
    }

    async fn call(&self, call: ToolCall) -> Result<ToolResult, ToolFailure> {
        self.begun.send_modify(|count| *count += 1);
        match call.name.as_str() {
            "stuck" => {
                call.cancel.cancelled().await;
                self.cancelled.send_modify(|count| *count += 1);
                Err(ToolFailure::Cancelled)
            }
            "gone" => Err(ToolFailure::Unavailable("server `up` is not connected".to_owned())),
            "fails" => Ok(ToolResult::error("no such thing")),
            name => Ok(ToolResult::text(&format!("{name} got {}", call.arguments.get()))),
        }
    }

    async fn close(&self) {}
}

/// Keeps events in memory, gives them back as records, and remembers what it was asked.
#[derive(Default)]
pub(crate) struct Log {
    events: Mutex<Vec<ActivityEvent>>,
    pub(crate) asked: Mutex<Vec<ActivityFilter>>,
}

impl Log {
    pub(crate) fn started(&self) -> Vec<CallStarted> {
        let events = self.events.lock().unwrap();
        let started = events.iter().filter_map(|event| match event {
            ActivityEvent::Started(started) => Some((**started).clone()),
            ActivityEvent::Ended(_) => None,
        });
        started.collect()
    }
}

#[async_trait]
impl ActivityLog for Log {
    async fn append(&self, event: &ActivityEvent) -> Result<(), ActivityError> {
        self.events.lock().unwrap().push(event.clone());
        Ok(())
    }

    async fn query(&self, filter: &ActivityFilter) -> Result<ActivityPage, ActivityError> {
        self.asked.lock().unwrap().push(filter.clone());
        let matching = self.started().into_iter().rev().filter(|started| {
            filter.id.is_none_or(|id| id == started.id)
                && filter.cursor.is_none_or(|cursor| started.id < cursor.0)
        });
        let mut records: Vec<ActivityRecord> = matching
            .map(|started| ActivityRecord { started, status: Status::Started, ended: None })
            .collect();
        records.sort_by_key(|record| std::cmp::Reverse(record.started.id));
        let more = records.len() > filter.limit;
        records.truncate(filter.limit);
        let next = records.last().filter(|_| more).map(|last| Cursor(last.started.id));
        Ok(ActivityPage { records, next, ..ActivityPage::default() })
    }

    async fn summary(&self, filter: &ActivityFilter) -> Result<ActivitySummary, ActivityError> {
        self.asked.lock().unwrap().push(filter.clone());
        Ok(ActivitySummary { total: self.started().len() as u64, ..ActivitySummary::default() })
    }

    async fn news(
        &self,
        _: &ActivityFilter,
        _: Option<Place>,
    ) -> Result<ActivityNews, ActivityError> {
        Ok(ActivityNews::default())
    }
}

/// Runs that a test has put there: what a list says, and the outline, or the line that is damaged.
#[derive(Default)]
pub(crate) struct Runs(pub(crate) Mutex<Vec<(RunSummary, Result<Outline, usize>)>>);

impl Runs {
    fn find<T>(
        &self,
        run: RunId,
        read: impl Fn(&RunSummary, &Result<Outline, usize>) -> Result<T, RunJournalError>,
    ) -> Result<T, RunJournalError> {
        let runs = self.0.lock().unwrap();
        let found = runs.iter().find(|(summary, _)| summary.id == run);
        found.map_or(Err(RunJournalError::NotFound(run)), |(summary, outline)| {
            read(summary, outline)
        })
    }
}

#[async_trait]
impl RunJournal for Runs {
    async fn append(&self, run: RunId, _: &RunEvent) -> Result<(), RunJournalError> {
        Err(RunJournalError::Active(run))
    }

    async fn load(&self, run: RunId) -> Result<Vec<RunEvent>, RunJournalError> {
        self.outline(run).await.map(|outline| outline.events)
    }

    async fn take(&self, run: RunId, _: usize) -> Result<(), RunJournalError> {
        Err(RunJournalError::Active(run))
    }

    async fn list(&self) -> Result<Vec<RunSummary>, RunJournalError> {
        Ok(self.0.lock().unwrap().iter().map(|(summary, _)| summary.clone()).collect())
    }

    async fn summary(&self, run: RunId) -> Result<RunSummary, RunJournalError> {
        self.find(run, |summary, _| Ok(summary.clone()))
    }

    async fn outline(&self, run: RunId) -> Result<Outline, RunJournalError> {
        self.find(run, |_, outline| {
            let damaged = |line| {
                let message = "not an event".to_owned();
                RunJournalError::Damaged { run, line, message }
            };
            outline.clone().map_err(damaged)
        })
    }

    async fn release(&self, _: RunId) {}
}

/// The router, and the variants in front of it as the intent surface has them.
struct TestGate(Arc<ToolRouter>, IntentSurface);

#[async_trait]
impl ToolProvider for TestGate {
    async fn tools(&self) -> Result<Vec<Arc<ToolDefinition>>, ToolFailure> {
        self.0.tools().await
    }

    async fn call(&self, call: ToolCall) -> Result<ToolResult, ToolFailure> {
        Gate::judge_and_call(self, call).await.map(|answer| answer.result)
    }

    async fn close(&self) {
        self.0.close().await;
    }
}

#[async_trait]
impl Gate for TestGate {
    async fn judge_and_call(&self, mut call: ToolCall) -> Result<Answer, ToolFailure> {
        if let Some(variant) = Variant::parse(&call.name) {
            let fields = RawObject::read(&call.arguments).unwrap();
            let nested = fields.get("intent").cloned();
            let statement = Box::new(Statement { nested, ..Statement::default() });
            call.intent = CallIntent::Stated { variant, statement };
            let name = fields.get("name").map_or("null", RawJson::get);
            call.name = serde_json::from_str(name).unwrap_or_default();
            call.arguments = fields.get("args").cloned().unwrap_or_else(RawJson::empty_object);
        }
        self.0.judge_and_call(call).await
    }

    async fn list(&self, query: &str, limit: usize) -> Result<ToolList, ToolFailure> {
        self.1.list(query, limit).await
    }
}

struct TestViews {
    tools: Arc<Tools>,
    log: Arc<Log>,
}

#[async_trait]
impl Views for TestViews {
    async fn view(&self, wanted: &View) -> Result<Arc<dyn Gate>, NoView> {
        if let Some(name) = wanted.servers.iter().flatten().find(|name| *name != "up") {
            let hint = "there is `up`".to_owned();
            return Err(NoView::UnknownServer { name: name.clone(), hint });
        }
        let ceiling = Ceiling(wanted.allow.unwrap_or(Operation::Destructive));
        let ports = Ports {
            validator: Arc::new(TwoKeyValidator::new(IntentPolicy::default())),
            log: Some(self.log.clone()),
            redactor: Redactor::new(["hunter2-hunter2"]),
            trace: TraceLink::default(),
        };
        let exposure = Exposure { ceiling, ..Exposure::default() };
        let router = ToolRouter::new(vec![self.tools.clone()], exposure, ports).await;
        let router = Arc::new(router.unwrap());
        let surface = IntentSurface::new(router.clone(), IntentPolicy::default());
        Ok(Arc::new(TestGate(router, surface)))
    }
}

/// A machine of which nothing is known.
struct Nothing;

impl Clinic for Nothing {
    fn chart(&self) -> Chart {
        Chart::default()
    }
}

/// A server that runs until it is dropped.
pub(crate) struct Stage {
    pub(crate) address: SocketAddr,
    pub(crate) tools: Arc<Tools>,
    pub(crate) log: Arc<Log>,
    pub(crate) runs: Arc<Runs>,
    pub(crate) stop: CancellationToken,
    serving: Option<JoinHandle<std::io::Result<()>>>,
    client: reqwest::Client,
}

impl Stage {
    pub(crate) async fn open() -> Self {
        Self::with(WebLimits::default()).await
    }

    pub(crate) async fn with(limits: WebLimits) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let tools = Arc::new(Tools {
            source: ToolSource::Mcp("up".to_owned()),
            begun: watch::Sender::new(0),
            cancelled: watch::Sender::new(0),
        });
        let (log, runs) = (Arc::new(Log::default()), Arc::new(Runs::default()));
        let ports = WebPorts {
            views: Arc::new(TestViews { tools: tools.clone(), log: log.clone() }),
            log: Some(log.clone()),
            runs: runs.clone(),
            trace: None,
            clinic: Arc::new(Nothing),
            clock: SystemTime::now,
            redact: str::to_owned,
        };
        let settings = WebSettings {
            key: ApiKey::parse(KEY).unwrap(),
            hosts: Vec::new(),
            begun: SystemTime::now(),
            limits,
        };
        let stop = CancellationToken::new();
        let serving = tokio::spawn(serve(listener, settings, ports, stop.clone()));
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        Self { address, tools, log, runs, stop, serving: Some(serving), client }
    }

    /// Ends serving, and waits until it has ended.
    pub(crate) async fn close(mut self) {
        self.stop.cancel();
        self.serving.take().unwrap().await.unwrap().unwrap();
    }

    pub(crate) fn get(&self, path: &str) -> RequestBuilder {
        self.client.get(format!("http://{}{path}", self.address)).header("X-API-Key", KEY)
    }

    pub(crate) fn delete(&self, path: &str) -> RequestBuilder {
        self.client.delete(format!("http://{}{path}", self.address)).header("X-API-Key", KEY)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        self.client
            .post(format!("http://{}{path}", self.address))
            .header("X-API-Key", KEY)
            .header("Content-Type", "application/json")
            .body(body.to_string())
    }

    /// Sends bytes as they are, and gives all that comes back until the connection closes.
    pub(crate) async fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        // Whoever refuses a head may stop reading it.
        stream.write_all(bytes).await.ok();
        let mut answer = Vec::new();
        let mut piece = [0; 4096];
        while let Ok(count @ 1..) = stream.read(&mut piece).await {
            answer.extend_from_slice(&piece[..count]);
        }
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// A request head with our host and key, then `more`.
    pub(crate) fn head(&self, line: &str, more: &str) -> String {
        let address = self.address;
        format!(
            "{line} HTTP/1.1\r\nHost: {address}\r\nX-API-Key: {KEY}\r\nConnection: close\r\n{more}\r\n"
        )
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// The status and the JSON of an answer.
pub(crate) async fn told(request: RequestBuilder) -> (u16, Value) {
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let text = response.text().await.unwrap();
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}
