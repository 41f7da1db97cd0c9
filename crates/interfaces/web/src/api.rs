//! The REST API, one file per endpoint.

use std::sync::Arc;

use axum::Router;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{house::House, openapi};

pub(crate) mod activity;
mod caller;
mod events;
pub(crate) mod runs;
mod tools;
mod tools_call;

pub(crate) use events::Follower;

/// Where all of it lies.
const ROOT: &str = "/api/v1";

/// What is served, and described: see `openapi` on how to add to it.
fn described() -> OpenApiRouter<Arc<House>> {
    let endpoints = OpenApiRouter::new()
        .routes(routes!(activity::list))
        .routes(routes!(activity::summary))
        .routes(routes!(activity::export::export))
        .routes(routes!(activity::show))
        .routes(routes!(events::events))
        .routes(routes!(runs::list))
        .routes(routes!(runs::show))
        .routes(routes!(tools::list))
        .routes(routes!(tools_call::call))
        .routes(routes!(openapi::serve));
    OpenApiRouter::with_openapi(openapi::frame()).nest(ROOT, endpoints)
}

pub(crate) fn routes() -> Router<Arc<House>> {
    described().into()
}

/// The document of all that is served.
pub(crate) fn document() -> utoipa::openapi::OpenApi {
    openapi::finished(described().into_openapi())
}
