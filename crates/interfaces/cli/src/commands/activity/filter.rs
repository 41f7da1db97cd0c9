//! Which calls are asked for: the same flags for every command that reads the log.

use std::time::SystemTime;

use awf_core::{ActivityFilter, CallSurface, Operation, Status, one_of};
use clap::Args;

use crate::moment;

#[derive(Debug, Args)]
pub(crate) struct FilterArgs {
    /// Only calls with this intent: read, write or destructive
    #[arg(long, value_parser = operation)]
    intent_type: Option<Operation>,
    /// Only calls in this state: started, success, error, denied, interrupted or bypassed
    #[arg(long, value_parser = status)]
    pub(super) status: Option<Status>,
    /// Only calls of this server (`builtin`, a plugin, an upstream server)
    #[arg(long)]
    server: Option<String>,
    /// Only calls of this tool
    #[arg(long)]
    tool: Option<String>,
    /// Only calls of this workflow run
    #[arg(long)]
    run: Option<String>,
    /// Only calls of this step
    #[arg(long)]
    step: Option<String>,
    /// Only calls that came in this way: mcp, cli, api or workflow
    #[arg(long, alias = "surface", value_parser = source)]
    source: Option<CallSurface>,
    /// Only the call with this request id
    #[arg(long)]
    request_id: Option<String>,
    /// Only calls since then: a time like 2026-11-16T09:30:00Z, or how long ago: 90s, 15m, 2h, 7d
    #[arg(long, value_parser = time)]
    since: Option<SystemTime>,
    /// Only calls before then
    #[arg(long, value_parser = time)]
    until: Option<SystemTime>,
}

impl FilterArgs {
    /// The filter these flags mean.
    pub(super) fn meant(&self) -> ActivityFilter {
        ActivityFilter {
            since: self.since,
            until: self.until,
            run: self.run.clone(),
            step: self.step.clone(),
            surface: self.source,
            server: self.server.clone(),
            tool: self.tool.clone(),
            operation: self.intent_type,
            status: self.status,
            request_id: self.request_id.clone(),
            ..ActivityFilter::default()
        }
    }
}

fn operation(text: &str) -> Result<Operation, String> {
    Operation::parse(text).ok_or_else(|| must_be(&Operation::ALL.map(Operation::as_str)))
}

fn status(text: &str) -> Result<Status, String> {
    Status::parse(text).ok_or_else(|| must_be(&Status::ALL.map(Status::as_str)))
}

fn source(text: &str) -> Result<CallSurface, String> {
    CallSurface::parse(text).ok_or_else(|| must_be(&CallSurface::ALL.map(CallSurface::as_str)))
}

fn must_be(words: &[&str]) -> String {
    format!("must be {}", one_of(words))
}

fn time(text: &str) -> Result<SystemTime, String> {
    moment::parse(text, SystemTime::now())
}
