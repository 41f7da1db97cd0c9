//! What every request passes before any handler sees it: framing, host, origin, who asks. No data without a key, or
//! a visit that a key has bought.

use std::sync::Arc;

use awf_core::RequestId;
use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse as _, Redirect, Response},
};

use crate::{
    house::House,
    page,
    problem::{Problem, Told},
    room::Guest,
};

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Bytes of an answer that says what was wrong, at most: more than a page with all filters.
const TOLD: usize = 16 * 1024 * 1024;

mod entry;
mod place;
mod refusals;

pub(crate) use entry::{cookie_name, cookies};
pub(crate) use place::Place;
pub(crate) use refusals::Refusals;

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
    let guest = request.extensions().get::<Guest>().cloned();
    let checked = framing(request.headers()).and_then(|()| Place::of(&house).check(&request));
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(problem) => {
            let mut response = problem.into_response();
            response.extensions_mut().insert(TurnedAway);
            response
        }
    };
    if let Some(guest) = guest {
        see_off(&house, &guest, &mut response);
    }
    if response.status().is_client_error() || response.status().is_server_error() {
        response = without_secrets(&house, response).await;
    }
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

/// Marks an answer to a request that came no further than the door.
#[derive(Clone, Copy)]
struct TurnedAway;

/// Who is turned away has to come again, and the log says so: whoever tries keys takes no room and leaves a trace.
fn see_off(house: &Arc<House>, guest: &Guest, response: &mut Response) {
    let (status, extensions) = (response.status(), response.extensions());
    let refused = extensions.get::<TurnedAway>().is_some()
        || status == StatusCode::UNAUTHORIZED
        || (status == StatusCode::FORBIDDEN && guest.is_stranger());
    if refused {
        refusals::note(
            house,
            guest.peer,
            extensions.get::<Told>().map_or("FORBIDDEN", |told| told.0),
        );
    }
    let strange = status.is_client_error() && guest.is_stranger();
    if refused || strange || status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
}

/// Who is refused is told what was wrong, in the words that were sent; but never a secret, which may be among them.
async fn without_secrets(house: &House, response: Response) -> Response {
    let (mut head, body) = response.into_parts();
    let text = to_bytes(body, TOLD).await.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    // The length is counted anew.
    head.headers.remove(header::CONTENT_LENGTH);
    let text = text.map(|text| (house.ports.redact)(&text)).unwrap_or_default();
    Response::from_parts(head, Body::from(house.settings.key.struck_from(text)))
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
        Ok(()) => admitted(request, next).await,
        Err(problem) => problem.into_response(),
    }
}

async fn with_key_or_visit(
    State(house): State<Arc<House>>,
    request: Request,
    next: Next,
) -> Response {
    let may = if reads(request.method()) && entry::visits(&house, request.headers()) {
        Ok(())
    } else {
        entry::key(&house, request.headers())
    };
    match may {
        Ok(()) => admitted(request, next).await,
        Err(problem) => problem.into_response(),
    }
}

async fn with_visit(State(house): State<Arc<House>>, request: Request, next: Next) -> Response {
    if looks(&house, &request) {
        return admitted(request, next).await;
    }
    Redirect::to(&page::login_path(request.uri())).into_response()
}

/// Whoever gets here need not give way to others any more.
async fn admitted(request: Request, next: Next) -> Response {
    if let Some(guest) = request.extensions().get::<Guest>() {
        guest.admit();
    }
    next.run(request).await
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
