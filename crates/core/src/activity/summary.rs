//! Many calls in a few numbers.

use std::time::SystemTime;

use serde::{Serialize, Serializer};

use crate::{activity::Status, intent::Operation, moment::rfc3339};

/// Servers and tools that are named at most, the most used first.
pub const SUMMARY_TOP: usize = 10;

/// How many calls there are, by what they are asked about most.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActivitySummary {
    /// All of them.
    pub total: u64,
    /// When the first one began.
    pub first: Option<SystemTime>,
    /// When the last one began.
    pub last: Option<SystemTime>,
    /// By state; what there is none of is left out.
    pub statuses: Vec<(Status, u64)>,
    /// By intent; `None` for calls by name that led to no tool. What there is none of is left out.
    pub operations: Vec<(Option<Operation>, u64)>,
    /// The most used servers.
    pub servers: Vec<ServerCount>,
    /// The most used tools.
    pub tools: Vec<ToolCount>,
    /// How long they took; `None` when none has ended.
    pub durations: Option<Durations>,
}

/// How often a server was called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ServerCount {
    /// The server.
    #[serde(rename = "server_name")]
    pub server: String,
    /// Calls.
    pub count: u64,
}

/// How often a tool was called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToolCount {
    /// Its server.
    #[serde(rename = "server_name")]
    pub server: String,
    /// The tool.
    #[serde(rename = "tool_name")]
    pub tool: String,
    /// Calls.
    pub count: u64,
}

/// How long calls took, in milliseconds, to within a sixteenth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Durations {
    /// Half of them took no longer.
    pub p50: u64,
    /// Nineteen of twenty took no longer.
    pub p95: u64,
}

/// A summary as other programs read it. Stable once shipped.
#[derive(Serialize)]
pub struct SummaryDocument<'a> {
    total: u64,
    first_timestamp: Option<String>,
    last_timestamp: Option<String>,
    by_status: Counts,
    by_intent_type: Counts,
    top_servers: &'a [ServerCount],
    top_tools: &'a [ToolCount],
    duration_ms: Option<Durations>,
}

impl<'a> From<&'a ActivitySummary> for SummaryDocument<'a> {
    fn from(summary: &'a ActivitySummary) -> Self {
        Self {
            total: summary.total,
            first_timestamp: summary.first.map(rfc3339),
            last_timestamp: summary.last.map(rfc3339),
            by_status: Counts(summary.by_status()),
            by_intent_type: Counts(summary.by_intent_type()),
            top_servers: &summary.servers,
            top_tools: &summary.tools,
            duration_ms: summary.durations,
        }
    }
}

impl ActivitySummary {
    /// Every state by its word, those nobody is in included.
    pub fn by_status(&self) -> Vec<(&'static str, u64)> {
        Status::ALL.map(|status| (status.as_str(), count(&self.statuses, &status))).to_vec()
    }

    /// Every intent by its word, and `none` for calls by name that led to no tool.
    pub fn by_intent_type(&self) -> Vec<(&'static str, u64)> {
        let known = Operation::ALL.map(Some).into_iter().chain([None]);
        known
            .map(|operation| {
                let word = operation.map_or("none", Operation::as_str);
                (word, count(&self.operations, &operation))
            })
            .collect()
    }
}

fn count<T: PartialEq>(counts: &[(T, u64)], wanted: &T) -> u64 {
    counts.iter().find(|(key, _)| key == wanted).map_or(0, |(_, count)| *count)
}

/// An object of numbers, in this order.
struct Counts(Vec<(&'static str, u64)>);

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}
