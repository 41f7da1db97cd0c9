//! The API as a document (`OpenAPI` 3.1), made of what stands beside the handlers.
//!
//! To add an endpoint: give its handler a `#[utoipa::path(…)]` with the parameters (types in `parameters`) and the answer
//! (types in `schema`), and put it into `api::routes` with `routes!`; a path is never served without being described. What
//! every answer may be (no key, a faulty parameter, …) is added here. Then take over the snapshot: the test that fails
//! says how.

use std::sync::LazyLock;

use axum::{
    http::{HeaderValue, Uri, header},
    response::{IntoResponse as _, Response},
};
use utoipa::{
    OpenApi, PartialSchema as _, ToSchema as _,
    openapi::{
        HeaderBuilder, Ref, RefOr, Response as Answer, ResponseBuilder,
        content::ContentBuilder,
        path::{Operation, PathItem},
        security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

use crate::{api, problem::Problem, query::Parameters};

pub(crate) mod parameters;
pub(crate) mod run_schema;
pub(crate) mod schema;

/// What every endpoint may answer beside its own.
const ALWAYS: [(&str, &str); 9] = [
    ("400", "a parameter, or the body, cannot be read; `detail` names what can"),
    ("401", "no key, or another one"),
    ("403", "sent to another name, or by a page of another origin; or the tool may not be called"),
    ("404", "there is no such thing"),
    ("411", "a body without a length"),
    ("413", "the body is too large"),
    ("415", "the body is not `application/json`"),
    ("500", "the tool broke, or the log was written by a newer awf"),
    ("503", "the journal cannot be read or written, or there is no room"),
];

/// As it is sent. It cannot fail: every key is a text.
pub(crate) static DOCUMENT: LazyLock<String> =
    LazyLock::new(|| api::document().to_pretty_json().unwrap_or_default());

#[derive(OpenApi)]
#[openapi(
    info(
        title = "awf",
        version = "1",
        description = "Tools, calls of them, and what was called. Every request needs the key; a visitor of the page may read."
    ),
    // What only parameters name is not gathered by itself.
    components(schemas(
        parameters::Moment,
        run_schema::RunStatus,
        schema::ExportFormat,
        schema::OperationType,
        schema::Problem,
        schema::Source,
        schema::Status
    )),
    security(("key" = []), ("bearer" = []))
)]
struct Frame;

/// What the document begins with; the endpoints are added to it.
pub(crate) fn frame() -> utoipa::openapi::OpenApi {
    Frame::openapi()
}

/// The document, with what holds for every endpoint.
pub(crate) fn finished(mut document: utoipa::openapi::OpenApi) -> utoipa::openapi::OpenApi {
    for item in document.paths.paths.values_mut() {
        operations(item).for_each(complete);
    }
    if let Some(components) = document.components.as_mut() {
        let key = ApiKeyValue::with_description("X-API-Key", "The key of the file `api-key`.");
        components.add_security_scheme("key", SecurityScheme::ApiKey(ApiKey::Header(key)));
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
    }
    document
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    item.get.iter_mut().chain(item.post.iter_mut())
}

fn complete(operation: &mut Operation) {
    let answers = &mut operation.responses.responses;
    for (status, meaning) in ALWAYS {
        answers.entry(status.to_owned()).or_insert_with(|| RefOr::T(problem(meaning)));
    }
    for answer in answers.values_mut() {
        if let RefOr::T(answer) = answer {
            let header = HeaderBuilder::new().schema(Some(String::schema()));
            let header = header.description(Some("The request's own id, or a new one."));
            answer.headers.insert("X-Request-Id".to_owned(), header.build().into());
        }
    }
}

fn problem(meaning: &str) -> Answer {
    let name = schema::Problem::name();
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(name))).build();
    ResponseBuilder::new().description(meaning).content("application/problem+json", content).build()
}

/// `GET /api/v1/openapi.json` and `/openapi.json`.
#[utoipa::path(
    get, path = "/openapi.json", tag = "api", operation_id = "describe",
    responses((status = 200, description = "this document", body = std::collections::BTreeMap<String, serde_json::Value>))
)]
pub(crate) async fn serve(uri: Uri) -> Result<Response, Problem> {
    Parameters::none(&uri)?;
    let kind = HeaderValue::from_static("application/json");
    Ok(([(header::CONTENT_TYPE, kind)], DOCUMENT.as_str()).into_response())
}

#[cfg(test)]
mod tests;
