//! What a session is asked for, and what it stands on.

use std::{ffi::OsString, path::PathBuf, sync::Arc};

use async_trait::async_trait;
use awf_core::{
    ActivityLog, Code, Exposure, IntentPolicy, IntentValidator, McpProxy, Operation,
    OperationFailure, Redactor, Surface, ToolProvider, ToolSetError, TraceContext,
};

use crate::{operation_tools::UnsupportedSchema, router::TraceLink, session::CallWatcher};

/// What every session of a process stands on.
pub struct ProxySettings {
    /// The awf executable, as an agent is to start it: an absolute path.
    pub program: PathBuf,
    /// Where sessions may have their sockets, as `$XDG_RUNTIME_DIR` and `/tmp`: in the first of these in which a directory
    /// can be ours alone and a path is short enough.
    pub runtime_dirs: Vec<PathBuf>,
    /// Judges every call.
    pub validator: Arc<dyn IntentValidator>,
    /// What the intent surface tells its clients by; the same that the validator judges by.
    pub policy: IntentPolicy,
    /// Keeps every call; `None` when the activity log is switched off.
    pub log: Option<Arc<dyn ActivityLog>>,
    /// Ties spans to the step's trace.
    pub trace: TraceLink,
    /// What binds all sessions; a step can lower the ceiling, never raise it.
    pub exposure: Exposure,
    /// Where the tools of a session come from.
    pub sources: Arc<dyn ToolSources>,
}

/// What a step asks for.
#[derive(Clone)]
pub struct SessionRequest {
    /// The run.
    pub run: String,
    /// The step.
    pub step: String,
    /// Where the step works.
    pub dir: PathBuf,
    /// Its `mcp_proxy` block.
    pub proxy: McpProxy,
    /// The highest class of tool it is offered; `None` leaves it at what binds all sessions.
    pub allow: Option<Operation>,
    /// How tools are offered.
    pub surface: Surface,
    /// Upstream servers whose tools are offered.
    pub servers: Vec<String>,
    /// Further places where the file tools may work.
    pub roots: Vec<PathBuf>,
    /// What the step adds to the environment of its tools.
    pub env: Vec<(OsString, OsString)>,
    /// Strikes out what may not be kept: it knows the secrets of the step.
    pub redactor: Redactor,
    /// The trace of the step.
    pub trace: Option<TraceContext>,
    /// Is told of every call.
    pub watcher: CallWatcher,
}

/// Gives a session its tools.
#[async_trait]
pub trait ToolSources: Send + Sync {
    /// The providers for one session, which closes them at its end. Whoever lends a provider to several sessions hands
    /// out one that does nothing on `close`.
    async fn open(&self, request: &SessionRequest) -> Result<Vec<Arc<dyn ToolProvider>>, NoSource>;
}

/// Why a session gets no tools from one of its sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSource {
    /// The stable code.
    pub code: Code,
    /// What is in the way.
    pub reason: String,
}

impl From<String> for NoSource {
    fn from(reason: String) -> Self {
        Self { code: Code::ProxyUnavailable, reason }
    }
}

impl From<OperationFailure> for NoSource {
    fn from(failure: OperationFailure) -> Self {
        Self { code: failure.code(), reason: failure.to_string() }
    }
}

impl From<UnsupportedSchema> for NoSource {
    fn from(error: UnsupportedSchema) -> Self {
        Self { code: Code::ProxyUnsupportedSchema, reason: error.to_string() }
    }
}

impl From<ToolSetError> for NoSource {
    fn from(error: ToolSetError) -> Self {
        Self { code: error.code(), reason: error.to_string() }
    }
}
