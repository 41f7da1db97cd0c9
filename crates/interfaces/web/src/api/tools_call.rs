//! `POST /api/v1/tools/call`: one call of a tool, as over MCP. A refusal is a problem, a tool's own error is an answer.

use std::{sync::Arc, time::Duration};

use awf_core::{
    CallContext, CallIntent, CallSurface, RawJson, Refusal, RefusalCode, RequestId, ToolCall,
    ToolFailure, ToolResult, shown,
};
use awf_tools::Answer;
use axum::{
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::{
    api::caller,
    body,
    house::House,
    openapi::{parameters::View, schema},
    ports::Gate,
    problem::Problem,
    query,
};

/// How long a call may clean up after its caller has left.
const CANCEL_GRACE: Duration = Duration::from_secs(2);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted<'a> {
    tool_name: String,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
}

#[utoipa::path(
    post, path = "/tools/call", operation_id = "call_tool", tag = "tools",
    params(View),
    request_body(content = schema::ToolCall, content_type = "application/json"),
    responses(
        (status = 200, description = "the result of the tool, also where it reports an error", body = schema::ToolResult),
        (status = 408, description = "the body took too long", body = schema::Problem, content_type = "application/problem+json"),
        (status = 409, description = "the server of the tool is not connected", body = schema::Problem, content_type = "application/problem+json")
    )
)]
pub(crate) async fn call(
    State(house): State<Arc<House>>,
    request: Request,
) -> Result<Response, Problem> {
    let view = query::view(request.uri())?;
    let mut context = CallContext {
        client: caller::client(request.headers()),
        trace: caller::trace(request.headers()).or_else(|| house.ports.trace.clone()),
        ..CallContext::new(CallSurface::Api)
    };
    // The guards have given every request one.
    if let Some(id) = request.extensions().get::<RequestId>() {
        context.request_id = id.clone();
    }
    let body = body::read(&house, request).await?;
    let (name, arguments) = wanted(&body.bytes)?;
    let gate = house.ports.views.view(&view).await?;
    let unknown = gate.unknown(&shown(&name));
    let id = context.request_id.to_string();
    let cancel = house.stop.child_token();
    // Fires when the caller leaves: this future is dropped then.
    let _left = cancel.clone().drop_guard();
    let call = ToolCall { name, arguments, intent: CallIntent::Direct, context, cancel };
    match outcome(&house, gate, call).await {
        Ok(Answer { result, refusal: None }) => Ok(answer(result)),
        Ok(Answer { result, refusal: Some(refusal) }) => Err(refused(&refusal, &result, id)),
        Err(failure) => Err(failed(&failure, unknown).about(id, None)),
    }
}

fn wanted(body: &[u8]) -> Result<(String, RawJson), Problem> {
    let shape = r#"`{"tool_name": "…", "arguments": {…}}`"#;
    // A list would be read as the same in the order of its members.
    if !body.trim_ascii_start().starts_with(b"{") {
        return Err(Problem::invalid(format!("the body must be {shape}")));
    }
    let wanted: Wanted<'_> = serde_json::from_slice(body)
        .map_err(|error| Problem::invalid(format!("the body must be {shape}: {error}")))?;
    let arguments = match wanted.arguments {
        None => RawJson::empty_object(),
        Some(raw) if raw.get().starts_with('{') => RawJson::from(raw.to_owned()),
        Some(_) => return Err(Problem::invalid("`arguments` must be an object")),
    };
    Ok((wanted.tool_name, arguments))
}

/// Calls in a task of its own, so that a call whose caller leaves can still end in order.
async fn outcome(
    house: &House,
    gate: Arc<dyn Gate>,
    call: ToolCall,
) -> Result<Answer, ToolFailure> {
    let cancel: CancellationToken = call.cancel.clone();
    let calling = async move {
        tokio::select! {
            outcome = gate.judge_and_call(call) => outcome,
            () = async { cancel.cancelled().await; sleep(CANCEL_GRACE).await } => Err(ToolFailure::Cancelled),
        }
    };
    house.tasks.spawn(calling).await.unwrap_or(Err(ToolFailure::Cancelled))
}

fn answer(result: ToolResult) -> Response {
    let mut response = result.into_raw().into_string().into_response();
    let kind = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

fn refused(refusal: &Refusal, result: &ToolResult, id: String) -> Problem {
    let status = match refusal.code {
        RefusalCode::InvalidName
        | RefusalCode::InvalidIntent
        | RefusalCode::MissingIntent
        | RefusalCode::MissingOperationType
        | RefusalCode::InvalidOperationType
        | RefusalCode::InvalidSensitivity
        | RefusalCode::ReasonTooLong
        | RefusalCode::IntentMismatch
        | RefusalCode::IntentConflict
        | RefusalCode::InvalidArguments => StatusCode::BAD_REQUEST,
        RefusalCode::ServerMismatch
        | RefusalCode::AboveCeiling
        | RefusalCode::ToolNotApproved
        | RefusalCode::ToolChanged => StatusCode::FORBIDDEN,
        RefusalCode::UnknownServer | RefusalCode::UnknownTool => StatusCode::NOT_FOUND,
        RefusalCode::JournalUnavailable => StatusCode::SERVICE_UNAVAILABLE,
    };
    let body: Option<Value> = serde_json::from_str(result.raw().get()).ok();
    let details = body.and_then(|body| body.pointer("/structuredContent/details").cloned());
    Problem::new(status, refusal.code.as_str(), refusal.message.clone()).about(id, details)
}

/// `unknown` is what is said of a tool that is not there.
fn failed(failure: &ToolFailure, unknown: String) -> Problem {
    let (status, code) = match failure {
        ToolFailure::Unknown { .. } => {
            return Problem::new(StatusCode::NOT_FOUND, "UNKNOWN_TOOL", unknown);
        }
        ToolFailure::NotApproved(_) => (StatusCode::FORBIDDEN, "TOOL_NOT_APPROVED"),
        ToolFailure::Unavailable(_) => (StatusCode::CONFLICT, "NOT_CONNECTED"),
        ToolFailure::Cancelled => (StatusCode::SERVICE_UNAVAILABLE, "CANCELLED"),
        ToolFailure::Internal { .. } => (StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL"),
    };
    Problem::new(status, code, failure.to_string())
}
