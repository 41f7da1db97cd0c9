//! The style and the script, as they are in this program. Fetched anew each time: the next version of awf has others.

use axum::{
    http::{HeaderValue, header},
    response::{IntoResponse as _, Response},
};

/// The style of every page.
pub(crate) const STYLE: &str =
    concat!(include_str!("assets/page.css"), include_str!("assets/run.css"));

pub(crate) async fn style() -> Response {
    file("text/css; charset=utf-8", STYLE)
}

pub(crate) async fn script() -> Response {
    file("text/javascript; charset=utf-8", include_str!("assets/page.js"))
}

fn file(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static(kind))], text).into_response()
}
