//! The REST API, one file per endpoint.

use std::sync::Arc;

use axum::{
    Router,
    routing::{get, post},
};

use crate::house::House;

pub(crate) mod activity;
mod caller;
mod events;
pub(crate) mod runs;
mod tools;
mod tools_call;

pub(crate) use events::Follower;

pub(crate) fn routes() -> Router<Arc<House>> {
    Router::new()
        .route("/activity", get(activity::list))
        .route("/activity/summary", get(activity::summary))
        .route("/activity/export", get(activity::export))
        .route("/activity/{id}", get(activity::show))
        .route("/events", get(events::events))
        .route("/runs", get(runs::list))
        .route("/runs/{id}", get(runs::show))
        .route("/tools", get(tools::list))
        .route("/tools/call", post(tools_call::call))
}
