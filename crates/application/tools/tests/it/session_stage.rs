//! A service over fakes, in a directory of its own, and clients that connect as a relay would.

use std::{
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;
use awf_core::{
    Exposure, IntentPolicy, McpProxy, Redactor, Span, Surface, ToolAccess, ToolProvider,
    ToolSource, TraceContext, TwoKeyValidator,
};
use awf_mcp::{Client, ClientOptions};
use awf_tools::{
    CallNews, CallWatcher, NoSource, ProxySession, ProxySettings, SessionRequest, ToolProxyService,
    ToolSources, TraceLink,
};
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::UnixStream;

use crate::fakes::{FakeLog, FakeProvider};

pub(crate) const TRACE: &str = "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01";

/// Hands out what it was given.
pub(crate) struct Sources(pub(crate) Result<Vec<Arc<FakeProvider>>, String>);

#[async_trait]
impl ToolSources for Sources {
    async fn open(&self, _: &SessionRequest) -> Result<Vec<Arc<dyn ToolProvider>>, NoSource> {
        let given = self.0.clone()?;
        Ok(given.into_iter().map(|provider| provider as Arc<dyn ToolProvider>).collect())
    }
}

pub(crate) struct Stage {
    /// Held: the runtime directory lies in it.
    pub(crate) scratch: TempDir,
    pub(crate) log: Arc<FakeLog>,
    pub(crate) provider: Arc<FakeProvider>,
    pub(crate) news: Arc<Mutex<Vec<CallNews>>>,
}

impl Stage {
    pub(crate) fn new() -> Self {
        Self {
            scratch: TempDir::new().unwrap(),
            log: Arc::default(),
            provider: FakeProvider::new(ToolSource::Mcp("up".into())),
            news: Arc::default(),
        }
    }

    /// Where the sessions of this stage live.
    pub(crate) fn runtime_dir(&self) -> PathBuf {
        base_in(self.scratch.path())
    }

    /// The names in the runtime directory.
    pub(crate) fn left(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.runtime_dir()).into_iter().flatten();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    pub(crate) fn settings(&self) -> ProxySettings {
        ProxySettings {
            program: "/opt/awf".into(),
            runtime_dirs: vec![self.scratch.path().into()],
            validator: Arc::new(TwoKeyValidator::new(IntentPolicy::default())),
            policy: IntentPolicy::default(),
            log: Some(self.log.clone()),
            trace: TraceLink::default(),
            exposure: Exposure::default(),
            sources: Arc::new(Sources(Ok(vec![self.provider.clone()]))),
        }
    }

    pub(crate) fn service(&self) -> ToolProxyService {
        ToolProxyService::new(self.settings())
    }

    pub(crate) fn request(&self, step: &str) -> SessionRequest {
        let news = self.news.clone();
        let watcher: CallWatcher = Arc::new(move |told| {
            news.lock().unwrap_or_else(PoisonError::into_inner).push(told);
        });
        SessionRequest {
            run: "01RUN".into(),
            step: step.into(),
            dir: self.scratch.path().into(),
            proxy: McpProxy {
                enable: true,
                intercept_builtins: true,
                plugin_tools: Vec::new(),
                span: Span {
                    file: "w.yaml".into(),
                    line: 1,
                    column: 1,
                    end_line: 1,
                    end_column: 2,
                },
            },
            allow: None,
            surface: Surface::Direct,
            servers: Vec::new(),
            roots: Vec::new(),
            env: Vec::new(),
            redactor: Redactor::new(["hunter2-hunter2"]),
            trace: Some(TraceContext { traceparent: TRACE.into(), tracestate: None }),
            watcher,
        }
    }
}

/// The one directory awf makes for this user in `dir`.
pub(crate) fn base_in(dir: &Path) -> PathBuf {
    dir.join(format!("awf-{}", rustix::process::geteuid().as_raw()))
}

/// The file a session's agent is given.
pub(crate) fn config_of(session: &ProxySession) -> PathBuf {
    match session.access() {
        ToolAccess::Stdio(access) => access.args.last().unwrap().into(),
        ToolAccess::Own | ToolAccess::Router { .. } => panic!("a session is reached over stdio"),
    }
}

pub(crate) fn socket_in(config: &Path) -> PathBuf {
    let config: Value = serde_json::from_slice(&std::fs::read(config).unwrap()).unwrap();
    config["socket"].as_str().unwrap().into()
}

/// A connection as a relay makes it.
pub(crate) async fn connect(session: &ProxySession) -> Client {
    let stream = UnixStream::connect(socket_in(&config_of(session))).await.unwrap();
    let (reader, writer) = stream.into_split();
    Client::connect(reader, writer, ClientOptions::new("fake-agent", "1")).await.unwrap()
}

pub(crate) fn private_dir(path: &Path) {
    std::fs::DirBuilder::new().mode(0o700).recursive(true).create(path).unwrap();
}
