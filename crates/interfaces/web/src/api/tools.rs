//! `GET /api/v1/tools`: what a client can call, by the names that `POST /api/v1/tools/call` takes.

use std::sync::Arc;

use awf_tools::{TOOLS_MOST, TOOLS_USUAL};
use axum::{
    Json,
    extract::State,
    http::{StatusCode, Uri},
    response::{IntoResponse as _, Response},
};

use crate::{
    house::House,
    openapi::{
        parameters::{Search, View},
        schema,
    },
    problem::Problem,
    query::{Parameters, VIEW, view_of},
};

const SEARCH: [&str; 2] = ["query", "limit"];

#[utoipa::path(
    get, path = "/tools", operation_id = "list_tools", tag = "tools",
    params(View, Search),
    responses((status = 200, description = "what can be called", body = schema::ToolList))
)]
pub(crate) async fn list(State(house): State<Arc<House>>, uri: Uri) -> Result<Response, Problem> {
    let given = Parameters::read(&uri, &[&VIEW[..], &SEARCH].concat())?;
    let view = view_of(&given)?;
    let words = "a few words that say what the tool should do";
    let query = given.value("query", words, |text| (!text.trim().is_empty()).then_some(text))?;
    let limits = format!("a number from 1 to {TOOLS_MOST}");
    let limit = |text: &str| text.parse().ok().filter(|count| (1..=TOOLS_MOST).contains(count));
    let limit = given.value("limit", &limits, limit)?;
    // A search gives the best few; who searches nothing is shown everything.
    let usual = query.map_or(usize::MAX, |_| TOOLS_USUAL);
    let gate = house.ports.views.view(&view).await?;
    let tools = gate.list(query.unwrap_or_default(), limit.unwrap_or(usual)).await;
    let tools = tools.map_err(|failure| {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE", failure.to_string())
    })?;
    Ok(Json(tools).into_response())
}
