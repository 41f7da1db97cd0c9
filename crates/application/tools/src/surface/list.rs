//! The tools behind the surface as a list for programs: each as its source describes it, with the variant that calls it.

use awf_core::{Unannotated, call_with};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::{
    search::Hit,
    surface::{
        entry::{annotations, rounded},
        retrieve::{Blocked, Findings, Unavailable},
    },
};

/// What a client can call, and what it cannot and why. As it is written in JSON it is stable once shipped.
#[derive(Serialize)]
pub struct ToolList {
    total: usize,
    tools: Vec<ListedTool>,
    /// Never quoted: only the name, and what is the matter.
    blocked: Vec<Blocked>,
    unavailable: Vec<Unavailable>,
}

#[derive(Serialize)]
struct ListedTool {
    name: String,
    server: String,
    description: String,
    #[serde(rename = "inputSchema")]
    input_schema: Option<Box<RawValue>>,
    annotations: Box<RawValue>,
    class: &'static str,
    call_with: &'static str,
    score: f64,
}

impl ToolList {
    pub(super) fn new(findings: Findings, unannotated: Unannotated) -> Self {
        let Findings { found, blocked, unavailable } = findings;
        let tools = found.hits.iter().map(|hit| ListedTool::new(hit, unannotated)).collect();
        Self { total: found.total, tools, blocked, unavailable }
    }
}

impl ListedTool {
    fn new(hit: &Hit, unannotated: Unannotated) -> Self {
        let tool = &*hit.tool;
        Self {
            name: tool.qualified_name(),
            server: tool.source().namespace().to_owned(),
            description: tool.description().to_owned(),
            input_schema: tool.input_schema(),
            annotations: annotations(tool),
            class: tool.class().as_str(),
            call_with: call_with(tool.class(), unannotated).as_str(),
            score: rounded(hit.score),
        }
    }
}
