//! What a call comes to: a result, and whether it is one of ours or the tool's.

use awf_core::{CallIntent, Refusal, ToolCall, ToolResult, Warning};
use serde_json::{Map, Value, json};

use crate::{arguments::WrongArguments, router::label::Label};

/// The answer to a call that reached a tool or was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// For the caller to read.
    pub result: ToolResult,
    /// Why no tool was called, if so.
    pub refusal: Option<Refusal>,
}

impl Answer {
    /// What the tool said, with what should be seen beside it.
    pub(super) fn of(result: ToolResult, warnings: &[Warning], request_id: &str) -> Self {
        if warnings.is_empty() {
            return Self { result, refusal: None };
        }
        let listed: Vec<Value> = warnings
            .iter()
            .map(|warning| json!({"code": warning.code, "message": warning.message}))
            .collect();
        let meta = Map::from_iter([
            ("awf/warnings".to_owned(), Value::Array(listed)),
            ("awf/request_id".to_owned(), request_id.into()),
        ]);
        Self { result: result.with_meta(meta), refusal: None }
    }

    /// A refusal, in the shape every surface shows: the literal message, and the code for programs.
    pub(super) fn refused(
        refusal: Refusal,
        call: &ToolCall,
        label: &Label,
        wrong: Option<&WrongArguments>,
    ) -> Self {
        let mut details = Map::from_iter([("tool".to_owned(), label.to_string().into())]);
        if let CallIntent::Stated { variant, .. } = &call.intent {
            details.insert("tool_variant".to_owned(), variant.as_str().into());
        }
        if let Some(wrong) = wrong {
            details.insert("path".to_owned(), wrong.path.as_str().into());
            details.extend(wrong.schema.clone().map(|schema| ("schema".to_owned(), schema)));
        }
        let body = json!({
            "code": refusal.code.as_str(),
            "message": refusal.message,
            "details": details,
            "request_id": call.context.request_id.to_string(),
        });
        let text = wrong.map_or_else(|| refusal.message.clone(), WrongArguments::text);
        Self { result: ToolResult::error_with(&text, &body), refusal: Some(refusal) }
    }
}
