//! The page: what was done, for a person with a browser. Rendered here; the one script only saves reloading.
//!
//! Whatever a tool or an agent said is text. Nothing here is ever made markup but by this crate's own templates.

use std::sync::Arc;

use axum::{
    Router,
    response::Redirect,
    routing::{get, post},
};

use crate::house::House;

mod activity;
mod assets;
mod docs;
mod doctor;
mod fields;
mod json;
mod layout;
mod login;
mod moment;
mod run;
mod runs;

pub(crate) use login::path as login_path;
pub use run::run_file;

/// Where a visitor begins.
const HOME: &str = "/runs";

/// For visitors.
pub(crate) fn routes() -> Router<Arc<House>> {
    Router::new()
        .route("/", get(async || Redirect::to(HOME)))
        .route("/runs", get(runs::list))
        .route("/runs/{id}", get(run::show))
        .route("/activity", get(activity::list))
        .route("/activity/{id}", get(activity::show))
        .route("/doctor", get(doctor::show))
        .route("/docs", get(docs::show))
        .route("/logout", post(login::leave))
}

/// For everybody.
pub(crate) fn open_routes() -> Router<Arc<House>> {
    Router::new()
        .route("/login", get(login::show).post(login::enter))
        .route("/assets/page.css", get(assets::style))
        .route("/assets/page.js", get(assets::script))
}
