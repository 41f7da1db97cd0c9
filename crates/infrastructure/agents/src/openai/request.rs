//! The body of a request.

use awf_core::{NameLimit, ToolDefinition};
use serde::Serialize;
use serde_json::{Value, value::RawValue};

use crate::openai::options::Sampling;

/// A request for one answer, streamed.
#[derive(Serialize)]
pub(super) struct Body<'a> {
    pub(super) model: &'a str,
    pub(super) messages: &'a [Value],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) tools: &'a [OfferedTool],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tool_choice: Option<&'static str>,
    pub(super) stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stream_options: Option<StreamOptions>,
    #[serde(flatten)]
    pub(super) sampling: &'a Sampling,
}

#[derive(Clone, Copy, Serialize)]
pub(super) struct StreamOptions {
    pub(super) include_usage: bool,
}

/// A tool as the model is told of it.
#[derive(Serialize)]
pub(super) struct OfferedTool {
    #[serde(rename = "type")]
    kind: &'static str,
    function: Function,
}

#[derive(Serialize)]
struct Function {
    name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<Box<RawValue>>,
}

impl OfferedTool {
    pub(super) fn of(tool: &ToolDefinition) -> Self {
        let function = Function {
            name: NameLimit::OPENAI.fit(tool.name().as_str()),
            description: tool.description().to_owned(),
            parameters: tool.input_schema(),
        };
        Self { kind: "function", function }
    }

    /// The name the model sees.
    pub(super) fn name(&self) -> &str {
        &self.function.name
    }
}
