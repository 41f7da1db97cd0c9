//! What one run of a program is about: the request, and the server it is to start.

use std::{collections::BTreeMap, ffi::OsStr, path::Path};

use awf_core::{AgentFailure, AgentRequest, Reach, ToolAccess, TraceContext};

/// F099's line for agents that are not known to be without tools of their own.
const ONLY_MCP: &str = "Use only MCP tools, never built-in tools";

/// One run.
#[derive(Clone, Copy)]
pub(crate) struct Errand<'a> {
    pub(crate) request: &'a AgentRequest,
    pub(crate) server: Option<&'a Server>,
    /// The user's home directory.
    pub(crate) home: Option<&'a Path>,
}

impl Errand<'_> {
    /// Whether awf's tools are to be the only ones.
    pub(crate) fn exclusive(&self) -> bool {
        self.reach() == Reach::Exclusive
    }

    /// Without a server of awf's the agent has its own tools.
    pub(crate) fn reach(&self) -> Reach {
        self.server.map_or(Reach::Additive, |server| server.reach)
    }

    /// What the agent is told beforehand, with F099's line where it has to keep away from tools of its own.
    pub(crate) fn warned_system_prompt(&self) -> Option<String> {
        let line = self.exclusive().then_some(ONLY_MCP);
        let parts = [self.request.system_prompt.as_deref(), line];
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join("\n\n"))
    }
}

/// The server of awf's tools, in words that fit into configuration files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Server {
    pub(crate) command: String,
    pub(crate) args: Vec<String>,
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) reach: Reach,
}

impl Server {
    /// The server of `access`, which hears of the trace by its environment.
    pub(crate) fn of(
        access: &ToolAccess,
        trace: Option<&TraceContext>,
    ) -> Result<Option<Self>, AgentFailure> {
        let access = match access {
            ToolAccess::Own => return Ok(None),
            ToolAccess::Stdio(access) => access,
            ToolAccess::Router { .. } => {
                let reason = "the agent is a program and needs a server it can start";
                return Err(AgentFailure::Unusable(reason.to_owned()));
            }
        };
        let traced = trace.into_iter().flat_map(|trace| {
            let state = trace.tracestate.as_ref().map(|state| ("TRACESTATE", state));
            std::iter::once(("TRACEPARENT", &trace.traceparent)).chain(state)
        });
        let traced = traced.map(|(name, value)| Ok((name.to_owned(), value.clone())));
        let given = access.env.iter().map(|(name, value)| Ok((word(name)?, word(value)?)));
        Ok(Some(Self {
            command: word(access.command.as_os_str())?,
            args: access.args.iter().map(|arg| word(arg)).collect::<Result<_, AgentFailure>>()?,
            env: traced.chain(given).collect::<Result<_, AgentFailure>>()?,
            reach: access.reach,
        }))
    }
}

/// Text of a path or an argument, which a configuration file can hold.
pub(crate) fn word(text: &OsStr) -> Result<String, AgentFailure> {
    text.to_str().map(str::to_owned).ok_or_else(|| {
        let shown = text.display();
        AgentFailure::Unusable(format!(
            "`{shown}` is not valid UTF-8 and cannot be told to the agent; use a path without such characters"
        ))
    })
}
