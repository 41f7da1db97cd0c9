//! What every request passes before any handler sees it: framing, host, origin, key, form. No data without a key.

use std::sync::Arc;

use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse as _, Response},
};

use crate::{house::House, problem::Problem};

mod place;

pub(crate) use place::Place;

/// Puts the guards around `routes`, and answers what no route does.
pub(crate) fn around(routes: Router<Arc<House>>, house: Arc<House>) -> Router<Arc<House>> {
    routes
        .fallback(async || {
            Problem::new(StatusCode::NOT_FOUND, "NOT_FOUND", "there is nothing at this path")
        })
        .method_not_allowed_fallback(async || {
            let detail = "this path does not take this method";
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED", detail)
        })
        .layer(middleware::from_fn_with_state(house, pass))
}

async fn pass(State(house): State<Arc<House>>, request: Request, next: Next) -> Response {
    let mut response = match check(&house, &request) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    let headers = response.headers_mut();
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

fn check(house: &House, request: &Request) -> Result<(), Problem> {
    let headers = request.headers();
    framing(headers)?;
    Place::of(house).check(request)?;
    key(house, headers)?;
    if request.method() == Method::POST {
        form(headers)?;
    }
    Ok(())
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

fn key(house: &House, headers: &HeaderMap) -> Result<(), Problem> {
    let own = headers.get_all("x-api-key").iter().map(HeaderValue::as_bytes);
    let bearer = headers.get_all(header::AUTHORIZATION).iter().filter_map(|value| {
        let (scheme, key) = value.as_bytes().split_at_checked(7)?;
        scheme.eq_ignore_ascii_case(b"bearer ").then(|| key.trim_ascii())
    });
    let mut offered = own.chain(bearer).peekable();
    if offered.peek().is_some() && offered.all(|key| house.settings.key.admits(key)) {
        return Ok(());
    }
    Err(Problem::new(
        StatusCode::UNAUTHORIZED,
        "UNAUTHORIZED",
        "send the API key as `X-API-Key` or as `Authorization: Bearer`",
    ))
}

/// A form of a foreign page can send anything but this type without asking first.
fn form(headers: &HeaderMap) -> Result<(), Problem> {
    let mut types = headers.get_all(header::CONTENT_TYPE).iter();
    let only = types.next().filter(|_| types.next().is_none());
    let named = only.and_then(|value| value.to_str().ok()).and_then(|text| text.split(';').next());
    let encoded = headers
        .get(header::CONTENT_ENCODING)
        .is_some_and(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity"));
    if named.is_some_and(|named| named.trim().eq_ignore_ascii_case("application/json")) && !encoded
    {
        return Ok(());
    }
    Err(Problem::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "UNSUPPORTED_MEDIA_TYPE",
        "send the body as `Content-Type: application/json`, not encoded",
    ))
}
