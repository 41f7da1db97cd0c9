//! What every request passes before any handler sees it: framing, host, origin, who asks. No data without a key, or
//! a visit that a key has bought.

use std::sync::Arc;

use awf_core::RequestId;
use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse as _, Redirect, Response},
};

use crate::{house::House, page, problem::Problem};

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

mod entry;
mod place;

pub(crate) use entry::{cookie_name, cookies};
pub(crate) use place::Place;

/// What every answer says to a browser: run nothing but our own script, show it in nobody's frame, tell nobody.
///
/// The policy for referrers is not `no-referrer`, with which a browser would send our own forms as from nowhere.
const SAID: [(HeaderName, &str); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    ),
    (header::REFERRER_POLICY, "same-origin"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// What is served, by who may have it.
pub(crate) struct Doors {
    /// With the key only.
    pub(crate) keyed: Router<Arc<House>>,
    /// With the key, or to be read by a visitor.
    pub(crate) readable: Router<Arc<House>>,
    /// For visitors: whoever is none is sent to the login.
    pub(crate) pages: Router<Arc<House>>,
    /// For everybody who comes from nowhere else: no data.
    pub(crate) open: Router<Arc<House>>,
}

/// Puts the guards around what is behind the doors, and answers what no route does.
pub(crate) fn around(doors: Doors, house: &Arc<House>) -> Router<Arc<House>> {
    let guarded = |router: Router<Arc<House>>| router.method_not_allowed_fallback(wrong_method);
    let keyed = doors
        .keyed
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn_with_state(house.clone(), with_key));
    guarded(doors.readable)
        .merge(keyed)
        .fallback(async || {
            Problem::new(StatusCode::NOT_FOUND, "NOT_FOUND", "there is nothing at this path")
        })
        .layer(middleware::from_fn_with_state(house.clone(), with_key_or_visit))
        .merge(
            guarded(doors.pages)
                .route_layer(middleware::from_fn_with_state(house.clone(), with_visit)),
        )
        .merge(guarded(doors.open))
        .layer(middleware::from_fn_with_state(house.clone(), pass))
}

async fn wrong_method() -> Problem {
    let detail = "this path does not take this method";
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED", detail)
}

async fn pass(State(house): State<Arc<House>>, mut request: Request, next: Next) -> Response {
    let id = request_id(request.headers());
    request.extensions_mut().insert(id.clone());
    let checked = framing(request.headers()).and_then(|()| Place::of(&house).check(&request));
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::try_from(id.as_str()) {
        headers.insert(X_REQUEST_ID, id);
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    for (name, value) in SAID {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// The client's own word for the request where it is one, else a new one.
fn request_id(headers: &HeaderMap) -> RequestId {
    let mut given = headers.get_all(X_REQUEST_ID).iter();
    let only = given.next().filter(|_| given.next().is_none());
    let read = only.and_then(|value| value.to_str().ok()).and_then(RequestId::parse);
    read.unwrap_or_else(RequestId::generate)
}

async fn with_key(State(house): State<Arc<House>>, request: Request, next: Next) -> Response {
    match entry::key(&house, request.headers()) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

async fn with_key_or_visit(
    State(house): State<Arc<House>>,
    request: Request,
    next: Next,
) -> Response {
    let admitted = if reads(request.method()) && entry::visits(&house, request.headers()) {
        Ok(())
    } else {
        entry::key(&house, request.headers())
    };
    match admitted {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

async fn with_visit(State(house): State<Arc<House>>, request: Request, next: Next) -> Response {
    if looks(&house, &request) {
        return next.run(request).await;
    }
    Redirect::to(&page::login_path(request.uri())).into_response()
}

/// Whether a page may be shown, or its form taken: that needs a word from our own page as well.
fn looks(house: &House, request: &Request) -> bool {
    let headers = request.headers();
    let visitor = entry::visits(house, headers)
        && (reads(request.method()) || Place::of(house).is_own_page(headers));
    visitor || entry::key(house, headers).is_ok()
}

fn reads(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

/// A length that could be read in two ways is how requests are smuggled past whoever stands before us.
fn framing(headers: &HeaderMap) -> Result<(), Problem> {
    if headers.contains_key(header::TRANSFER_ENCODING) {
        return Err(Problem::new(
            StatusCode::LENGTH_REQUIRED,
            "LENGTH_REQUIRED",
            "send the body with `Content-Length` and without `Transfer-Encoding`",
        ));
    }
    Ok(())
}
